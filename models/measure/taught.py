"""How a deck that nobody could know is read once it was taught by one photograph of all its cards.

    python -m models.measure.taught --decks 6 --tables 8     a table, of so many drawn tables of each deck
    python -m models.measure.taught --first 6                other decks

Decks of runes and signs, and of runes in four colours, in turn; tables are pyramids and half rows in turn. Needs the
art of `models/training` for what lies below the cards.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
from rich.progress import track

from models.measure import strange
from models.measure.card import percent
from models.measure.drawn import Pool
from models.measure.runes import coloured_deck, photograph, strange_deck
from models.training.decks import CODES, Deck
from rules.cards import Card
from vision.decks import capture, training
from vision.reader import Reader

SIDE = 2000  # of the photograph of a lesson, in pixels


def deck_of(number: int) -> Deck:
    """The deck of this number."""
    return (coloured_deck if number % 2 else strange_deck)(np.random.default_rng(900 + number))


def taught(reader: Reader, deck: Deck, number: int) -> Reader:
    """The reader once it was taught this deck by one photograph; raises ProfileError."""
    laid = capture.laid(photograph(deck, CODES, 1 + number, 13, side=SIDE), reader.search, reader.patch)
    lesson = capture.lesson([laid], [Card.parse(code) for code in CODES])
    return replace(reader, decks=(training.learn(deck.name, lesson, reader.patch)[0],))


def counted(reader: Reader, number: int, tables: int) -> Counter[str]:
    """Counts of so many tables of a deck that was taught: those of `strange.counted`, and how many were read with
    what was learnt.
    """
    deck, out = deck_of(number), Counter[str]()
    own, pool = taught(reader, deck, number), Pool(4000 + number, lambda _: deck, plain=True)
    for k in range(tables):
        picture = pool.row_table(k, strange.VIEW) if k % 2 else pool.picture(2 * k, strange.VIEW)
        counts, reading = strange.counted(own, picture)
        counts["chosen"] = reading is not None and reading.deck == deck.name
        out += counts
    return out


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decks", type=int, default=6)
    parser.add_argument("--first", type=int, default=0, help="number of the first deck")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--threads", type=int, default=2, help="threads of the nets")
    given = parser.parse_args()
    cv2.setNumThreads(given.threads)
    reader, total = Reader.load(given.threads), Counter[str]()
    for number in track(range(given.first, given.first + given.decks), description="decks taught"):
        total += counted(reader, number, given.tables)
    print("| read as the deck | exact | places wrong | surely wrong cards | doubts |\n| --- | --- | --- | --- | --- |")
    wrong, doubts = percent(total["slots_wrong"], total["slots"]), percent(total["doubted"], total["named"])
    sure = f"{total['sure_wrong']} of {total['named']}"
    print(f"| {total['chosen']} of {total['pictures']} | {total['exact']} | {wrong} | {sure} | {doubts} |")


if __name__ == "__main__":
    main()
