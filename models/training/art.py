"""Real card art, fetched by name when training: Debian's ``gnome-cards-data`` (only the decks named here) and npm
``@letele/playing-cards`` (CC0).
"""

from __future__ import annotations

import gzip
import pathlib
import subprocess
import tempfile

import cv2
import numpy as np

from models.training.decks import HEIGHT, RANKS, WIDTH, Deck, Index, Panel

FOLDER = pathlib.Path("/usr/share/aisleriot/cards")
TRAINING = (
    "ancient_french",
    "anglo",
    "anglo_bitmap",
    "atlasnye",
    "guyenne-classic",
    "ornamental",
    "paris",
    "simplistic",
    "slavic_costumes",
    "tango",
)
# Kept out of training for validation, and with them the two decks drawn from the same plates.
VALIDATION = ("rheinland", "gnomangelo", "anglo_modern_4_color")
TWINS = ("gnomangelo_bitmap", "anglo_modern")
ROWS = ("C", "D", "H", "S")


def sheet(path: pathlib.Path, width: int = 13 * (WIDTH + 20)) -> np.ndarray:
    """A deck's sheet of 13 × 5 cards as RGBA, by rsvg-convert."""
    with tempfile.TemporaryDirectory() as folder:
        svg, png = pathlib.Path(folder, "deck.svg"), pathlib.Path(folder, "deck.png")
        svg.write_bytes(gzip.decompress(path.read_bytes()))
        subprocess.run(["rsvg-convert", "--unlimited", "-w", str(width), str(svg), "-o", str(png)], check=True)
        image = cv2.imread(str(png), cv2.IMREAD_UNCHANGED)
    return cv2.cvtColor(image, cv2.COLOR_BGRA2RGBA)


def _trim(cell: np.ndarray) -> np.ndarray:
    """The card inside its cell: cropped to what is opaque, on white, at face size."""
    opaque = cell[..., 3] > 128
    rows, columns = np.where(opaque.mean(1) > 0.5)[0], np.where(opaque.mean(0) > 0.5)[0]
    cell = cell[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float32)
    alpha = cell[..., 3:] / 255
    card = cell[..., :3] * alpha + 250 * (1 - alpha)
    return cv2.resize(card.astype(np.uint8), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)


def _ink(face: np.ndarray) -> np.ndarray:
    paper = np.median(face[4:40, WIDTH // 2 - 30 : WIDTH // 2 + 30].reshape(-1, 3), 0)
    return np.abs(face.astype(np.float32) - np.maximum(paper, 200)).max(2) > 60


def _two_runs(numbers: list[np.ndarray]) -> list[tuple[int, int]]:
    """Rows of the rank and of the suit under it, common to the number cards of a deck."""
    for column in (0.2, 0.17, 0.145, 0.12):
        profile = np.mean([_ink(face)[: HEIGHT // 3, 6 : int(WIDTH * column)].any(1) for face in numbers], 0) > 0.5
        profile[:5] = False
        edges = np.flatnonzero(np.diff(np.concatenate([[0], profile.astype(int), [0]])))
        runs = [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a > 8]
        if len(runs) >= 2:
            return runs[:2]
    raise ValueError("no rank over suit in the corners of this deck")


def find_index(faces: dict[str, np.ndarray]) -> dict[str, Index]:
    """Where the upper left index of each face stands, from the ink that is there.

    The band of rows is the deck's own (from its number cards, whose corner holds nothing else); the columns are each
    card's.
    """
    numbers = [faces[rank + suit] for rank in RANKS[1:9] for suit in ROWS if rank + suit in faces]
    (top, bottom), (suit_top, suit_bottom) = _two_runs(numbers)
    found = {}
    for code, face in faces.items():
        ink = _ink(face)[top:bottom, 5 : int(WIDTH * 0.24)].any(0)
        at = np.flatnonzero(ink)
        # The rank ends at the first gap of white columns after it (a ten has one narrow gap inside).
        gap = next(
            (
                k
                for k in range(len(at) - 1)
                if at[k + 1] - at[k] > (9 if code[:-1] == "10" else 5) and at[k] - at[0] > 10
            ),
            len(at) - 1,
        )
        x0, x1 = at[0] + 5, at[gap] + 6
        suit = _ink(face)[suit_top:suit_bottom, 5 : int(WIDTH * 0.2)].any(0)
        under = np.flatnonzero(suit)
        beside = len(under) < 4 or under[0] > WIDTH * 0.12
        suit_xy = (
            ((x0 + x1) / 2 + (bottom - top), (top + bottom) / 2 + 8)
            if beside
            else ((x0 + x1) / 2, (suit_top + suit_bottom) / 2)
        )
        found[code] = Index(
            ((x0 + x1) / 2, (top + bottom) / 2),
            float(bottom - top),
            float(x1 - x0),
            suit_xy,
            float(suit_bottom - suit_top),
        )
    return found


def load_gnome(name: str) -> Deck:
    """One deck of gnome-cards-data by name; refuses any that is not named in this module."""
    if name not in TRAINING + VALIDATION + TWINS:
        raise ValueError(f"deck {name!r} is kept unseen")
    image = sheet(FOLDER / f"{name}.svgz")
    h, w = image.shape[0] / 5, image.shape[1] / 13
    cells = [
        [_trim(image[round(r * h) : round((r + 1) * h), round(c * w) : round((c + 1) * w)]) for c in range(13)]
        for r in range(4)
    ]
    faces = {RANKS[c] + ROWS[r]: cells[r][c] for r in range(4) for c in range(13)}
    back = _trim(image[round(4 * h) :, round(2 * w) : round(3 * w)])
    found = find_index(faces)
    cell = image[: round(h), : round(w), 3] > 128
    aspect = float((cell.mean(0) > 0.5).sum() / (cell.mean(1) > 0.5).sum())
    return Deck(
        name,
        faces,
        [back],
        {code: [index, index.opposite()] for code, index in found.items()},
        aspect=aspect,
        corner=0.05,
    )


def load_letele(folder: pathlib.Path) -> Deck:
    """The CC0 deck of npm ``@letele/playing-cards``, rasterised beforehand to ``folder``/CODE.png."""
    faces = {}
    for path in sorted(folder.glob("*.png")):
        image = cv2.cvtColor(cv2.imread(str(path), cv2.IMREAD_UNCHANGED), cv2.COLOR_BGRA2RGBA)
        faces[path.stem] = _trim(image)
    back = faces.pop("back")
    found = find_index(faces)
    return Deck(
        "letele",
        faces,
        [back],
        {code: [index, index.opposite()] for code, index in found.items()},
        aspect=240 / 336,
        corner=0.05,
    )


def panels_of(deck: Deck) -> list[Panel]:
    """The middles of a deck's court cards, to be borrowed by drawn decks."""
    return [
        Panel(deck.faces[rank + suit][30 : HEIGHT - 30, 50 : WIDTH - 50], suit)
        for rank in ("J", "Q", "K")
        for suit in ROWS
    ]
