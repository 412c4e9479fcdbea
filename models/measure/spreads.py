"""Cards without a layout, drawn by kind and by number: a grid, rows, columns, a fan, cards strewn apart, a heap; and
one card alone that fills much of the picture.

Each function takes (rng, n, height of a card in its widths) and returns n cards in the order they were laid, the lowest
first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from models.measure import judging
from models.measure.drawn import Pool, View
from models.measure.judging import Judged
from models.measure.pictures import Picture
from models.training.layouts import Laid
from rules.cards import Card, deck
from vision.reading import TableReading

COUNTS = (1, 5, 20, 40, 51, 52, 60)
VIEW = View(size=(1920, 1440))
LONG = 13
CLOSE = "close"
# Widths in pixels of a card that is photographed close by.
CLOSE_BY = (450.0, 650.0, 850.0)

Kind = Callable[[np.random.Generator, int, float], list[Laid]]


def grid(rng: np.random.Generator, n: int, height: float) -> list[Laid]:
    """Side by side in rows."""
    across = max(1, round(float(np.sqrt(n * 1.9))))
    px, py = rng.uniform(1.05, 1.3), height * rng.uniform(1.05, 1.25)
    return [_at(rng, (k % across) * px, (k // across) * py) for k in range(n)]


def rows(rng: np.random.Generator, n: int, height: float) -> list[Laid]:
    """Rows of thirteen, each card over the right part of the one before."""
    px, py = rng.uniform(0.3, 0.6), height * rng.uniform(1.05, 1.2)
    return [_at(rng, (k % LONG) * px, (k // LONG) * py) for k in range(n)]


def columns(rng: np.random.Generator, n: int, height: float) -> list[Laid]:
    """Columns growing downward, each card over the lower part of the one before."""
    deep = max(1, min(n, round(float(np.sqrt(n)))))
    px, py = rng.uniform(1.05, 1.3), height * rng.uniform(0.22, 0.35)
    return [_at(rng, (k // deep) * px, (k % deep) * py) for k in range(n)]


def fan(rng: np.random.Generator, n: int, height: float) -> list[Laid]:
    """All cards in one arc, as a ribbon is spread on a table or a hand is held."""
    step, whole = rng.uniform(0.2, 0.34), np.radians(rng.uniform(40, 170))
    turn = min(whole / max(n - 1, 1), 0.2)
    angles = (np.arange(n) - (n - 1) / 2) * turn
    return [_at(rng, float(step / turn * np.sin(a)), float(-step / turn * np.cos(a)), float(a)) for a in angles]


def strewn(rng: np.random.Generator, n: int, height: float) -> list[Laid]:
    """Apart from each other, at any angle."""
    return _thrown(rng, n, 1.15 * height)


def heap(rng: np.random.Generator, n: int, height: float) -> list[Laid]:
    """Thrown over each other at any angle: some are hidden wholly."""
    return _thrown(rng, n, float(rng.uniform(0.55, 0.75)))


KINDS: Mapping[str, Kind] = {
    "grid": grid,
    "rows": rows,
    "columns": columns,
    "fan": fan,
    "strewn": strewn,
    "heap": heap,
}


def _at(rng: np.random.Generator, x: float, y: float, angle: float = 0.0) -> Laid:
    return Laid(x + float(rng.normal(0, 0.02)), y + float(rng.normal(0, 0.02)), angle + float(rng.normal(0, 0.03)))


def _thrown(rng: np.random.Generator, n: int, apart: float) -> list[Laid]:
    """At random, no two middles nearer than `apart`, on a table that grows until all find room."""
    cards: list[Laid] = []
    reach = apart * float(np.sqrt(n)) / 2
    while len(cards) < n:
        x, y = rng.uniform(-1.2 * reach, 1.2 * reach), rng.uniform(-reach, reach)
        if all((x - c.x) ** 2 + (y - c.y) ** 2 > apart**2 for c in cards):
            cards.append(Laid(float(x), float(y), float(rng.uniform(0, 2 * np.pi))))
        reach *= 1.002
    return cards


def picture(pool: Pool, number: int, kind: str, count: int) -> Picture:
    """Picture `number` of a pool: so many cards laid so."""
    if kind == CLOSE:
        close = replace(VIEW, card_px=CLOSE_BY[number % len(CLOSE_BY)])
        return pool.loose(number, lambda rng, height: grid(rng, 1, height), close)
    return pool.loose(number, lambda rng, height: KINDS[kind](rng, count, height), VIEW)


def judge(shown: Picture, reading: TableReading | None) -> Judged:
    """As ``judging.judge``, with what a list of the cards not seen would say.

    Counts besides: lacking, the cards of the deck that lie nowhere; lacking_told, those of them that no reading names;
    denied, the cards that show, yet would be called missing.
    """
    judged = judging.judge(shown, reading)
    named = {card.card for card in reading.cards if isinstance(card.card, Card)} if reading else set()
    laid = {Card.parse(code) for code in (*(card.code for card in shown.cards), *shown.hidden)}
    absent = set(deck()) - laid
    judged.counts["lacking"] += len(absent)
    judged.counts["lacking_told"] += len(absent - named)
    judged.counts["denied"] += len({Card.parse(card.code) for card in shown.cards if card.readable} - named)
    return judged
