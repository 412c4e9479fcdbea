"""Taught decks on disk: one file each in a folder of the user's, made anew where it goes with another net."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from companion_app.errors import Trouble, UnreadableTrouble
from rules.cards import Card
from vision.decks.profile import Figures, Head, Judge, Lesson, Profile, ProfileError

if TYPE_CHECKING:
    from vision.nets.session import Net

log = logging.getLogger(__name__)

# What judges by a lesson was another thing in earlier formats: such decks are learnt anew.
FORMAT, EARLIER = 3, (2,)
ENDING = ".npz"
DAMAGED = ".damaged"
# Letters of any language, digits, spaces, `-` and `_`: a name is a file name on every system.
NAME = re.compile(r"[^\W_][\w -]{0,39}")
TAKEN = ("auto", "none")
# Windows are kept as one picture each kind; at this quality nothing of an index is lost.
JPEG_QUALITY = 95
WIDE = 64


class DeckFiles:
    """The decks of one folder, which need not exist."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> list[str]:
        """Names of the decks, in order."""
        found = self.folder.glob(f"*{ENDING}") if self.folder.is_dir() else ()
        return sorted(path.stem for path in found if NAME.fullmatch(path.stem))

    def stamps(self) -> dict[str, int]:
        """When each deck's file was last written, in nanoseconds."""
        return {name: self._path(name).stat().st_mtime_ns for name in self.names()}

    def load(self, name: str, net: Net) -> Profile:
        """The profile of a deck for this net; one made with another net is learnt anew and kept.

        Raises ProfileError: no-deck, deck-name, broken-profile.
        """
        try:
            data = self._path(name).read_bytes()
        except OSError as error:
            raise ProfileError("no-deck", name) from error
        profile = from_bytes(data)
        if profile.net != net.manifest.get("sha256"):
            from vision.decks.training import learn  # only here, for it takes long to load

            log.warning("the nets have changed: the deck %s is learnt anew", name)
            profile = replace(learn(name, profile.lesson, net, profile.sources)[0], made=profile.made)
            try:
                self.save(profile)
            except Trouble:
                log.warning("the deck %s is learnt anew at every start: %s cannot be written", name, self.folder)
        return profile

    def all(self, net: Net) -> tuple[Profile, ...]:
        """Every deck that can be used; a broken one is logged and left out."""
        found = []
        for name in self.names():
            try:
                found.append(self.load(name, net))
            except ProfileError as error:
                log.warning("the deck %s cannot be used: %s", name, error.message)
        return tuple(found)

    def save(self, profile: Profile) -> Path:
        """Keep a profile, in place of one of the same name; raises UnreadableTrouble (not-kept)."""
        made = profile if profile.made else replace(profile, made=datetime.now(UTC).isoformat(timespec="seconds"))
        return keep(self._path(profile.name), to_bytes(made))

    def forget(self, name: str) -> None:
        """Remove a deck, and what was set aside of it as damaged; raises ProfileError (no-deck) where there is neither,
        and UnreadableTrouble (not-kept)."""
        path = self._path(name)
        found = [one for one in (path, path.with_suffix(DAMAGED)) if one.exists()]
        if not found:
            raise ProfileError("no-deck", name)
        for one in found:
            remove(one)

    def _path(self, name: str) -> Path:
        return self.folder / f"{checked_name(name)}{ENDING}"


def keep(path: Path, data: bytes) -> Path:
    """Write a file that is whole or not there at all; raises UnreadableTrouble (not-kept)."""
    waiting = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        waiting.write_bytes(data)
        waiting.replace(path)
    except OSError as error:
        raise UnreadableTrouble("not-kept", name=str(path.parent), why=error) from error
    return path


def remove(path: Path) -> None:
    """Remove a file if it is there; raises UnreadableTrouble (not-kept)."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise UnreadableTrouble("not-kept", name=str(path.parent), why=error) from error


def checked_name(name: str) -> str:
    """The name, if a deck can have it; raises ProfileError (deck-name)."""
    if not NAME.fullmatch(name) or name.lower() in TAKEN:
        raise ProfileError("deck-name", name)
    return name


def to_bytes(profile: Profile) -> bytes:
    """A profile as one file: arrays, and a text with the rest."""
    head, lesson = profile.head, profile.lesson
    about = {
        "format": FORMAT,
        "name": profile.name,
        "net": profile.net,
        "sources": list(profile.sources),
        "made": profile.made,
        "figures": asdict(profile.figures),
        "cards": [str(card) for card in lesson.cards],
        "rank": [head.rank.temperature, head.rank.anchor],
        "suit": [head.suit.temperature, head.suit.anchor],
    }
    out = io.BytesIO()
    np.savez_compressed(
        out,
        about=np.frombuffer(json.dumps(about).encode(), np.uint8),
        windows=_packed(lesson.windows),
        others=_packed(lesson.others),
        place=lesson.place,
        extent=lesson.extent,
        offset=lesson.offset,
        **{name: array.astype(np.float32) for name, array in _arrays(head).items()},
    )
    return out.getvalue()


def from_bytes(data: bytes) -> Profile:
    """The profile of a file; raises ProfileError (broken-profile)."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            held = {name: file[name] for name in file.files}
        about = json.loads(held["about"].tobytes())
        if about["format"] not in (FORMAT, *EARLIER):
            raise ValueError(f"format {about['format']}")
        lesson = Lesson(
            _unpacked(held["windows"]),
            tuple(Card.parse(code) for code in about["cards"]),
            _unpacked(held["others"]),
            held["place"],
            held["extent"],
            held["offset"],
        )
        head = _head(held, about)
        return Profile(
            about["name"],
            about["net"] if about["format"] == FORMAT else "",
            head,
            lesson,
            Figures(**about["figures"]),
            tuple(about["sources"]),
            about["made"],
        )
    except Exception as error:
        raise ProfileError("broken-profile", str(error)) from error


def _arrays(head: Head) -> dict[str, np.ndarray]:
    return {
        "middle": head.middle,
        "rank_axes": head.rank.axes,
        "rank_means": head.rank.means,
        "suit_axes": head.suit.axes,
        "suit_means": head.suit.means,
        "index_axis": head.index_axis,
        "index_weights": head.index_weights,
        "shift": head.shift,
        "prints": head.prints,
    }


def _head(held: Mapping[str, np.ndarray], about: Mapping[str, Any]) -> Head:
    a = {name: array.astype(np.float64) for name, array in held.items() if array.dtype == np.float32}
    return Head(
        a["middle"],
        Judge(a["rank_axes"], a["rank_means"], *about["rank"]),
        Judge(a["suit_axes"], a["suit_means"], *about["suit"]),
        a["index_axis"],
        a["index_weights"],
        a["shift"],
        a["prints"],
    )


def _packed(windows: np.ndarray) -> np.ndarray:
    """Windows (n, 64, 64, 3) as the bytes of one JPEG, one below the other."""
    tall = np.ascontiguousarray(windows.reshape(-1, WIDE, 3)[..., ::-1])
    flags = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, 0x111111]
    return np.asarray(cv2.imencode(".jpg", tall, flags)[1]).ravel()


def _unpacked(data: np.ndarray) -> np.ndarray:
    tall = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if tall is None:
        raise ValueError("its windows are no picture")
    return np.ascontiguousarray(tall[..., ::-1]).reshape(-1, WIDE, WIDE, 3)
