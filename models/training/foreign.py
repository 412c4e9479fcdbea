"""Cards that belong to no deck of 52: trumps with numerals, visiting cards, advertisements.

They lie face up and carry no index, though some print in their corners looks like one: the nets must see a face there
and read nothing. Only pale ones are drawn: a card of one strong colour is too like a back to be told from it.
"""

from __future__ import annotations

import cv2
import numpy as np

from models.training import fonts
from models.training.decks import court_panel
from models.training.printing import HEIGHT, WIDTH, paste, resized

NUMERALS = ("I", "II", "III", "IV", "VI", "VII", "IX", "XI", "XIII", "XV", "XVI", "XIX", "XX", "XXI", "0")
NUMBERS = ("11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21")
WORDS = ("Visa", "Anna", "Nord", "& Co", "Tel", "Cafe", "Studio", "Info", "www", "Punkt", "Haus", "Bank")


def draw_foreign(rng: np.random.Generator, files: list[list[str]], panels: list[np.ndarray]) -> np.ndarray:
    """One such face, (336, 240, 3) uint8 RGB; `files` are font families to print it with."""
    family = files[int(rng.integers(len(files)))]
    font = family[int(rng.integers(len(family)))]
    return (_trump if rng.random() < 0.55 else _visiting)(rng, font, panels)


def _white(rng: np.random.Generator) -> np.ndarray:
    face = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    face[:] = np.array([250, 248, 242]) - rng.integers(0, 20, 3)
    return face


def _ink(rng: np.random.Generator) -> tuple[int, int, int]:
    r, g, b = (int(v) for v in rng.integers(0, 150, 3))
    return (r, g, b) if rng.random() < 0.5 else (25, 25, 28)


def _text(face: np.ndarray, font: str, text: str, at: tuple[float, float, float], ink: tuple[int, int, int]) -> None:
    """Print a text centred at (x, y) with a height, no wider than the card."""
    x, y, height = at
    mask = fonts.glyph(font, text)
    if mask.size:
        width = min(mask.shape[1] / mask.shape[0] * height, WIDTH * 0.9)
        paste(face, resized(mask, width, height), (x, y), ink)


def _picture(rng: np.random.Generator, w: int, h: int, panels: list[np.ndarray]) -> np.ndarray:
    if panels and rng.random() < 0.4:
        panel = panels[int(rng.integers(len(panels)))][:, :, rng.permutation(3)]
        return np.asarray(cv2.resize(np.ascontiguousarray(panel), (w, h), interpolation=cv2.INTER_AREA))
    colours = [(int(r), int(g), int(b)) for r, g, b in rng.integers(0, 256, (6, 3))]
    return court_panel(rng, colours, w, h)


def _trump(rng: np.random.Generator, font: str, panels: list[np.ndarray]) -> np.ndarray:
    """A whole picture in a frame with a numeral, in the middle of the edges or in the corners."""
    face = _white(rng)
    left, top = int(WIDTH * rng.uniform(0.06, 0.16)), int(HEIGHT * rng.uniform(0.06, 0.16))
    face[top : HEIGHT - top, left : WIDTH - left] = _picture(rng, WIDTH - 2 * left, HEIGHT - 2 * top, panels)
    text = str(rng.choice(NUMERALS if rng.random() < 0.6 else NUMBERS))
    height = WIDTH * rng.uniform(0.07, 0.13)
    x, y = (WIDTH / 2, top * 0.55) if rng.random() < 0.6 else (WIDTH * 0.1, HEIGHT * 0.07)
    ink = _ink(rng)
    for turned in (face, face[::-1, ::-1]):
        area = turned[: int(y + height / 2 + 3), : int(x + height) if x < WIDTH / 3 else WIDTH]
        area[:] = face[1, 1]
        _text(turned, font, text, (x, y, height), ink)
    return face


def _visiting(rng: np.random.Generator, font: str, panels: list[np.ndarray]) -> np.ndarray:
    """Lines of words and numbers, perhaps a picture: a visiting card, rules of a game, an advertisement."""
    face = _white(rng)
    if rng.random() < 0.3:
        face[:] = rng.integers(170, 256, 3)
    ink = _ink(rng)
    if rng.random() < 0.5:
        h = int(HEIGHT * rng.uniform(0.15, 0.5))
        y = int(rng.integers(0, HEIGHT - h))
        face[y : y + h, 20 : WIDTH - 20] = _picture(rng, WIDTH - 40, h, panels)
    y = HEIGHT * rng.uniform(0.08, 0.4)
    while y < HEIGHT * 0.92:
        height = WIDTH * float(rng.choice([0.04, 0.05, 0.07, 0.12]))
        words = " ".join(str(w) for w in rng.choice([*WORDS, *NUMBERS, "3 5 8", "0400 276"], int(rng.integers(1, 5))))
        _text(face, font, words, (WIDTH / 2, y, height), ink)
        y += height * rng.uniform(1.4, 3)
    return np.ascontiguousarray(face[::-1, ::-1]) if rng.random() < 0.3 else face
