"""onnxruntime, wrapped once: the nets with their manifests, checked and warm.

Unless it is told otherwise before it is imported, onnxruntime writes a device id under the user's cache and reports
sessions, with the path of the program, to its maker. Nothing of that may happen here: it is told so in this one place,
which every command and the page load their nets through.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import json
import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
import onnxruntime

# On Windows the variable is not read, and reports go to the system's own tracing.
onnxruntime.disable_telemetry_events()

Floats = NDArray[np.float32]


class ModelError(Exception):
    """A model file that is missing, or is not the one its manifest describes."""


@dataclass(frozen=True, slots=True)
class Net:
    """One loaded net: its session and its manifest."""

    session: onnxruntime.InferenceSession
    manifest: dict[str, Any]

    def __call__(self, batch: Floats, **switches: bool) -> list[Floats]:
        """Outputs for one input batch (n, 3, h, w) float32; switches: those of its other inputs that are off."""
        first, *others = (entry.name for entry in self.session.get_inputs())
        given = {first: batch, **{name: np.array(switches.get(name, True)) for name in others}}
        return [np.asarray(out, np.float32) for out in self.session.run(None, given)]


def load(name: str, threads: int = 2) -> Net:
    """The net ``models/<name>.onnx``; raises ModelError if its hash is not the manifest's."""
    folder = importlib.resources.files("models")
    try:
        data = folder.joinpath(f"{name}.onnx").read_bytes()
        manifest = json.loads(folder.joinpath(f"{name}.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"model {name!r} cannot be loaded: {error}") from error
    if hashlib.sha256(data).hexdigest() != manifest.get("sha256"):
        raise ModelError(f"model {name!r} is not the file its manifest describes; install cardtable again")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Pictures come in all sizes: an arena of its own would keep the most that any of them took, and more.
    options.enable_cpu_mem_arena = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return Net(onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"]), manifest)


def weights(name: str) -> dict[str, Any]:
    """The weights that the manifest ``models/<name>.json`` holds itself; raises ModelError where they are missing, or
    were changed since they were fitted.
    """
    try:
        manifest = json.loads(importlib.resources.files("models").joinpath(f"{name}.json").read_text("utf-8"))
        kept = manifest["weights"]
        if digest(kept) != manifest["sha256"]:
            raise ValueError("it was changed; install cardtable again")
        return {part: dict(each) for part, each in kept.items()}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"model {name!r} cannot be loaded: {error}") from error


def digest(kept: object) -> str:
    """The sha256 by which a manifest knows its weights."""
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()
