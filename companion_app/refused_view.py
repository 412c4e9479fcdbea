"""What the page shows of a picture that could not be read, and of the outer cards that a person points at."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from companion_app.games import PYRAMID
from companion_app.languages import Language
from companion_app.pointed_corners import HANDED, USUAL
from companion_app.pointed_piles import WHOLE, Point
from companion_app.spread_table import NO_LAYOUT
from rules.catalogue import GAMES
from rules.layouts import LAYOUTS

if TYPE_CHECKING:
    from companion_app.refused import Refused


def refused_view(spoken: Language, refused: "Refused") -> dict[str, Any]:
    """Everything that the template of a refused picture names."""
    attempt = refused.attempt
    game = GAMES.get(attempt.game)
    usual = attempt.layout or (game.layout if game else "")
    layouts = (attempt.layout,) if attempt.layout else HANDED
    return {
        "refused": refused,
        "message": spoken.say(f"error.{refused.code}"),
        "games": [(game.id, game.names[spoken.code], game.summary[spoken.code]) for game in GAMES.values()],
        "none": NO_LAYOUT,
        "corners": corners_view(spoken, layouts, USUAL, usual),
    }


def corners_view(
    spoken: Language, layouts: Iterable[str], at: Sequence[Point], usual: str = ""
) -> dict[str, Any] | None:
    """What is asked of a person who points out a layout: which of these it is, and where its outer cards lie, in
    hundredths; None where none of them can be pointed out."""
    handed = [layout for layout in layouts if layout in HANDED]
    if not handed:
        return None
    told = zip(range(1, len(at) + 1), at, strict=True)
    return {
        "layouts": [(layout, _name(spoken, layout), LAYOUTS[layout].rows, layout == usual) for layout in handed],
        "points": [
            {"n": n, "name": spoken.say(f"corners.{n}"), "across": f"{WHOLE * x:.1f}", "down": f"{WHOLE * y:.1f}"}
            for n, (x, y) in told
        ],
    }


def _name(spoken: Language, layout: str) -> str:
    return spoken.say("corners.pyramid", rows=layout.removeprefix(PYRAMID))
