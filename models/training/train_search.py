"""Train the search net: ``python -m models.training.train_search --minutes 60`` (resumes from its checkpoint).

Scenes are drawn while training, in worker processes; each is used a few times from a rolling pool.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import torch
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from models.training import loop, targets
from models.training.nets import INDEX_CHANNELS, SearchNet
from models.training.stock import Stock


class Scenes(IterableDataset):  # type: ignore[type-arg]
    """An endless stream of (image, index heat, geometry, weight, corner heat, geometry, weight, kind, card
    geometry).
    """

    def __init__(self, seed: int, cluttered: float) -> None:
        """cluttered: share of scenes with things that are no cards."""
        self.seed, self.cluttered = seed, cluttered

    def __iter__(self) -> Iterator[tuple[np.ndarray, ...]]:
        cv2.setNumThreads(1)
        torch.set_num_threads(1)
        info = get_worker_info()
        stock = Stock(self.seed + (info.id if info else 0) * 1000, cluttered=self.cluttered)
        while True:
            scene = stock.scene()
            yield (
                scene.image,
                *(x.astype(np.float16) for x in (*targets.index_target(scene), *targets.corner_target(scene))),
                *targets.card_target(scene),
            )


def keypoint_loss(
    maps: torch.Tensor, truth: list[torch.Tensor], scale: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Penalty-reduced focal loss of a heat map (n, 1 + k, h, w) and the loss of the geometry at its peaks."""
    heat, geometry, weight = (x.float() for x in truth)
    p = torch.sigmoid(maps[:, 0]).clamp(1e-4, 1 - 1e-4)
    positive = (heat > 0.99).float()
    focal = (
        -(positive * (1 - p) ** 2 * p.log() + (1 - positive) * (1 - heat) ** 4 * p**2 * (1 - p).log()) * weight[:, 0]
    )
    l_heat = focal.sum() / positive.sum().clamp(min=1)
    l_geometry = (
        functional.smooth_l1_loss(maps[:, 1:], geometry, reduction="none", beta=0.1) * scale * weight[:, 1:]
    ).sum() / weight[:, 1:].sum().clamp(min=1)
    return l_heat, l_geometry


def loss_of(net: SearchNet, batch: list[torch.Tensor], device: str) -> tuple[torch.Tensor, dict[str, float]]:
    """Loss of one batch, and its parts."""
    image, *points, kind, card_geometry = (x.to(device, non_blocking=True) for x in batch)
    picture = image.permute(0, 3, 1, 2).to(torch.bfloat16).div_(255)
    with torch.autocast(device, torch.bfloat16):
        maps, card = net(picture)
    maps, card, card_geometry = maps.float(), card.float(), card_geometry.float()
    scale = torch.tensor([0.5, 0.5, 2, 2, 2, 1, 1], device=device).view(1, 7, 1, 1)
    l_heat, l_geometry = keypoint_loss(maps[:, :INDEX_CHANNELS], points[:3], scale)
    l_corner, l_edges = keypoint_loss(maps[:, INDEX_CHANNELS:], points[3:], scale[:, :6])
    target = kind.long()
    target[target == targets.IGNORE] = -1
    l_kind = functional.cross_entropy(card[:, :3], target, ignore_index=-1)
    inside = ((kind == 1) | (kind == 2)).float().unsqueeze(1)
    # Errors of the centre count relative to the card's own size.
    size = torch.exp(-card_geometry[:, 2:3])
    error = functional.smooth_l1_loss(card[:, 3:], card_geometry, reduction="none", beta=0.05)
    error = torch.cat([error[:, :2] * size, error[:, 2:]], 1)
    l_card = (error * inside).sum() / inside.sum().clamp(min=1)
    loss = l_heat + l_geometry + 0.5 * (l_corner + l_edges) + 1.5 * l_kind + l_card
    return loss, {
        "corner": l_corner.item(),
        "edges": l_edges.item(),
        "heat": l_heat.item(),
        "geometry": l_geometry.item(),
        "kind": l_kind.item(),
        "card": l_card.item(),
    }


class Pool:
    """The last scenes drawn, on the device that trains; a batch is taken at random from them."""

    def __init__(self, loader: Iterator[list[torch.Tensor]], size: int, device: str) -> None:
        self.loader, self.size, self.device = loader, size, device
        self.parts: list[torch.Tensor] = []
        self.drawn = 0

    def add(self) -> None:
        """Take in one drawn batch, in place of the oldest scenes where the pool is full."""
        drawn = next(self.loader)
        if not self.parts:
            self.parts = [torch.empty((self.size, *x.shape[1:]), dtype=x.dtype, device=self.device) for x in drawn]
        at = (torch.arange(len(drawn[0])) + self.drawn).remainder(self.size).to(self.device)
        for part, x in zip(self.parts, drawn, strict=True):
            part[at] = x.to(self.device)
        self.drawn += len(drawn[0])

    def batch(self, n: int, rng: np.random.Generator) -> list[torch.Tensor]:
        """A batch of n, each a scene of the pool."""
        picks = torch.from_numpy(rng.integers(0, min(self.drawn, self.size), n)).to(self.device)
        return [part[picks] for part in self.parts]


def main() -> None:
    """Train for a time, saving a checkpoint every two minutes."""
    parser = loop.options(__doc__, name="search", minutes=60, reuse=1.5, decay=1e-3)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--pool", type=int, default=1600, help="scenes kept, 1.5 MB each")
    parser.add_argument("--cluttered", type=float, default=0.0, help="share of scenes with things that are no cards")
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    net = SearchNet()
    run = loop.Run(net, SearchNet(), args)
    scenes = Scenes(args.seed + run.count, args.cluttered)
    loader = DataLoader(scenes, batch_size=16, num_workers=args.workers, prefetch_factor=4)
    pool = Pool(iter(loader), args.pool, args.device)
    while pool.drawn < 160:
        pool.add()
    credit = 0.0
    for _ in run.steps():
        credit += args.batch / 16 / args.reuse
        while credit >= 1:
            pool.add()
            credit -= 1
        run.learn(*loss_of(net, pool.batch(args.batch, rng), args.device))


if __name__ == "__main__":
    main()
