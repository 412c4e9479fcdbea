"""Fit which placing of a pyramid is right: ``python -m models.training.train_placing --pictures 300``.

Draws validation tables of pyramids, lets the reader weigh all placings of the cards that it finds, each looked at
closely, and fits the weights of ``vision.layout.hypotheses`` to which of them are right: the likeliest, where the odds
of placings are linear in their features. Writes ``models/placing.json``: the weights, and how they were made.

How many rows a pyramid has is fitted beside them and not kept: of drawn pyramids the last rows are seldom gone
altogether, of those played they are late in every game.
"""

from __future__ import annotations

import argparse
import pathlib
import pickle
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from unittest.mock import patch

import cv2
import numpy as np
from rich.progress import track

from models.measure.drawn import WIDE, Pool, View, any_floor, validation_decks
from models.measure.pictures import Picture
from models.training import manifests
from models.training.fits import chosen
from models.training.loop import WORK
from rules.cards import Rank
from rules.layouts import LAYOUTS
from vision.errors import PictureError
from vision.layout import hypotheses
from vision.reader import Reader

TARGET = pathlib.Path("models/placing.json")
SEED = 75_000
PART = 10  # pictures that one process draws at a time
# Of the cards of a right placing so many lie where it says; a few are things that lie on a place by chance.
RIGHT = 0.9


@dataclass(frozen=True)
class Weighed:
    """The features of the placings of a picture, and their rows, (n, k + 1); and which are right, (n,)."""

    features: np.ndarray
    right: np.ndarray


def pictures(numbers: range, seed: int) -> Iterator[Picture]:
    """Drawn pyramids of three kinds: with all faults, plain ones, and among things that are no cards."""
    faulty, plain = Pool(seed, validation_decks()), Pool(seed + 1000, validation_decks(), plain=True)
    cluttered = Pool(seed + 2000, validation_decks(), tops=any_floor, cluttered=1.0)
    for number in numbers:
        yield faulty.picture(2 * number, WIDE)
        yield plain.picture(2 * number, View())
        yield cluttered.picture(2 * number, WIDE)


def weighed(reader: Reader, picture: Picture) -> Weighed | None:
    """The placings of a drawn pyramid; None where none is right, or all are."""
    # Pyramids that are laid without courts are drawn with them.
    if picture.layout is None or LAYOUTS[picture.layout].highest < Rank.JACK:
        return None
    with patch.object(hypotheses, "best", wraps=hypotheses.best) as asked:
        try:
            reader.observe_pixels(picture.pixels, layout="auto")
        except PictureError:
            return None
    for grids, rows, clues in (call.args for call in asked.call_args_list[:1]):
        found = hypotheses.looked_at(hypotheses.placings(grids, rows, clues), clues, np.inf)
        every = [placed for placings in found for placed in placings]
        right = np.array([is_right(picture, placed, clues.middles) for placed in every], bool)
        if right.any() and not right.all():
            return Weighed(np.array([[*placed.features, placed.rows] for placed in every]), right)
    return None


def is_right(picture: Picture, placed: hypotheses.Placed, middles: np.ndarray) -> bool:
    """Whether a placing has as many rows as the layout, and its cards lie in their places."""
    if picture.layout != f"pyramid-{placed.rows}":
        return False
    at = picture.places_xy or {}
    names, quads = list(at), np.array([np.asarray(quad).mean(0) for quad in at.values()])
    agree = [
        names[int(np.linalg.norm(quads - middles[number], axis=1).argmin())] == f"pyramid {r + 1} {(k + r) // 2 + 1}"
        for (k, r), number in placed.taken().items()
    ]
    return len(agree) > 0 and float(np.mean(agree)) >= RIGHT


def seen(job: tuple[range, int]) -> list[Weighed]:
    """The placings of the pictures of these numbers, by a seed."""
    cv2.setNumThreads(1)
    reader = Reader.load(1)
    found = (weighed(reader, picture) for picture in pictures(*job))
    return [one for one in found if one is not None]


def main() -> None:
    """Draw, look, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=300, help="of each of three kinds")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=pathlib.Path, default=TARGET)
    parser.add_argument("--seen", type=pathlib.Path, default=WORK / "placing.pkl", help="seen before, or to keep")
    parser.add_argument("--workers", type=int, default=2, help="processes that draw and look")
    given = parser.parse_args()
    jobs = [(range(k, min(k + PART, given.pictures)), given.seed) for k in range(0, given.pictures, PART)]
    if given.seen.exists():
        every = [Weighed(*one) for one in pickle.loads(given.seen.read_bytes())]
    else:
        with ProcessPoolExecutor(given.workers, get_context("spawn")) as pool:
            parts = track(pool.map(seen, jobs), description="drawn pictures", total=len(jobs))
            every = [one for part in parts for one in part]
        given.seen.parent.mkdir(parents=True, exist_ok=True)
        given.seen.write_bytes(pickle.dumps([(one.features, one.right) for one in every]))
    weights = chosen([one.features for one in every], [one.right for one in every])
    wrong = sum(not one.right[(one.features @ weights).argmax()] for one in every)
    kept = {"pyramid": dict(zip(hypotheses.FEATURES, weights[:-1].round(4).tolist(), strict=True))}
    measured = {"pictures": len(every), "placings": sum(len(one.right) for one in every), "wrong": wrong}
    command = f"training.train_placing --pictures {given.pictures} --seed {given.seed}"
    manifests.write(given.out, kept, measured, command)


if __name__ == "__main__":
    main()
