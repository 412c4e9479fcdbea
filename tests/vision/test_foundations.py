"""What a base column may show, told from the tables of games that were really played."""

from __future__ import annotations

import numpy as np
import pytest

from models.training.layouts import ROW_LAYOUTS, in_play
from rules.cards import seen_code
from rules.layouts import LAYOUTS
from vision.cards.candidates import Candidates, numbered
from vision.layout import one_line
from vision.layout.foundations import foundations
from vision.recognize.index_reader import FACES, SIZE

NUMBER = {str(seen_code(face)): n for n, face in enumerate(FACES)}


def read(codes: list[str], sure: float = 0.99) -> Candidates:
    """These cards, each read so surely."""
    n = len(codes)
    belief = np.full((n, SIZE), (1 - sure) / SIZE)
    belief[np.arange(n), [NUMBER[code] for code in codes]] += sure
    ones, none = np.ones(n), np.zeros(n)
    kinds = np.tile([0.0, 1.0, 0.0], (n, 1))
    return Candidates(
        np.zeros((n, 2)),
        belief,
        ones,
        ones,
        none,
        none,
        ones,
        ones,
        numbered([()] * n),
        ones,
        kinds,
        belief,
        np.zeros((n, 8, 6)),
    )


def odds(lying: list[str], bases: list[str]) -> float:
    """How far these cards of a table look like its bases."""
    cards = read(lying)
    return foundations(cards).odds(cards.belief[[lying.index(code) for code in bases]])


@pytest.mark.parametrize("name", ROW_LAYOUTS)
def test_the_bases_of_a_game_in_play_stand_out_among_other_cards(name: str) -> None:
    above = tables = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        table = in_play(rng, LAYOUTS[name])
        bases = [card for place, card in table.items() if place.startswith("base")]
        others = [card for place, card in table.items() if not place.startswith("base")]
        mine = odds(list(table.values()), bases)
        theirs = [odds(list(table.values()), [str(c) for c in rng.permutation(others)[:4]]) for _ in range(12)]
        above += mine > max(theirs) + 3
        tables += 1
    # In one of the four games that are laid as rows-5-4 the bases are any cards at first.
    assert above >= (0.7 if name == "rows-5-4" else 0.95) * tables


def test_cards_of_one_rank_are_bases_whatever_is_missing() -> None:
    deck = [str(seen_code(face)) for face in FACES[:52]]
    rng = np.random.default_rng(4)
    aces = ["AS", "AH", "AD", "AC"]
    left = [*aces, *(code for code in rng.permutation(deck)[:46].tolist() if code not in aces)]
    assert odds(left, aces) > 5
    assert odds(left, left[6:10]) < 0


def test_a_card_read_elsewhere_does_not_lie_under_another() -> None:
    deck = [str(seen_code(face)) for face in FACES[:52]]
    under = ["5S", "6S", "5H", "5D", "6D", "7D"]
    tops = ["7S", "6H", "8D", "5C"]
    table = [code for code in deck if code not in under]
    assert odds(table, tops) > 6
    assert odds([*table, "6S", "6D", "5H"], tops) < odds(table, tops) - 5


def test_an_empty_base_column_tells_nothing() -> None:
    cards = read(["AS", "KS"])
    assert foundations(cards).odds(cards.belief[:0]) == 0.0


@pytest.mark.parametrize("name", ROW_LAYOUTS)
def test_what_lies_under_the_bases_is_not_missed(name: str) -> None:
    off = []
    for seed in range(25):
        table = in_play(np.random.default_rng(seed), LAYOUTS[name])
        lying = list(table.values())
        if len([place for place in table if place.startswith("base")]) < 4:
            continue
        # Two cards of half rows were not read.
        seen = [code for place, code in table.items() if place not in [p for p in table if "left" in p][:2]]
        cards = read(seen)
        bases = cards.belief[[seen.index(table[place]) for place in table if place.startswith("base")]]
        under, known = foundations(cards).hidden(bases)
        if known > 0.5:
            off.append(under - (52 - len(lying)))
    # Where each foundation began with a rank of its own it is not told.
    assert len(off) > (5 if name == "rows-5-4" else 15)
    assert np.median(np.abs(off)) < 1
    assert np.mean(np.abs(off)) < 3


def test_a_card_is_missed_as_often_as_the_deck_says() -> None:
    assert one_line.skipped(52, 52.0) == one_line.skipped(54, 52.0) < 0.01
    assert 0.1 < one_line.skipped(44, 52.0) < 0.2
    steps = np.array([0.3, 0.3, 0.5])
    assert one_line.overlooked(0.5, 0.3, 0.1, 0.15, 1) > one_line.overlooked(0.5, 0.3, 0.1, 0.005, 1)
    assert one_line.missed(steps, 0.3, 0.1, 0.15).tolist() == [0, 0, 1]
    assert one_line.missed(steps, 0.3, 0.1, 0.005).tolist() == [0, 0, 0]
