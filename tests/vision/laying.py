"""Sample pictures with more cards on the table: each cut from a sample and laid into another of the same deck."""

from __future__ import annotations

import importlib.resources
import json
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np

SAMPLES = importlib.resources.files("sample_images")
# Corners of a card around its middle, in card widths, clockwise from the upper left.
CARD = np.array([[-0.5, -0.7], [0.5, -0.7], [0.5, 0.7], [-0.5, 0.7]])


@dataclass(frozen=True, slots=True)
class Laid:
    """A card laid into a picture: its code and its corners (4, 2) in pixels."""

    code: str
    quad: np.ndarray


@cache
def truth(name: str) -> dict[str, Any]:
    """The truth file of a sample."""
    found: dict[str, Any] = json.loads(SAMPLES.joinpath(f"{name}.json").read_text("utf-8"))
    return found


@cache
def pixels(name: str) -> np.ndarray:
    """A sample as (h, w, 3) uint8 RGB."""
    data = np.frombuffer(SAMPLES.joinpath(f"{name}.jpg").read_bytes(), np.uint8)
    return np.ascontiguousarray(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))[..., ::-1])


def with_layout() -> list[str]:
    """The samples that show a pyramid."""
    found = sorted(p.name.removesuffix(".json") for p in SAMPLES.iterdir() if p.name.endswith(".json"))
    return [name for name in found if (truth(name).get("position") or {}).get("pyramid")]


def quad_of(name: str, *slot: object) -> np.ndarray:
    """Corners of the uppermost card in a slot of a sample (`"waste"`, or `"tableau", row, place` from 0)."""
    cards = [c for c in truth(name)["cards"] if c["slot"][: len(slot)] == list(slot)]
    return np.array(max(cards, key=lambda c: c["layer"])["quad"])


def around(name: str, x: float, y: float, angle: float) -> np.ndarray:
    """Corners of a card with its middle at pixel (x, y), turned by an angle against the card of the sample nearest
    to it, and as large.
    """
    quads = [np.array(c["quad"]) for c in truth(name)["cards"]]
    q = min(quads, key=lambda quad: float(np.linalg.norm(quad.mean(0) - [x, y])))
    right, down = (q[1] + q[2] - q[0] - q[3]) / 2, (q[3] + q[2] - q[0] - q[1]) / 2.8
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.array([x, y]) + CARD @ turn @ np.stack([right, down])


def lay(image: np.ndarray, donor: np.ndarray, source: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """The picture with what lies at `source` in another laid at `quad`, with a soft shadow."""
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), quad.astype(np.float32))
    size = (image.shape[1], image.shape[0])
    card = cv2.warpPerspective(donor, matrix, size)
    inner = quad.mean(0) + (quad - quad.mean(0)) * 0.985
    mask = np.zeros(image.shape[:2], np.float32)
    cv2.fillConvexPoly(mask, np.round(inner * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    shadow = 0.35 * cv2.GaussianBlur(np.roll(mask, (4, 4), (0, 1)), (0, 0), 5)
    out = image * (1 - shadow[..., None]) * (1 - mask[..., None]) + card * mask[..., None]
    return np.asarray(out.astype(np.uint8))


def strewn(name: str, count: int, rng: np.random.Generator) -> tuple[np.ndarray, list[Laid]]:
    """A sample with up to `count` cards of its deck strewn at any angle where nothing lies, above its pile row."""
    image, cards = pixels(name), truth(name)["cards"]
    lying = [np.array(c["quad"], np.float32) for c in cards]
    pool = open_cards(name)
    rng.shuffle(pool)  # type: ignore[arg-type]
    laid: list[Laid] = []
    for _ in range(200):
        if len(laid) == count or not pool:
            break
        height, width = image.shape[:2]
        quad = around(name, rng.uniform(0, width), rng.uniform(0, height), rng.uniform(-np.pi, np.pi))
        inside = quad.min() > 3 and quad[:, 0].max() < width - 3 and quad[:, 1].max() < height - 3
        if not inside or not _beside(name, quad) or any(_overlap(quad, other) for other in lying):
            continue
        donor, code, source = pool.pop()
        image = lay(image, pixels(donor), source, quad)
        lying.append(quad.astype(np.float32))
        laid.append(Laid(code, quad))
    return image, laid


def open_cards(name: str) -> list[tuple[str, str, np.ndarray]]:
    """Cards that lie quite open in other samples of the same deck and nowhere face up in this one."""
    here = {c["code"] for c in truth(name)["cards"] if c["face_up"]}
    found: dict[str, tuple[str, str, np.ndarray]] = {}
    for donor in with_layout():
        cards = truth(donor)["cards"]
        for number, card in enumerate(cards if truth(donor)["deck"] == truth(name)["deck"] else ()):
            quad = np.array(card["quad"])
            above = [np.array(c["quad"]) for c in cards[number + 1 :]]
            if card["face_up"] and card["code"] not in here and not any(_overlap(quad, other) for other in above):
                found[card["code"]] = (donor, card["code"], quad)
    return list(found.values())


def _beside(name: str, quad: np.ndarray) -> bool:
    """Whether a card lies outside the triangle of the pyramid's places, and not in the row of the piles."""
    last = [np.array(c["quad"]) for c in truth(name)["cards"] if c["slot"][0] == "tableau"]
    whole = cv2.convexHull(np.concatenate(last).astype(np.float32))[:, 0]
    down = last[0][3] - last[0][0]
    foot = max(float((q.mean(0)) @ down) for q in last)
    return not _overlap(quad, whole) and float(quad.mean(0) @ down) < foot


def _overlap(a: np.ndarray, b: np.ndarray) -> bool:
    return float(cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))[0]) > 1
