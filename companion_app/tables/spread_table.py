"""Cards without a layout on the page: the picture, what a person settled, and the order the cards are listed in."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from companion_app.errors import UsageTrouble
from companion_app.tables.compose import Look, compose
from companion_app.tables.spreads import lying
from rules.cards import Card, Seen, parse_seen
from vision.reading import TableReading

NO_LAYOUT = "none"

Order = Literal["suit", "lie"]


@dataclass(frozen=True, slots=True)
class Spread:
    """Everything about one spread. `order`: its cards by suit, or as they lie on the table."""

    id: str
    name: str
    reading: TableReading
    picture: bytes
    pins: Mapping[str, Seen] = field(default_factory=dict)
    order: Order = "suit"

    def look(self) -> Look:
        """The spread as understood, with its faults."""
        return compose(self.reading, None, self.pins)

    @property
    def seen(self) -> dict[str, Seen]:
        """What lies at each place, as read or settled."""
        return lying(self.reading, self.pins)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Places in doubt that are not settled."""
        return self.look().doubts

    def settled(self, place: str, code: str) -> "Spread":
        """The spread with a person's word for a place: a card, `gone`, or an empty code to trust the picture again."""
        if place not in self.seen:
            raise UsageTrouble("place", place=place)
        pins = {spot: seen for spot, seen in self.pins.items() if spot != place}
        if code:
            pins[place] = parse_seen(None if code == "gone" else code)
        return replace(self, pins=pins)

    def added(self, code: str) -> "Spread":
        """The spread with a card that a person sees and the reader did not; it gets the next free place."""
        card = parse_seen(code)
        if not isinstance(card, Card):
            raise UsageTrouble("no-card", text=code)
        number = 1 + max(int(place.split()[1]) for place in self.seen)
        return replace(self, pins={**self.pins, f"table {number}": card})
