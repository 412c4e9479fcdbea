"""How tables are read that are laid with decks which print otherwise than most, none of which is ever trained on.

    python -m models.measure.strange --tables 4 --seed 70000     a table, of so many drawn tables of each deck
    python -m models.measure.strange --alone                      each card read by itself
    python -m models.measure.strange --known                      with what earlier tables of each deck showed

Thirty decks, five of each oddity. Needs the art of `models/training`, as all drawn pictures do.
"""

from __future__ import annotations

import argparse
import colorsys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from unittest.mock import patch

import cv2
import numpy as np
from rich.progress import track

from models.measure.card import percent
from models.measure.drawn import Pool, View
from models.measure.judging import judge, read
from models.measure.pictures import Picture
from models.training import art, decks
from models.training.printing import Oddity
from vision.posterior import place_model
from vision.posterior.known import NOTHING_KNOWN, Known
from vision.reader import Reader
from vision.reading import TableReading
from vision.recognize import alphabets

# Letters of decks sold in other countries, none of which is trained on: Dutch, Polish, Italian, Spanish, Icelandic.
# Single letters are, in any order; what they mean together is known (`vision/recognize/alphabets.py`).
LETTERS = (
    {"A": "A", "J": "B", "Q": "V", "K": "H"},
    {"A": "A", "J": "W", "Q": "D", "K": "K"},
    {"A": "A", "J": "F", "Q": "D", "K": "R"},
    {"A": "A", "J": "S", "Q": "C", "K": "R"},
    {"A": "Á", "J": "G", "Q": "D", "K": "K"},
)
PAPERS = ((222, 196, 150), (205, 222, 206), (200, 214, 232), (236, 226, 160), (232, 205, 205))
EACH = 5
VIEW = View(elevation=(40.0, 90.0))


def _inks(rng: np.random.Generator) -> dict[str, tuple[int, int, int]]:
    """Four inks that are far apart in hue, dark enough to be printed, on any suit."""
    hues = (rng.uniform(0, 0.25) + np.arange(4) / 4)[rng.permutation(4)]
    out = {}
    for suit, hue in zip("SHDC", hues, strict=True):
        r, g, b = colorsys.hls_to_rgb(float(hue), float(rng.uniform(0.22, 0.4)), float(rng.uniform(0.6, 1.0)))
        out[suit] = (int(r * 255), int(g * 255), int(b * 255))
    return out


def oddities(seed: int) -> Iterator[tuple[str, Oddity]]:
    """The thirty oddities, each with what it is."""
    rng = np.random.default_rng([seed, 30])
    for letters in LETTERS:
        yield "local letters", Oddity(letters=letters)
    for k in range(EACH):
        narrow = k % 2 == 0
        height = float(rng.uniform(0.085, 0.11))
        print_ = (
            Oddity(height=height, stretch=0.6) if narrow else Oddity(height=height, coarse=int(rng.integers(9, 12)))
        )
        yield "small print, condensed or coarse", print_
    for paper in PAPERS:
        yield "coloured paper", Oddity(paper=paper)
    for _ in range(EACH):
        yield "four inks on any suits", Oddity(inks=_inks(rng))
    for _ in range(EACH):
        yield "courts without a frame", Oddity(frameless=True)
    for _ in range(EACH):
        yield "backs without a border", Oddity(borderless=True)


def tables(seed: int, each: int) -> Iterator[tuple[str, Picture]]:
    """So many tables of each deck, pyramids and half rows in turn."""
    panels = [panel for name in art.VALIDATION for panel in art.panels_of(art.load_gnome(name))]
    for number, (name, odd) in enumerate(oddities(seed)):
        deck = decks.draw_deck(
            f"{number}", np.random.default_rng([seed, number]), validation=True, panels=panels, odd=odd
        )
        pool = Pool(seed + number, lambda _, deck=deck: deck, plain=True)  # type: ignore[misc]
        for k in range(each):
            yield name, pool.row_table(k, VIEW) if k % 2 else pool.picture(2 * k, VIEW)


@contextmanager
def each_alone() -> Iterator[None]:
    """The cards of a table tell nothing of each other: neither how they are printed nor which alphabet is."""
    apart = replace(place_model.load(), prints=np.zeros(len(place_model.PRINT_FEATURES)))
    with (
        patch.object(place_model, "load", lambda: apart),
        patch.object(alphabets.Spelling, "taught", lambda net, picture, readings: net),
    ):
        yield


def counted(reader: Reader, picture: Picture, known: Known = NOTHING_KNOWN) -> tuple[Counter[str], TableReading | None]:
    """Counts of one table: those of ``judge``, and whether it was read exactly; and the reading."""
    reading = read(reader, picture, known)
    out = judge(picture, reading).counts
    out["exact"] = reading is not None and not out["slots_wrong"]
    return out, reading


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--seed", type=int, default=70_000)
    parser.add_argument("--threads", type=int, default=2, help="threads of the nets")
    parser.add_argument("--alone", action="store_true", help="each card is read by itself")
    parser.add_argument("--known", action="store_true", help="with what earlier tables of each deck showed")
    given = parser.parse_args()
    cv2.setNumThreads(given.threads)
    reader, counts, known = Reader.load(given.threads), dict[str, Counter[str]](), NOTHING_KNOWN
    every = track(tables(given.seed, given.tables), total=6 * EACH * given.tables, description="strange decks")
    with each_alone() if given.alone else nullcontext():
        for number, (name, picture) in enumerate(every):
            if number % given.tables == 0:
                known = NOTHING_KNOWN
            count, reading = counted(reader, picture, known)
            counts.setdefault(name, Counter()).update(count)
            if given.known and reading is not None:
                known = Known(prints=reading.prints.after(known.prints))
    counts["all"] = sum(counts.values(), Counter())
    print("| decks with | exact | places wrong | surely wrong cards | doubts |\n| --- | --- | --- | --- | --- |")
    for name, of in counts.items():
        wrong, doubts = (
            percent(of[what], of["slots" if what == "slots_wrong" else "named"]) for what in ("slots_wrong", "doubted")
        )
        exact = percent(of["exact"], of["pictures"])
        print(f"| {name} | {exact} of {of['pictures']} | {wrong} | {of['sure_wrong']} of {of['named']} | {doubts} |")


if __name__ == "__main__":
    main()
