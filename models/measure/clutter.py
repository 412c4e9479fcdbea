"""Whether things that are no cards stay things: floor boards, chips, boxes, papers, cups, bags beside the cards.

    python -m models.measure.clutter --pictures 400 --seed 40000     a table, of drawn pictures

Every picture is read twice: with such things on the table, and the same without. A card reported where none lies is a
phantom; one whose name or place is right, apart from every card, counts among the outlines that are off. Needs the art
of `models/training`.
"""

from __future__ import annotations

import argparse
from collections import Counter

import cv2
import numpy as np
from rich.progress import track

from models.measure.card import percent
from models.measure.drawn import Pool, View, any_floor, validation_decks
from models.measure.judging import judge, read
from models.measure.pictures import Picture
from rules.cards import FACE_DOWN, UNREADABLE, seen_code
from rules.layouts import PILES
from vision.reader import Reader
from vision.reading import SeenCard, TableReading

# A card that is reported farther than this from every card, in its own half sides, lies where none does.
AWAY = 0.9
# A card face down is told where one is reported so near.
HERE = 0.5


def pool(seed: int, cluttered: bool) -> Pool:
    """Pictures with such things, or the same without."""
    return Pool(seed, validation_decks(), plain=True, tops=any_floor, cluttered=float(cluttered))


def phantoms(picture: Picture, reading: TableReading) -> list[SeenCard]:
    """The cards reported where none lies: on empty places of a layout, however near another card lies, and elsewhere
    apart from every card. One reported on a place where one lies is none, wherever its outline is.
    """
    return [card for card in reading.cards if _is_phantom(card, picture)]


def _is_phantom(card: SeenCard, picture: Picture) -> bool:
    lies = bool((picture.places or {}).get(card.place))
    if lies or (card.place in (picture.places or {}) and card.place not in PILES):
        return not lies
    return _apart(card, picture) > AWAY and not _is_on_its_own(card, picture)


def _is_on_its_own(card: SeenCard, picture: Picture) -> bool:
    """Whether a card is reported on one that is what it is called, or where its own index is printed: of a covered one
    the outline may be that of the strip that shows, or reach over the next one.
    """
    quad = np.array(card.quad_xy)
    own = [lying for lying in picture.cards if lying.code == seen_code(card.card)]
    lies = any(lying.quad_xy is not None and _holds(lying.quad_xy, quad.mean(0)) for lying in own)
    indices = [frame[:, 2] for lying in own if lying.frames is not None for frame in lying.frames]
    return lies or any(_holds(quad, middle) for middle in indices)


def _holds(quad: np.ndarray, point: np.ndarray) -> bool:
    """Whether a point (2,) lies within corners (4, 2)."""
    return cv2.pointPolygonTest(quad.astype(np.float32), tuple(map(float, point)), False) >= 0


def _apart(card: SeenCard, picture: Picture) -> float:
    return min((_off(card, lying) for lying in picture.lying or ()), default=np.inf)


def _off(card: SeenCard, lying: np.ndarray) -> float:
    """How far the middle of a card with these corners (4, 2) lies from where one is reported, in half sides of that."""
    quad = np.array(card.quad_xy)
    sides = np.column_stack([quad[1] - quad[0], quad[3] - quad[0]]) / 2
    if abs(np.linalg.det(sides)) < 1e-6:
        return np.inf
    return float(np.abs(np.linalg.solve(sides, lying.mean(0) - quad.mean(0))).max())


def counted(reader: Reader, picture: Picture) -> Counter[str]:
    """Counts of one picture: those of ``judge``, the phantoms of each kind, and the cards whose name is right and whose
    outline is not.
    """
    reading = read(reader, picture)
    out = judge(picture, reading).counts
    ghosts = phantoms(picture, reading) if reading else []
    for card in ghosts:
        kind = "back" if card.card is FACE_DOWN else "unreadable" if card.card is UNREADABLE else "face"
        out.update(["phantoms", f"phantom {kind}", *(() if card.doubtful else ["phantoms, sure"])])
    away = [card for card in reading.cards if _apart(card, picture) > AWAY] if reading else []
    out["outlines off"] = sum(card not in ghosts for card in away)
    told = [card for card in reading.cards if card.card is FACE_DOWN] if reading else []
    out["backs"] = len(picture.backs)
    out["backs told"] = sum(any(_off(card, quad) < HERE for card in told) for quad in picture.backs)
    return out


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--seed", type=int, default=40_000)
    parser.add_argument("--threads", type=int, default=2, help="threads of the nets")
    given = parser.parse_args()
    cv2.setNumThreads(given.threads)
    reader = Reader.load(given.threads)
    heads = "pictures | phantoms a picture | sure ones | backs, unreadable, faces | outlines off | cards | loose backs"
    print(f"| {heads} | refused |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, cluttered in (("with things on the table", True), ("the same without", False)):
        for layout in (True, False):
            drawn, count = pool(given.seed, cluttered), Counter[str]()
            for number in track(range(given.pictures // 2), description=name, transient=True):
                count.update(counted(reader, drawn.picture(2 * number + (not layout), View())))
            each = [count[f"phantom {kind}"] for kind in ("back", "unreadable", "face")]
            shares = [f"{count[what] / max(count['pictures'], 1):.3f}" for what in ("phantoms", "phantoms, sure")]
            of = f"{name}, {'pyramids' if layout else 'loose cards'}"
            found = percent(count["found"], count["wanted"])
            kinds = ", ".join(map(str, each))
            backs = percent(count["backs told"], count["backs"]) if count["backs"] else "–"
            off, refused = count["outlines off"], count["unanswered"]
            print(f"| {of} | {shares[0]} | {shares[1]} | {kinds} | {off} | {found} | {backs} | {refused} |")


if __name__ == "__main__":
    main()
