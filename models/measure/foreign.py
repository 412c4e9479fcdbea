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
from models.measure.pictures import Picture
from models.training import art, decks, fonts
from models.training.foreign import draw_foreign
from rules.cards import UNREADABLE
from vision.errors import PictureError
from vision.reader import Reader
from vision.reading import SeenCard, TableReading

# Cards narrower than this, in pixels, may show too little of what they are.
WIDE = 70.0
# Kinds of such cards that come with each deck.
KINDS = 4
SAID = ("foreign", "not read", "asked about", "named", "not seen")


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
    return "asked about" if card.doubtful else "named"


def _apart(card: SeenCard, quad: np.ndarray) -> float:
    return float(np.linalg.norm(np.array(card.quad_xy).mean(0) - quad.mean(0)))


def judge(reader: Reader, picture: Picture) -> Counter[str]:
    """Counts of what was said of the foreign cards, of cards of the deck, and of those of the deck called foreign."""
    try:
        reading = reader.read_pixels(picture.pixels, layout=picture.layout)
    except PictureError:
        reading = None
    large = [q for q in picture.foreign_xy if min(np.linalg.norm(q[1] - q[0]), np.linalg.norm(q[2] - q[1])) >= WIDE]
    out = Counter(said_of(reading, quad) for quad in large)
    out["of the deck"] = len(picture.cards)
    for card in picture.cards:
        out["of the deck, called foreign"] += card.quad_xy is not None and said_of(reading, card.quad_xy) == "foreign"
    return out


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=60)
    parser.add_argument("--seed", type=int, default=40_000)
    parser.add_argument("--threads", type=int, default=2, help="threads of the nets")
    given = parser.parse_args()
    cv2.setNumThreads(given.threads)
    reader, drawn = Reader.load(given.threads), pool(given.seed)
    counts = Counter[str]()
    for number in track(range(given.pictures), description="foreign cards"):
        counts.update(judge(reader, drawn.picture(number, View())))
    whole = sum(counts[said] for said in SAID)
    print("| cards of no deck in plain sight | count | share |\n| --- | --- | --- |")
    for said in SAID:
        print(f"| {said} | {counts[said]} of {whole} | {percent(counts[said], whole)} |")
    own = counts["of the deck"]
    print(f"| cards of the deck called foreign | {counts['of the deck, called foreign']} of {own} | – |")


if __name__ == "__main__":
    main()
