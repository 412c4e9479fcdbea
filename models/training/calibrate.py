"""Temperatures of the patch net and the card net, on validation scenes: ``python -m models.training.calibrate``.

Scenes come from decks and fonts kept out of training, with backs drawn anew. Indices go through the search net as in
pictures, whole cards are cut out where they lie. Prints accuracy and expected calibration error before and after, and
writes the temperatures for ``models.training.export``.
"""

from __future__ import annotations

import argparse
import json
import pathlib
from typing import Any

import cv2
import numpy as np
from rich.progress import track

from models.training.loop import WORK
from models.training.scenes import Scene
from models.training.stock import Stock
from models.training.train_card import CLUTTERED, STRANGE, views_of
from models.training.train_patch import NEAR, NO_INDEX
from vision.detect import multiscale
from vision.image.shrunk import Shrunk
from vision.nets import session
from vision.recognize import alphabets, index_crops, index_reader


def labelled(scene: Scene, frames: np.ndarray) -> list[tuple[int, int, int]]:
    """(find, class of its sign, suit or -1) for the finds whose truth is certain: a clear index, or nothing near."""
    out = []
    for k, frame in enumerate(frames):
        near = [
            (float(np.linalg.norm(frame[:, 2] - i.frame[:, 2]) / np.linalg.norm(i.frame[:, 1])), i)
            for i in scene.indices
        ]
        distance, index = min(near, key=lambda pair: pair[0]) if near else (9.0, None)
        if index is None or distance > 1.2:
            out.append((k, NO_INDEX, -1))
        elif distance < NEAR and index.seen >= 0.86 and float(frame[:, 1] @ index.frame[:, 1]) > 0:
            out.append((k, index.sign, index.suit))
    return out


def readings(shrunk: Shrunk, frames: np.ndarray, patch: session.Net) -> np.ndarray:
    """Raw outputs (n, 48) of the second look, in the corrected window."""
    first = patch(index_crops.whitened(index_crops.cut(shrunk, frames)))[0]
    moved = index_crops.corrected(frames, np.clip(first[:, 19:25], -0.8, 0.8))
    return patch(index_crops.whitened(index_crops.cut(shrunk, moved)))[0]


def nll(logits: np.ndarray, truth: np.ndarray, temperature: float) -> float:
    """Mean negative log-likelihood at a temperature."""
    z = logits / temperature
    z = z - z.max(1, keepdims=True)
    return float(-(z[np.arange(len(z)), truth] - np.log(np.exp(z).sum(1))).mean())


def best_temperature(logits: np.ndarray, truth: np.ndarray) -> float:
    """The temperature of least negative log-likelihood between 0.5 and 4."""
    grid = np.exp(np.linspace(np.log(0.5), np.log(4), 80))
    return float(grid[int(np.argmin([nll(logits, truth, t) for t in grid]))])


def calibration_error(chance: np.ndarray, right: np.ndarray, bins: int = 15) -> float:
    """Expected calibration error over equal-width bins."""
    which = np.minimum((chance * bins).astype(int), bins - 1)
    return float(
        sum(
            abs(chance[which == b].mean() - right[which == b].mean()) * (which == b).mean()
            for b in range(bins)
            if (which == b).any()
        )
    )


def patch_net(stock: Stock, scenes: int) -> dict[str, Any]:
    """Temperatures of the patch net and a report."""
    search, patch = session.load("search"), session.load("patch")
    outs, ranks, suits = [], [], []
    for _ in track(range(scenes), description="indices"):
        scene = stock.scene(card_px=float(np.exp(stock.rng.uniform(np.log(55), np.log(300)))))
        found = multiscale.search(scene.image, search)
        truth = labelled(scene, found.frames)
        if not truth:
            continue
        outs.append(readings(Shrunk(scene.image), found.frames, patch)[[t[0] for t in truth]])
        ranks += [t[1] for t in truth]
        suits += [t[2] for t in truth]
    out, sign, suit = np.concatenate(outs), np.array(ranks), np.array(suits)
    signs, card = alphabets.signs_of(out), suit >= 0
    heat = {"rank": best_temperature(signs, sign), "suit": best_temperature(out[card, 15:19], suit[card])}
    want = np.where(card, sign * 4 + suit, sign * 4)
    report: dict[str, Any] = {}
    for name, temperature in (("before", dict.fromkeys(heat, 1.0)), ("after", heat)):
        what, of = (index_reader.softmax(x, temperature[y]) for x, y in ((signs, "rank"), (out[:, 15:19], "suit")))
        both = what[:, :, None] * of[:, None]
        # Neither a joker nor what is no index has a suit.
        both[:, alphabets.RANKS : alphabets.PLAIN] = 0.0
        both[:, alphabets.RANKS : alphabets.PLAIN, 0] = what[:, alphabets.RANKS : alphabets.PLAIN]
        report[name] = _told(both.reshape(len(out), -1), want, card)
    return {**heat, "report": {**report, "finds": len(sign), "indices": int(card.sum())}}


def card_net(stock: Stock, scenes: int) -> dict[str, Any]:
    """Temperatures of the card net and a report."""
    card = session.load("card")
    views = [view for _ in track(range(scenes), description="cards") for view in views_of(stock)]
    blocks = [np.stack([view[0] for view in views[k : k + 256]]) for k in range(0, len(views), 256)]
    out = np.concatenate([card(index_crops.whitened(block))[0] for block in blocks])
    kind, rank, suit = (np.array([view[k] for view in views]) for k in (1, 2, 3))
    face, named = rank >= 0, suit >= 0
    heat = {
        "kind": best_temperature(out[:, :3], kind),
        "rank": best_temperature(out[face, 3:18], rank[face]),
        "suit": best_temperature(out[named, 18:22], suit[named]),
    }
    want = np.where(named, suit * 13 + rank, np.where(rank == STRANGE, index_reader.NONE, index_reader.JOKER_AT))[face]
    report: dict[str, Any] = {
        name: {
            **_told(index_reader.beliefs_of(out[face, 3:], temperature), want, named[face]),
            "kinds": _told(index_reader.softmax(out[:, :3], temperature["kind"]), kind, kind > 0),
        }
        for name, temperature in (("before", dict.fromkeys(heat, 1.0)), ("after", heat))
    }
    return {**heat, "report": {**report, "views": len(views), "faces": int(face.sum())}}


def _told(chances: np.ndarray, want: np.ndarray, card: np.ndarray) -> dict[str, float]:
    best = chances.argmax(1)
    return {
        "calibration_error": round(calibration_error(chances.max(1), best == want), 4),
        "right": round(float((best == want).mean()), 4),
        "right_on_cards": round(float((best == want)[card].mean()), 4),
    }


def main() -> None:
    """Measure, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nets", nargs="*", default=["patch", "card"], help="which of the nets")
    parser.add_argument("--scenes", type=int, default=600)
    parser.add_argument("--seed", type=int, default=4242)
    parser.add_argument("--out", type=pathlib.Path, default=WORK)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    for name, fitted, cluttered in (("patch", patch_net, 0.0), ("card", card_net, CLUTTERED)):
        if name in args.nets:
            stock = Stock(args.seed, validation=True, drawn=12, tops=40, cluttered=cluttered)
            found = fitted(stock, args.scenes)
            (args.out / f"temperature-{name}.json").write_text(json.dumps(found, indent=2) + "\n")
            print(name, json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
