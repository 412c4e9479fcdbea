"""Checkpoints to ONNX with a manifest each: ``python -m models.training.export``."""

from __future__ import annotations

import argparse
import hashlib
import json
import pathlib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from models.training import art
from models.training.eight_bits import rounded
from models.training.loop import WORK
from models.training.nets import RANK_CLASSES, CardNet, PatchNet, SearchNet
from models.training.stock import Stock
from vision.detect import multiscale
from vision.recognize.alphabets import LETTERS

MODELS = pathlib.Path("models")
DATA = "scenes drawn by models/training (no photographs)"
# Lists of fewer weights than this stay as they are: biases are small, and sums depend on them.
FEW = 256
# By so many drawn scenes the ranges of the search net are set where it is rounded to 8 bits.
SCENES, SCENES_SEED = 64, 4242
# Its first layers, which see the finest print, and the last ones of its heads are not: with them rounded as well it
# would take a sixth less time, and err twice as far from what it says unrounded.
WHOLE = ("stem", "s4", "index.1", "corner.1", "card.2")
# Nearly half of the views that the card net learns from show no card, and few places that it is asked about are so: the
# log-odds of none are held down until as many backs of validation decks are told as such as before things were drawn.
OFTENER = 1.3
ART = [*art.TRAINING, "@letele/playing-cards (CC0)", "decks drawn from Debian fonts"]
FONTS = "decks drawn from fonts of @fontsource packages"


