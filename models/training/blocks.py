"""Training on small pictures: drawn in blocks of 64 by workers beside the training, each used a few times."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from models.training import loop
from models.training.stock import Stock

BLOCK = 64
FIRST, MOST = 24, 1500  # blocks that are drawn before the first step, and that are kept
GREY = 0.06  # share of pictures made grey

Sample = tuple[Any, ...]
Draw = Callable[[Stock], list[Sample]]
Loss = Callable[[Any, list[torch.Tensor], str], tuple[torch.Tensor, dict[str, float]]]


class Blocks(IterableDataset):  # type: ignore[type-arg]
    """An endless stream of blocks: 64 samples each, an array of each of their parts."""

    def __init__(self, draw: Draw, seed: int, cluttered: float = 0.0) -> None:
        """cluttered: share of scenes with things that are no cards."""
        self.draw, self.seed, self.cluttered = draw, seed, cluttered

    def __iter__(self) -> Iterator[tuple[np.ndarray, ...]]:
        cv2.setNumThreads(1)
        torch.set_num_threads(1)
        info = get_worker_info()
        stock = Stock(self.seed + (info.id if info else 0) * 1000, cluttered=self.cluttered)
        drawn: list[Sample] = []
        while True:
            drawn += self.draw(stock)
            while len(drawn) >= BLOCK:
                block, drawn = drawn[:BLOCK], drawn[BLOCK:]
                yield tuple(np.stack([np.asarray(part) for part in parts]) for parts in zip(*block, strict=True))


def options(about: str | None, *, name: str, minutes: float) -> argparse.ArgumentParser:
    """The options of such a training."""
    parser = loop.options(about, name=name, minutes=minutes, reuse=3.0, decay=1e-2)
    parser.add_argument("--blocks", type=int, default=4, help="blocks of 64 a step")
    return parser


def train(
    net: nn.Module, average: nn.Module, draw: Draw, loss_of: Loss, args: argparse.Namespace, *, cluttered: float = 0.0
) -> None:
    """Train a net, of which `average` is a second copy, on batches whose first part are pictures (n, h, w, 3) uint8.

    cluttered: share of scenes with things that are no cards.
    """
    rng = np.random.default_rng(args.seed)
    run = loop.Run(net, average, args)
    drawn = Blocks(draw, args.seed + run.count, cluttered)
    loader = iter(DataLoader(drawn, batch_size=None, num_workers=args.workers, prefetch_factor=8))
    kept = [_own(next(loader)) for _ in range(FIRST)]
    credit, at = 0.0, 0
    for _ in run.steps():
        credit += args.blocks / args.reuse
        while credit >= 1:
            credit -= 1
            if len(kept) < MOST:
                kept.append(_own(next(loader)))
            else:
                kept[at % MOST] = _own(next(loader))
                at += 1
        picks = [kept[int(k)] for k in rng.integers(0, len(kept), args.blocks)]
        batch = [torch.cat(x) for x in zip(*picks, strict=True)]
        batch[0] = tinted(batch[0], rng)
        run.learn(*loss_of(net, batch, args.device))


def _own(block: list[torch.Tensor]) -> list[torch.Tensor]:
    """A block in memory of its own: what workers hand over stays a file of shared memory, and those are few."""
    return [part.clone() for part in block]


def tinted(cuts: torch.Tensor, rng: np.random.Generator) -> torch.Tensor:
    """A few pictures of a batch made grey, so that shape alone must tell the suit where colour cannot."""
    grey = torch.from_numpy(rng.random(len(cuts)) < GREY)
    if grey.any():
        mean = cuts[grey].float().mean(3, keepdim=True).to(torch.uint8)
        cuts[grey] = mean.expand(-1, -1, -1, 3)
    return cuts
