"""Pictures from folders kept outside the project: labelled photographs, and rendered tables with truth files."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np

from models.measure.pictures import Picture, Slot, TrueCard
from vision.image import picture

PYRAMIDS = {"pyramid_up": 7, "pyramid_down": 7, "king_tut": 7, "ten": 6}


def photographs(folder: pathlib.Path) -> list[dict[str, Any]]:
    """The labels of a folder of photographs: a list of {"file", "cards": [code, …], …} in `labels.json`."""
    found: list[dict[str, Any]] = json.loads((folder / "labels.json").read_text("utf-8"))
    return found


def photograph(folder: pathlib.Path, label: dict[str, Any]) -> Picture:
    """One labelled photograph; boxes, where there are any, say where its cards lie."""
    pixels = picture.decode((folder / label["file"]).read_bytes())
    boxes = [(box["card"], _quad(box["bbox"])) for box in label.get("boxes") or []]
    cards = []
    for code in label["cards"]:
        at = next((k for k, (name, _) in enumerate(boxes) if name == code), None)
        cards.append(TrueCard(code, boxes.pop(at)[1] if at is not None else None))
    spare = 1 if label.get("extra_partial") else 0
    return Picture(
        label["file"].rsplit(".", 1)[0], pixels, None, tuple(cards), spare=spare, group=label.get("kind", "")
    )


def _quad(box: list[float]) -> np.ndarray:
    x0, y0, x1, y1 = box
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def table_files(folder: pathlib.Path) -> list[pathlib.Path]:
    """The pictures of a folder that show a pyramid, each beside its truth NAME.json."""
    return [p for p in sorted(folder.glob("*.jpg")) if _truth(p).get("game") in PYRAMIDS]


def _truth(path: pathlib.Path) -> dict[str, Any]:
    beside = path.with_suffix(".json")
    found: dict[str, Any] = json.loads(beside.read_text("utf-8")) if beside.exists() else {}
    return found


def table(path: pathlib.Path) -> Picture:
    """One rendered table; its group is the kind of its game."""
    truth = _truth(path)
    places: dict[str, Slot] = {
        f"pyramid {r + 1} {c + 1}": code for r, row in enumerate(truth["rows"]) for c, code in enumerate(row)
    }
    places |= {"stock": bool(truth["stock"]), "waste": truth["waste"], "foundation": truth["foundation"]}
    xy = {_place(card["slot"]): np.array(card["quad"], np.float32) for card in truth.get("cards", [])}
    cards = [
        TrueCard(code, xy.get(place), place=place)
        for place, code in places.items()
        if isinstance(code, str) and code != "??"
    ]
    layout = f"pyramid-{PYRAMIDS[truth['game']]}"
    pixels = picture.decode(path.read_bytes())
    return Picture(path.stem, pixels, layout, tuple(cards), places=places, places_xy=xy, group=truth["game"])


def _place(slot: list[Any]) -> str:
    """The reader's name of a truth file's slot."""
    return f"pyramid {slot[1] + 1} {slot[2] + 1}" if slot[0] == "tableau" else str(slot[0])
