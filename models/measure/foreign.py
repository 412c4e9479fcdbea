"""Whether cards of no deck among the others are named as such: trumps, visiting cards, advertisements.

    python -m models.measure.foreign --pictures 60 --seed 40000     a table, of drawn pictures

Needs the art of `models/training`, as all drawn pictures do.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
from rich.progress import track

from models.measure.card import percent
from models.measure.drawn import Pool, View, validation_decks
from models.measure.judging import read
from models.measure.pictures import Picture
from models.training import art, decks, fonts
from models.training.foreign import draw_foreign
from rules.cards import FACE_DOWN, UNREADABLE
from vision.reader import Reader
from vision.reading import SeenCard, TableReading

# Cards narrower than this, in pixels, may show too little of what they are.
WIDE = 70.0
# Kinds of such cards that come with each deck.
KINDS = 4
SAID = ("foreign", "not read", "a back", "a card, asked about", "a card", "not seen")


def pool(seed: int) -> Pool:
    """Pictures in which one card in four that lies face up is of no deck."""
    usual, files = validation_decks(), fonts.chosen(True)
    panels = [panel.picture for name in art.VALIDATION for panel in art.panels_of(art.load_gnome(name))]

    def source(rng: np.random.Generator) -> decks.Deck:
        deck = usual(rng)
        return replace(deck, foreign=[draw_foreign(rng, files, panels) for _ in range(KINDS)])

    return Pool(seed, source, plain=True, strange=1.0)


def said_of(reading: TableReading | None, quad: np.ndarray) -> str:
    """What was said of the card at `quad` (4, 2), one of SAID."""
    reach = float(np.linalg.norm(quad[1] - quad[0])) / 2
    near = [card for card in reading.cards if _apart(card, quad) < reach] if reading else []
    if not near:
        return "not seen"
    card = min(near, key=lambda card: _apart(card, quad))
    if card.foreign:
        return "foreign"
    if card.card is UNREADABLE:
        return "not read"
    if card.card is FACE_DOWN:
        return "a back"
    return "a card, asked about" if card.doubtful else "a card"


def _apart(card: SeenCard, quad: np.ndarray) -> float:
    return float(np.linalg.norm(np.array(card.quad_xy).mean(0) - quad.mean(0)))


def judge(reader: Reader, picture: Picture) -> Counter[str]:
    """Counts of what was said of the foreign cards, of cards of the deck, and of other cards called foreign."""
    reading = read(reader, picture)
    plain = [quad for quad, in_sight in picture.foreign if in_sight]
    large = [q for q in plain if min(np.linalg.norm(q[1] - q[0]), np.linalg.norm(q[2] - q[1])) >= WIDE]
    out = Counter(said_of(reading, quad) for quad in large)
    out["others"] = len(reading.cards) - len(reading.foreign) if reading else 0
    for card in reading.cards if reading else ():
        middle = np.array(card.quad_xy).mean(0)
        inside = any(cv2.pointPolygonTest(quad, middle.tolist(), False) >= 0 for quad, _ in picture.foreign)
        out["others, called foreign"] += card.foreign and not inside
    return out


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=60)
    parser.add_argument("--seed", type=int, default=40_000)
    parser.add_argument("--rows", action="store_true", help="tables of half rows")
    parser.add_argument("--threads", type=int, default=2, help="threads of the nets")
    given = parser.parse_args()
    cv2.setNumThreads(given.threads)
    reader, drawn = Reader.load(given.threads), pool(given.seed)
    counts, draw = Counter[str](), drawn.row_table if given.rows else drawn.picture
    for number in track(range(given.pictures), description="foreign cards"):
        counts.update(judge(reader, draw(number, View())))
    whole = sum(counts[said] for said in SAID)
    print("| cards of no deck in plain sight | count | share |\n| --- | --- | --- |")
    for said in SAID:
        print(f"| {said} | {counts[said]} of {whole} | {percent(counts[said], whole)} |")
    print(f"| other cards called foreign | {counts['others, called foreign']} of {counts['others']} | – |")


if __name__ == "__main__":
    main()
