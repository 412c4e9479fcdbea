"""Weights that are kept in their manifest: how they were made, on how much, and the digest by which they are known."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping

from vision.nets import session

SCENES = "scenes drawn by models/training (no photographs)"


def write(
    out: pathlib.Path,
    weights: Mapping[str, object],
    measured: Mapping[str, float],
    command: str,
    *,
    data: str = f"what the reader saw on {SCENES}",
    indent: int | None = 2,
) -> None:
    """Write the manifest of weights, named as the file is, and print on how much they were measured."""
    manifest = {
        "name": out.stem,
        "sha256": session.digest(weights),
        "licence": "MIT",
        "training_data": data,
        "command": f"python -m models.{command}",
        "measured": measured,
        "weights": weights,
    }
    out.write_text(json.dumps(manifest, indent=indent) + "\n", "utf-8")
    print(json.dumps(measured))
