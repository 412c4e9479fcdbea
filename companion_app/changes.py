"""What becomes of a table when the next picture comes or a person says something: values in, values out."""

from dataclasses import dataclass, replace

from companion_app.errors import UsageTrouble
from companion_app.table import Table, lasting_pins
from rules.cards import Seen, parse_seen
from rules.layouts import PILES
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


def settled(table: Table, place: str, code: str) -> Table:
    """The table with a person's word for a place; raises UsageTrouble where it has no such place."""
    rows = range(1, table.game.options.rows + 1)
    known = {f"pyramid {row} {column}" for row in rows for column in range(1, row + 1)}
    if place not in known | set(PILES) | set(table.beside):
        raise UsageTrouble("place", place=place[:MOST_QUOTED])
    pins: dict[str, Seen] = {**table.pins}
    pins.pop(place, None)
    if code:
        pins[place] = parse_seen(None if code == "gone" else code)
    return table.changed(pins=pins)


def followed(table: Table, look: Look) -> Table:
    """The table as the next picture shows it; what was settled before does not hold for other cards laid."""
    later = _after(table, look).refereed()
    return replace(later, pins={}).refereed() if later.is_anew else later


def _after(table: Table, look: Look) -> Table:
    """The table as the next picture shows it, what it was before beside it."""
    oldest = replace(table.before, before=None) if table.before else None
    return table.changed(
        look=look.number,
        name=look.name,
        reading=look.reading,
        picture=look.picture,
        text=None,
        pins=lasting_pins(table.settled, look.reading),
        hindsight={},
        before=replace(table, before=oldest),
        allowed=False,
        stock_count=None,
        pass_number=None,
        stage="play",
    )


def count_of(text: str, least: int, most: int) -> int | None:
    """The number of a field, None for an empty one; raises UsageTrouble."""
    if not text.strip():
        return None
    if not text.strip().isdecimal() or len(text.strip()) > 2 or not least <= int(text) <= most:
        raise UsageTrouble("number", given=text.strip()[:MOST_QUOTED], least=least, most=most)
    return int(text)
