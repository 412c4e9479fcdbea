"""How one drawn deck is printed: sizes, inks, and the glyphs and places of its indices."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

import cv2
import numpy as np

from models.training import fonts, strokes
from vision.recognize.alphabets import LETTERS

HEIGHT, WIDTH = 336, 240
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SLIGHT = 0.07  # of a rank's height: no printed index has its heaviest stroke lighter than this
LETTER_SETS = (
    {"A": "A", "J": "J", "Q": "Q", "K": "K"},
    {"A": "A", "J": "B", "Q": "D", "K": "K"},
    {"A": "1", "J": "V", "Q": "D", "K": "R"},
    {"A": "T", "J": "В", "Q": "Д", "K": "К"},
    {"A": "E", "J": "Kn", "Q": "D", "K": "K"},
    {"A": "A", "J": "J", "Q": "D", "K": "K"},
)
# Share of decks with letters of another language, where the nets learn and where they are measured: they learn more of
# what they find harder, a K that is half of a Kn.
FOREIGN_LETTERS = {False: 0.5, True: 0.22}


@dataclass(frozen=True)
class Oddity:
    """In what a deck is printed otherwise than most; nothing where None.

    letters: of ace and courts. height: of a rank, in card widths. stretch: how wide its glyphs are, of what is usual.
    coarse: rows of dots that a rank and a sign are printed with. paper: its colour. inks: of each suit. frameless:
    courts have no frame. borderless: backs run to the edge.
    """

    letters: dict[str, str] | None = None
    height: float | None = None
    stretch: float | None = None
    coarse: int | None = None
    paper: tuple[int, int, int] | None = None
    inks: dict[str, tuple[int, int, int]] | None = None
    frameless: bool = False
    borderless: bool = False


USUAL = Oddity()


def any_oddity(rng: np.random.Generator) -> Oddity:
    """Print of a deck that is trained on: mostly usual, else four inks on any suits, coloured paper, coarse or narrow
    glyphs, or any letters on aces and courts, by which the patch net learns all signs.
    """
    narrow = rng.random() < 0.08
    return Oddity(
        stretch=float(rng.uniform(0.6, 0.9)) if narrow else None,
        coarse=int(rng.integers(9, 16)) if not narrow and rng.random() < 0.06 else None,
        paper=_paper(rng) if rng.random() < 0.12 else None,
        inks=any_inks(rng) if rng.random() < 0.2 else None,
        letters=any_letters(rng) if rng.random() < 0.4 else None,
    )


def any_letters(rng: np.random.Generator) -> dict[str, str]:
    """Letters of ace and courts, some of them usual, the others any that all fonts have; no two of them the same."""
    usual = LETTER_SETS[int(rng.integers(3))]
    strange = [str(letter) for letter in rng.permutation(LETTERS[:-1]) if letter not in usual.values()]
    courts = {rank: strange[k] if rng.random() < 0.7 else usual[rank] for k, rank in enumerate("JQK")}
    ace = rng.random()
    return courts | {"A": "Á" if ace < 0.05 else strange[3] if ace < 0.15 else usual["A"]}


def any_inks(rng: np.random.Generator) -> dict[str, tuple[int, int, int]]:
    """Inks dark enough to be printed with, far apart in hue, on any suits; now and then one of them black."""
    hues = (rng.uniform(0, 1) + np.arange(4) / 4 + rng.uniform(-0.07, 0.07, 4))[rng.permutation(4)] % 1
    out = {}
    for suit, hue in zip("SHDC", hues.tolist(), strict=True):
        light, full = float(rng.uniform(0.18, 0.45)), float(rng.uniform(0.45, 1.0))
        r, g, b = colorsys.hls_to_rgb(hue, light, full)
        out[suit] = (int(r * 255), int(g * 255), int(b * 255))
    if rng.random() < 0.4:
        out["SHDC"[int(rng.integers(4))]] = (25, 25, 28)
    return out


def _paper(rng: np.random.Generator) -> tuple[int, int, int]:
    r, g, b = colorsys.hls_to_rgb(
        float(rng.uniform(0, 1)), float(rng.uniform(0.72, 0.94)), float(rng.uniform(0.1, 0.7))
    )
    return int(r * 255), int(g * 255), int(b * 255)


def paste(face: np.ndarray, mask: np.ndarray, centre: tuple[float, float], ink: tuple[int, int, int]) -> None:
    """Print a mask in one ink on a face, centred; what falls outside is cut off."""
    h, w = mask.shape
    x, y = round(centre[0] - w / 2), round(centre[1] - h / 2)
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, face.shape[1]), min(y + h, face.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    alpha = mask[y0 - y : y1 - y, x0 - x : x1 - x, None].astype(np.float32) / 255
    area = face[y0:y1, x0:x1]
    area[:] = (area * (1 - alpha) + np.array(ink, np.float32) * alpha).astype(np.uint8)


def resized(mask: np.ndarray, width: float, height: float) -> np.ndarray:
    """A mask at a new size in pixels."""
    return cv2.resize(mask, (max(2, round(width)), max(2, round(height))), interpolation=cv2.INTER_AREA)


def dotted(mask: np.ndarray, rows: int) -> np.ndarray:
    """A mask as it is printed with so many rows of dots."""
    h, w = mask.shape
    dots = cv2.resize(mask, (max(2, round(w * rows / h)), rows), interpolation=cv2.INTER_AREA)
    return cv2.resize(np.where(dots > 110, 255, 0).astype(np.uint8), (w, h), interpolation=cv2.INTER_NEAREST)


def inks(rng: np.random.Generator) -> dict[str, tuple[int, int, int]]:
    """Ink of each suit: two colours mostly, four in some decks, the paler ones included."""

    def vary(r: int, g: int, b: int, spread: int = 22) -> tuple[int, int, int]:
        out = np.clip(np.array([r, g, b]) + rng.integers(-spread, spread + 1, 3), 0, 255)
        return int(out[0]), int(out[1]), int(out[2])

    red = vary(*[(205, 25, 35), (225, 40, 30), (180, 20, 40), (235, 70, 60)][int(rng.integers(4))])
    black = vary(*[(20, 20, 22), (35, 35, 45), (10, 10, 10), (60, 58, 60)][int(rng.integers(4))], spread=12)
    out = {"S": black, "H": red, "D": red, "C": black}
    if rng.random() < 0.25:
        out["C"] = vary(*[(20, 120, 60), (60, 160, 110), (10, 90, 40), (90, 170, 90)][int(rng.integers(4))])
        out["D"] = vary(
            *[(30, 80, 190), (240, 150, 30), (235, 200, 60), (90, 140, 220), (225, 190, 40)][int(rng.integers(5))]
        )
        if rng.random() < 0.5:
            out["S"] = vary(*[(50, 70, 160), (110, 120, 190), (20, 30, 110)][int(rng.integers(3))])
    return out


def _lacks(mask: np.ndarray) -> int:
    """By how many pixels on each side a rank's heaviest stroke is too slight to be printed on a card."""
    ink = np.pad((mask > 127).astype(np.uint8), 1)
    heaviest = 2 * float(cv2.distanceTransform(ink, cv2.DIST_L2, 5).max())
    return max(0, round((SLIGHT * mask.shape[0] - heaviest) / 2))


