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
# What these print on aces and courts; the others A, J, Q and K.
LETTERS = {
    "ancient_french": {"A": "1", "J": "V", "Q": "D", "K": "R"},
    "slavic_costumes": {"A": "T", "J": "В", "Q": "Д", "K": "К"},
    "rheinland": {"A": "A", "J": "B", "Q": "D", "K": "K"},
}


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


# Printed ranks are at least this high, in pixels of a face: what is lower in the corner is the card's edge.
LEAST = 14


def _two_runs(numbers: list[np.ndarray]) -> list[tuple[int, int]]:
    """Rows of the rank and of the suit under it, common to the number cards of a deck."""
    for column in (0.2, 0.17, 0.145, 0.12):
        profile = np.mean([_ink(face)[: HEIGHT // 2, 6 : int(WIDTH * column)].any(1) for face in numbers], 0) > 0.5
        profile[:5] = False
        edges = np.flatnonzero(np.diff(np.concatenate([[0], profile.astype(int), [0]])))
        runs = [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= LEAST]
        if len(runs) >= 2:
            return runs[:2]
    raise ValueError("no rank over suit in the corners of this deck")


def _rank_columns(face: np.ndarray, rows: tuple[int, int], ten: bool) -> tuple[int, int] | None:
    """First and last column of the rank that stands in these rows, None where a card shows none: the leftmost sign
    that ends where the rows end, unlike frames and pictures; of a ten both.
    """
    corner = _ink(face)[: HEIGHT // 2, 5 : int(WIDTH * 0.4)].astype(np.uint8)
    _, _, boxes, _ = cv2.connectedComponentsWithStats(corner)
    tall = rows[1] - rows[0]
    slack, wide = 0.18 * tall, (1.6 if ten else 1.3) * tall
    signs = sorted(
        (int(x) + 5, int(x + w) + 5)
        for x, y, w, h, _ in boxes[1:]
        if y >= rows[0] - slack and y + h <= rows[1] + slack and h > 0.7 * tall and w < wide
    )
    if not signs or signs[0][0] > WIDTH * 0.15:
        return None
    left, right = signs[0]
    return (left, max(right, signs[1][1])) if ten and len(signs) > 1 and signs[1][0] - right < 12 else (left, right)


def _median(columns: list[tuple[int, int]]) -> tuple[int, int]:
    left, right = np.median(columns, axis=0)
    return int(left), int(right)


def find_index(faces: dict[str, np.ndarray]) -> dict[str, Index]:
    """Where the upper left index of each face stands, from the ink that is there; a court without a letter has none.

    The band of rows is the deck's own (from its number cards, whose corner holds nothing else); the columns are each
    card's.
    """
    numbers = [faces[rank + suit] for rank in RANKS[1:9] for suit in ROWS if rank + suit in faces]
    (top, bottom), (suit_top, suit_bottom) = _two_runs(numbers)
    seen = {code: _rank_columns(face, (top, bottom), code[:-1] == "10") for code, face in faces.items()}
    letters = [columns for code, columns in seen.items() if columns and code[:-1] in ("J", "Q", "K")]
    found = {}
    for code, face in faces.items():
        # A letter whose tail touches the suit is not told by itself; it stands where the deck's other letters do.
        columns = seen[code] or (_median(letters) if letters and code[:-1] in ("J", "Q", "K") else None)
        if columns is None:
            continue
        middle = sum(columns) / 2
        under = _ink(face)[suit_top:suit_bottom, max(0, int(columns[0]) - 4) : int(columns[1]) + 4].any(1)
        beside = under.mean() < 0.5
        suit_xy = (middle + bottom - top, (top + bottom) / 2 + 8) if beside else (middle, (suit_top + suit_bottom) / 2)
        found[code] = Index(
            (middle, (top + bottom) / 2),
            float(bottom - top),
            float(columns[1] - columns[0]),
            suit_xy,
            float(suit_bottom - suit_top),
        )
    return found


def _both_ends(faces: dict[str, np.ndarray]) -> dict[str, list[Index]]:
    """The indices of each face: none, or two."""
    found = find_index(faces)
    return {code: [found[code], found[code].opposite()] if code in found else [] for code in faces}


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
    cell = image[: round(h), : round(w), 3] > 128
    aspect = float((cell.mean(0) > 0.5).sum() / (cell.mean(1) > 0.5).sum())
    return Deck(
        name,
        faces,
        [back],
        _both_ends(faces),
        aspect=aspect,
        corner=0.05,
        letters=LETTERS.get(name, {}),
    )


def load_letele(folder: pathlib.Path) -> Deck:
    """The CC0 deck of npm ``@letele/playing-cards``, rasterised beforehand to ``folder``/CODE.png."""
    faces = {}
    for path in sorted(folder.glob("*.png")):
        image = cv2.cvtColor(cv2.imread(str(path), cv2.IMREAD_UNCHANGED), cv2.COLOR_BGRA2RGBA)
        faces[path.stem] = _trim(image)
    back = faces.pop("back")
    return Deck(
        "letele",
        faces,
        [back],
        _both_ends(faces),
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
