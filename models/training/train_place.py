"""Fit what lies at a place, and whether it is one: ``python -m models.training.train_place --pictures 260``.

Draws validation tables of pyramids and of half rows, loose cards, and tables with cards of no deck, lets the reader
look at every place of them, and fits the weights of ``vision.posterior.place_model`` to what truly lies there: what
lies at a place, whether a candidate is a card, whether cards lie in a layout. Writes ``models/place.json``: the
weights, and how they were made.
"""

from __future__ import annotations

import argparse
import pathlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from multiprocessing import get_context
from typing import Final

import cv2
import numpy as np
from rich.progress import track

from models.measure import foreign
from models.measure.drawn import BLOCK, WIDE, Pool, View, any_floor, validation_decks
from models.measure.pictures import Picture, Slot
from models.training import manifests
from models.training.fits import PARTS, fitted, fitted_prints, likeliest
from rules.cards import seen_code
from rules.layouts import LAYOUTS
from rules.rows.places import parse_place
from vision.cards.candidates import features
from vision.errors import PictureError
from vision.layout import arrange_lines, arrange_pyramid, likelihood
from vision.layout.table import Table
from vision.posterior import place_model
from vision.posterior.observation import Observed, Query
from vision.posterior.place_model import BACK, FOREIGN, GONE, Features
from vision.reader import Reader
from vision.recognize.index_reader import FACES, NONE

TARGET = pathlib.Path("models/place.json")
SEED: Final = 71_000
UNKNOWN: Final = -1
CLASS: Final = {str(seen_code(face)): n for n, face in enumerate(FACES)}
# Half card sides from the middle of a place within which a card is the one there; of two cards the nearer one by so
# many times, or nobody can tell which of them is meant.
HERE, NEARER = 0.45, 2.5
# Half card sides from the middle of every card beyond which a loose find is of none; a card so much nearer than the
# nearest that shows is the one that is meant.
NOWHERE, SAME = 0.6, 0.15
# Card sides within which a candidate is a card, and beyond which it is none.
LIES, APART = 0.22, 0.35
# Rank heights within which a reading is of an index, and within which it may be of it.
OWN, NEAR = 0.7, 2.0
# What a place counts in a picture with cards of no deck: such pictures are rarer in life than among those drawn.
RARE = 0.25


@lru_cache(maxsize=1)
def _pools(seed: int) -> tuple[Pool, Pool, Pool, Pool]:
    rows, any_fault = Pool(seed, validation_decks(), plain=True), Pool(seed + 2000, validation_decks())
    cluttered = Pool(seed + 7000, validation_decks(), tops=any_floor, cluttered=1.0)
    return rows, any_fault, foreign.pool(seed + 5000), cluttered


def pictures(numbers: Iterable[int], seed: int) -> Iterator[Picture]:
    """Drawn pictures, some of each number: as many of half rows, twice as many of pyramids, half as many of loose
    cards, as many with cards of no deck among them, and as many with things beside them that are no cards; of these
    pyramids and loose cards by turns.
    """
    rows, any_fault, strange, cluttered = _pools(seed)
    for number in numbers:
        yield rows.row_table(number, View())
        yield any_fault.picture(4 * number, WIDE)
        yield any_fault.picture(4 * number + 2, WIDE)
        if number % 2:
            yield any_fault.picture(number, WIDE)
        yield strange.picture(number, WIDE)
        yield cluttered.picture(number, WIDE)
        yield cluttered.picture(number, View())


def true_class(picture: Picture, query: Query) -> int:
    """What truly lies at a place that was looked at, as a class of the model; UNKNOWN where nobody can tell."""
    places = picture.places or {}
    # A pyramid's places do not move; those of a row do where a card was missed.
    if query.place in places and (picture.layout or "").startswith("pyramid"):
        return _class_of(places[query.place])
    if not query.found and query.kind != "loose":
        return UNKNOWN if places.get(query.place) else GONE
    return _printed(picture, query) if len(query.readings) else _lying(picture, query)


def _class_of(slot: Slot) -> int:
    if slot is None or slot is False:
        return GONE
    if slot is True or slot == "??":
        return BACK
    return FOREIGN if slot == "!!" else CLASS[str(slot)]


def _off(query: Query, corners: np.ndarray) -> float:
    """How far the middle of a card with these corners (4, 2) lies from that of a place, in half sides."""
    away = np.linalg.solve(query.axes[:, :2], corners.mean(0) - query.axes[:, 2])
    return float(np.abs(away).max())


