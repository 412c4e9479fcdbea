"""The photograph as the page shows it, and the outlines on it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape

import cv2
import numpy as np

from companion_app.decoding import pixels as decoded
from companion_app.drawing.drawing import badge
from companion_app.drawing.marks import Marks
from companion_app.drawing.suits import SIGNS
from rules.cards import GONE, Seen, seen_text
from rules.rows.places import parse_place
from vision.reading import SeenCard, TableReading

LEAST = 2
SHOWN_SIDE = 1800
JPEG_QUALITY = 88
SMALL_SIDE, SMALL_QUALITY = 320, 78
LABEL_SHARE = 0.26
# Where the name stands on a card, in its sides from its upper left: in the middle of a layout's card, which others
# cover from below; along the edge of a loose one, for in a fan no more shows.
LABEL, LOOSE_LABEL = (0.5, 0.2), (0.13, 0.42)
# In a half row an outer card may lie over an inner one, which then shows at its side towards the middle.
INNER_LABELS: Mapping[str, tuple[float, float]] = {"left": (0.75, 0.2), "right": (0.25, 0.2)}
# A name is no larger than this share of the way to the nearest other card.
ROOM = 0.55
BADGE_SHARE = 0.17
STROKE_SHARE, THICK_SHARE = 0.035, 0.06


def upright_jpeg(picture: bytes) -> bytes:
    """The picture upright, at most 1800 pixels a side, as a new JPEG: nothing of the file's own notes is kept."""
    pixels = decoded(picture, SHOWN_SIDE)
    scale = SHOWN_SIDE / max(pixels.shape[:2])
    if scale < 1:
        pixels = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    _, encoded = cv2.imencode(".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return encoded.tobytes()


@lru_cache(maxsize=32)
def small_picture(picture: bytes) -> bytes:
    """The picture as a small JPEG, to choose it by."""
    pixels = decoded(picture, SMALL_SIDE)
    scale = SMALL_SIDE / max(pixels.shape[:2])
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, encoded = cv2.imencode(".jpg", cv2.cvtColor(small, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, SMALL_QUALITY])
    return encoded.tobytes()


def draw_overlay(reading: TableReading, marks: Marks, pins: Mapping[str, Seen], at: tuple[float, float] = LABEL) -> str:
    """Outlines and labels over the photograph, as one SVG in the photograph's pixels.

    The names stand `at` this place of each card. Each outline is a dark and a light stroke, so it is seen on any cloth;
    those of a hint are thick, and what is in doubt is dashed. None is filled: the printed corners stay to be seen.
    """
    shown = [card for card in reading.cards if _is_shown(card, marks, pins)]
    width = float(np.median([_width(card) for card in shown])) if shown else 1.0
    size = min(width * LABEL_SHARE, _nearest(shown) * ROOM)
    drawn = [_outline(card, marks, width) for card in shown] + [_label(card, pins, size, at) for card in shown]
    return (
        f'<svg class="overlay" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {reading.width} {reading.height}"'
        f' aria-hidden="true">{"".join(drawn)}{"".join(_signs(shown, marks, width))}</svg>'
    )


def _is_shown(card: SeenCard, marks: Marks, pins: Mapping[str, Seen]) -> bool:
    return pins.get(card.place, card.card) is not GONE or card.place in marks.doubtful | marks.illegal


def _width(card: SeenCard) -> float:
    (ax, ay), (bx, by) = card.quad_xy[0], card.quad_xy[1]
    return max(float(np.hypot(bx - ax, by - ay)), 1.0)


def _nearest(shown: Sequence[SeenCard]) -> float:
    """The usual way from the middle of a card to that of the nearest other one, in pixels."""
    middles = np.array([np.mean(card.quad_xy, axis=0) for card in shown])
    if len(middles) < LEAST:
        return np.inf
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    return float(np.median(apart.min(1)))


def _points(quad: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in quad)


def _outline(card: SeenCard, marks: Marks, width: float) -> str:
    hinted = card.place in (*marks.pair, *marks.area, *marks.partners)
    points, stroke = _points(card.quad_xy), width * (THICK_SHARE if hinted else STROKE_SHARE)
    return (
        f'<g class="seen {marks.classes(card.place)}" data-place="{escape(card.place)}">'
        f'<polygon class="outer" points="{points}" fill="none" stroke="#101418" stroke-width="{2.4 * stroke:.1f}"/>'
        f'<polygon class="inner" points="{points}" fill="transparent" stroke="#fff" stroke-width="{stroke:.1f}"/></g>'
    )


def _label(card: SeenCard, pins: Mapping[str, Seen], size: float, at: tuple[float, float]) -> str:
    line = parse_place(card.place)
    if line is not None and line[0].kind == "half" and line[0].side is not None:
        at = INNER_LABELS[line[0].side]
    (ax, ay), (bx, by), _, (dx, dy) = card.quad_xy
    x, y = ax + (bx - ax) * at[0] + (dx - ax) * at[1], ay + (by - ay) * at[0] + (dy - ay) * at[1]
    seen = pins.get(card.place, card.card)
    text = {"--": "·", "??": "▒", "!!": "?"}.get(seen_text(seen), _signed(seen_text(seen)))
    return (
        f'<text class="label" x="{x:.1f}" y="{y + size * 0.35:.1f}" font-size="{size:.1f}" text-anchor="middle"'
        f' stroke="#101418" stroke-width="{size * 0.22:.1f}" fill="#ffffff">{text}</text>'
    )


def _signed(code: str) -> str:
    sign = SIGNS.get(code[-1])
    return code[:-1] + sign if sign else code


def _signs(shown: Sequence[SeenCard], marks: Marks, width: float) -> Iterator[str]:
    for card in shown:
        x, y = card.quad_xy[1]
        letter = _sign_of(card.place, marks)
        if letter:
            yield badge(letter, x, y, width * BADGE_SHARE)


def _sign_of(place: str, marks: Marks) -> str:
    signs = {
        "A": place in marks.pair[:1],
        "B": place in marks.pair[1:2],
        "+": place in marks.partners,
        "✕": place in marks.illegal,
        "!": place in marks.faulty,
        "?": place in marks.doubtful,
    }
    return next((sign for sign, wanted in signs.items() if wanted), "")
