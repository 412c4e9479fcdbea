"""Played games as a camera on a stand films them: hands that move the cards, and rest; knocks, light, a lost focus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from models.measure import drawn, played
from models.measure.played import Turn
from rules.catalogue import Game
from rules.family import AnyMove

RATE = 5.0
MOST_MOVES = 20
# Frames in which a hand comes, moves a card and goes; in which the table lies still; in which a hand rests on it.
MOVING, STILL, RESTING = (4, 8), (7, 14), (10, 30)
# How often beside a move: a hand rests, the camera is knocked, the light changes, the focus is lost for a second.
REST, KNOCK, LIGHT, FOCUS = 1 / 15, 1 / 20, 1 / 15, 1 / 12
NOISE, BLUR = 2.0, 3.0
# Pixels and radians of a knock; how the light grows and fades, and how fast (radians a frame).
PUSH, TWIST = 10.0, 0.006
FADE, SLOW = 0.06, 0.02

SKIN = np.array([205.0, 160.0, 130.0])
Frame = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Filmed:
    """A frame (h, w, 3) uint8 RGB, its second, the state of the game that it shows, and whether that lies still and in
    plain sight. ``moves``: those made since the deal."""

    second: float
    frame: Frame
    turn: Turn
    moves: tuple[AnyMove, ...]
    at_rest: bool


def film(game: Game, number: int, seed: int, source: drawn.DeckSource, most: int = MOST_MOVES) -> Iterator[Filmed]:
    """The frames of one game, ``RATE`` a second, the deal first; the same number and seed give the same film."""
    turns = played.play(game, Random(f"{seed} {game.id} {number}"), most)
    rng = np.random.default_rng([seed, number, sum(game.id.encode()), 5])
    stand, ink = _Stand(rng), SKIN * float(rng.uniform(0.45, 1.05))
    before: Frame | None = None
    moves: list[AnyMove] = []
    frames = 0

    def filmed(image: Frame, turn: Turn, *, at_rest: bool, blurred: bool = False) -> Filmed:
        nonlocal frames
        frames += 1
        return Filmed((frames - 1) / RATE, stand.frame(image, frames, blurred), turn, tuple(moves), at_rest)

    shots = iter(played.pictures(game, turns, (number, seed), source, {}, steady=True))
    # A choice that nobody sees is made when the next card is moved.
    unseen = [turn.move for turn in turns]
    for shot in shots:
        image, turn = np.asarray(shot.picture.pixels, np.uint8), shot.turn
        while unseen:
            move = unseen.pop(0)
            moves += [move] if move is not None else []
            if move is turn.move:
                break
        if before is not None:
            count = int(rng.integers(*MOVING))
            arm = _Arm(rng, before, image, ink)
            for n in range(count):
                yield filmed(arm.over(before if 2 * n < count else image, n, count), turn, at_rest=False)
                if 2 * n < count <= 2 * n + 2 and rng.random() < REST:
                    resting = arm.over(image, n, count)
                    yield from (filmed(resting, turn, at_rest=False) for _ in range(int(rng.integers(*RESTING))))
        if rng.random() < KNOCK:
            stand.knock()
        if rng.random() < LIGHT:
            stand.switch()
        still = int(rng.integers(*STILL))
        blurred = range(1, 1 + int(RATE)) if rng.random() < FOCUS else range(0)
        for n in range(still + len(blurred)):
            yield filmed(image, turn, at_rest=n >= len(blurred), blurred=n in blurred)
        before = image


class _Stand:
    """The camera: where it was knocked to, the light, its noise."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng, self._light, self._spin = rng, 1.0, np.eye(2, 3, dtype=np.float32)
        w, h = played.SIZE
        self._noise = [rng.normal(0, NOISE, (h, w, 3)).astype(np.int16) for _ in range(4)]

    def knock(self) -> None:
        w, h = played.SIZE
        turn = float(np.degrees(self._rng.normal(0, TWIST)))
        self._spin = cv2.getRotationMatrix2D((w / 2, h / 2), turn, 1.0).astype(np.float32)
        self._spin[:, 2] += np.clip(self._rng.normal(0, PUSH / 2, 2), -PUSH, PUSH)

    def switch(self) -> None:
        self._light = float(self._rng.uniform(0.75, 1.15))

    def frame(self, image: Frame, number: int, blurred: bool) -> Frame:
        light = self._light * (1 + FADE * np.sin(SLOW * number))
        seen = cv2.convertScaleAbs(image, alpha=light)
        if blurred:
            seen = cv2.GaussianBlur(seen, (0, 0), BLUR)
        if self._spin[0, 2] or self._spin[0, 1]:
            seen = cv2.warpAffine(seen, self._spin, played.SIZE, borderMode=cv2.BORDER_REPLICATE)
        noise = self._noise[number % len(self._noise)]
        return np.clip(seen.astype(np.int16) + noise, 0, 255).astype(np.uint8)


class _Arm:
    """A forearm and a hand that reach from an edge of the picture to the cards that are moved."""

    def __init__(self, rng: np.random.Generator, before: Frame, after: Frame, ink: np.ndarray) -> None:
        h, w = before.shape[:2]
        changed = np.argwhere(cv2.absdiff(before, after).max(2) > 40)
        self._goal = changed.mean(0)[::-1] if len(changed) else np.array([w / 2, h / 2])
        self._edge = np.array([w * float(rng.uniform(0.1, 0.9)), h * 1.1])
        self._wide = float(rng.uniform(0.05, 0.08)) * w
        self._ink = ink

    def over(self, image: Frame, number: int, count: int) -> Frame:
        """The picture with the arm as far in as at the nth of so many frames."""
        reach = np.sin(np.pi * (number + 0.5) / count)
        tip = self._edge + (self._goal - self._edge) * reach
        along = (tip - self._edge) / (np.hypot(*(tip - self._edge)) + 1e-6)
        side = np.array([-along[1], along[0]])
        mask = np.zeros(image.shape[:2], np.uint8)
        palm = tip - along * self._wide
        _stroke(mask, self._edge, palm, self._wide * 1.1)
        cv2.circle(mask, _point(palm), round(self._wide * 0.75), 255, -1, cv2.LINE_AA)
        for k in range(4):
            root = palm + side * self._wide * (k - 1.5) * 0.4
            _stroke(mask, root, root + along * self._wide * 1.3, self._wide * 0.3)
        shadow = cv2.GaussianBlur(mask, (0, 0), 12)[..., None] / 255.0 * 0.35
        share = cv2.GaussianBlur(mask, (0, 0), 1.5)[..., None] / 255.0
        return np.asarray(image * (1 - shadow) * (1 - share) + self._ink * share, np.uint8)


def _point(at: np.ndarray) -> tuple[int, int]:
    return round(float(at[0])), round(float(at[1]))


def _stroke(mask: Frame, start: np.ndarray, end: np.ndarray, wide: float) -> None:
    cv2.line(mask, _point(start), _point(end), 255, max(1, round(wide)), cv2.LINE_AA)