def _printed(picture: Picture, query: Query) -> int:
    """The card on which the surest index of a place is printed; nothing where that card lies nowhere."""
    surest = int(query.readings.is_index().argmax())
    near, card = _by_index(picture, query.readings.frames[surest])
    if near < NEAR:
        return CLASS[card] if near < OWN else UNKNOWN
    if any(_off(query, quad) < HERE for quad, _ in picture.foreign):
        return FOREIGN
    if any(_off(query, quad) < HERE for quad in picture.backs):
        return BACK
    code = str(seen_code(FACES[int(query.readings.beliefs[surest, :NONE].argmax())]))
    known = code in picture.hidden or any(card.code == code for card in picture.cards)
    return UNKNOWN if known or picture.places is not None else GONE


def _lying(picture: Picture, query: Query) -> int:
    """What lies at a place, if it lies near and nothing else does."""
    places, at = picture.places or {}, picture.places_xy or {}
    lying = [(at[place], _class_of(slot)) for place, slot in places.items() if place in at]
    lying += [(quad, FOREIGN) for quad, _ in picture.foreign] + [(quad, BACK) for quad in picture.backs]
    lying += [(c.quad_xy, CLASS[c.code]) for c in picture.cards if c.quad_xy is not None and c.place not in places]
    off = sorted((_off(query, quad), what) for quad, what in lying)
    if query.kind == "loose" and picture.lying is not None:
        nearest = min((_off(query, quad) for quad in picture.lying), default=np.inf)
        if nearest > NOWHERE:
            return GONE
        if off and nearest < off[0][0] - SAME:
            return UNKNOWN
    if not off or off[0][0] > HERE or (len(off) > 1 and off[1][0] < NEARER * off[0][0]):
        return UNKNOWN
    return off[0][1]


def _by_index(picture: Picture, frame: np.ndarray) -> tuple[float, str]:
    """How far the nearest true index stands from this one (2, 3), in its rank heights, and its card."""
    height = float(np.linalg.norm(frame[:, 1]))
    off = [
        (float(np.linalg.norm(own[:, 2] - frame[:, 2])) / height, card.code)
        for card in picture.cards
        for own in (card.frames if card.frames is not None else ())
    ]
    return min(off, default=(np.inf, ""))


@dataclass(frozen=True)
class Looked:
    """What the reader sees at n places of a picture, and what truly lies there, (n,); the features of its candidates
    and whether each is a card, (m, k) and (m,); those of the layouts proposed, and whether each is the true one.
    UNKNOWN where nobody can tell. worth: what each of its places counts.
    """

    seen: Observed
    truth: np.ndarray
    candidates: np.ndarray
    cards: np.ndarray
    proposed: np.ndarray
    told: np.ndarray
    worth: float = 1.0


def observed(reader: Reader, drawn: Picture) -> Looked | None:
    """What the reader sees in a picture; None where it was refused."""
    try:
        table, seen, _ = reader.observe_pixels(drawn.pixels, layout=drawn.layout)
    except PictureError:
        return None
    truth, worth = np.array([true_class(drawn, query) for query in seen.queries], int), RARE if drawn.foreign else 1.0
    candidates, cards = np.zeros((0, len(place_model.CANDIDATE_FEATURES))), np.zeros(0, int)
    if table is None:
        return Looked(seen, truth, candidates, cards, np.zeros((0, len(place_model.LAYOUT_FEATURES))), cards, worth)
    if drawn.layout is not None and len(table.cards):
        shares = table.found.kinds.shares(table.axes)
        candidates, cards = features(table.cards, table.cards.kinds, shares), true_cards(drawn, table)
    pyramids, rows = ([one for one in LAYOUTS.values() if bool(one.lines) == lines] for lines in (False, True))
    both = [one for one in (arrange_pyramid.propose(table, pyramids), arrange_lines.propose(table, rows)) if one]
    proposed = np.array([likelihood.features(one.explained) for one in both])
    told = np.array([true_layout(drawn, one.layout) for one in both], int)
    return Looked(seen, truth, candidates, cards, proposed.reshape(-1, len(place_model.LAYOUT_FEATURES)), told, worth)


@lru_cache(maxsize=1)
def _reader() -> Reader:
    cv2.setNumThreads(1)
    return Reader.load(1)


