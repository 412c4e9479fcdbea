"""The sample pictures that come with the program."""

import json
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

ENDINGS = (".jpg", ".jpeg", ".png")
SHOWN = ("pair-before", "piwnica-before", "math-late", "relaxed-deal", "fault-twice", "spread")
"""Those on the start page: what the program does, once each."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A picture of a table, the game laid (None without a layout) and whether faults are planted.

    `stage` is `deal` for a fresh deal, else `play`.
    """

    name: str
    game: str | None
    stage: str
    title: str
    faulty: bool

    @property
    def plain(self) -> str:
        """Its name without the ending."""
        return self.name.rsplit(".", 1)[0]

    @property
    def way(self) -> str:
        """What it is opened for."""
        return "check" if self.faulty else "play"

    @property
    def after(self) -> str | None:
        """The sample that shows the same table a little later, if there is one."""
        later = self.name.replace("-before", "-after")
        return later if later != self.name else None


def _folder() -> Traversable:
    return files("sample_images")


def sample_list() -> tuple[Sample, ...]:
    """Every sample installed, by name; empty where none are."""
    try:
        entries = {entry.name: entry for entry in _folder().iterdir()}
    except (ModuleNotFoundError, FileNotFoundError):
        return ()
    names = sorted(name for name in entries if name.lower().endswith(ENDINGS))
    return tuple(_sample(name, _truth(entries, name)) for name in names)


def _truth(entries: dict[str, Traversable], name: str) -> dict[str, Any]:
    truth = entries.get(name.rsplit(".", 1)[0] + ".json")
    found = json.loads(truth.read_text(encoding="utf-8")) if truth else {}
    return found if isinstance(found, dict) else {}


def _sample(name: str, truth: dict[str, Any]) -> Sample:
    plain = name.rsplit(".", 1)[0].replace("_", " ").replace("-", " ").capitalize()
    game = truth.get("game")
    return Sample(
        name,
        None if game == "none" else game,
        truth.get("stage", "play"),
        truth.get("title", plain),
        bool(truth.get("faults")),
    )


def shown_samples() -> tuple[Sample, ...]:
    """The samples of the start page, in the order to show them."""
    found = {sample.plain: sample for sample in sample_list()}
    return tuple(found[name] for name in SHOWN if name in found)


def find_sample(name: str) -> Sample | None:
    """The sample of a file name, None where there is none."""
    return next((sample for sample in sample_list() if sample.name == name), None)


def sample_bytes(name: str) -> bytes | None:
    """The picture of a sample, None where there is none of that name."""
    return (_folder() / name).read_bytes() if find_sample(name) else None
