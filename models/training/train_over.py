"""Teach what the card net sees to tell what lies on a card: ``python -m models.training.train_over --scenes 2500``.

A card net that was exported stays as it is. From what it makes of a view before it judges it, a head of three
convolutions learns for each cell of the view how much of it something hides that is no card: a hand, a cup, a phone.
It is written into ``models/card.onnx`` beside the others. Without ``--scenes`` it is trained on views drawn before.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pathlib
import time
from collections.abc import Iterator

import cv2
import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn import functional

from models.training.export import halve
from models.training.loop import WORK
from models.training.nets import OverHead
from models.training.scenes import OCCLUDER, Scene
from models.training.stock import Stock
from models.training.train_card import TURNED, jittered
from vision.image.shrunk import Shrunk
from vision.recognize import card_classifier, card_frame, index_crops

NET = pathlib.Path("models/card.onnx")
OUTPUT, SQUEEZE = "over", "squeeze"
CELLS = (8, 6)
FINE = 4  # points of a cell across and down at which it is asked what lies there
SHOWS = 0.15  # share of a card, but for what other cards hide, or nothing is learnt of it
HANDS = 3  # things over the cards of a scene
CLUTTERED = 0.4
SMALL = 0.12, 0.4, 0.9  # share of outlines that are too small, and by how much, from and to
RATE = 3e-3


def hidden_cells(scene: Scene, axes: np.ndarray) -> np.ndarray:
    """The share of each cell (8, 6) of a view that something hides which is no card; nan beyond the picture."""
    rows, columns = ((np.arange(n * FINE) + 0.5) / (n * FINE) * 2 - 1 for n in CELLS)
    grid = np.stack(np.meshgrid(columns, rows), -1).reshape(-1, 2) * card_classifier.REACH
    at = np.floor(grid @ axes[:, :2].T + axes[:, 2]).astype(int)
    inside = ((at >= 0) & (at < scene.image.shape[0])).all(1)
    over = np.full(len(at), np.nan)
    over[inside] = scene.ids[at[inside, 1], at[inside, 0]] == OCCLUDER
    return np.asarray(over.reshape(CELLS[0], FINE, CELLS[1], FINE).mean((1, 3)))


def open_share(scene: Scene, axes: np.ndarray, number: int) -> float:
    """The share of a card that no other card hides."""
    grid = np.array([(a, b) for a in np.linspace(-0.92, 0.92, 10) for b in np.linspace(-0.94, 0.94, 14)])
    at = np.floor(grid @ axes[:, :2].T + axes[:, 2]).astype(int)
    inside = ((at >= 0) & (at < scene.image.shape[0])).all(1)
    here = scene.ids[at[inside, 1], at[inside, 0]]
    return float(((here == number + 1) | (here == OCCLUDER)).sum() / len(grid))


def samples(scene: Scene, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Views (n, 64, 48, 3) of the cards of a scene, and what is hidden of them (n, 8, 6)."""
    places = []
    for number, card in enumerate(scene.cards):
        axes = card_frame.axes_of(card.quad_xy)
        if open_share(scene, axes, number) >= SHOWS:
            seen = card_frame.over(axes) if rng.random() < TURNED else axes
            places.append(misplaced(jittered(seen, rng), rng))
    if not places:
        return np.zeros((0, 64, 48, 3), np.uint8), np.zeros((0, *CELLS))
    return card_classifier.cut(Shrunk(scene.image), np.stack(places)), np.stack(
        [hidden_cells(scene, p) for p in places]
    )


def taken_from(graph: onnx.GraphProto) -> tuple[str, str]:
    """The names of what the head is given: what goes into the layer that halves the cells last, and what is judged."""
    layers = [node for node in graph.node if node.op_type == "Conv" and not node.name.startswith(OUTPUT)]
    squeeze = next(number for number, node in enumerate(layers) if SQUEEZE in node.name)
    return layers[squeeze - 2].input[0], layers[squeeze].input[0]


