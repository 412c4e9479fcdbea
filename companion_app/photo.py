"""The photograph as the page shows it, and the outlines on it."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

import cv2
import numpy as np

from companion_app.drawing import badge
from companion_app.marks import Marks
from rules.cards import GONE, Seen, seen_text
from vision.picture import decode
from vision.reading import SeenCard, TableReading

SHOWN_SIDE = 1800
JPEG_QUALITY = 88
LABEL_SHARE = 0.26
BADGE_SHARE = 0.17
STROKE_SHARE = 0.035


def upright_jpeg(picture: bytes) -> bytes:
    """The picture upright, at most 1800 pixels a side, as a new JPEG: nothing of the file's own notes is kept."""
    pixels = decode(picture)
    scale = SHOWN_SIDE / max(pixels.shape[:2])
    if scale < 1:
        pixels = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    _, encoded = cv2.imencode(".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return encoded.tobytes()


def draw_overlay(reading: TableReading, marks: Marks, pins: Mapping[str, Seen]) -> str:
    """Outlines and labels over the photograph, as one SVG in the photograph's pixels.

    Each outline is a dark and a light stroke, so it is seen on any cloth; what is in doubt is dashed.
    """
    shown = [card for card in reading.cards if _is_shown(card, marks, pins)]
    width = float(np.median([_width(card) for card in shown])) if shown else 1.0
    drawn = [_outline(card, marks, width) for card in shown] + [_label(card, pins, width) for card in shown]
    return (
        f'<svg class="overlay" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {reading.width} {reading.height}"'
        f' aria-hidden="true">{"".join(drawn)}{"".join(_signs(shown, marks, width))}</svg>'
    )


def _is_shown(card: SeenCard, marks: Marks, pins: Mapping[str, Seen]) -> bool:
    return pins.get(card.place, card.card) is not GONE or card.place in marks.doubtful | marks.illegal


def _width(card: SeenCard) -> float:
    (ax, ay), (bx, by) = card.quad_xy[0], card.quad_xy[1]
    return max(float(np.hypot(bx - ax, by - ay)), 1.0)


def _points(quad: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in quad)


def _outline(card: SeenCard, marks: Marks, width: float) -> str:
    points, stroke = _points(card.quad_xy), width * STROKE_SHARE
    return (
        f'<g class="seen {marks.classes(card.place)}" data-place="{escape(card.place)}">'
        f'<polygon class="outer" points="{points}" fill="none" stroke="#101418" stroke-width="{2.4 * stroke:.1f}"/>'
        f'<polygon class="inner" points="{points}" fill="transparent" stroke="#fff" stroke-width="{stroke:.1f}"/></g>'
    )


def _label(card: SeenCard, pins: Mapping[str, Seen], width: float) -> str:
    size = width * LABEL_SHARE
    (ax, ay), (bx, by), _, (dx, dy) = card.quad_xy
    x, y = ax + (bx - ax) * 0.5 + (dx - ax) * 0.2, ay + (by - ay) * 0.5 + (dy - ay) * 0.2
    seen = pins.get(card.place, card.card)
    text = {"--": "·", "??": "▒", "!!": "?"}.get(seen_text(seen), _signed(seen_text(seen)))
    return (
        f'<text class="label" x="{x:.1f}" y="{y + size * 0.35:.1f}" font-size="{size:.1f}" text-anchor="middle"'
        f' stroke="#101418" stroke-width="{size * 0.22:.1f}" fill="#ffffff">{text}</text>'
    )


def _signed(code: str) -> str:
    sign = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}.get(code[-1])
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
        "✕": place in marks.illegal,
        "!": place in marks.faulty,
        "?": place in marks.doubtful,
    }
    return next((sign for sign, wanted in signs.items() if wanted), "")
