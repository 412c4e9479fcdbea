"""Tables drawn for training and measuring: half rows lie as a game leaves them."""

from __future__ import annotations

import numpy as np
import pytest

from models.training import layouts, scenes
from rules.cards import Card
from rules.layouts import LAYOUTS


@pytest.mark.parametrize("name", layouts.ROW_LAYOUTS)
def test_what_lies_under_the_bases_of_a_game_in_play_lies_nowhere(name: str) -> None:
    begun = 0
    for seed in range(30):
        lying = layouts.in_play(np.random.default_rng(seed), LAYOUTS[name])
        cards = {place: Card.parse(code) for place, code in lying.items()}
        assert len(set(cards.values())) == len(cards)
        gone = 52 - len(cards)
        below = {suit: _below(place, cards) for suit, place in _bases(cards).items()}
        begun += gone > 4
        # One way round for all of them; in one game a second centre card of a suit is no base.
        if len(below) == 4:
            assert any(sum(len(both[way]) for both in below.values()) == gone for way in (0, 1))
    assert begun


def _bases(cards: dict[str, Card]) -> dict[object, str]:
    return {card.suit: place for place, card in cards.items() if place.startswith("base")}


def _below(place: str, cards: dict[str, Card]) -> tuple[set[int], set[int]]:
    """The ranks that are missing just before and just after the card on a foundation, as far as none of them lies."""
    top = cards[place]
    seen = {card.worth for card in cards.values() if card.suit == top.suit}
    runs = []
    for step in (-1, 1):
        run, rank = set[int](), (top.worth - 1 + step) % 13 + 1
        while rank not in seen:
            run.add(rank)
            rank = (rank - 1 + step) % 13 + 1
        runs.append(run)
    return runs[0], runs[1]


@pytest.mark.parametrize("name", layouts.ROW_LAYOUTS)
def test_the_index_of_every_card_in_a_line_shows(name: str) -> None:
    for seed in range(12):
        laid = {card.place: card for card in layouts.rows(np.random.default_rng(seed), 1.4, name)}
        for line in LAYOUTS[name].lines:
            for number in range(1, 9):
                inner, outer = (laid.get(line.stack.place(n)) for n in (number, number + 1))
                if inner and outer and line.stack.kind == "half":
                    assert abs(outer.x - inner.x) >= layouts.SHOWS - 1e-9
                elif inner and outer:
                    assert outer.y - inner.y >= layouts.SHOWS * 1.4 - 1e-9


def test_cards_that_are_certain_lie_once_and_the_others_are_dealt() -> None:
    laid = [layouts.Laid(0, 0, code="KS"), layouts.Laid(1, 0), layouts.Laid(2, 0, code="AH"), layouts.Laid(3, 0)]
    assert scenes._dealt(["AH", "2C", "KS", "3D"], laid) == ["KS", "2C", "AH", "3D"]
