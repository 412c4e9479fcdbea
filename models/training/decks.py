"""Decks of cards as arrays: faces, backs and where each index stands.

A deck is drawn (``draw_deck``) or cut from real art (``art.py``); both give the same record, so scenes need not know
which. All faces are (336, 240, 3) uint8 RGB; the card's own proportions are applied when it is laid on a table.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from models.training import backs, fonts, suits, wear
from models.training.printing import HEIGHT, RANKS, USUAL, WIDTH, IndexStyle, Oddity, dotted, inks, paste, resized

SUITS = ("S", "H", "D", "C")
WORN, CLEAR_EDGED = 0.35, 0.05  # shares of drawn decks
CODES = tuple(rank + suit for suit in SUITS for rank in RANKS)


@dataclass(frozen=True)
class Index:
    """One printed index on a face, in face pixels: the rank's centre and height, the suit's centre, and whether it
    stands upside down.
    """

    rank_xy: tuple[float, float]
    rank_height: float
    rank_width: float
    suit_xy: tuple[float, float]
    suit_size: float
    turned: bool = False

    def opposite(self) -> Index:
        """The same index seen after turning the card by 180 degrees."""
        (x, y), (u, v) = self.rank_xy, self.suit_xy
        return Index(
            (WIDTH - x, HEIGHT - y),
            self.rank_height,
            self.rank_width,
            (WIDTH - u, HEIGHT - v),
            self.suit_size,
            not self.turned,
        )

    def mirrored(self) -> Index:
        """The same index in the other upper corner, still upright."""
        return Index(
            (WIDTH - self.rank_xy[0], self.rank_xy[1]),
            self.rank_height,
            self.rank_width,
            (WIDTH - self.suit_xy[0], self.suit_xy[1]),
            self.suit_size,
            self.turned,
        )


@dataclass
class Deck:
    """Faces by code, backs, the indices of each face, and the card's proportions (width / height).

    foreign: faces of cards that are not of the deck and may lie among it. clear_edge: width of a transparent edge, in
    card widths. letters: what is printed on aces and courts where that is no A, J, Q or K.
    """

    name: str
    faces: dict[str, np.ndarray]
    backs: list[np.ndarray]
    indices: dict[str, list[Index]]
    aspect: float = 0.715
    corner: float = 0.05
    foreign: list[np.ndarray] = field(default_factory=list)
    clear_edge: float = 0.0
    letters: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Panel:
    """The picture (h, w, 3) of a court card without its indices, which holds the large sign of its suit."""

    picture: np.ndarray
    suit: str


PIPS = {
    1: [(0.5, 0.5)],
    2: [(0.5, 0.18), (0.5, 0.82)],
    3: [(0.5, 0.18), (0.5, 0.5), (0.5, 0.82)],
    4: [(x, y) for x in (0.3, 0.7) for y in (0.18, 0.82)],
    5: [(x, y) for x in (0.3, 0.7) for y in (0.18, 0.82)] + [(0.5, 0.5)],
    6: [(x, y) for x in (0.3, 0.7) for y in (0.18, 0.5, 0.82)],
    7: [(x, y) for x in (0.3, 0.7) for y in (0.18, 0.5, 0.82)] + [(0.5, 0.34)],
    8: [(x, y) for x in (0.3, 0.7) for y in (0.18, 0.5, 0.82)] + [(0.5, 0.34), (0.5, 0.66)],
    9: [(x, y) for x in (0.3, 0.7) for y in (0.18, 0.393, 0.607, 0.82)] + [(0.5, 0.5)],
    10: [(x, y) for x in (0.3, 0.7) for y in (0.18, 0.393, 0.607, 0.82)] + [(0.5, 0.287), (0.5, 0.713)],
}


def _index_of(style: IndexStyle, rank: str, sign: np.ndarray) -> Index:
    """Where the upper left index of a face stands."""
    mask = style.rank_mask(rank)
    x = max(style.x, mask.shape[1] / 2 + WIDTH * 0.018)
    size = style.suit
    if style.all_beside or (style.court_beside and rank in "JQK"):
        at = (x + mask.shape[1] / 2 + size * 0.75, style.y + style.height * 0.2)
    else:
        at = (x, style.y + style.height / 2 + style.gap + size * sign.shape[0] / max(sign.shape) / 2)
    return Index((x, style.y), style.height, float(mask.shape[1]), at, size)


def _print_index(
    face: np.ndarray, style: IndexStyle, rank: str, sign: np.ndarray, ink: tuple[int, int, int], index: Index
) -> None:
    h, w = (index.suit_size * side / max(sign.shape) for side in sign.shape)
    paste(face, style.rank_mask(rank), index.rank_xy, ink)
    paste(face, resized(sign, w, h), index.suit_xy, ink)


def _pips(
    face: np.ndarray,
    rank: int,
    sign: np.ndarray,
    ink: tuple[int, int, int],
    rng: np.random.Generator,
    size: float,
    inset: float,
) -> None:
    big = rng.uniform(1.0, 3.0) if rank == 1 else 1.0
    for px, py in PIPS[rank]:
        x, y = (0.5 + (px - 0.5) * inset) * WIDTH, (0.5 + (py - 0.5) * inset) * HEIGHT
        mask = resized(sign, size * big * sign.shape[1] / sign.shape[0], size * big)
        paste(face, mask[::-1] if py > 0.55 else mask, (x, y), ink)


def court_panel(rng: np.random.Generator, palette: list[tuple[int, int, int]], w: int, h: int) -> np.ndarray:
    """A two-way figure of random coloured shapes: clutter with the look of a court card, (h, w, 3)."""
    half = np.full((h // 2 + 1, w, 3), palette[0], np.uint8)
    for _ in range(int(rng.integers(8, 34))):
        ink = palette[int(rng.integers(len(palette)))]
        x, y = int(rng.integers(0, w)), int(rng.integers(0, half.shape[0]))
        a, b = int(rng.integers(3, w // 3)), int(rng.integers(3, h // 5))
        what = rng.random()
        if what < 0.35:
            cv2.ellipse(
                half,
                (x, y),
                (a, b),
                float(rng.uniform(0, 180)),
                0,
                360,
                ink,
                -1 if rng.random() < 0.7 else 2,
                cv2.LINE_AA,
            )
        elif what < 0.65:
            points = np.array([x, y]) + rng.integers(-a, a + 1, (int(rng.integers(3, 6)), 2))
            cv2.fillPoly(half, [points.astype(np.int32)], ink, cv2.LINE_AA)
        else:
            for k in range(int(rng.integers(2, 7))):
                cv2.line(
                    half,
                    (x + k * 5, y),
                    (x + k * 5 + int(rng.integers(-20, 20)), y + b),
                    ink,
                    int(rng.integers(1, 4)),
                    cv2.LINE_AA,
                )
    if rng.random() < 0.6:
        edges = cv2.Canny(half, 60, 120)
        half[edges > 0] = (25, 25, 30)
    out = np.vstack([half, half[::-1, ::-1]])[:h]
    return out


def _court(
    face: np.ndarray,
    code: str,
    style: IndexStyle,
    sign: np.ndarray,
    ink: tuple[int, int, int],
    rng: np.random.Generator,
    panels: list[Panel],
    white: np.ndarray,
    framed: bool,
) -> None:
    rank, suit = code[:-1], code[-1]
    left = int(max(WIDTH * rng.uniform(0.1, 0.22), 0))
    top = int(HEIGHT * rng.uniform(0.04, 0.12))
    w, h = WIDTH - 2 * left, HEIGHT - 2 * top
    pick = rng.random()
    if pick < 0.1:
        mask = resized(style.rank_mask(rank), w * 0.6, h * 0.5)
        paste(face, mask, (WIDTH / 2, HEIGHT / 2), ink)
        return
    # No printed court shows the sign of another suit than its index, nor a red sign in another colour.
    own = [panel.picture for panel in panels if panel.suit == suit]
    if own and pick < 0.6 and framed:
        panel = cv2.resize(own[int(rng.integers(len(own)))], (w, h), interpolation=cv2.INTER_AREA)
        if rng.random() < 0.5:
            panel = panel[:, :, rng.permutation(3) if suit in "SC" else (0, 2, 1)]
    else:
        palette = [tuple(int(v) for v in white), (25, 25, 30), ink] + [
            tuple(int(v) for v in rng.integers(0, 256, 3)) for _ in range(3)
        ]
        panel = court_panel(rng, palette, w, h)
    face[top : top + h, left : left + w] = panel
    if rng.random() < 0.7 and framed:
        cv2.rectangle(
            face,
            (left, top),
            (left + w, top + h),
            (30, 30, 80) if rng.random() < 0.5 else ink,
            int(rng.integers(1, 3)),
            cv2.LINE_AA,
        )
    if rng.random() < 0.6:
        size = WIDTH * rng.uniform(0.1, 0.18)
        mask = resized(sign, size * sign.shape[1] / sign.shape[0], size)
        at = (left + size * 0.7, top + size * 0.8)
        if at[0] - size / 2 > style.x + style.height * 0.8 or at[1] - size / 2 > style.y + style.height * 2:
            paste(face, mask, at, ink)
            paste(face, mask[::-1], (WIDTH - at[0], HEIGHT - at[1]), ink)


def _joker(style: IndexStyle, rng: np.random.Generator, white: np.ndarray) -> tuple[np.ndarray, list[Index]]:
    """A joker: a figure, and in the corner the word from top to bottom, or a star over a letter."""
    face = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    face[:] = white
    ink = [(20, 20, 20), (205, 25, 35), (30, 80, 190)][int(rng.integers(3))]
    palette = [tuple(int(v) for v in white), ink, *[tuple(int(v) for v in rng.integers(0, 256, 3)) for _ in range(3)]]
    left, top = int(WIDTH * rng.uniform(0.16, 0.25)), int(HEIGHT * rng.uniform(0.08, 0.2))
    panel = court_panel(rng, palette, WIDTH - 2 * left, HEIGHT - 2 * top)
    face[top : HEIGHT - top, left : WIDTH - left] = panel
    text = ["JOKER", "JOKER", "JOLLY", "\u2605", "JK"][int(rng.integers(5))]
    block = style.height + style.gap + style.suit
    size = block / len(text) if len(text) > 2 else style.height
    y = style.y - style.height / 2 + size / 2
    for turned in (face, face[::-1, ::-1]):
        turned[: int(style.y - style.height / 2 + block + 3), : int(style.x + style.height * 0.6)] = white
        for k, letter in enumerate(text):
            mask = fonts.glyph(fonts.suit_fonts()[0] if letter == "\u2605" else style.file, letter)
            if mask.size:
                paste(
                    turned,
                    resized(mask, min(style.height * 0.9, mask.shape[1] / mask.shape[0] * size * 0.9), size * 0.88),
                    (style.x, y + k * size),
                    ink,
                )
    index = Index(
        (style.x, style.y),
        style.height,
        style.height * 0.6,
        (style.x, style.y + block - style.height / 2 - style.suit / 2),
        style.suit,
    )
    return face, [index, index.opposite()]


def draw_deck(
    name: str,
    rng: np.random.Generator,
    *,
    validation: bool = False,
    panels: list[Panel] | None = None,
    by_pen: bool = False,
    odd: Oddity = USUAL,
) -> Deck:
    """One whole deck drawn from fonts, curves and random shapes; `panels` are court pictures to borrow.

    by_pen: without any font, and then without a joker, whose word is set in one. odd: what is otherwise than usual.
    """
    style = IndexStyle(rng, validation, by_pen=by_pen, odd=odd)
    signs, ink = suits.suit_masks(rng, by_pen=by_pen), inks(rng)
    white = (
        np.array([252, 252, 250]) - rng.integers(0, 14, 3)
        if rng.random() < 0.85
        else np.array([246, 240, 222]) - rng.integers(0, 16, 3)
    )
    white, ink = np.array(odd.paper or white), odd.inks or ink
    signs = {suit: dotted(sign, odd.coarse) for suit, sign in signs.items()} if odd.coarse else signs
    four = rng.random() < 0.12
    if four:
        style.court_beside = style.all_beside = False
    pip_size, inset = float(WIDTH * rng.uniform(0.13, 0.26)), float(rng.uniform(0.8, 1.02))
    faces: dict[str, np.ndarray] = {}
    where: dict[str, list[Index]] = {}
    for code in CODES:
        rank, suit = code[:-1], code[-1]
        face = np.empty((HEIGHT, WIDTH, 3), np.uint8)
        face[:] = white
        value = RANKS.index(rank) + 1
        if value <= 10:
            _pips(face, value, signs[suit], ink[suit], rng, pip_size, inset)
        else:
            _court(face, code, style, signs[suit], ink[suit], rng, panels or [], white, not odd.frameless)
        index = _index_of(style, rank, signs[suit])
        # The corner is the index's own: pips, pictures and frames never run through it on a printed card.
        reach = (index.rank_xy[0] + index.rank_width / 2, index.suit_xy[0] + index.suit_size / 2)
        clear_w = int(max(reach) + 3)
        clear_h = int(style.y + style.height / 2 + style.gap + style.suit + 3)
        corners = [index, index.mirrored()] if four else [index]
        both_ends = face, face[::-1, ::-1]
        for area in both_ends:
            area[:clear_h, :clear_w] = white
            if four:
                area[:clear_h, -clear_w:] = white
        for area in both_ends:
            for corner in corners:
                _print_index(area, style, rank, signs[suit], ink[suit], corner)
        where[code] = [each for corner in corners for each in (corner, corner.opposite())]
        faces[code] = face
    if not by_pen:
        faces["JK"], where["JK"] = _joker(style, rng, white)
    if rng.random() < WORN:
        amount = float(rng.uniform(0.1, 1.0))
        faces = {code: wear.worn(face, rng, amount) for code, face in faces.items()}
    return Deck(
        name,
        faces,
        [backs.draw_back(rng, [panel.picture for panel in panels or []], not odd.borderless) for _ in range(2)],
        where,
        aspect=float(rng.uniform(0.62, 0.73)),
        corner=float(rng.uniform(0.03, 0.075)),
        clear_edge=float(rng.uniform(0.008, 0.035)) if rng.random() < CLEAR_EDGED else 0.0,
        letters=style.letters,
    )