def looked_at(numbers: Iterable[int], seed: int) -> list[Looked]:
    """What the reader sees in the pictures of these numbers."""
    found = (observed(_reader(), drawn) for drawn in pictures(numbers, seed))
    return [one for one in found if one is not None]


def true_layout(picture: Picture, layout: str) -> int:
    """Whether the cards lie in a layout, 1 or 0; UNKNOWN of another of the same shape, and of what is left of half rows
    among loose cards.
    """
    lines = bool(LAYOUTS[layout].lines)
    if picture.layout is None:
        return UNKNOWN if lines and any(parse_place(card.place) for card in picture.cards) else 0
    if bool(LAYOUTS[picture.layout].lines) != lines:
        return 0
    return 1 if layout == picture.layout else UNKNOWN


def true_cards(picture: Picture, table: Table) -> np.ndarray:
    """Which candidates are cards: 1 where a card lies so, 0 where none lies near, UNKNOWN between, (m,)."""
    places, at = picture.places or {}, picture.places_xy or {}
    quads = [quad for place, quad in at.items() if _class_of(places.get(place)) != GONE]
    quads += [quad for quad, _ in picture.foreign] + list(picture.backs)
    quads += [c.quad_xy for c in picture.cards if c.quad_xy is not None]
    if not quads:
        return np.zeros(len(table.cards), int)
    middles = table.plane.flat(np.array([np.asarray(quad).mean(0) for quad in quads]))
    off = np.abs(table.cards.middle[:, None] - middles).max(2).min(1)
    return np.where(off < LIES, 1, np.where(off > APART, 0, UNKNOWN))


def main() -> None:
    """Draw, look, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=260, help="of half rows; of all kinds 5.5 times as many")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=pathlib.Path, default=TARGET)
    parser.add_argument("--workers", type=int, default=2, help="processes that draw and look")
    given = parser.parse_args()
    # Two numbers that follow one another show the same deck.
    parts = [range(k, min(k + BLOCK, given.pictures)) for k in range(0, given.pictures, BLOCK)]
    with ProcessPoolExecutor(given.workers, get_context("spawn")) as workers:
        found_in = workers.map(partial(looked_at, seed=given.seed), parts)
        looked = [one for part in track(found_in, description="drawn pictures", total=len(parts)) for one in part]
    truth = np.concatenate([one.truth for one in looked])
    of = [place_model.features(one.seen) for one in looked]
    cards = np.concatenate([one.cards for one in looked])
    candidates = np.concatenate([one.candidates for one in looked])[cards >= 0]
    told = np.concatenate([one.told for one in looked])
    proposed = np.concatenate([one.proposed for one in looked])[told >= 0]
    found, laid = likeliest(candidates, cards[cards >= 0]), likeliest(proposed, told[told >= 0])
    known = Features(**{name: np.concatenate([getattr(one, name) for one in of])[truth >= 0] for name in PARTS})
    worth = np.concatenate([np.full(len(one.truth), one.worth) for one in looked])[truth >= 0]
    weights, loss = fitted(known, truth[truth >= 0], worth)
    kept = {
        name: {feature: round(float(w), 4) for feature, w in zip(features, weights[name], strict=True)}
        for name, features in PARTS.items()
    }
    kept["candidate"] = dict(zip(place_model.CANDIDATE_FEATURES, found.round(4).tolist(), strict=True))
    kept["layout"] = dict(zip(place_model.LAYOUT_FEATURES, laid.round(4).tolist(), strict=True))
    fitting = place_model.Weights(**weights, prints=np.zeros(2), candidate=found, layout=laid)
    every = ([getattr(one, name) for one in looked] for name in ("seen", "truth", "worth"))
    printed = fitted_prints(*every, fitting)
    kept["prints"] = dict(zip(place_model.PRINT_FEATURES, printed.round(4).tolist(), strict=True))
    best = place_model.softmax(place_model.scores(known, fitting)).argmax(1)
    measured = {
        "pictures": len(looked),
        "places": len(best),
        "wrong": int((best != truth[truth >= 0]).sum()),
        "negative_log_likelihood": round(loss, 5),
        "candidates": len(candidates),
        "candidates_wrong": int(((candidates @ found > 0) != cards[cards >= 0]).sum()),
        "layouts": len(proposed),
        "layouts_wrong": int(((proposed @ laid > 0) != told[told >= 0]).sum()),
    }
    manifests.write(given.out, kept, measured, f"training.train_place --pictures {given.pictures} --seed {given.seed}")


if __name__ == "__main__":
    main()
