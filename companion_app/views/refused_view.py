"""What the page shows of a picture that could not be read, and of the outer cards that a person points at."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion_app.languages import Language
from companion_app.tables.games import PLAIN, games_of_layout
from companion_app.tables.pointed_corners import HANDED, KINDS, USUAL, field, kind_of, known_corners
from companion_app.tables.pointed_piles import WHOLE, Point
from companion_app.tables.spread_table import NO_LAYOUT
from companion_app.tables.table import Table
from rules.catalogue import GAMES
from rules.layouts import LAYOUTS

if TYPE_CHECKING:
    from companion_app.desk.refused import Refused


def refused_view(spoken: Language, refused: "Refused") -> dict[str, Any]:
    """Everything that the template of a refused picture names."""
    attempt = refused.attempt
    game = GAMES.get(attempt.game)
    layouts = (attempt.layout,) if attempt.layout else HANDED
    usual = attempt.layout or (game.layout if game else PLAIN.layout)
    return {
        "refused": refused,
        "message": spoken.say(f"error.{refused.code}"),
        "games": [(game.id, game.names[spoken.code], game.summary[spoken.code]) for game in GAMES.values()],
        "none": NO_LAYOUT,
        "corners": corners_view(spoken, layouts, USUAL, usual),
    }


def corners_view(
    spoken: Language, layouts: Sequence[str], at: Mapping[str, Sequence[Point]], usual: str
) -> dict[str, Any]:
    """What is asked of a person who points out a layout: which of these it is, and where its outer cards lie, in
    hundredths, by the kind of layout."""
    shown = [kind for kind in KINDS if kind in map(kind_of, layouts)]
    return {
        "layouts": [
            {
                "id": layout,
                "name": _name(spoken, layout),
                "kind": kind_of(layout),
                "rows": LAYOUTS[layout].rows,
                "usual": layout == usual,
            }
            for layout in layouts
        ],
        "kinds": [{"name": kind, "points": [*_points(spoken, kind, at[kind])]} for kind in shown],
    }


def table_corners(spoken: Language, table: Table) -> dict[str, Any]:
    """The same for a table, with where its outer cards lie as its picture was read."""
    layout = table.game.layout
    return corners_view(spoken, (layout,), {kind_of(layout): known_corners(table)}, layout)


def _points(spoken: Language, kind: str, at: Sequence[Point]) -> Iterator[dict[str, Any]]:
    for number, (x, y) in enumerate(at, start=1):
        fields = {
            "across": (field(kind, number, "across"), f"{WHOLE * x:.1f}"),
            "down": (field(kind, number, "down"), f"{WHOLE * y:.1f}"),
        }
        yield {"n": number, "name": spoken.say(f"corners.{kind}.{number}"), "fields": fields}


def _name(spoken: Language, layout: str) -> str:
    """A layout as a pyramid of so many rows, or as the games that are laid so."""
    if kind_of(layout) == "pyramid":
        return spoken.say("corners.pyramid", rows=LAYOUTS[layout].rows)
    return ", ".join(game.names[spoken.code] for game in games_of_layout(layout))
