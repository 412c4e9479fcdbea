"""Weighs the traits by which the reader tells things that lie on cards from print, cloth and backs.

    python -m models.training.things --pictures 90 --seeds 51 61 71 81 91

Draws tables, each clean and twice with a thing on it, takes the traits of the patches on their cards, and fits a
logistic regression to which of them are the thing. Writes ``models/things.json``: the weights, how they were made, and
on how much.
"""

from __future__ import annotations

import argparse
import pathlib
from unittest import mock

import cv2
import numpy as np
from rich.progress import track

from models.measure import hindered
from models.measure.drawn import validation_decks
from models.measure.pictures import Picture
from models.training import manifests
from vision.advice import occluders
from vision.advice.occluders import Traits
from vision.advice.scene import Look
from vision.advice.smooth_regions import Patch
from vision.detect.multiscale import Found
from vision.errors import PictureError
from vision.reader import Reader

TARGET = pathlib.Path("models/things.json")
# A patch of which more than the larger share changed is the thing, one of which less than the other did is none.
THING, NONE = 0.6, 0.2
# Of 255: what differs more from the clean picture is the thing.
CHANGED = 16
# Strength with which the weights of traits in standard deviations are held near nothing, and rounds of fitting.
RIDGE, ROUNDS = 1.0, 60

Example = tuple[np.ndarray, bool]


def examples(reader: Reader, pictures: int, seed: int) -> list[Example]:
    """Traits (12,) of patches, and whether each is a thing."""
    drawn = hindered.Hindered(seed, validation_decks())
    out: list[Example] = []
    number = 0
    for k in track(range(pictures), description=f"seed {seed}"):
        while (found := drawn.legible(number)) is None:
            number += 1
        number += 1
        clean, where = found
        out += seen_in(reader, clean, clean)
        for draw in range(2):
            rng = np.random.default_rng([seed, k, draw])
            out += seen_in(reader, clean, hindered.covered(clean, where, rng)[0])
    return out


def seen_in(reader: Reader, clean: Picture, picture: Picture) -> list[Example]:
    """What the reader sees on the cards of a picture; what differs from the clean one is a thing."""
    seen: list[tuple[Look, list[tuple[Patch, Traits]]]] = []
    real = occluders.traits_of

    def kept(look: Look, found: Found) -> list[tuple[Patch, Traits]]:
        traits = real(look, found)
        seen.append((look, traits))
        return traits

    with mock.patch.object(occluders, "traits_of", kept):
        try:
            reader.read_pixels(picture.pixels, layout="auto" if picture.layout else None)
        except PictureError:
            return []
    changed = (cv2.absdiff(clean.pixels, picture.pixels).max(2) > CHANGED).astype(np.float32)
    out = []
    for look, traits in seen:
        share = cv2.resize(changed, look.size[::-1], interpolation=cv2.INTER_AREA)
        for patch, values in traits:
            of_thing = float((share[patch.area.slices][patch.area.mask > 0] > 0).mean())
            if not NONE <= of_thing <= THING:
                out.append((values.values(), of_thing > THING))
    return out


def fitted(found: list[Example]) -> np.ndarray:
    """Weights (13,), the first by itself, under which the sum of a patch's traits tells the odds of a thing."""
    traits = np.array([values for values, _ in found])
    is_thing = np.array([thing for _, thing in found], np.float64)
    mean, deviation = traits.mean(0), np.maximum(traits.std(0), 1e-6)
    x = np.column_stack([np.ones(len(traits)), (traits - mean) / deviation])
    weights = np.zeros(x.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (chance - is_thing) + RIDGE * weights
        bend = (x * (chance * (1 - chance))[:, None]).T @ x + RIDGE * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    scaled = weights[1:] / deviation
    return np.concatenate([[weights[0] - scaled @ mean], scaled])


def main() -> None:
    """Draw, fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=90, help="drawn tables of each seed")
    parser.add_argument("--seeds", type=int, nargs="+", default=[51, 61, 71, 81, 91])
    parser.add_argument("--out", type=pathlib.Path, default=TARGET)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    reader = Reader.load(1)
    found = [example for seed in given.seeds for example in examples(reader, given.pictures, seed)]
    weights = [float(f"{weight:.3g}") for weight in fitted(found)]
    kept = {"thing": dict(zip(("one", *Traits.__slots__), weights, strict=True))}
    seeds = " ".join(map(str, given.seeds))
    measured = {"patches": len(found), "tables": given.pictures * len(given.seeds)}
    manifests.write(given.out, kept, measured, f"things --pictures {given.pictures} --seeds {seeds}")


if __name__ == "__main__":
    main()
