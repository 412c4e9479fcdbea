"""A taught deck as the commands print it and as people are told of it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion_app.drawing.suits import SIGNS
from companion_app.languages import Language

if TYPE_CHECKING:
    from companion_app.decks.deck_drafts import Draft
    from vision.decks.profile import Profile


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
    told = {name: language.percent(share) for name, share in shares.items()}
    return language.say("decks.figures", cards=answer["cards"], **told)


def draft_answer(draft: "Draft") -> dict[str, Any]:
    """A deck shown in part: the cards seen, and those still to be shown, in the order they are asked for."""
    return {
        "deck": draft.name,
        "seen": [str(card) for card in draft.seen],
        "missing": [str(card) for card in draft.missing],
        "pictures": list(draft.sources),
    }


def draft_view(draft: "Draft") -> dict[str, Any]:
    """A deck shown in part, for its page: name, how many cards were seen of how many, and those missing by suit."""
    missing = [str(card) for card in draft.missing]
    rows = [[code for code in missing if code[-1] == suit] for suit in SIGNS]
    return {
        "name": draft.name,
        "seen": len(draft.seen),
        "all": len(draft.order),
        "next": missing[0] if missing else None,
        "missing": [row for row in rows if row],
        "last": bool(draft.last),
    }


def draft_phrase(language: Language, answer: Mapping[str, Any]) -> str:
    """How far a deck was shown, and what comes next, in words."""
    seen, missing = answer["seen"], answer["missing"]
    return language.say("decks.shown", seen=len(seen), all=len(seen) + len(missing), missing=" ".join(missing))
