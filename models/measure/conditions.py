"""One thing wrong with a picture at a time: light, blur, compression, glare, turning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import cv2
import numpy as np

from models.measure.marks import Marks, index_points
from models.measure.pictures import Picture, TrueCard

Change = Callable[[Picture, Marks, np.random.Generator], Picture]

DARK, NOISE = 0.3, 8.0
WARM, COLD = (1.0, 0.85, 0.6), (0.75, 1.0, 1.0)
BLUR = 0.08
QUALITY = 20
SPOTS = 2
# A spot is burnt out this far from its middle and ends there, in its own radius: half as bright at the radius.
CORE, EDGE = 0.8, 1.2
TRIES = 300


def gains(red: float, green: float, blue: float) -> Change:
    """Light of another colour."""

    def change(picture: Picture, marks: Marks, rng: np.random.Generator) -> Picture:
        return replace(picture, pixels=_bytes(picture.pixels * np.array([red, green, blue], np.float32)))

    return change


def dark(picture: Picture, marks: Marks, rng: np.random.Generator) -> Picture:
    """Little light, with the noise of a camera that makes up for it."""
    noise = rng.normal(0, NOISE, picture.pixels.shape).astype(np.float32)
    return replace(picture, pixels=_bytes(picture.pixels * np.float32(DARK) + noise))


def blur(picture: Picture, marks: Marks, rng: np.random.Generator) -> Picture:
    """Out of focus, by a share of the printed rank's height."""
    return replace(picture, pixels=cv2.GaussianBlur(picture.pixels, (0, 0), BLUR * marks.height))


def jpeg(picture: Picture, marks: Marks, rng: np.random.Generator) -> Picture:
    """Strong compression."""
    _, coded = cv2.imencode(".jpg", picture.pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return replace(picture, pixels=np.ascontiguousarray(cv2.imdecode(coded, cv2.IMREAD_COLOR)[..., ::-1]))


def glare(picture: Picture, marks: Marks, rng: np.random.Generator, wide: float = 1.0) -> Picture:
    """Two burnt-out spots so wide, in card widths; each card keeps one index, and where it can be a spot hides one."""
    radius = marks.width * wide / 2
    spots: list[np.ndarray] = []
    for _ in range(SPOTS):
        best: tuple[int, np.ndarray] | None = None
        for _ in range(TRIES):
            spot = _on_card(marks, rng)
            hides, leaves = _covered(marks, [*spots, spot], radius)
            if leaves and (best is None or hides > best[0]):
                best = hides, spot
                if hides > len(spots):
                    break
        if best is not None:
            spots.append(best[1])
    out = picture.pixels.astype(np.float32)
    yy, xx = np.mgrid[: out.shape[0], : out.shape[1]].astype(np.float32)
    for x, y in spots:
        far = np.hypot(xx - x, yy - y) / radius
        light = np.clip((EDGE - far) / (EDGE - CORE), 0, 1)[..., None]
        out += (255 - out) * light
    return replace(picture, pixels=_bytes(out))


def _on_card(marks: Marks, rng: np.random.Generator) -> np.ndarray:
    quad = marks.quads[int(rng.integers(len(marks.quads)))]
    u, v = rng.uniform(0.1, 0.9, 2)
    top, low = quad[0] + u * (quad[1] - quad[0]), quad[3] + u * (quad[2] - quad[3])
    return np.asarray(top + v * (low - top))


def _covered(marks: Marks, spots: list[np.ndarray], radius: float) -> tuple[int, bool]:
    """(cards that lose an index, whether every card keeps one wholly clear of the spots)."""
    hides = 0
    for frames in marks.cards:
        points = index_points(frames)
        reach = np.stack([np.linalg.norm(points - spot, axis=2).min(1) for spot in spots]).min(0)
        clear = reach > EDGE * radius
        if not clear.any():
            return 0, False
        hides += int((reach < CORE * radius).any())
    return hides, True


def turned(degrees: float) -> Change:
    """The whole picture turned, on a canvas that holds it, filled with the colour of its edge."""

    def change(picture: Picture, marks: Marks, rng: np.random.Generator) -> Picture:
        return turn(picture, degrees)

    return change


def turn(picture: Picture, degrees: float) -> Picture:
    """The picture turned clockwise, its truth with it."""
    image = picture.pixels
    h, w = image.shape[:2]
    m = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), -degrees, 1.0)
    c, s = abs(m[0, 0]), abs(m[0, 1])
    size = round(h * s + w * c), round(h * c + w * s)
    m[:, 2] += (size[0] - w) / 2, (size[1] - h) / 2
    edge = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    fill = tuple(float(v) for v in np.median(edge, 0))
    flags = cv2.INTER_NEAREST if degrees % 90 == 0 else cv2.INTER_CUBIC
    out = cv2.warpAffine(image, m, size, flags=flags, borderMode=cv2.BORDER_CONSTANT, borderValue=fill)
    places = None if picture.places_xy is None else {k: _moved(q, m) for k, q in picture.places_xy.items()}
    return replace(picture, pixels=out, cards=tuple(_turned_card(c, m) for c in picture.cards), places_xy=places)


def _moved(points: np.ndarray, m: np.ndarray) -> np.ndarray:
    return np.asarray(points @ m[:, :2].T + m[:, 2], np.float32)


def _turned_card(card: TrueCard, m: np.ndarray) -> TrueCard:
    quad = None if card.quad_xy is None else _moved(card.quad_xy, m)
    frames = card.frames
    if frames is not None:
        frames = np.einsum("ij,njk->nik", m[:, :2], frames).astype(np.float32)
        frames[:, :, 2] += m[:, 2].astype(np.float32)
    return replace(card, quad_xy=quad, frames=frames)


def _bytes(image: np.ndarray) -> np.ndarray:
    return np.clip(np.round(image), 0, 255).astype(np.uint8)


CONDITIONS: Mapping[str, tuple[str, Change]] = {
    "warm": ("warm light (blue × 0.6, green × 0.85)", gains(*WARM)),
    "cold": ("cold light (red × 0.75)", gains(*COLD)),
    "dark": ("dark (× 0.3, noise σ 8)", dark),
    "blur": ("blur, σ 8 % of the rank's height", blur),
    "jpeg": ("JPEG 20", jpeg),
    "glare": ("two glare spots of a card's width", glare),
}
