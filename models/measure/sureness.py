"""Fit how sure a reading is in the end: ``python -m models.measure.sureness --pictures 400 --write``.

Reads validation pictures drawn from other seeds than those of the accuracy tables, each as it is and once more blurred,
and prints the constants of ``vision.posterior.calibration`` that make the chances told most likely, of sharp pictures
and of those that ought to be sharper, with the calibration error before and after; ``--write`` keeps them in
``models/sureness.json``.
"""

from __future__ import annotations

import argparse
import itertools
import pathlib
from dataclasses import asdict

import cv2
import numpy as np
from rich.progress import track

from models.measure import hindered, marks
from models.measure.calibration import expected_error
from models.measure.drawn import WIDE, Pool, validation_decks
from models.measure.judging import judge
from models.training import manifests
from vision.errors import PictureError
from vision.posterior import calibration
from vision.posterior.calibration import KINDS, Sureness
from vision.reader import Reader

SEED = 910_000
TARGET = pathlib.Path("models/sureness.json")
BENDS = (0.5, 0.6, 0.7, 0.8, 0.88)
SLOPES = (0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.2, 2.5)
MOST = (0.99, 0.995, 0.998, 0.999, 0.9995, 0.9998)

Answers = list[tuple[float, bool]]


def answers(reader: Reader, pictures: int, seed: int) -> tuple[Answers, Answers]:
    """Chances worked out for all cards named on so many drawn pictures, each with whether it was right: of sharp
    pictures, and of soft ones.
    """
    pool, out = Pool(seed, validation_decks()), (Answers(), Answers())
    for number in track(range(pictures), description="drawn pictures"):
        picture = pool.picture(number, WIDE)
        where = marks.from_truth(picture)
        blurred = hindered.blurred(picture, where, np.random.default_rng([seed, number]))[0] if where else picture
        for shown in (picture, blurred):
            try:
                reading = reader.read_pixels(shown.pixels, layout=shown.layout)
            except PictureError:
                continue
            sureness = calibration.load()["soft" if reading.is_blurred else "sharp"]
            judged = judge(shown, reading).answers
            out[reading.is_blurred].extend((sureness.worked_out(chance), right) for chance, right in judged)
    return out


def told(known: Answers, sureness: Sureness) -> Answers:
    """The chances that would be told."""
    return [(sureness.final(chance), right) for chance, right in known]


def loss(known: Answers) -> float:
    """Mean negative log-likelihood."""
    chance, right = np.array([c for c, _ in known]).clip(1e-4, 1 - 1e-4), np.array([r for _, r in known], bool)
    return float(-np.log(np.where(right, chance, 1 - chance)).mean())


def fitted(known: Answers) -> Sureness:
    """The likeliest constants."""
    every = (Sureness(*constants) for constants in itertools.product(BENDS, SLOPES, MOST))
    return min(every, key=lambda sureness: loss(told(known, sureness)))


def main() -> None:
    """Read, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="keep what was fitted")
    given = parser.parse_args()
    cv2.setNumThreads(given.threads)
    every = answers(Reader.load(given.threads), given.pictures, given.seed)
    kept, measured = {}, {}
    for kind, known in zip(KINDS, every, strict=True):
        print(f"{kind}: {len(known)} cards, calibration error {expected_error(known):.4f} worked out")
        best = fitted(known)
        for name, sureness in (("now", calibration.load()[kind]), ("fitted", best)):
            after = told(known, sureness)
            print(f"{name}: {sureness}: calibration error {expected_error(after):.4f}, loss {loss(after):.4f}")
        kept[kind] = asdict(best)
        measured |= {f"{kind}: cards": len(known), f"{kind}: error": round(expected_error(told(known, best)), 4)}
    if given.write:
        manifests.write(TARGET, kept, measured, f"measure.sureness --pictures {given.pictures}")


if __name__ == "__main__":
    main()
