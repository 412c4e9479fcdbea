"""Checkpoints from the exported nets: ``python -m models.training.rekindle`` (so that training can go on from them).

An exported net has each batch norm folded into its convolution. Here every norm is set to the mean and variance
that its convolution gives on drawn scenes, with a scale and shift that undo it: the net says the same, and learns on.
"""

from __future__ import annotations

import argparse
import pathlib
from collections.abc import Callable

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from models.training.export import OFTENER
from models.training.loop import WORK
from models.training.nets import CardNet, PatchNet, SearchNet
from models.training.stock import Stock
from models.training.train_card import views_of
from models.training.train_patch import Finder, windows_of
from vision.recognize import index_crops

MODELS = pathlib.Path("models")
UNLIKELY = -6.0  # log-odds that a class which was not learnt yet begins with


def folded(path: pathlib.Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Weights and bias of each convolution and linear layer of an ONNX file, by its name in the net."""
    whole = onnx.load(path).graph
    # What is computed only where it is asked for is a graph within the graph.
    graphs = [whole, *(a.g for n in whole.node if n.op_type == "If" for a in n.attribute if a.name == "then_branch")]
    nodes = [node for graph in graphs for node in graph.node]
    values = {i.name: numpy_helper.to_array(i) for graph in graphs for i in graph.initializer}
    # Weights kept in 16 bits are widened first.
    values |= {n.output[0]: values[n.input[0]].astype(np.float32) for n in nodes if n.op_type == "Cast"}
    # What is kept in 8 bits (and sums in 32) has its steps beside it, one or one for each output.
    for n in nodes:
        if n.op_type == "DequantizeLinear" and n.input[0] in values:
            whole, step = values[n.input[0]], values[n.input[1]]
            values[n.output[0]] = (whole * step.reshape(-1, *(1,) * (whole.ndim - 1))).astype(np.float32)
    layers = [n for n in nodes if n.op_type in ("Conv", "Gemm")]
    return {n.name.split("/")[-2]: (values[n.input[1]], values[n.input[2]]) for n in layers}


def order_of(net: nn.Module, example: torch.Tensor) -> list[nn.Module]:
    """Convolutions and linear layers in the order they are computed."""
    seen: list[nn.Module] = []
    hooks = [
        m.register_forward_hook(lambda module, *_: seen.append(module))
        for m in net.modules()
        if isinstance(m, nn.Conv2d | nn.Linear)
    ]
    with torch.inference_mode():
        net(example)
    for hook in hooks:
        hook.remove()
    return seen


def norms_of(net: nn.Module) -> dict[nn.Module, nn.BatchNorm2d]:
    """The batch norm behind each convolution that has one."""
    pairs = {}
    for group in net.modules():
        if isinstance(group, nn.Sequential):
            for first, second in zip(list(group), list(group)[1:], strict=False):
                if isinstance(second, nn.BatchNorm2d):
                    pairs[first] = second
    return pairs


def rekindle(net: nn.Module, path: pathlib.Path, batches: list[torch.Tensor]) -> None:
    """Set the net's weights to those of the ONNX file; norms from what goes through on the batches."""
    names = {module: name for name, module in net.named_modules()}
    layers, of = order_of(net, batches[0][:1]), folded(path)
    kindled(net, [of[names[layer]] for layer in layers], batches)


def kindled(net: nn.Module, weights: list[tuple[np.ndarray, np.ndarray]], batches: list[torch.Tensor]) -> None:
    """The same with weights and bias of each layer, in the order they are computed."""
    net.eval()
    norms = norms_of(net)
    layers = order_of(net, batches[0][:1])
    for layer, (weight, bias) in zip(layers, weights, strict=True):
        # Classes that the exported net does not have yet begin as unlikely ones.
        more = layer.weight.shape[0] - len(weight)  # type: ignore[union-attr, index, operator]
        weight = np.pad(weight, ((0, more), *((0, 0),) * (weight.ndim - 1)))
        bias = np.pad(bias, (0, more), constant_values=UNLIKELY)
        layer.weight.data = torch.tensor(weight).reshape(layer.weight.shape)  # type: ignore[union-attr, operator]
        if layer in norms:
            norm = norms[layer]
            norm.weight.data.fill_(1)
            norm.running_mean.zero_()  # type: ignore[union-attr]
            norm.running_var.fill_(1 - norm.eps)  # type: ignore[union-attr]
            norm.bias.data = torch.tensor(bias)
        else:
            layer.bias.data = torch.tensor(bias)  # type: ignore[union-attr]
    sums: dict[nn.Module, list[tuple[torch.Tensor, torch.Tensor]]] = {layer: [] for layer in norms}

    def keep(layer: nn.Module) -> Callable[..., None]:
        return lambda _m, _i, out: sums[layer].append((out.mean((0, 2, 3)), (out**2).mean((0, 2, 3))))

    hooks = [layer.register_forward_hook(keep(layer)) for layer in norms]
    with torch.inference_mode():
        for batch in batches:
            net(batch)
    for hook in hooks:
        hook.remove()
    for layer, norm in norms.items():
        mean = torch.stack([m for m, _ in sums[layer]]).mean(0)
        square = torch.stack([s for _, s in sums[layer]]).mean(0)
        variance = (square - mean**2).clamp(min=1e-6)
        norm.running_mean.copy_(mean)  # type: ignore[union-attr]
        norm.running_var.copy_(variance)  # type: ignore[union-attr]
        norm.weight.data = torch.sqrt(variance + norm.eps)
        norm.bias.data = norm.bias.data + mean


def save(path: pathlib.Path, net: nn.Module) -> None:
    """A checkpoint of no steps: the net and its mean are the same, and there is no optimiser yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"net": net.state_dict(), "average": net.state_dict(), "steps": 0, "seconds": 0.0}, path)
    print(f"{path} from {MODELS}")


def blend(first: pathlib.Path, second: pathlib.Path, out: pathlib.Path) -> None:
    """A checkpoint with the mean of two nets' mean weights: what one was before a go of training and after it."""
    before = torch.load(first, map_location="cpu", weights_only=False)["average"]
    saved = torch.load(second, map_location="cpu", weights_only=False)
    for name, value in saved["average"].items():
        if value.dtype != torch.long:
            value.copy_((before[name] + value) / 2)
    torch.save(saved, out)


def main() -> None:
    """The checkpoints, or the mean of two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blend", type=pathlib.Path, nargs=3, metavar=("BEFORE", "AFTER", "OUT"))
    parser.add_argument("--scenes", type=int, default=160)
    parser.add_argument("--work", type=pathlib.Path, default=WORK)
    args = parser.parse_args()
    if args.blend:
        blend(*args.blend)
        return
    stock = Stock(5)
    scenes = [stock.scene() for _ in range(args.scenes)]
    pictures = torch.from_numpy(np.stack([s.image for s in scenes])).permute(0, 3, 1, 2).float() / 255
    search = SearchNet()
    rekindle(search, MODELS / "search.onnx", list(pictures.split(16)))
    save(args.work / "search.pt", search)
    patch = PatchNet()
    finder = Finder(args.work / "search.pt")
    cuts = np.stack([w[0] for _ in range(args.scenes) for w in windows_of(stock, finder)])
    rekindle(patch, MODELS / "patch.onnx", list(torch.from_numpy(index_crops.whitened(cuts)).split(256)))
    save(args.work / "patch.pt", patch)
    card = CardNet()
    views = np.stack([v[0] for _ in range(args.scenes) for v in views_of(stock)])
    rekindle(card, MODELS / "card.onnx", list(torch.from_numpy(index_crops.whitened(views)).split(256)))
    card.kind.bias.data[0] += OFTENER
    save(args.work / "card.pt", card)


if __name__ == "__main__":
    main()