class _Search(nn.Module):
    """The search net for pictures in -0.5..0.5: who turns bytes into floats takes the half off in the same pass."""

    def __init__(self, net: SearchNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, picture: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """As of the net itself."""
        return self.net.centred(picture)


class _Patch(nn.Module):
    """The patch net with its three heads in one output (n, 48), and what they judge by in another (n, 128)."""

    def __init__(self, net: PatchNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, windows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(n, 15 + 4 + 6 + 23), the letters last, and (n, 128)."""
        x = self.net.features(windows)
        signs = self.net.rank(x)
        heads = [signs[:, :RANK_CLASSES], self.net.suit(x), self.net.shift(x), signs[:, RANK_CLASSES:]]
        return torch.cat(heads, 1), x


class _Card(nn.Module):
    """The card net with its three heads in one output (n, 22)."""

    def __init__(self, net: CardNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, views: torch.Tensor) -> torch.Tensor:
        """(n, 3 + 15 + 4)."""
        return torch.cat(self.net(views), 1)


def optional(path: pathlib.Path, output: str, switch: str) -> None:
    """Compute one output of an ONNX file only where a new input (a boolean) says so; it is empty where not."""
    model = onnx.load(path)
    graph = model.graph
    wanted, others = (_needed(graph, {one}) for one in (output, *(o.name for o in graph.output if o.name != output)))
    alone = [node for node in graph.node if node.output[0] in wanted - others]
    kept = [node for node in graph.node if node.output[0] not in wanted - others]
    used = {name for node in alone for name in node.input}
    weights = [tensor for tensor in graph.initializer if tensor.name in used]
    rest = [tensor for tensor in graph.initializer if tensor.name not in used]
    shape = next(o for o in graph.output if o.name == output).type.tensor_type.shape.dim
    nothing = np.zeros([d.dim_value if d.HasField("dim_value") else 0 for d in shape], np.float32)
    then = [helper.make_node(n.op_type, n.input, _renamed(n.output, output), n.name) for n in alone]
    for made, node in zip(then, alone, strict=True):
        made.attribute.extend(node.attribute)
    none = helper.make_node("Constant", [], [f"{output}.none"], value=numpy_helper.from_array(nothing))
    branches = {
        "then_branch": helper.make_graph(then, output, [], [_floats(f"{output}.wanted")], weights),
        "else_branch": helper.make_graph([none], f"no {output}", [], [_floats(f"{output}.none")]),
    }
    for listed, now in (
        (graph.node, [*kept, helper.make_node("If", [switch], [output], **branches)]),
        (graph.initializer, rest),
    ):
        del listed[:]
        listed.extend(now)
    graph.input.append(helper.make_tensor_value_info(switch, TensorProto.BOOL, []))
    onnx.checker.check_model(model)
    onnx.save(model, path)


def _needed(graph: onnx.GraphProto, outputs: set[str]) -> set[str]:
    """The names of everything that is computed for these outputs."""
    needed = set(outputs)
    for node in reversed(graph.node):
        if needed & set(node.output):
            needed |= set(node.input)
    return needed


def _renamed(outputs: Iterable[str], output: str) -> list[str]:
    return [f"{output}.wanted" if name == output else name for name in outputs]


def _floats(name: str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, None)


def write(
    name: str,
    net: nn.Module,
    example: torch.Tensor,
    axes: dict[str, dict[int, str]],
    manifest: dict[str, Any],
    switch: tuple[str, str] | None = None,
    inputs: Iterable[np.ndarray] | None = None,
) -> None:
    """``models/name.onnx`` and ``models/name.json``; switch: an output and the input that says if it is wanted; inputs:
    by which its numbers are rounded to 8 bits.
    """
    path = MODELS / f"{name}.onnx"
    outputs = [key for key in axes if key != "input"]
    torch.onnx.export(
        net.eval(),
        (example,),
        str(path),
        input_names=["input"],
        output_names=outputs,
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    if inputs is None:
        halve(path)
    else:
        rounded(path, inputs, WHOLE)
    if switch:
        optional(path, *switch)
    data = path.read_bytes()
    whole = {
        "name": name,
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "licence": "MIT",
        "training_data": DATA,
        "art": ART,
        **manifest,
    }
    path.with_suffix(".json").write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
    print(f"{path}: {len(data)} bytes")


def halve(path: pathlib.Path) -> None:
    """Keep the weights of an ONNX file in 16 bits, widened to 32 when the file is loaded: half the size, and what is
    computed stays as it was but for their last digits.
    """
    model = onnx.load(path)
    widened = []
    for tensor in model.graph.initializer:
        values, name = numpy_helper.to_array(tensor), tensor.name
        if values.dtype == np.float32 and values.size >= FEW:
            tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
            widened.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    nodes = [*widened, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def search(work: pathlib.Path, earlier: float) -> None:
    """The search net."""
    saved = _saved(work / "search.pt")
    net = SearchNet()
    net.load_state_dict(saved["average"])
    write(
        "search",
        _Search(net),
        torch.zeros(1, 3, 64, 96),
        {"input": {2: "height", 3: "width"}, "index": {2: "h4", 3: "w4"}, "card": {2: "h8", 3: "w8"}},
        {
            "input": "(1, 3, h, w) float32 RGB -0.5..0.5 (value / 255 - 0.5), h and w multiples of 32; cards: bool, "
            "whether the output card is computed",
            "outputs": {"index": "(1, 15, h/4, w/4): 8 of indices, 7 of corners", "card": "(1, 11, h/8, w/8)"},
            **_trained(saved, earlier),
            "command": "python -m models.training.train_search --minutes 95 (in several goes: models/README.md)",
        },
        ("card", "cards"),
        _scenes(),
    )


def _scenes() -> Iterator[np.ndarray]:
    """Inputs of the search net: drawn scenes, some with things that are no cards."""
    stock = Stock(SCENES_SEED, cluttered=0.3)
    for _ in range(SCENES):
        yield multiscale.padded(stock.scene().image)


def patch(work: pathlib.Path, earlier: float) -> None:
    """The patch net."""
    saved = _saved(work / "patch.pt")
    net = PatchNet()
    net.load_state_dict(saved["average"])
    write(
        "patch",
        _Patch(net),
        torch.zeros(2, 3, 48, 48),
        {"input": {0: "n"}, "output": {0: "n"}, "features": {0: "n"}},
        {
            "input": "(n, 3, 48, 48) float32 RGB, the window's white at 0.8",
            "outputs": {
                "output": "(n, 48): 15 signs (A..K, joker, none), 4 suits (S H D C), 6 of the window's correction, and "
                f"{len(LETTERS)} more signs ({' '.join(LETTERS)})",
                "features": "(n, 128): what the heads judge by; a deck's own profile starts from them",
            },
            **_temperatures(work / "temperature-patch.json", "rank", "suit"),
            **_trained(saved, earlier),
            "art": [*ART, FONTS],
            "command": "python -m models.training.train_patch --minutes 70 (in several goes: models/README.md)",
        },
    )


def card(work: pathlib.Path, earlier: float) -> None:
    """The card net."""
    saved = _saved(work / "card.pt")
    net = CardNet()
    net.load_state_dict(saved["average"])
    net.kind.bias.data[0] -= OFTENER
    write(
        "card",
        _Card(net),
        torch.zeros(2, 3, 64, 48),
        {"input": {0: "n"}, "output": {0: "n"}},
        {
            "input": "(n, 3, 64, 48) float32 RGB, the view's white at 0.8",
            "outputs": {
                "output": "(n, 22): none, face, back; 15 ranks (A..K, joker, of no deck), 4 suits (S H D C), as logits"
            },
            **_temperatures(work / "temperature-card.json", "kind", "rank", "suit"),
            **_trained(saved, earlier),
            "command": "python -m models.training.train_card --minutes 44 --taught (how: models/README.md)",
        },
    )


def _saved(path: pathlib.Path) -> dict[str, Any]:
    return dict(torch.load(path, map_location="cpu", weights_only=False))


def _trained(saved: dict[str, Any], earlier: float) -> dict[str, Any]:
    """Steps and minutes of a checkpoint and of the goes before it."""
    return {"steps": saved["steps"], "training_minutes": round(saved["seconds"] / 60 + earlier, 1)}


def _temperatures(path: pathlib.Path, *names: str) -> dict[str, Any]:
    """The temperatures of a net's heads that calibration found, with its report; 1 where there was none."""
    if not path.exists():
        return {"temperature": dict.fromkeys(names, 1.0), "measured": {}}
    heat = json.loads(path.read_text())
    return {"temperature": {key: round(heat[key], 4) for key in names}, "measured": heat["report"]}


NETS = {"search": search, "patch": patch, "card": card}


def main() -> None:
    """Export the nets, with the temperatures found in calibration where there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nets", nargs="*", default=list(NETS), help="which of the nets")
    parser.add_argument("--work", type=pathlib.Path, default=WORK)
    parser.add_argument("--earlier", type=float, default=0.0, help="minutes of goes before the last one, of each")
    args = parser.parse_args()
    for name in args.nets:
        NETS[name](args.work, args.earlier)


if __name__ == "__main__":
    main()
