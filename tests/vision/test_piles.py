"""Which pile below a pyramid is which, and what is none."""

from types import SimpleNamespace

import numpy as np
import pytest

from vision.layout import piles
from vision.layout.piles import Top, _named
from vision.posterior.observation import Query, none_read
from vision.posterior.spotted import Spotted
from vision.recognize.index_reader import NONE

# Half a last row of five cards, in card widths.
EDGE = 2.2
AXES = np.array([[50.0, 0.0, 0.0], [0.0, 70.0, 0.0]])


def top(x: float, *, face: bool) -> Top:
    """A pile's top so far right of the middle."""
    seen = Spotted("", 0.99, float(face), np.full(NONE, 1 / NONE), np.zeros((4, 2)))
    return Top(Query("", AXES, none_read(), kind="pile"), seen, x)


@pytest.mark.parametrize(
    ("lying", "told"),
    [
        ([(-2.2, False), (-1.1, True), (2.2, True)], {"stock": -2.2, "waste": -1.1, "foundation": 2.2}),
        ([(-2.2, True), (-1.1, True)], {"turned": -2.2, "waste": -1.1}),
        ([(-1.1, True)], {"waste": -1.1}),
        ([(-2.2, True)], {"turned": -2.2}),
        # What lies face down beside the stock is no waste.
        ([(-2.2, False), (-0.4, False)], {"stock": -2.2}),
        ([(-3.2, False), (-2.2, False), (-1.1, True)], {"stock": -2.2, "waste": -1.1}),
        # And where a face lies left of the stock it is no card turned up from it.
        ([(-2.2, True), (-1.1, False)], {"waste": -2.2, "stock": -1.1}),
    ],
)
def test_piles_are_named_by_where_they_lie_and_the_waste_lies_face_up(
    lying: list[tuple[float, bool]], told: dict[str, float]
) -> None:
    named, _ = _named([top(x, face=face) for x, face in lying], EDGE)
    assert {name: one.x for name, one in named} == told


@pytest.mark.parametrize(("shows", "told"), [(True, ["waste", "stock"]), (False, ["turned"])])
def test_a_lone_face_beside_a_back_that_was_not_made_out_is_the_waste(
    monkeypatch: pytest.MonkeyPatch, shows: bool, told: list[str]
) -> None:
    """Of a back without a border on a cloth like it no outline shows at first."""
    stock = Query("stock", AXES, none_read(), kind="stock", found=False)
    monkeypatch.setattr(piles, "_tops", lambda *_: [top(-1.8, face=True)])
    monkeypatch.setattr(piles, "_plain_stock", lambda *_: (stock, shows))
    monkeypatch.setattr(piles, "_lying", lambda *_: AXES[None])
    placed = SimpleNamespace(rows=5, grid=SimpleNamespace(pitch=1.1), told=lambda: 1.0)
    empty = SimpleNamespace(empty=lambda name, axes, kind: Query(name, axes, none_read(), kind=kind, found=False))
    found = piles.piles(empty, placed, [])  # type: ignore[arg-type]
    assert [query.place for query in found if query.found or query.kind == "stock"] == told


def test_a_stock_that_lies_right_of_the_waste_is_in_doubt() -> None:
    _, off = _named([top(-2.2, face=True), top(-1.1, face=False)], EDGE)
    _, usual = _named([top(-2.2, face=False), top(-1.1, face=True)], EDGE)
    assert off == 0.0 < usual
