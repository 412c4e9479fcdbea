"""A deck that nobody could know is read after one photograph of all its cards, and other decks as before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion_app.decks import deck_files
from companion_app.decks.deck_files import DeckFiles, from_bytes, to_bytes
from models.measure.runes import coloured_deck, photograph, strange_deck
from models.training.decks import CODES, Deck
from rules.cards import Card
from vision.decks import capture, contact_sheet, selection, training
from vision.decks.profile import Profile, ProfileError, deck_net
from vision.reader import Reader
from vision.reading import TableReading

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
WHOLE_DECK = [Card.parse(code) for code in CODES]
SCENES = 4


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


@pytest.fixture(scope="module")
def deck() -> Deck:
    return strange_deck(np.random.default_rng(4))


@pytest.fixture(scope="module")
def whole(reader: Reader, deck: Deck) -> capture.Laid:
    return capture.laid(photograph(deck, CODES, 1, 13, side=2000), reader.search, reader.patch)


@pytest.fixture(scope="module")
def taught(reader: Reader, whole: capture.Laid) -> Profile:
    assert whole.rows == (13, 13, 13, 13)
    profile, contradictions = training.learn("runes", capture.lesson([whole], WHOLE_DECK), reader.patch, ["deck.jpg"])
    assert contradictions == ()
    return profile


def found(reading: TableReading | None, codes: Sequence[str]) -> int:
    seen = {str(card.card) for card in reading.cards} if reading else set()
    return sum(code in seen for code in codes)


def tables(deck: Deck) -> list[tuple[np.ndarray, list[str]]]:
    rng = np.random.default_rng(8)
    picked = [[str(code) for code in rng.permutation(CODES)[:15]] for _ in range(SCENES)]
    return [(photograph(deck, codes, 20 + k, 5, side=960), codes) for k, codes in enumerate(picked)]


def test_a_strange_deck_is_read_after_one_photograph_and_hardly_before(
    reader: Reader, deck: Deck, taught: Profile
) -> None:
    drawn = tables(deck)
    before = sum(found(reader.read_pixels(image, layout=None), codes) for image, codes in drawn)
    chosen = replace(reader, decks=(taught,))
    after = [chosen.read_pixels(image, layout=None) for image, _ in drawn]
    assert {reading.deck for reading in after} == {"runes"}
    assert sum(found(reading, codes) for reading, (_, codes) in zip(after, drawn, strict=True)) >= 0.98 * SCENES * 15
    assert before <= 0.3 * SCENES * 15


def test_a_deck_whose_suits_are_colours_alone_is_read_after_it_was_shown_in_part(reader: Reader) -> None:
    deck = coloured_deck(np.random.default_rng(5))
    halves = [photograph(deck, CODES[k : k + 26], 5 + k, 13, side=1700) for k in (0, 26)]
    cut = [card for half in halves for card in contact_sheet.cut_out(capture.laid(half, reader.search, reader.patch))]
    shown = capture.lesson([contact_sheet.laid_out(cut, reader.search)], WHOLE_DECK)
    profile, contradictions = training.learn("colours", shown, reader.patch)
    assert contradictions == ()
    chosen = replace(reader, decks=(profile,))
    drawn = tables(deck)
    after = [chosen.read_pixels(image, layout=None) for image, _ in drawn]
    assert {reading.deck for reading in after} == {"colours"}
    assert sum(found(reading, codes) for reading, (_, codes) in zip(after, drawn, strict=True)) >= 0.98 * SCENES * 15


def test_other_decks_are_read_as_before_with_a_strange_one_taught(reader: Reader, taught: Profile) -> None:
    with_deck = replace(reader, decks=(taught,))
    for name in ("spread.jpg", "king-tut.jpg", "math-late.jpg"):
        data = (SAMPLES / name).read_bytes()
        plain, other = (replace(r.read(data), milliseconds={}) for r in (reader, with_deck))
        assert other == plain
        assert other.deck is None


def test_a_strange_deck_is_not_read_as_another_strange_one(reader: Reader, taught: Profile) -> None:
    drawn = tables(coloured_deck(np.random.default_rng(5)))
    with_deck = replace(reader, decks=(taught,))
    assert all(with_deck.read_pixels(image, layout=None).deck is None for image, _ in drawn)


def test_the_wrong_deck_asked_for_does_no_harm(reader: Reader, taught: Profile) -> None:
    wrong = replace(reader, decks=(taught,), deck="runes")
    for name in ("spread.jpg", "king-tut.jpg"):
        data = (SAMPLES / name).read_bytes()
        plain, other = (replace(r.read(data), milliseconds={}) for r in (reader, wrong))
        assert other == plain
        assert other.deck is None


@pytest.mark.parametrize(("one", "other"), [(4, 30), (0, 3), (20, 45)])
def test_two_cards_that_lie_in_each_others_place_are_named(
    reader: Reader, whole: capture.Laid, one: int, other: int
) -> None:
    told = list(WHOLE_DECK)
    told[one], told[other] = told[other], told[one]
    _, contradictions = training.learn("runes", capture.lesson([whole], told), reader.patch)
    assert {(c.told, c.looks) for c in contradictions} == {(told[one], told[other]), (told[other], told[one])}


def test_at_a_corner_whose_edges_are_not_told_no_index_is_looked_for(whole: capture.Laid, taught: Profile) -> None:
    corners = whole.found.corners
    edge = corners.edge.copy()
    edge[0] = 0
    found = replace(whole.found, corners=replace(corners, edge=edge))
    frames = selection._at_corners(found, taught.lesson.place)
    assert len(frames) == len(corners) - 1 and np.isfinite(frames).all()


def test_a_card_too_few_is_told_with_the_rows(reader: Reader, deck: Deck) -> None:
    laid = capture.laid(photograph(deck, CODES[:26], 2, 13, side=1600), reader.search, reader.patch)
    with pytest.raises(ProfileError, match=r"26 ≠ 52 \(13 \+ 13\)") as refused:
        capture.lesson([laid], WHOLE_DECK)
    assert refused.value.code == "wrong-count"


def test_a_profile_survives_its_file_and_goes_with_its_own_net_alone(
    reader: Reader, taught: Profile, tmp_path: Path
) -> None:
    again = from_bytes(to_bytes(taught))
    assert (again.name, again.net, again.figures) == (taught.name, taught.net, taught.figures)
    np.testing.assert_allclose(again.head.rank.axes, taught.head.rank.axes, rtol=1e-5, atol=1e-6)
    other = replace(taught, net="0" * 64)
    with pytest.raises(ProfileError) as refused:
        deck_net(reader.patch, other)
    assert refused.value.code == "other-net"


def test_a_deck_of_an_earlier_format_is_learnt_anew_from_its_lesson(
    reader: Reader, taught: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = DeckFiles(tmp_path)
    with monkeypatch.context() as earlier:
        earlier.setattr(deck_files, "FORMAT", 2)
        files.save(replace(taught, head=replace(taught.head, index_weights=np.zeros(5))))
    again = files.load("runes", reader.patch)
    assert again.net == taught.net and again.figures.windows == taught.figures.windows
    assert len(again.head.index_weights) == 6
    assert from_bytes((tmp_path / "runes.npz").read_bytes()).net == taught.net


def test_a_damaged_file_is_refused_and_the_others_are_used(reader: Reader, taught: Profile, tmp_path: Path) -> None:
    files = DeckFiles(tmp_path)
    files.save(taught)
    (tmp_path / "broken.npz").write_bytes(to_bytes(taught)[:5000])
    assert files.names() == ["broken", "runes"]
    assert [deck.name for deck in files.all(reader.patch)] == ["runes"]
    files.forget("runes")
    assert files.names() == ["broken"]


def test_a_deck_that_was_not_taught_is_not_read_with(reader: Reader) -> None:
    with pytest.raises(ProfileError) as refused:
        replace(reader, deck="nobody's").read((SAMPLES / "spread.jpg").read_bytes())
    assert refused.value.code == "no-deck"
    assert replace(reader, deck=selection.NO_DECK).read((SAMPLES / "spread.jpg").read_bytes()).deck is None


@pytest.mark.parametrize("name", ["", "auto", "None", "../up", "a/b", "-x", "x" * 41, ".hidden"])
def test_a_name_that_is_no_file_name_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ProfileError) as refused:
        DeckFiles(tmp_path).forget(name)
    assert refused.value.code == "deck-name"
