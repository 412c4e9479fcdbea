"""From linear light to the picture a phone would store, and its truth file."""

from __future__ import annotations

import json
import random
from pathlib import Path

import cv2
import numpy as np

from .camera import Camera
from .sheets import Sheet
from .tables import PILES, Table

SHOWN_OF_PILE = 3
"""So many cards of a pile, from the top, are told in the truth file."""


def develop(linear: np.ndarray, main: tuple[float, float, float], rng: random.Random) -> np.ndarray:
    """(h, w, 3) uint8 blue-green-red: white balance, exposure, tone curve, lens shading, noise."""
    adapted = rng.uniform(0.55, 0.95)
    light = linear / np.array(main, dtype=np.float32) ** adapted
    grey = light @ np.array([0.2126, 0.7152, 0.0722], dtype=np.float32)
    light *= rng.uniform(0.62, 0.9) / max(float(np.percentile(grey, 96)), 1e-4)
    h, w = grey.shape
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    far = ((x - w / 2) ** 2 + (y - h / 2) ** 2) / ((w / 2) ** 2 + (h / 2) ** 2)
    light *= (1 - rng.uniform(0.0, 0.25) * far)[..., None]
    light = np.where(light > 0.8, 0.8 + 0.2 * np.tanh((light - 0.8) / 0.2), light)
    noise = np.random.default_rng(rng.randrange(2**32))
    shot = rng.uniform(0.003, 0.012)
    grain = noise.standard_normal(light.shape, dtype=np.float32)
    grain = cv2.GaussianBlur(grain, (0, 0), 0.7) * 1.6
    light = light + grain * shot * np.sqrt(np.clip(light, 0.01, 1))
    light = np.clip(light, 0, 1)
    shown = np.where(light <= 0.0031308, light * 12.92, 1.055 * np.power(light, 1 / 2.4) - 0.055)
    if rng.random() < 0.5:
        shown = cv2.GaussianBlur(shown, (0, 0), rng.uniform(0.35, 0.8))
    soft = cv2.GaussianBlur(shown, (0, 0), 1.2)
    shown = shown + rng.uniform(0.0, 0.5) * (shown - soft)
    return np.clip(shown[..., ::-1] * 255 + 0.5, 0, 255).astype(np.uint8)


def truth(table: Table, sheets: list[Sheet], camera: Camera) -> dict[str, object]:
    """What lies where, with each card's four corners in pixels."""
    tops = {sheet.laid.slot[:-1]: sheet.laid.layer for sheet in sheets}
    cards = []
    for sheet in sheets:
        *pile, _ = sheet.laid.slot
        if pile[0] in PILES and tops[tuple(pile)] - sheet.laid.layer >= SHOWN_OF_PILE:
            continue
        quad = camera.project(sheet.corners()).round(2).tolist()
        cards.append(
            {
                "code": sheet.laid.code,
                "face_up": sheet.laid.face_up,
                "slot": list(sheet.laid.slot),
                "quad": quad,
                "layer": sheet.laid.layer,
            }
        )
    return {**table.truth, "cards": cards}


def store(path: Path, picture: np.ndarray, record: dict[str, object], quality: int, most: int | None = None) -> None:
    """`path`.jpg and `path`.json; the quality falls until the file has at most `most` bytes."""
    while True:
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if not done:
            raise OSError(f"cannot encode {path}")
        if most is None or len(data) <= most or quality <= 70:
            break
        quality -= 2
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_suffix(".jpg").write_bytes(data.tobytes())
    path.with_suffix(".json").write_text(_text(record), encoding="utf-8")


def _text(record: dict[str, object]) -> str:
    """JSON with a line for each key and for each card."""
    lines = []
    for key, value in record.items():
        if key == "cards" and isinstance(value, list):
            inner = ",\n  ".join(json.dumps(card, ensure_ascii=False) for card in value)
            lines.append(f' "cards": [\n  {inner}\n ]')
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
