"""A taught deck as the commands print it and as people are told of it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion_app.languages import Language

if TYPE_CHECKING:
    from vision.profile import Profile


def deck_answer(deck: "Profile") -> dict[str, Any]:
    """One deck; `left_out`: shares of its windows read rightly by what its other cards taught, `usual` by the nets."""
    figures = deck.figures
    return {
        "deck": deck.name,
        "cards": figures.cards,
        "windows": figures.windows,
        "left_out": {"rank": round(figures.rank_right, 4), "suit": round(figures.suit_right, 4)},
        "usual": round(figures.usual_right, 4),
        "pictures": list(deck.sources),
        "net": deck.net[:16],
    }


def figures_phrase(language: Language, answer: Mapping[str, Any]) -> str:
    """The figures of an answer in words."""
    left = answer["left_out"]
    shares = {"rank": left["rank"], "suit": left["suit"], "usual": answer["usual"]}
    return language.say("decks.figures", cards=answer["cards"], **{name: f"{v:.0%}" for name, v in shares.items()})
