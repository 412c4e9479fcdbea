"""One deck: what is sure in one place is ruled out in another, and doubt is not turned into certainty."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from models.measure.drawn import Pool, View
from models.training.decks import draw_deck
from models.training.layouts import Laid
from rules.cards import Card
from vision.posterior.one_deck import of_two, one_deck
from vision.posterior.spotted import Spotted, decided
from vision.reader import Reader
from vision.reading import SeenCard
from vision.recognize.index_reader import CARDS, JOKER_AT, NONE, SIZE, combined


def belief(**cards: float) -> np.ndarray:
    out = np.zeros(SIZE)
    for number, chance in cards.items():
        out[int(number[1:])] = chance
    out[NONE] += 1 - out.sum()
    return out


def test_a_card_surely_elsewhere_gives_way_to_the_second_choice() -> None:
    p = one_deck(np.stack([belief(c3=0.99), belief(c3=0.6, c8=0.4)]))
    assert p[1].argmax() == 8
    assert p[0].argmax() == 3


def test_two_of_the_same_card_are_still_seen_as_such() -> None:
    p = one_deck(np.stack([belief(c3=0.9999), belief(c3=0.9999)]))
    assert p[0].argmax() == 3
    assert p[1].argmax() == 3


def test_where_cards_are_seen_twice_ruling_one_out_makes_no_other_sure() -> None:
    sightings = np.stack([belief(c3=0.99), belief(c3=0.47, c8=0.52)])
    once, twice = one_deck(sightings), one_deck(sightings, twice=0.5)
    assert once[1, 8] > 0.9
    assert 0.52 < twice[1, 8] < 0.8


def exact(beliefs: np.ndarray) -> np.ndarray:
    """The chances of each place by counting out all ways in which no card lies twice."""
    out = np.zeros_like(beliefs)
    likely = [np.flatnonzero(own).tolist() for own in beliefs]
    for way in itertools.product(*likely):
        cards = [card for card in way if card < JOKER_AT]
        if len(set(cards)) == len(cards):
            chance = np.prod([own[card] for own, card in zip(beliefs, way, strict=True)])
            for place, card in enumerate(way):
                out[place, card] += chance
    return out / out.sum(1, keepdims=True)


def test_the_chances_are_nearly_those_of_all_ways_counted_out() -> None:
    rng, off = np.random.default_rng(5), []
    for _ in range(40):
        places = np.zeros((5, SIZE))
        for own in places:
            # Three or four cards of eight, one of which is the likeliest, and now and then something else.
            several = int(rng.integers(3, 5))
            own[rng.choice(8, several, replace=False)] = rng.dirichlet(np.full(several, 0.4))
            own[NONE] = rng.uniform(0, 0.2)
        places /= places.sum(1, keepdims=True)
        off.append(np.abs(one_deck(places, twice=0.0) - exact(places)).max())
    assert np.mean(off) < 0.03
    assert max(off) < 0.15


def test_two_places_that_waver_between_the_same_two_cards_do_not_make_each_other_sure() -> None:
    p = one_deck(np.stack([belief(c3=0.6, c8=0.4), belief(c3=0.4, c8=0.6)]), twice=0.0)
    assert 0.6 < p[0, 3] < 0.85


def test_jokers_may_occur_more_than_once() -> None:
    p = one_deck(np.stack([belief(**{f"c{JOKER_AT}": 0.9}), belief(**{f"c{JOKER_AT}": 0.9})]))
    assert (p[:, JOKER_AT] > 0.85).all()


def test_chances_stay_chances() -> None:
    rng = np.random.default_rng(4)
    p = one_deck(rng.dirichlet(np.full(SIZE, 0.1), 20))
    np.testing.assert_allclose(p.sum(1), 1, atol=1e-6)
    assert (p >= 0).all()


def test_no_window_means_nothing_read() -> None:
    assert combined(np.zeros((0, SIZE)))[NONE] == 1


def test_two_witnesses_of_one_card_are_surer_than_one_and_disagreement_is_doubt() -> None:
    one, two = belief(c5=0.8, c9=0.15), belief(c5=0.8, c9=0.15)
    assert combined(np.stack([one, two]))[5] > combined(one[None])[5]
    assert combined(np.stack([belief(c5=0.9, c9=0.05), belief(c9=0.9, c5=0.05)])).max() < 0.75


def test_a_window_without_an_index_does_not_weaken_one_with() -> None:
    sure = belief(c5=0.95)
    assert combined(np.stack([sure, belief()]))[5] > 0.93


CARD = np.array([[0, 0], [100, 0], [100, 140], [0, 140]], np.float64)


def decision(face: float, by_body: str = "", **cards: float) -> SeenCard:
    """What is decided of one card; by_body: the one that it is as a whole, if that was looked at."""
    told = belief(**cards)[:NONE]
    seen = Spotted("waste", 1.0, face, told / told.sum(), CARD)
    if by_body:
        seen = replace(seen, by_body=belief(**{by_body: 0.999})[:NONE])
    return decided((seen,), twice=0.0)[0]


def test_a_card_is_asked_about_sooner_than_a_back() -> None:
    assert decision(1.0, c3=0.9, c8=0.1).doubtful
    assert not decision(1.0, c3=0.999, c8=0.001).doubtful
    assert not decision(0.1, c3=1.0).doubtful
    assert decision(0.45, c3=1.0).doubtful


def test_a_card_whose_pips_speak_against_its_corners_is_no_surer_for_having_both() -> None:
    likely = {"c4": 0.96, "c8": 0.04}  # the five and the nine of spades
    alone, agreed, against = (decision(1.0, body, **likely) for body in ("", "c4", "c8"))
    assert alone == agreed and not agreed.doubtful
    assert against.card == agreed.card and against.doubtful and against.probability < agreed.probability


def mixed(*codes: str) -> list[bool]:
    """Which places show a card twice where these lie, each surely read."""
    return of_two(np.stack([belief(**{f"c{CARDS.index(Card.parse(code))}": 0.999}) for code in codes])).tolist()


def test_cards_of_several_ranks_and_suits_that_come_twice_tell_of_two_decks() -> None:
    twice, once = ("AS", "7H", "KD", "7C"), ("2S", "3S", "4H")
    assert mixed(*twice, *once, *twice) == [True] * 4 + [False] * 3 + [True] * 4


def test_a_suit_or_a_rank_that_is_misread_is_no_second_deck() -> None:
    spades, sevens = [f"{rank}S" for rank in "A23456"], [f"7{suit}" for suit in "SHDC"]
    assert not any(mixed(*spades, *spades))
    assert not any(mixed(*sevens, *sevens, *sevens))


def test_one_fault_or_two_are_no_second_deck() -> None:
    assert not any(mixed("AS", "7H", "KD", "AS", "7H", "KD"))


def test_two_mixed_decks_are_read_and_told_of() -> None:
    codes = ("AS", "7H", "KD", "7C", "2S", "9D", "10H", "QC", "AS", "7H", "KD", "7C", "3S", "4H", "5D", "6C")
    pool = Pool(5, lambda rng: draw_deck("by pen", rng, by_pen=True), plain=True)
    at = [(x * 1.3 - 2, y * 1.8 - 2.6) for y in range(4) for x in range(4)]
    laid = [Laid(x, y, code=code) for (x, y), code in zip(at, codes, strict=True)]
    picture = pool.loose(0, lambda *_: laid, View())
    reading = Reader.load().read_pixels(picture.pixels, layout=None)
    assert sorted(str(card.card) for card in reading.cards) == sorted(codes)
    assert not any(card.doubtful for card in reading.cards)
    (told,) = [advice for advice in reading.advice if advice.code == "mixed"]
    assert len(told.places) == 8
