"""Face pictures of finished decks: one sheet (13 columns, rows clubs, diamonds, hearts, spades, then the back) or one
file a card. Run as a program: `python -m models.training.photoreal.faces sheet|files SOURCE FOLDER`."""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np

from .tables import RANKS

WIDE = 500


def _draw(svg: bytes, width: int) -> np.ndarray:
    """The drawing on white, (h, w, 3) blue-green-red."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "a.svg", Path(folder) / "a.png"
        source.write_bytes(svg)
        subprocess.run(["rsvg-convert", "--unlimited", "-w", str(width), source, "-o", target], check=True)
        drawn = cv2.imread(str(target), cv2.IMREAD_UNCHANGED)
    cover = drawn[..., 3:].astype(np.float32) / 255
    return (drawn[..., :3] * cover + 255 * (1 - cover)).astype(np.uint8)


def _trim(card: np.ndarray, share: float) -> np.ndarray:
    """Without the line that many decks draw around a card."""
    cut = round(card.shape[1] * share)
    return card[cut : card.shape[0] - cut, cut : card.shape[1] - cut]


def from_sheet(source: Path, folder: Path) -> None:
    """A deck drawn as one big sheet."""
    data = source.read_bytes()
    drawn = _draw(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data, 13 * WIDE)
    folder.mkdir(parents=True, exist_ok=True)
    tall = drawn.shape[0] / 5

    def cell(row: int, column: int) -> np.ndarray:
        return _trim(drawn[round(row * tall) : round((row + 1) * tall), column * WIDE : (column + 1) * WIDE], 0.012)

    for row, suit in enumerate("CDHS"):
        for column, rank in enumerate(RANKS):
            cv2.imwrite(str(folder / f"{rank}{suit}.png"), cell(row, column))
    cv2.imwrite(str(folder / "back.png"), cell(4, 2))


def from_files(source: Path, folder: Path) -> None:
    """Files named suit then rank, as Ca.svg or H10.svg; backs B1.svg and B2.svg."""
    folder.mkdir(parents=True, exist_ok=True)
    for suit in "CDHS":
        for rank in RANKS:
            name = rank if rank.isdigit() else rank.lower()
            drawn = _draw((source / f"{suit}{name}.svg").read_bytes(), WIDE)
            cv2.imwrite(str(folder / f"{rank}{suit}.png"), _trim(drawn, 0.006))
    for number in (1, 2):
        drawn = _draw((source / f"B{number}.svg").read_bytes(), WIDE)
        cv2.imwrite(str(folder / f"back{number}.png"), _trim(drawn, 0.006))


if __name__ == "__main__":
    {"sheet": from_sheet, "files": from_files}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
