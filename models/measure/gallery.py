"""What is read wrongly, sorted, with examples: a table, and a sheet of pictures of decks that we drew.

    python -m models.measure.gallery --pictures 400 --seed 60000 --write     the sheet into models/weaknesses.jpg

Pictures have all the faults that training draws. Real decks are left out, and courts borrowed from them: the sheet may
be handed on. Needs the fonts of models/training.
"""

from __future__ import annotations

import argparse
import pathlib
from collections import Counter, defaultdict

import cv2
import numpy as np
from rich.progress import track

from models.measure import misses
from models.measure.drawn import Pool
from models.measure.judging import Miss, judge
from models.measure.pictures import Picture
from models.training import decks
from vision.errors import PictureError
from vision.reader import Reader

SHEET = pathlib.Path("models/weaknesses.jpg")
KINDS = ("another rank", "another suit", "another card", "a card too many", "a card missed", "a place or pile")
# Examples of each kind on the sheet, the surest first; a tile's width and height in pixels, and its caption's.
EACH, TILE, CAPTION = 3, (360, 190), 18


def own_deck(rng: np.random.Generator) -> decks.Deck:
    """A drawn deck without anything of a real one, of fonts and backs kept out of training."""
    return decks.draw_deck("drawn", rng, validation=True)


def kind_of(miss: Miss) -> str:
    """One of KINDS."""
    if not (_is_card(miss.truth) or miss.truth == "none") or not (_is_card(miss.read) or miss.read == "none"):
        return "a place or pile"
    if miss.truth == "none":
        return "a card too many"
    if miss.read == "none":
        return "a card missed"
    if miss.truth[-1] == miss.read[-1]:
        return "another rank"
    return "another suit" if miss.truth[:-1] == miss.read[:-1] else "another card"


def tile(picture: Picture, miss: Miss) -> np.ndarray:
    """A crop with its caption, (190, 360, 3) uint8 RGB."""
    out = np.full((TILE[1], TILE[0], 3), 255, np.uint8)
    shown = misses.sheet(picture, miss)
    factor = min(TILE[0] / shown.shape[1], (TILE[1] - CAPTION) / shown.shape[0])
    small = cv2.resize(shown, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    out[CAPTION : CAPTION + small.shape[0], : small.shape[1]] = small
    words = f"lies {_said(miss.truth)}, read {_said(miss.read)}{', surely' if miss.sure else ''}"
    cv2.putText(out, words, (2, 13), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (0, 0, 0), 1, cv2.LINE_AA)
    return out


def sheet(examples: dict[str, list[tuple[Picture, Miss]]]) -> np.ndarray:
    """A row of tiles for each kind, (h, w, 3) uint8 RGB."""
    empty = np.full((TILE[1], TILE[0], 3), 255, np.uint8)
    rows = []
    for kind in KINDS:
        tiles = [tile(*example) for example in examples[kind]]
        rows.append(np.hstack(tiles + [empty] * (EACH - len(tiles))))
    return np.vstack(rows)


def _is_card(code: str) -> bool:
    return code[-1] in "SHDC"


def _said(code: str) -> str:
    return {"none": "nothing", "None": "nothing", "??": "a back", "True": "a stock", "False": "no stock"}.get(
        code, "something" if code == "!!" else code
    )


def main() -> None:
    """Draw, read, sort, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--seed", type=int, default=60_000)
    parser.add_argument("--write", action="store_true", help=f"write {SHEET}")
    given = parser.parse_args()
    reader, pool = Reader.load(1), Pool(given.seed, own_deck)
    counts: Counter[tuple[str, bool]] = Counter()
    found: dict[str, list[tuple[Picture, Miss]]] = defaultdict(list)
    named = 0
    for number in track(range(given.pictures), description="what is read wrongly"):
        picture = pool.picture(number)
        try:
            reading = reader.read_pixels(picture.pixels, layout=picture.layout)
        except PictureError:
            continue
        judged = judge(picture, reading)
        named += judged.counts["named"]
        for miss in sorted(judged.misses, key=lambda miss: -miss.chance):
            kind = kind_of(miss)
            counts[kind, miss.sure] += 1
            # One of each picture: a sheet of one bad table would tell little.
            shown = miss.read_xy is not None or miss.truth_xy is not None
            if shown and all(picture.name != other.name for other, _ in found[kind]):
                found[kind].append((picture, miss))
    print(f"{named} cards and backs named")
    print("| what | surely | asked about |\n|---|---|---|")
    for kind in KINDS:
        print(f"| {kind} | {counts[kind, True]} | {counts[kind, False]} |")
    if given.write:
        best = {kind: sorted(found[kind], key=lambda entry: -entry[1].chance)[:EACH] for kind in KINDS}
        cv2.imwrite(str(SHEET), sheet(best)[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 88])


if __name__ == "__main__":
    main()
