"""Decks that print otherwise than most: they are drawn as told, and read."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest

from models.measure import strange, taught
from models.measure.drawn import Pool, View
from models.training import decks
from models.training.printing import LETTER_SETS, WIDTH, Oddity, any_inks, any_oddity, dotted
from rules.cards import Card
from tests.vision.test_posterior import chances
from tests.vision.test_prints import several
from vision.posterior.place_model import posterior
from vision.reader import Reader
from vision.recognize import prints
from vision.recognize.index_reader import CARDS

PAPER = (222, 196, 150)


@cache
def reader() -> Reader:
    return Reader.load()


def drawn(odd: Oddity, seed: int = 0) -> decks.Deck:
    return decks.draw_deck("by pen", np.random.default_rng(seed), by_pen=True, odd=odd)


def test_a_deck_is_printed_as_told() -> None:
    usual, tan = drawn(Oddity()), drawn(Oddity(paper=PAPER))
    small = drawn(Oddity(height=0.09))
    assert usual.faces["5S"][2:6, 100:140].min() > 225
    assert (tan.faces["5S"][2:6, 100:140] == PAPER).all()
    assert small.indices["5S"][0].rank_height == pytest.approx(0.09 * WIDTH)
    # All else stays as it was.
    assert usual.indices["5S"] == tan.indices["5S"]


def test_coarse_print_is_of_so_many_rows_of_dots() -> None:
    disc = (np.hypot(*np.mgrid[-20:20, -20:20]) < 18).astype(np.uint8) * 255
    coarse = dotted(disc, 8)
    assert set(np.unique(coarse)) == {0, 255}
    assert (coarse.reshape(8, 5, 40) == coarse.reshape(8, 5, 40)[:, :1]).all()


def test_inks_of_one_deck_are_far_apart() -> None:
    for seed in range(20):
        inks = np.array(list(any_inks(np.random.default_rng(seed)).values()), float)
        far = np.linalg.norm(inks[:, None] - inks, axis=2) + np.eye(4) * 999
        assert far.min() > 20
        assert inks.min(1).max() < 150


def test_the_thirty_decks_are_kept_out_of_training() -> None:
    every = list(strange.oddities(1))
    assert len(every) == 30
    assert set(Counter(name for name, _ in every).values()) == {strange.EACH}
    kept = [odd.letters for _, odd in every if odd.letters]
    assert not any(letters in LETTER_SETS for letters in kept)
    trained = [any_oddity(np.random.default_rng(seed)) for seed in range(200)]
    assert not any(odd.letters in kept for odd in trained if odd.letters)
    assert 0.2 < np.mean([odd == Oddity() for odd in trained]) < 0.8


# Of each of these some cards were misread before nets had seen such inks.
@pytest.mark.parametrize("seed", (6, 7, 11, 28, 35))
def test_a_table_of_four_inks_on_any_suits_is_read(seed: int) -> None:
    pool = Pool(
        seed,
        lambda rng: decks.draw_deck("by pen", rng, by_pen=True, odd=Oddity(inks=any_inks(rng))),
        plain=True,
    )
    count, reading = strange.counted(reader(), pool.row_table(0, View()))
    assert count["exact"] and reading is not None
    assert count["named"] > 30
    assert count["doubted"] <= 2
    assert sum(row[0] for row in reading.prints.suits) >= count["named"] - count["doubted"]


def test_cards_read_alone_tell_nothing_of_each_other() -> None:
    """An eight that may as well be a three is told by the sure eights of its table, unless it is read alone."""
    own, codes = prints.load()[0].means[7] + 1.0, ["8S", "8D", "8H", "8C"]
    unsure = (chances("8C", 0.5) + chances("3C", 0.5)) / 2
    seen = several(codes, np.tile(own, (4, 1)), [*(chances(code, 0.999) for code in codes[:3]), unsure])
    eight, three = (CARDS.index(Card.parse(code)) for code in ("8C", "3C"))
    told = posterior(seen)[-1]
    with strange.each_alone():
        alone = posterior(seen)[-1]
    assert told[eight] > 3 * told[three]
    assert alone[eight] == pytest.approx(alone[three], abs=0.02)
    assert posterior(seen)[-1] == pytest.approx(told)


def test_tables_of_a_deck_that_was_taught_are_counted() -> None:
    counts = taught.counted(reader(), 0, 1)
    assert counts["pictures"] == counts["chosen"] == 1
    assert counts["exact"] == 1 and counts["named"] > 5 and counts["sure_wrong"] == 0