def misplaced(axes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Axes (2, 3), now and then of an outline that is much too small, and lies anywhere on the card."""
    if rng.random() >= SMALL[0]:
        return axes
    scale = float(rng.uniform(*SMALL[1:]))
    shift = axes[:, :2] @ rng.uniform(-1, 1, 2) * (1 - scale)
    return np.column_stack([axes[:, :2] * scale, axes[:, 2] + shift])


def features_of(path: pathlib.Path) -> onnxruntime.InferenceSession:
    """The card net with what it makes of a view on its way and in the end as its outputs."""
    model = onnx.load(path)
    names = taken_from(model.graph)
    del model.graph.output[:]
    model.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options)


def draw(scenes: int, seed: int, *, validation: bool = False) -> dict[str, np.ndarray]:
    """Features `fine` (n, 48, 16, 12) and `coarse` (n, 64, 8, 6) of views of so many scenes, and what is `hidden` of
    them (n, 8, 6), float16.
    """
    cv2.setNumThreads(1)
    net = features_of(NET)
    stock = Stock(seed, cluttered=CLUTTERED, validation=validation)
    out: dict[str, list[np.ndarray]] = {"fine": [], "coarse": [], "hidden": []}
    for number in range(scenes):
        px = float(np.exp(stock.rng.uniform(np.log(36), np.log(280))))
        views, cells = samples(stock.scene(card_px=px, hands=0.0 if number % 3 == 0 else HANDS), stock.rng)
        if len(views):
            for name, part in zip(out, (*net.run(None, {"input": index_crops.whitened(views)}), cells), strict=True):
                out[name].append(part.astype(np.float16))
    return {name: np.concatenate(parts) for name, parts in out.items()}


def batches(drawn: dict[str, np.ndarray], rng: np.random.Generator) -> Iterator[list[torch.Tensor]]:
    """Batches of 256, for ever."""
    while True:
        order = rng.permutation(len(drawn["hidden"]))
        for part in np.array_split(order, max(1, len(order) // 256)):
            yield [torch.from_numpy(drawn[name][part].astype(np.float32)) for name in ("fine", "coarse", "hidden")]


def loss_of(head: OverHead, fine: torch.Tensor, coarse: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
    """Cross entropy of the cells that lie in the picture."""
    known = ~torch.isnan(hidden)
    return functional.binary_cross_entropy_with_logits(head(fine, coarse)[:, 0][known], hidden[known])


def trained(drawn: dict[str, np.ndarray], minutes: float, seed: int) -> OverHead:
    """The head after so many minutes."""
    torch.manual_seed(seed)
    head, rng = OverHead(), np.random.default_rng(seed)
    optimiser = torch.optim.AdamW(head.parameters(), lr=RATE, weight_decay=1e-2)
    begun, told = time.time(), 0.0
    for step, batch in enumerate(batches(drawn, rng)):
        left = 1 - (time.time() - begun) / (60 * minutes)
        if left <= 0:
            break
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 100) * max(left, 0.01)
        loss = loss_of(head, *batch)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        told = loss.item() if not step else told * 0.98 + loss.item() * 0.02
        if step % 200 == 0:
            print(step, f"{told:.4f}", flush=True)
    return head.eval()


def folded(layer: nn.Module) -> tuple[np.ndarray, np.ndarray]:
    """Weights and bias of a convolution, its norm folded in."""
    conv, norm = (layer[0], layer[1]) if isinstance(layer, nn.Sequential) else (layer, None)
    assert isinstance(conv, nn.Conv2d)
    weight = conv.weight.detach().numpy()
    bias = conv.bias.detach().numpy() if conv.bias is not None else np.zeros(len(weight), np.float32)
    if isinstance(norm, nn.BatchNorm2d):
        assert norm.running_var is not None and norm.running_mean is not None
        scale = (norm.weight / torch.sqrt(norm.running_var + norm.eps)).detach().numpy()
        weight = weight * scale[:, None, None, None]
        bias = norm.bias.detach().numpy() + (bias - norm.running_mean.numpy()) * scale
    return weight.astype(np.float32), bias.astype(np.float32)


def graft(head: OverHead, path: pathlib.Path, told: dict[str, object]) -> None:
    """Write the head into an ONNX file, in the place of an earlier one, and into its manifest."""
    model = onnx.load(path)
    graph = model.graph
    others = (graph.initializer, graph.output)
    for listed, named in ((graph.node, lambda n: n.output[0]), *((of, lambda o: o.name) for of in others)):
        kept = [one for one in listed if not named(one).startswith(OUTPUT)]
        del listed[:]
        listed.extend(kept)
    fine, coarse = taken_from(graph)

    def add(at: str, name: str, layer: nn.Module) -> str:
        weight, bias = folded(layer)
        last = not isinstance(layer, nn.Sequential)
        names = [f"{name}.weight", f"{name}.bias"]
        graph.initializer.extend(numpy_helper.from_array(v, n) for v, n in zip((weight, bias), names, strict=True))
        step, pad = (1 if last else layer[0].stride[0]), weight.shape[2] // 2
        out = name if last else f"{name}.sum"
        graph.node.append(
            helper.make_node("Conv", [at, *names], [out], f"{name}.conv", pads=[pad] * 4, strides=[step] * 2)
        )
        if not last:
            graph.node.append(helper.make_node("Relu", [out], [name], f"{name}.relu"))
        return name

    for number, layer in enumerate(head.fine):
        fine = add(fine, f"{OUTPUT}.fine.{number}", layer)
    graph.node.append(helper.make_node("Concat", [fine, coarse], [f"{OUTPUT}.both"], f"{OUTPUT}.concat", axis=1))
    at = add(f"{OUTPUT}.both", f"{OUTPUT}.both.0", head.both[0])
    add(at, OUTPUT, head.both[1])
    graph.output.append(helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["n", 1, *CELLS]))
    onnx.save(model, path)
    halve(path)
    data, manifest = path.read_bytes(), json.loads(path.with_suffix(".json").read_text("utf-8"))
    manifest |= {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), "over": told}
    manifest["outputs"][OUTPUT] = "(n, 1, 8, 6): how much of each cell something hides that is no card, as logits"
    path.with_suffix(".json").write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", "utf-8")


def main() -> None:
    """Draw, train and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=6100)
    parser.add_argument("--drawn", type=pathlib.Path, nargs="+", default=[WORK / "over.npz"], help="what was drawn")
    given = parser.parse_args()
    if given.scenes:
        views = draw(given.scenes, given.seed)
        given.drawn[0].parent.mkdir(parents=True, exist_ok=True)
        np.savez(given.drawn[0], **views)  # type: ignore[arg-type]
        print(f"{len(views['hidden'])} views", flush=True)
    parts = [np.load(path) for path in given.drawn]
    drawn = {name: np.concatenate([part[name] for part in parts]) for name in parts[0].files}
    torch.set_num_threads(given.threads)
    head = trained(drawn, given.minutes, given.seed)
    command = f"python -m models.training.train_over --scenes {given.scenes} --minutes {given.minutes:g}"
    graft(head, NET, {"views": len(drawn["hidden"]), "command": command})


if __name__ == "__main__":
    main()
