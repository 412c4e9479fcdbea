"""One print: the cards of a deck tell of each other by how their ranks and suits are printed."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from rules.cards import Card
from tests.vision import laying
from tests.vision.test_posterior import MANIFEST, PLAIN, chances
from vision.deck_prints import NO_PRINTS, RANKS, SUITS, DeckPrints
from vision.image.picture import decode
from vision.nets import session
from vision.nets.session import ModelError
from vision.posterior import one_print
from vision.posterior.known import Known
from vision.posterior.observation import Observed
from vision.posterior.place_model import GONE, believed, posterior
from vision.reader import AUTO, Reader
from vision.recognize import prints
from vision.recognize.index_reader import CARDS

# Two classes, 6 apart on the first axis; decks differ as much on both as windows do.
SPACE = prints.Space(np.zeros(2), np.eye(2), np.array([[-3.0, 0.0], [3.0, 0.0]]), np.array([1.0, 4.0]))


def test_a_print_is_of_the_class_of_its_like() -> None:
    at = np.array([[-3.0, 4.0], [-2.8, 4.1], [3.1, -4.0], [0.0, 4.0]])
    known = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    more = SPACE.likelier(at, known, np.ones(4))
    assert more[3, 0] > more[3, 1] + 2
    assert more[1, 0] > 0 > more[1, 1]


def test_a_print_tells_nothing_of_itself_and_what_was_not_seen_nothing_of_others() -> None:
    at, known = np.array([[-3.0, 4.0], [3.0, 0.0]]), np.eye(2)
    alone = SPACE.likelier(at[:1], known[:1], np.ones(1))
    assert alone == pytest.approx(np.zeros((1, 2)))
    assert SPACE.likelier(at, known, np.array([1.0, 0.0])) == pytest.approx(np.zeros((2, 2)))


def several(codes: list[str], at: np.ndarray, beliefs: list[np.ndarray]) -> Observed:
    """Places that show cards as sure as told, whose ranks are printed at (n, 30) and suits anywhere."""
    n = len(codes)
    queries = tuple(replace(PLAIN.queries[0], place=f"table {k}") for k in range(n))
    parts = {name: np.repeat(getattr(PLAIN, name), n, axis=0) for name in Observed.__slots__[1:]}
    parts |= {"belief": np.array(beliefs), "cards": np.tile(chances(), (n, 1))}
    parts |= {"rank_print": at, "suit_print": np.zeros((n, SUITS)), "printed": np.ones(n)}
    return Observed(queries, **parts)


def test_an_unsure_rank_follows_the_print_of_the_sure_ones() -> None:
    space = prints.load()[0]
    rank = {code: CARDS.index(Card.parse(code)) % 13 for code in ("8S", "3S")}
    # This deck prints its eights and threes a little otherwise than most, each in its own way.
    own = {code: space.means[rank[code]] + shift for code, shift in (("8S", 1.0), ("3S", -1.0))}
    codes = ["8S", "8D", "8H", "3S", "3D", "3H", "8C"]
    at = np.array([own[code[0] + "S"] for code in codes])
    unsure = (chances("8C", 0.5) + chances("3C", 0.5)) / 2 + 0.0
    seen = several(codes, at, [chances(code, 0.999) for code in codes[:-1]] + [unsure])
    eight, three = (CARDS.index(Card.parse(code)) for code in ("8C", "3C"))
    told = posterior(seen)
    blind = posterior(replace(seen, printed=np.zeros(len(codes))))
    assert blind[-1, eight] == pytest.approx(blind[-1, three], abs=0.02)
    assert told[-1, eight] > 5 * told[-1, three]
    # Prints say which card it is, and nothing of whether one lies there.
    assert told[:, GONE:] == pytest.approx(blind[:, GONE:], abs=1e-9)


def test_prints_of_one_rank_lie_together_in_a_picture() -> None:
    picture = decode((laying.SAMPLES / "arcydzielo.jpg").read_bytes())
    _, seen, _ = Reader.load(1).observe_pixels(picture, layout="rows-5-4")
    shown = seen.printed > 0
    ranks, suits = seen.belief[shown, :52].argmax(1) % 13, seen.belief[shown, :52].argmax(1) // 13
    assert shown.sum() > 40
    for at, of in ((seen.rank_print[shown], ranks), (seen.suit_print[shown], suits)):
        far = np.linalg.norm(at[:, None] - at, axis=2)
        same = (of[:, None] == of) & ~np.eye(len(of), dtype=bool)
        other = of[:, None] != of
        # Of a pair of one class and one of two, the first is the nearer one nearly always.
        assert np.mean(far[same][:, None] < far[other][None]) > 0.95


def test_what_a_deck_showed_is_kept_and_no_card_counts_more_than_there_are() -> None:
    cards = [Card.parse(code) for code in ("8S", "8D", "KS")]
    rank, suit = np.arange(3.0)[:, None] + np.zeros((3, RANKS)), np.ones((3, SUITS))
    known = DeckPrints.of(cards, rank, suit)
    assert [known.ranks[at][0] for at in (7, 12)] == [2, 1] and sum(row[0] for row in known.suits) == 3
    assert known.some and not NO_PRINTS.some
    often = NO_PRINTS
    for _ in range(20):
        often = known.after(often)
    assert [often.ranks[at][0] for at in (7, 12)] == pytest.approx([4, 4])
    assert often.suits[0] == pytest.approx([13] * (1 + SUITS))
    assert np.array(often.ranks[7][1:]) / often.ranks[7][0] == pytest.approx(np.full(RANKS, 0.5))
    again = DeckPrints.from_json(json.loads(json.dumps(known.to_json())))
    assert np.array(again.ranks) == pytest.approx(np.array(known.ranks), abs=0.01)
    assert np.array(again.suits) == pytest.approx(np.array(known.suits), abs=0.01)
    with pytest.raises(ValueError, match="prints"):
        DeckPrints.from_json({"ranks": [[1.0]], "suits": []})


def test_an_unsure_rank_follows_the_print_that_an_earlier_picture_showed() -> None:
    space = prints.load()[0]
    eight, three = (CARDS.index(Card.parse(code)) for code in ("8C", "3C"))
    own = space.means[7] + 1.0
    unsure = several(["8C"], own[None], [(chances("8C", 0.5) + chances("3C", 0.5)) / 2])
    shown = [Card.parse(code) for code in ("8S", "8D", "8H")]
    known = DeckPrints.of(shown, np.tile(own, (3, 1)), np.zeros((3, SUITS)))
    (alone,), (told,) = believed(unsure)[0], believed(unsure, known=known)[0]
    assert alone[eight] == pytest.approx(alone[three], abs=0.02)
    assert told[eight] > 3 * told[three]


def test_the_print_of_another_deck_is_not_heard() -> None:
    """What one picture shows of its deck is taken up by the next one of it, and by none of another."""
    eyes = Reader.load(1)
    deal = decode((laying.SAMPLES / "relaxed-deal.jpg").read_bytes())
    low = decode((laying.SAMPLES / "nine-low.jpg").read_bytes())
    first, other = (eyes.read_pixels(image, layout=AUTO) for image in (deal, low))
    assert sum(row[0] for row in first.prints.suits) == sum(
        card.card in CARDS and not card.doubtful for card in first.cards
    )
    _, seen, _ = eyes.observe_pixels(deal, layout=AUTO)
    chances = posterior(seen)[:, :GONE]
    prints_of = seen.rank_print, seen.suit_print, seen.printed
    assert one_print.is_same(chances, *prints_of, first.prints)
    assert not one_print.is_same(chances, *prints_of, other.prints)
    assert eyes.read_pixels(deal, layout=AUTO, known=Known(prints=other.prints)).cards == first.cards


def test_a_changed_model_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "digest", lambda kept: "another")
    with pytest.raises(ModelError, match="prints"):
        prints.load.__wrapped__()


def test_the_manifest_tells_how_the_prints_were_learnt() -> None:
    told = MANIFEST.with_name("prints.json").read_text("utf-8")
    assert "train_prints" in told and len(told) < 200_000
    assert one_print.likelier(np.zeros((0, 53)), *(np.zeros((0, d)) for d in (30, 20)), np.zeros(0)).shape == (0, 52, 2)


def test_a_suit_that_hardly_looks_like_itself_is_asked_about_as_a_whole() -> None:
    """Thirteen cards of one strange sign are one witness; those of the suit it may be are doubted with it."""
    cards = np.arange(52)
    told = np.eye(52)[cards] * 0.98 + 0.02 / 52
    assert one_print.astray(told, told).max() < 0.02
    unsure = told.copy()
    # Each spade looks by itself a little likelier a spade than the diamond of its rank.
    spades, diamonds = np.arange(13), 26 + np.arange(13)
    unsure[spades] = 0.02 / 52
    unsure[spades, spades] += 0.58
    unsure[spades, diamonds] += 0.40
    wrong = one_print.astray(unsure, told)
    assert (wrong[spades] > 0.3).all()
    assert (wrong[diamonds] > 0.3).all()
    assert wrong[13:26].max() < 0.05
    # Of two cards each is heard for itself.
    assert one_print.astray(unsure[:2], told[:2]) == pytest.approx(np.zeros(2))
