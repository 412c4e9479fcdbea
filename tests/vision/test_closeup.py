"""Whole cards as witnesses beside their printed corners."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from rules.cards import seen_code
from tests.vision.laying import SAMPLES
from vision import closeup, net, spread
from vision.desk import Spotted
from vision.evidence import FACES, NONE, SIZE
from vision.reader import Reader
from vision.windows import Shrunk

CODES = [str(seen_code(face)) for face in FACES]


def chances(**of: float) -> np.ndarray:
    """Chances (54,) of some cards, the rest evenly spread; `unread` is that of none."""
    out = np.zeros(SIZE)
    out[NONE] = of.pop("unread", 0.0)
    rest = 1 - out[NONE] - sum(of.values())
    out[:NONE] = rest / NONE
    for code, chance in of.items():
        out[CODES.index(code.lstrip("_"))] += chance
    return out


def best(belief: np.ndarray) -> tuple[str, float]:
    return CODES[int(belief[:NONE].argmax())], float(belief[:NONE].max())


def test_a_view_shows_the_card_upright_however_it_lies() -> None:
    picture = np.zeros((400, 400, 3), np.uint8)
    angle = np.radians(30)
    right, down = np.array([np.cos(angle), np.sin(angle)]) * 50, np.array([-np.sin(angle), np.cos(angle)]) * 70
    axes = np.column_stack([right, down, [200.0, 200.0]])
    corners = [axes[:, :2] @ np.array(at) + axes[:, 2] for at in ((-1, -1), (0, -1), (0, 1), (-1, 1))]
    cv2.fillConvexPoly(picture, np.array(corners).round().astype(np.int32), (255, 0, 0))
    (view,) = closeup.cut(Shrunk(picture), axes[None])
    assert view.shape == (closeup.HEIGHT, closeup.WIDTH, 3)
    assert view[8:-8, 6:22, 0].min() == 255
    assert view[:, 26:, 0].max() == 0


def test_two_witnesses_that_agree_are_surer_than_either() -> None:
    belief = closeup.joined(chances(_9H=0.8), chances(_9H=0.8), 1.0)
    assert best(belief)[0] == "9H"
    assert best(belief)[1] > 0.9


def test_two_sure_witnesses_that_contradict_each_other_leave_a_doubt() -> None:
    belief = closeup.joined(chances(_9H=0.999), chances(_5D=0.999), 1.0)
    assert best(belief)[1] < 0.93


def test_where_no_index_was_read_the_whole_card_speaks_alone() -> None:
    code, chance = best(closeup.joined(chances(unread=1.0), chances(KS=0.98), 1.0))
    assert (code, chance > 0.8) == ("KS", True)


def test_a_card_of_no_deck_stays_unread() -> None:
    belief = closeup.joined(chances(unread=0.98), chances(unread=0.97), 1.0)
    assert belief[NONE] > 0.9


def test_what_shows_no_card_as_it_was_cut_out_says_nothing_of_it() -> None:
    alone = closeup.joined(chances(_9H=0.9), chances(), 1.0)
    assert closeup.joined(chances(_9H=0.9), chances(_5D=0.999), 0.0) == pytest.approx(alone)


@pytest.mark.parametrize("face", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("unread", [0.0, 0.4, 1.0])
def test_chances_come_to_one(face: float, unread: float) -> None:
    belief = closeup.joined(chances(_2C=0.3, unread=unread * 0.7), chances(AD=0.5, unread=0.2), face)
    assert belief.sum() == pytest.approx(1)
    assert (belief >= 0).all()


def test_no_card_at_all_is_no_view() -> None:
    views = closeup.look(Shrunk(np.zeros((40, 40, 3), np.uint8)), np.zeros((0, 2, 3)), net.load("card", 1))
    assert views.kinds.shape == (0, 3)
    assert views.cards.shape == (0, SIZE)


@cache
def reader() -> Reader:
    return Reader.load(1)


@cache
def sample() -> tuple[np.ndarray, tuple[Spotted, ...]]:
    """The spread among the sample pictures, its cards where they lie, with no index read on any."""
    data = np.frombuffer(SAMPLES.joinpath("spread.jpg").read_bytes(), np.uint8)
    image = cv2.cvtColor(cv2.imdecode(data, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
    reading = reader().read_pixels(image, layout=None)
    unread = chances(unread=1.0)
    return image, tuple(Spotted(str(seen_code(c.card)), 1.0, 0.95, unread, np.array(c.quad_xy)) for c in reading.cards)


def test_pips_and_courts_alone_tell_most_cards() -> None:
    image, unread = sample()
    closer = spread.closer(Shrunk(image), unread, reader().card)
    assert sum(best(s.belief)[0] == s.place for s in closer) >= 0.7 * len(unread)


def test_cards_that_lie_face_down_are_not_asked_for_their_faces() -> None:
    image, unread = sample()
    down = tuple(replace(s, face=0.01) for s in unread)
    assert spread.closer(Shrunk(image), down, reader().card) == list(down)


def test_a_card_that_plainly_is_another_than_its_corners_say_is_asked_about_unless_a_later_one_hides_it() -> None:
    image, unread = sample()
    first, *others = (s for s in spread.closer(Shrunk(image), unread, reader().card) if s.belief.max() > 0.97)
    wrong = replace(first, told=1.0, belief=chances(**{f"_{others[0].place}": 0.999}))
    right = replace(first, told=1.0, belief=chances(**{f"_{first.place}": 0.999}))
    above = replace(others[0], quad_xy=first.quad_xy + np.array([0.0, 0.7 * float(np.ptp(first.quad_xy[:, 1]))]))

    def told(*cards: Spotted) -> float:
        return spread.closer(Shrunk(image), cards, reader().card)[0].told

    assert told(wrong) == spread.AGAINST
    assert told(wrong, above) == 1.0
    assert told(right) == 1.0
