"""What becomes of a table when the next picture comes or a person says something: values in, values out."""

from dataclasses import dataclass, replace

from companion_app.errors import UsageTrouble
from companion_app.tables.row_table import How, is_in_line, line_places, settled_in_line
from companion_app.tables.table import Table, lasting_pins
from rules.cards import Seen, parse_seen
from rules.layouts import LAYOUTS
from vision.reading import TableReading

MOST_QUOTED = 20


@dataclass(frozen=True, slots=True)
class Look:
    """One more picture of a table as read: its number, name, reading, and the picture to show."""

    number: int
    name: str
    reading: TableReading
    picture: bytes


def whole(table: Table) -> Table:
    """A table with all that follows from its looks; raises what is wrong with its position."""
    table = table.refereed()
    if table.asked:
        found = table.recognised()
        table = found if found.game == table.game else found.as_game(found.game)
    table.position()
    return table


def settled(table: Table, place: str, code: str, how: How = "") -> Table:
    """The table with a person's word for a place; in a row `how` says where the card lies beside that there. Raises
    UsageTrouble where it has no such place."""
    if place not in table.beside and not is_place(table, place):
        raise UsageTrouble("place", place=place[:MOST_QUOTED])
    seen = parse_seen(None if code == "gone" else code) if code else None
    if is_in_line(place):
        return settled_in_line(table, place, seen, how)
    pins: dict[str, Seen] = {**table.pins}
    pins.pop(place, None)
    if seen is not None:
        pins[place] = seen
    return table.changed(pins=pins)


def is_place(table: Table, place: str) -> bool:
    """Whether the layout of a table has a place: a line has one more than there are cards in it."""
    layout = LAYOUTS[table.game.layout]
    if is_in_line(place):
        return place in line_places(table.position())
    return any(spot.place == place for spot in (*layout.spots, *layout.piles))


def followed(table: Table, look: Look) -> Table:
    """The table as the next picture shows it; what was settled before does not hold for other cards laid."""
    later = _after(table, look).refereed()
    return replace(later, pins={}).refereed() if later.is_anew else later


def _after(table: Table, look: Look) -> Table:
    """The table as the next picture shows it, what it was before beside it."""
    # The looks before stay, for the game follows from all of them, but no picture older than the one before.
    older = replace(table.before, picture=None) if table.before else None
    return table.changed(
        look=look.number,
        name=look.name,
        reading=look.reading,
        picture=look.picture,
        text=None,
        pins=lasting_pins(table.settled, table.reading, look.reading),
        hindsight={},
        belief=None,
        answer=None,
        edited=False,
        before=replace(table, before=older),
        allowed=False,
        stock_count=None,
        pass_number=None,
        reversed=None,
        stage="play",
    )


def count_of(text: str, least: int, most: int) -> int | None:
    """The number of a field, None for an empty one; raises UsageTrouble."""
    if not text.strip():
        return None
    if not text.strip().isdecimal() or len(text.strip()) > 2 or not least <= int(text) <= most:
        raise UsageTrouble("number", given=text.strip()[:MOST_QUOTED], least=least, most=most)
    return int(text)
