"""Fit when advice for a better picture is due: ``python -m models.training.train_advice --pictures 60``.

Draws validation tables of pyramids and of half rows, clean ones and each with exactly one thing wrong, lets the reader
see the signs that advice is told by, and fits the weights of each advice to which of them had that thing wrong. Writes
``models/advice.json``: the weights, and how they were made.
"""

from __future__ import annotations

import argparse
import json
import pathlib
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context

import cv2
import numpy as np
from rich.progress import track

from models.measure import hindered
from models.measure.advice import SET_ON
from models.measure.drawn import validation_decks
from models.training import manifests
from models.training.fits import likeliest
from models.training.loop import WORK
from vision.advice import quality
from vision.errors import PictureError
from vision.reader import Reader

TARGET = pathlib.Path("models/advice.json")
# What a picture with nothing wrong counts beside one with something: advice that is not needed annoys.
NEEDLESS = 2.0
# A clean picture is shown a second time, so much lighter.
OVEREXPOSED = (1.1, 1.5)
# So much are large weights held back.
HELD = 0.01

Shown = list[tuple[str, quality.Signs]]


def shown(job: tuple[int, bool, int]) -> Shown:
    """What is wrong with each picture, and its signs, of so many tables of a seed, of half rows or of pyramids."""
    seed, rows, pictures = job
    cv2.setNumThreads(1)
    reader = Reader.load(1)
    out: Shown = []
    rng = np.random.default_rng(seed)
    for fault, picture in hindered.every(seed, pictures, validation_decks(), rows=rows):
        both = [picture.pixels]
        if fault == hindered.CLEAN:
            # Paper that burns by itself is no glare.
            both.append(cv2.convertScaleAbs(picture.pixels, alpha=float(rng.uniform(*OVEREXPOSED))))
        for pixels in both:
            try:
                out.append((fault, reader.observe_pixels(pixels, layout="auto" if picture.layout else None)[2]))
            except PictureError:
                continue
    return out


def examples(of: Shown) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """For each advice features (n, k), whether it was due (n,), and what each counts (n,)."""
    kept = defaultdict[str, list[tuple[np.ndarray, bool, float]]](list)
    for fault, signs in of:
        worth = NEEDLESS if fault == hindered.CLEAN else 1.0
        for code, rows in signs.items():
            # Of print too small to be read nobody can tell whether it is out of focus.
            if (code, fault) != ("sharper", "closer"):
                kept[code] += [(row, code.split(",")[0] == fault, worth) for row in _speaking(code, rows)]
    return {code: tuple(map(np.array, zip(*each, strict=True))) for code, each in kept.items()}  # type: ignore[misc]


def _speaking(code: str, rows: np.ndarray) -> np.ndarray:
    """Of several cards the one that speaks loudest."""
    return rows[np.argsort(rows[:, quality.FEATURES[code].index("burnt")])][-1:] if code == "glare" else rows


def _seen_now(pictures: int, workers: int, out: pathlib.Path) -> Shown:
    """The signs seen on so many tables of each seed and shape, kept in a file."""
    jobs = [(seed, rows, pictures) for seed, rows in product(SET_ON, (False, True))]
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        found = pool.map(shown, jobs)
        seen = [one for part in track(found, description="drawn pictures", total=len(jobs)) for one in part]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps([[fault, {code: of.tolist() for code, of in signs.items()}] for fault, signs in seen]))
    return seen


def _kept(path: pathlib.Path) -> Shown:
    read = json.loads(path.read_text())
    return [
        (fault, {code: np.array(of).reshape(-1, len(quality.FEATURES[code])) for code, of in signs.items()})
        for fault, signs in read
    ]


def main() -> None:
    """Draw, look, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=60, help=f"tables of each shape by each of the seeds {SET_ON}")
    parser.add_argument("--seen", type=pathlib.Path, default=WORK / "advice.json", help="signs seen before, or to keep")
    parser.add_argument("--out", type=pathlib.Path, default=TARGET)
    parser.add_argument("--workers", type=int, default=2, help="processes that draw and look")
    given = parser.parse_args()
    seen = _kept(given.seen) if given.seen.exists() else _seen_now(given.pictures, given.workers, given.seen)
    kept, measured = {}, {"pictures": len(seen)}
    for code, (of, due, worth) in examples(seen).items():
        weights = likeliest(of, due, worth, held=HELD)
        kept[code] = dict(zip(quality.FEATURES[code], weights.round(4).tolist(), strict=True))
        measured[f"{code}, due and not told"] = int((due & (of @ weights <= 0)).sum())
        measured[f"{code}, told and not due"] = int((~due & (of @ weights > 0)).sum())
    manifests.write(given.out, kept, measured, f"training.train_advice --pictures {given.pictures}")


if __name__ == "__main__":
    main()
