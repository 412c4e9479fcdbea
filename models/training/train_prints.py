"""Learn how prints of decks differ: ``python -m models.training.train_prints --scenes 1500``.

Cuts the windows of indices out of drawn scenes, corrected by the patch net as in reading, and fits the spaces of
``vision.recognize.prints``: the axes on which ranks, or suits, and decks differ most against windows on one print, the
mean of each class, and how far decks lie from it. Writes ``models/prints.json``: the weights, and how they were made.
"""

from __future__ import annotations

import argparse
import pathlib

import cv2
import numpy as np
from rich.progress import track

from models.training import manifests
from models.training.stock import Stock
from models.training.train_patch import jittered
from vision.deck_prints import RANKS, SUITS
from vision.image.shrunk import Shrunk
from vision.nets import session
from vision.recognize import index_crops, prints

TARGET = pathlib.Path("models/prints.json")
CLEAR, LEAST = 0.86, 6.0  # an index counts that shows so much of itself, with a rank so many pixels high
OFTEN = 3  # windows on one print that tell of it
SMOOTHED = 0.02  # share of the mean variance of windows that is added to every direction


def windows_of(stock: Stock, scenes: int) -> dict[str, np.ndarray]:
    """Cells of rank and of suit of indices on drawn scenes, with rank, suit and deck of each."""
    net, last, paint = session.load("patch", 1), [0], stock.painter.paint
    known: dict[int, int] = {}

    def painted(deck: object, *what: object, **how: object) -> object:
        last[0] = known.setdefault(id(deck), len(known))
        return paint(deck, *what, **how)  # type: ignore[arg-type]

    stock.painter.paint = painted  # type: ignore[assignment, method-assign]
    out: dict[str, list[np.ndarray]] = {name: [] for name in ("rank cells", "suit cells", "rank", "suit", "deck")}
    for _ in track(range(scenes), description="scenes"):
        scene = stock.scene(card_px=float(np.exp(stock.rng.uniform(np.log(70), np.log(260)))))
        shown = [i for i in scene.indices if i.seen >= CLEAR and np.linalg.norm(i.frame[:, 1]) >= LEAST and i.suit >= 0]
        if not shown:
            continue
        picture, frames = Shrunk(scene.image), np.stack([jittered(i.frame, stock.rng) for i in shown])
        shift = net(index_crops.whitened(index_crops.cut(picture, frames)))[0][:, 19:25]
        frames = index_crops.corrected(frames, np.clip(shift, -0.8, 0.8))
        rank, suit = prints.cells(index_crops.whitened(index_crops.cut(picture, frames)))
        parts = rank, suit, [i.rank for i in shown], [i.suit for i in shown], [last[0]] * len(shown)
        for name, part in zip(out, parts, strict=True):
            out[name].append(np.asarray(part))
    return {name: np.concatenate(parts) for name, parts in out.items()}


def fitted(cells: np.ndarray, of: np.ndarray, decks: np.ndarray, count: int) -> prints.Space:
    """The space, of so many axes, of prints of classes (n,) by decks (n,) with cells (n, m)."""
    middle = cells.mean(0)
    centred, classes = cells - middle, int(of.max()) + 1
    _, group = np.unique(decks * classes + of, return_inverse=True)
    sizes = np.bincount(group)
    means = np.zeros((len(sizes), cells.shape[1]))
    np.add.at(means, group, centred)
    means /= sizes[:, None]
    which = np.zeros(len(sizes), int)
    which[group] = of
    off = centred - means[group]
    within = off.T @ off / (sizes - 1).sum()
    within += SMOOTHED * np.trace(within) / len(within) * np.eye(len(within))
    often = sizes >= OFTEN
    each = np.stack([means[often & (which == k)].mean(0) for k in range(classes)])
    about = means[often] - each[which[often]]
    # A mean of few windows differs from that of all by chance.
    between = about.T @ about / often.sum() - within * (1 / sizes[often]).mean()
    whole = between + np.cov(each.T, bias=True)
    unmixed = np.linalg.inv(np.linalg.cholesky(within))
    _, turns = np.linalg.eigh(unmixed @ whole @ unmixed.T)
    axes = unmixed.T @ turns[:, ::-1][:, :count]
    return prints.Space(middle, axes, each @ axes, np.maximum(np.diag(axes.T @ between @ axes), 1e-3))


def short(values: np.ndarray) -> list[object]:
    """Numbers of four digits."""
    return np.vectorize(lambda value: float(f"{value:.4g}"))(values).tolist()  # type: ignore[no-any-return]


def main() -> None:
    """Draw, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=900)
    parser.add_argument("--out", type=pathlib.Path, default=TARGET)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    seen = windows_of(Stock(given.seed, drawn=60, tops=30), given.scenes)
    spaces = {
        name: fitted(seen[f"{name} cells"].astype(np.float64), seen[name], seen["deck"], count)
        for name, count in (("rank", RANKS), ("suit", SUITS))
    }
    weights = {
        name: {part: short(getattr(space, part)) for part in prints.Space.__slots__} for name, space in spaces.items()
    }
    measured = {"windows": len(seen["deck"]), "decks": len(set(seen["deck"].tolist()))}
    command = f"training.train_prints --scenes {given.scenes} --seed {given.seed}"
    manifests.write(given.out, weights, measured, command, data=manifests.SCENES, indent=None)


if __name__ == "__main__":
    main()
