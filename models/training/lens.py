"""Light, lens and camera: what they do to a drawn picture before a net sees it."""

from __future__ import annotations

import cv2
import numpy as np


def degrade(image: np.ndarray, rng: np.random.Generator, px: float) -> np.ndarray:
    """Light, lens and camera: gradients, lamp colour, glare, contrast, blur, noise, JPEG. RGB in, RGB out."""
    size = image.shape[0]
    out = image.astype(np.float32)
    field = cv2.resize(rng.uniform(-1, 1, (3, 3)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
    out *= (1 + field * float(rng.uniform(0, 0.35)))[..., None]
    warmth = float(rng.normal(0, 0.22)) if rng.random() < 0.7 else float(rng.uniform(-0.6, 0.75))
    gains = np.array([np.exp(warmth * 0.35), np.exp(rng.normal(0, 0.06)), np.exp(-warmth * 0.75)], np.float32)
    out *= gains / gains.max()
    if rng.random() < 0.28:
        out = _glare(out, rng, px)
    exposure = float(np.exp(rng.normal(0, 0.3))) if rng.random() < 0.85 else float(rng.uniform(0.15, 0.5))
    # A picture burnt out over half its cards teaches nothing: no camera's own metering leaves that.
    bright = float(np.percentile(out[::8, ::8], 75)) * exposure
    if bright > 260:
        exposure *= 260 / bright
    out = cv2.pow(np.maximum(out * np.float32(exposure / 255), 0), float(np.exp(rng.normal(0, 0.18)))) * np.float32(255)
    if rng.random() < 0.25:
        out = out + float(rng.uniform(0, 50))
    if rng.random() < 0.08:
        grey = out.mean(2, keepdims=True)
        out = grey + (out - grey) * float(rng.uniform(0.15, 1.6))
    blur = rng.random()
    if blur < 0.5:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.3, min(2.8, 0.4 + px * 0.013))))
    elif blur < 0.6:
        k = int(rng.integers(3, 4 + min(8, int(px * 0.05))))
        kernel = np.zeros((k, k), np.float32)
        angle = rng.uniform(0, np.pi)
        cv2.line(
            kernel,
            (int(k / 2 - np.cos(angle) * k / 2), int(k / 2 - np.sin(angle) * k / 2)),
            (int(k / 2 + np.cos(angle) * k / 2), int(k / 2 + np.sin(angle) * k / 2)),
            1,
            1,
        )
        out = cv2.filter2D(out, -1, kernel / max(kernel.sum(), 1))
    if rng.random() < 0.25:
        soft = cv2.GaussianBlur(out, (0, 0), 1.2)
        out = out + (out - soft) * float(rng.uniform(0.3, 1.6))
    if rng.random() < 0.75:
        noise = np.empty((size, size, 3), np.float32)
        cv2.setRNGSeed(int(rng.integers(2**31)))
        cv2.randn(noise, (0, 0, 0), (float(rng.uniform(0.5, 9)),) * 3)
        out = out + (cv2.blur(noise, (2, 2)) if rng.random() < 0.4 else noise)
    out = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.75:
        quality = int(rng.integers(14, 60)) if rng.random() < 0.3 else int(rng.integers(60, 96))
        _, coded = cv2.imencode(".jpg", out[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
        out = np.ascontiguousarray(cv2.imdecode(coded, cv2.IMREAD_COLOR)[..., ::-1])
    return out


def _glare(out: np.ndarray, rng: np.random.Generator, px: float) -> np.ndarray:
    """Lamps mirrored in glossy cards: soft spots, spots with an edge, a sheen over one side. (h, w, 3) float32."""
    size = out.shape[0]
    yy, xx = np.mgrid[:size:8, :size:8].astype(np.float32)
    tint = np.array([1, rng.uniform(0.85, 1), rng.uniform(0.6, 1.05)], np.float32)
    kind = rng.random()
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.uniform(0, size, 2)
        angle = rng.uniform(0, np.pi)
        u, v = (xx - x) * np.cos(angle) + (yy - y) * np.sin(angle), (yy - y) * np.cos(angle) - (xx - x) * np.sin(angle)
        reach = px * rng.uniform(0.15, 0.9)
        if kind < 0.75:
            d = np.sqrt((u / reach) ** 2 + (v / (reach * rng.uniform(0.4, 1))) ** 2)
            spot = (
                np.exp(-(d**2) / 2) if kind < 0.45 else 1 / (1 + np.exp(np.minimum((d - 1) * rng.uniform(2, 12), 50)))
            )
            strength = rng.uniform(40, 255)
        else:
            slope = np.clip(u / (px * rng.uniform(0.3, 3)), -50, 50)
            spot, strength = 1 / (1 + np.exp(-slope)), rng.uniform(20, 110)
        out = out + cv2.resize(spot.astype(np.float32), (size, size))[..., None] * tint * np.float32(strength)
    return out


def levels(face: np.ndarray, px: float) -> np.ndarray:
    """The face halved until a printed pixel is no finer than half a picture pixel."""
    while px < face.shape[1] / 1.6 and face.shape[1] > 24:
        face = cv2.resize(face, (face.shape[1] // 2, face.shape[0] // 2), interpolation=cv2.INTER_AREA)
    return face
