"""Cards that lie beside the layout: in no position and no hint, yet read, shown and said to be out of place."""

from collections.abc import Mapping

from rules.cards import GONE, Card, Seen
from rules.fault import Fault
from vision.reading import TableReading


def is_beside(place: str) -> bool:
    """Whether a place is none of a layout's, but a card's own."""
    return place.startswith("table ")


def beside(reading: TableReading, pins: Mapping[str, Seen]) -> dict[str, Seen]:
    """What lies beside the layout, by its place; nothing where there is no layout. A person's word goes first."""
    if reading.layout is None:
        return {}
    return {card.place: pins.get(card.place, card.card) for card in reading.cards if is_beside(card.place)}


def beside_faults(reading: TableReading, pins: Mapping[str, Seen]) -> tuple[Fault, ...]:
    """Every card beside the layout is out of place; one that lies in the layout as well lies there twice."""
    found = {place: seen for place, seen in beside(reading, pins).items() if seen is not GONE}
    at = {seen: place for place, seen in {**reading.places, **pins}.items() if isinstance(seen, Card)}
    twice = [
        Fault("duplicate-card", (at[seen], place), (seen, seen))
        for place, seen in found.items()
        if isinstance(seen, Card) and not seen.is_joker and at.get(seen, place) != place
    ]
    return (*twice, *(Fault("misplaced", (place,), (seen,)) for place, seen in found.items()))