class IndexStyle:
    """How one deck prints its indices: glyphs, sizes, places; with `by_pen` all glyphs are strokes of our own."""

    def __init__(
        self, rng: np.random.Generator, validation: bool, *, by_pen: bool = False, odd: Oddity = USUAL
    ) -> None:
        self.rng = rng
        self.files: list[str] = []
        if not by_pen:
            families = fonts.chosen(validation)
            self.files = families[int(rng.integers(len(families)))]
        self.file = self.files[int(rng.integers(len(self.files)))] if self.files else ""
        self.pen = float(rng.uniform(0.07, 0.2)) if by_pen or rng.random() < 0.2 else 0.0
        self.letters = LETTER_SETS[0]
        if rng.random() >= 1 - FOREIGN_LETTERS[validation]:
            self.letters = LETTER_SETS[int(rng.integers(1, len(LETTER_SETS)))]
        if by_pen or (not fonts.has_cyrillic(self.file) and "В" in self.letters.values()):
            self.letters = LETTER_SETS[0]
        self.letters, self.coarse = odd.letters or self.letters, odd.coarse
        kind = rng.random()
        share = (
            rng.uniform(0.13, 0.2)
            if kind < 0.75
            else (rng.uniform(0.09, 0.13) if kind < 0.87 else rng.uniform(0.2, 0.36))
        )
        self.height = float((odd.height or share) * WIDTH)
        self.stretch = float(rng.uniform(0.7, 1.15)) * (odd.stretch or 1.0)
        self.ten = float(rng.uniform(0.62, 1.0))
        self.thick = int(rng.integers(0, 4)) if rng.random() < 0.4 else 0
        # The fourteen real decks of `art.py` print their signs 0.56 to 1.18 of the rank's height high.
        self.suit = float(self.height * (rng.uniform(0.54, 1.0) if rng.random() < 0.82 else rng.uniform(1.0, 1.25)))
        self.gap = float(self.height * rng.uniform(0.04, 0.3))
        self.x = float(
            WIDTH * rng.uniform(0.02, 0.05) + self.height * 0.35 + (WIDTH * 0.02 if rng.random() < 0.3 else 0)
        )
        self.y = float(HEIGHT * rng.uniform(0.018, 0.05) + self.height / 2)
        self.court_beside = rng.random() < 0.3
        self.all_beside = rng.random() < 0.03
        self.cache: dict[str, np.ndarray] = {}

    def rank_mask(self, rank: str) -> np.ndarray:
        """The rank's mask at printing size."""
        if rank not in self.cache:
            self.cache[rank] = self._draw(self.letters.get(rank, rank), rank)
        return self.cache[rank]

    def _draw(self, text: str, rank: str) -> np.ndarray:
        if self.pen and (text in RANKS or text == "1"):
            mask = strokes.stroke_glyph(text, self.pen, self.rng)
        else:
            mask = fonts.glyph(self.file, text)
            if mask.size == 0:
                self.letters = {**self.letters, rank: rank}
                mask = fonts.glyph(self.file, rank)
        if thick := max(self.thick, _lacks(mask)):
            mask = cv2.dilate(np.pad(mask, 6), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * thick + 1,) * 2))
            mask = mask[np.ix_(mask.max(1) > 60, mask.max(0) > 60)]
        h, w = mask.shape
        width = w / h * self.height * self.stretch * (self.ten if len(text) > 1 else 1)
        printed = resized(mask, min(width, self.height * 1.5), self.height)
        return dotted(printed, self.coarse) if self.coarse else printed
