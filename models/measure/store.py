"""Counts of a measurement on disk, so that it can stop and go on."""

from __future__ import annotations

import hashlib
import importlib.resources
import json
import pathlib
from collections import Counter
from dataclasses import dataclass, field

from models.measure.judging import Judged

FOLDER = pathlib.Path("models/training/made")
ROOMS = ("image", "nets", "detect", "recognize", "cards", "layout", "posterior", "decks", "advice")
# Whatever changes what a reading says or how it is judged makes earlier counts worthless.
SOURCES = (
    "vision",
    *(f"vision.{room}" for room in ROOMS),
    "rules",
    "models",
    "models.measure",
)
KINDS = (".py", ".onnx", ".json")
DRAWING = ("art", "backs", "decks", "fonts", "layouts", "printing", "scenes", "strokes", "suits", "surfaces", "wear")


@dataclass
class Cell:
    """Sums over the pictures of one table's cell; answers are (chance given, whether it was right)."""

    counts: Counter[str] = field(default_factory=Counter)
    answers: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, judged: Judged) -> None:
        """Add one picture."""
        self.counts.update(judged.counts)
        self.answers += [(round(chance, 4), bool(right)) for chance, right in judged.answers]


@dataclass
class Run:
    """One table being measured: `done` pictures so far, and its cells by name."""

    path: pathlib.Path
    stamp: str
    done: int = 0
    cells: dict[str, Cell] = field(default_factory=dict)

    def cell(self, name: str) -> Cell:
        """The cell of this name, made where there is none."""
        return self.cells.setdefault(name, Cell())

    def save(self) -> None:
        """Write it whole."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        cells = {name: {"counts": dict(c.counts), "answers": c.answers} for name, c in self.cells.items()}
        beside = self.path.with_suffix(".part")
        beside.write_text(json.dumps({"stamp": self.stamp, "done": self.done, "cells": cells}), "utf-8")
        beside.replace(self.path)


def opened(name: str, settings: str, folder: pathlib.Path = FOLDER) -> Run:
    """The run of this name where nothing it rests on has changed since, else a fresh one."""
    path, stamp = folder / f"measure-{name}.json", stamp_of(settings)
    if path.exists():
        stored = json.loads(path.read_text("utf-8"))
        if stored["stamp"] == stamp:
            cells = {
                key: Cell(Counter(cell["counts"]), [(float(p), bool(r)) for p, r in cell["answers"]])
                for key, cell in stored["cells"].items()
            }
            return Run(path, stamp, stored["done"], cells)
    return Run(path, stamp)


def stamp_of(settings: str) -> str:
    """A hash of the settings, of the nets, and of the code that reads, draws and judges."""
    out = hashlib.sha256(settings.encode())
    training = importlib.resources.files("models.training")
    files = [f for package in SOURCES for f in importlib.resources.files(package).iterdir() if f.name.endswith(KINDS)]
    files += [training / f"{name}.py" for name in DRAWING]
    for file in sorted(files, key=str):
        out.update(file.read_bytes())
    return out.hexdigest()
