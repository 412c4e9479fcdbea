"""Which card lies at a place: what is asked about one in doubt, and the chooser, where any card is two taps or two keys
away."""

from collections.abc import Sequence
from typing import Any

from companion_app.drawing.suits import SIGNS
from companion_app.languages import Language
from companion_app.tables.spread_table import Spread
from companion_app.tables.table import Table
from rules.cards import GONE, Card, Rank, Seen, Suit, seen_code

BEST_GUESSES = 3
LEAST_CHANCE, SECOND_CHANCE = 0.01, 0.001
BORDER = 0.12
"""Shown around a card, as a share of it."""
STROKE = 0.03
SUIT_ORDER = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)


def question_view(spoken: Language, table: Table | Spread, place: str) -> dict[str, Any]:
    """What to ask about the card at a place, and what the picture shows there."""
    return {
        "place": place,
        "where": spoken.place(place),
        "best": best_guesses(spoken, table, place),
        "cut": cut_out(table, place),
    }


def cut_out(table: Table | Spread, place: str) -> dict[str, Any] | None:
    """The part of the picture that shows a place (``box``: x, y, width and height in pixels) with the outline of the
    card; None where no picture shows it."""
    cards = table.reading.cards if table.reading else ()
    quad = next((card.quad_xy for card in cards if card.place == place), None)
    if quad is None or table.picture is None:
        return None
    (left, *_, right), (top, *_, bottom) = (sorted(values) for values in zip(*quad, strict=True))
    wide, high = right - left, bottom - top
    box = (left - BORDER * wide, top - BORDER * high, (1 + 2 * BORDER) * wide, (1 + 2 * BORDER) * high)
    return {
        "box": " ".join(f"{value:.0f}" for value in box),
        "points": " ".join(f"{x:.0f},{y:.0f}" for x, y in quad),
        "stroke": round(STROKE * min(wide, high), 1),
    }


def best_guesses(spoken: Language, table: Table | Spread, place: str) -> list[dict[str, Any]]:
    """The best readings of a place: code, name and chance in per cent."""
    return guesses_view(spoken, likeliest(table, place))


def guesses_view(spoken: Language, likely: Sequence[tuple[Seen, float]]) -> list[dict[str, Any]]:
    """Readings to be chosen from: code, name and chance in per cent."""
    return [
        {"code": seen_code(seen) or "gone", "name": spoken.card(seen_code(seen)), "percent": _percent(spoken, chance)}
        for seen, chance in likely
    ]


def likeliest(table: Table | Spread, place: str) -> list[tuple[Seen, float]]:
    """What lies at a place, by all looks or by the picture: the best readings with their chances. Of a card in doubt
    two are offered where there are two: one alone is no choice."""
    cards = table.reading.cards if table.reading else ()
    found = next((card for card in cards if card.place == place), None)
    told = tuple(table.guesses(place).items()) if isinstance(table, Table) else ()
    read = told or (found.alternatives if found else ())
    best = read[:BEST_GUESSES] if read else ((GONE, 0.5),) if place in table.doubts else ()
    return [
        (seen, chance)
        for number, (seen, chance) in enumerate(best)
        if chance >= (SECOND_CHANCE if number == 1 and place in table.doubts else LEAST_CHANCE)
    ]


def _percent(spoken: Language, chance: float) -> str:
    return spoken.percent(chance, 0 if chance >= LEAST_CHANCE else 1)


def chooser_view(
    spoken: Language, table: Table | Spread, place: str, now: Seen | None, deck: Sequence[Card], *, is_in_line: bool
) -> dict[str, Any]:
    """The chooser for the place where `now` lies: the cards of a deck by rank and suit, those likeliest first.
    is_in_line: a card may have been missed before or after it."""
    return {
        **question_view(spoken, table, place),
        "ranks": [
            {"code": rank.code, "name": spoken.rank(rank.code)} for rank in Rank if Card(rank, Suit.SPADES) in deck
        ],
        "suits": [
            {"code": suit.value, "sign": SIGNS[suit.value], "name": spoken.say(f"suit.{suit.value}")}
            for suit in SUIT_ORDER
        ],
        "rank": str(now)[:-1] if isinstance(now, Card) and not now.is_joker else "",
        "suit": now.suit.value if isinstance(now, Card) and now.suit else "",
        "pinned": place in table.pins,
        "joker": any(card.is_joker for card in deck),
        "line": is_in_line and now not in (None, GONE),
        "partners": None,
        "asked": None,
    }
