"""What a spread without a layout tells: cards that lie there twice, cards of no deck, cards that are not to be seen."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from rules.cards import UNREADABLE, Card, Seen, deck
from rules.fault import Fault
from vision.reading import TableReading

# With fewer different cards of a deck on the table it is hardly a deck laid out to be counted: what is missing is then
# told to those who ask.
MOST_OF_A_DECK = 40


def lying(reading: TableReading, pins: Mapping[str, Seen]) -> dict[str, Seen]:
    """What lies at each place, a person's word before the picture's."""
    return {**{card.place: card.card for card in reading.cards}, **pins}


def missing_cards(seen: Mapping[str, Seen]) -> tuple[Card, ...]:
    """The cards of a deck of 52 that no place names, suit by suit."""
    named = set(seen.values())
    return tuple(card for card in deck() if card not in named)


def is_counted(missing: Sequence[object]) -> bool:
    """Whether so few cards are missing that somebody laid out a deck to count it."""
    return len(deck()) - len(missing) >= MOST_OF_A_DECK


def spread_faults(reading: TableReading, pins: Mapping[str, Seen]) -> tuple[Fault, ...]:
    """Cards that cannot be read or belong to no deck, and cards surely seen at more than one place.

    Two of a card are a fault even where two decks are laid: only a person can know that they are.
    """
    seen = lying(reading, pins)
    foreign = [place for place in reading.foreign if seen[place] is UNREADABLE]
    unread = [place for place, card in seen.items() if card is UNREADABLE and place not in foreign]
    sure: dict[Card, list[str]] = defaultdict(list)
    for place, card in seen.items():
        if isinstance(card, Card) and not card.is_joker and (place in pins or place not in reading.doubts):
            sure[card].append(place)
    twice = {card: places for card, places in sure.items() if len(places) > 1}
    return (
        *(Fault("unreadable", (place,), (UNREADABLE,)) for place in unread),
        *(Fault("duplicate-card", tuple(places), (card,) * len(places)) for card, places in twice.items()),
        *(Fault("foreign-card", (place,), (UNREADABLE,)) for place in foreign),
    )


def with_foreign(faults: tuple[Fault, ...], foreign: tuple[str, ...]) -> tuple[Fault, ...]:
    """The faults of a layout, with those cards called foreign that were seen well and are no cards of a deck."""
    return tuple(
        Fault("foreign-card", fault.places, fault.cards)
        if fault.kind == "unreadable" and set(fault.places) <= set(foreign)
        else fault
        for fault in faults
    )
