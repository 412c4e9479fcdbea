"""A narrower card net that says nearly what a wider one does: ``python -m models.training.narrow WIDE.onnx``.

Of each layer the channels are kept that the next one hears most of, and the weights of each layer are fitted anew, by
least squares on drawn views, to what the wide net computes there (channel pruning: He, Zhang and Sun, 2017). What that
loses training wins back: ``python -m models.training.train_card --taught`` goes on from the checkpoint.
"""

from __future__ import annotations

import argparse
import pathlib

import numpy as np
import torch
from torch.nn import functional

from models.training.loop import WORK
from models.training.nets import CardNet
from models.training.rekindle import folded, kindled, save
from models.training.stock import Stock
from models.training.train_card import views_of
from vision.recognize import index_crops

Layer = tuple[torch.Tensor, torch.Tensor]
# So many places of the views tell a layer's weights, held near the wide net's own with so much of what they see.
PLACES, HELD = 40_000, 1e-3


def convolved(x: torch.Tensor, layer: Layer, stride: int) -> torch.Tensor:
    """What a convolution makes of x (n, c, h, w) before its ReLU."""
    return functional.conv2d(x, *layer, stride=stride, padding=layer[0].shape[2] // 2)


def heard(layers: list[Layer], outputs: list[torch.Tensor], widths: list[int]) -> list[torch.Tensor]:
    """The numbers of the channels of each layer to keep: so many of which the next layer hears most."""
    kept = []
    for after, out, width in zip(layers[1:], outputs[:-1], widths, strict=True):
        loud = out.relu().transpose(0, 1).flatten(1).std(1) * after[0].transpose(0, 1).flatten(1).norm(dim=1)
        kept.append(loud.argsort(descending=True)[:width].sort().values)
    return [*kept, torch.arange(outputs[-1].shape[1])]


def fitted(x: torch.Tensor, wanted: torch.Tensor, near: Layer, stride: int) -> Layer:
    """The weights of a layer that makes what is wanted (n, k, h, w) of x (n, c, h, w), near others where x tells
    little.
    """
    side = near[0].shape[2]
    seen = functional.unfold(x, side, padding=side // 2, stride=stride).transpose(1, 2).flatten(0, 1)
    some = torch.randperm(len(seen), generator=torch.Generator().manual_seed(0))[:PLACES]
    seen = torch.cat([seen[some], torch.ones(len(some), 1, dtype=x.dtype)], 1)
    told = wanted.flatten(2).transpose(1, 2).flatten(0, 1)[some]
    start = torch.cat([near[0].flatten(1), near[1][:, None]], 1).T
    hold = HELD * (seen**2).sum(0).mean() * torch.eye(seen.shape[1], dtype=x.dtype)
    found = torch.linalg.solve(seen.T @ seen + hold, seen.T @ told + hold @ start)
    return found[:-1].T.reshape(near[0].shape), found[-1]


def narrowed(layers: list[Layer], strides: list[int], widths: list[int], views: torch.Tensor) -> list[Layer]:
    """The layers with so many channels each, the last one as wide as before."""
    outputs, x = [], views
    for layer, stride in zip(layers, strides, strict=True):
        outputs.append(convolved(x, layer, stride))
        x = outputs[-1].relu()
    kept = heard(layers, outputs, widths)
    out, before, x = list[Layer](), torch.arange(views.shape[1]), views
    for (weight, bias), stride, own, wide in zip(layers, strides, kept, outputs, strict=True):
        near = weight[own][:, before], bias[own]
        out.append(fitted(x, wide[:, own], near, stride) if len(out) else near)
        x, before = convolved(x, out[-1], stride).relu(), own
    return out


def main() -> None:
    """Narrow, and save a checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wide", type=pathlib.Path)
    parser.add_argument("--scenes", type=int, default=160)
    parser.add_argument("--out", type=pathlib.Path, default=WORK / "card.pt")
    args = parser.parse_args()
    stock, net = Stock(4242), CardNet()
    views = index_crops.whitened(np.stack([view[0] for _ in range(args.scenes) for view in views_of(stock)]))
    layers = [(torch.tensor(w).double(), torch.tensor(b).double()) for w, b in folded(args.wide).values()]
    convolutions = [module for module in net.modules() if isinstance(module, torch.nn.Conv2d)]
    strides, widths = zip(*((one.stride[0], one.out_channels) for one in convolutions), strict=True)
    count = len(convolutions)
    with torch.inference_mode():
        narrow = narrowed(layers[:count], list(strides), list(widths[:-1]), torch.from_numpy(views).double() - 0.5)
    weights = [(w.float().numpy(), b.float().numpy()) for w, b in [*narrow, *layers[count:]]]
    kindled(net, weights, list(torch.from_numpy(views).split(256)))
    save(args.out, net)


if __name__ == "__main__":
    main()
