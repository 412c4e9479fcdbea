"""Fonts for drawn indices: which files serve, and the masks of their glyphs.

A fifth of the font families (chosen by a hash of the family's name, so the split never moves) is kept for validation.
Families fetched by `models.training.web_fonts` train beside those of Debian, four in five of them too; validation draws
with those of Debian alone, so that its pictures stay the same.
"""

from __future__ import annotations

import functools
import os
import pathlib
import subprocess
import zlib

import numpy as np

WEB = pathlib.Path(os.environ.get("CARDTABLE_FONTS", "models/training/made/fonts"))

LETTERS = "0123456789AJQKBDVRTNnKДВТ"
NEEDED = set("0123456789AJQKBDVR")
SUIT_GLYPHS = {"S": "\u2660", "H": "\u2665", "D": "\u2666", "C": "\u2663"}
# Fonts that draw icons, barcodes, bitmaps, keys, small letters for capitals or connected handwriting: no index was ever
# printed in them.
UNFIT = (
    "icon",
    "awesome",
    "emoji",
    "symbol",
    "math",
    "dingbat",
    "music",
    "unifont",
    "dotum",
    "lobster",
    "dustismo sans outline",
    "isabella",
    "opensymbol",
    "d050000l",
    "standard symbols",
    "z003",
    "keyboard",
    "unifur",
    "-title",
    "wargames",
)

# These have the spade where the club belongs, and the club where the spade does.
SWAPPED = ("FreeSerifBold.ttf", "FreeSerifBoldItalic.ttf")


def is_held_out(name: str) -> bool:
    """True for the fifth of font families kept out of training."""
    return zlib.crc32(name.encode()) % 5 == 0


@functools.lru_cache(maxsize=1)
def families() -> dict[str, list[str]]:
    """Font files by family that hold every index character, from fontconfig."""
    out = subprocess.run(
        ["fc-list", ":charset=30 31 32 33 34 35 36 37 38 39 41 4a 51 4b 42 44 56 52", "family", "file"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found: dict[str, list[str]] = {}
    for line in sorted(out.splitlines()):
        path, _, family = line.partition(":")
        family = family.strip().split(",")[0]
        if not path.endswith((".ttf", ".otf")) or any(word in family.lower() for word in UNFIT):
            continue
        if "Noto" in family and family != "Noto Sans" and family != "Noto Serif":
            continue
        found.setdefault(family, []).append(path)
    return found


@functools.lru_cache(maxsize=1)
def web_families() -> dict[str, list[str]]:
    """Font files by family that were fetched, FAMILY-NAME-latin-WEIGHT-normal.woff2; none where none were."""
    found: dict[str, list[str]] = {}
    for path in sorted(WEB.glob("*.woff2")):
        found.setdefault(path.name.split("-latin-")[0].replace("-", " ").title(), []).append(str(path))
    return found


def chosen(validation: bool) -> list[list[str]]:
    """The families (lists of files) of one side of the split."""
    every = families() if validation else web_families() | families()
    return [files for family, files in sorted(every.items()) if is_held_out(family) == validation]


@functools.lru_cache(maxsize=1)
def suit_fonts() -> list[str]:
    """Font files that hold the four suit signs."""
    out = subprocess.run(
        ["fc-list", ":charset=2660 2663 2665 2666", "file"], capture_output=True, text=True, check=True
    ).stdout
    return sorted(
        {
            line.split(":")[0]
            for line in out.splitlines()
            if line.split(":")[0].endswith((".ttf", ".otf"))
            and "Emoji" not in line
            and not any(n in line for n in SWAPPED)
        }
    )


@functools.lru_cache(maxsize=4096)
def glyph(path: str, text: str, size: int = 160) -> np.ndarray:
    """Mask (h, w) uint8 of a text, cropped to its ink; (0, 0) where the font draws nothing."""
    # Decks drawn by pen need no font, and must be drawn where Pillow is not installed.
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.truetype(path, size)
    left, top, right, bottom = font.getbbox(text)
    if right - left < 2 or bottom - top < 2:
        return np.zeros((0, 0), np.uint8)
    image = Image.new("L", (int(right - left) + 4, int(bottom - top) + 4))
    ImageDraw.Draw(image).text((2 - left, 2 - top), text, font=font, fill=255)
    mask = np.asarray(image)
    rows, columns = np.where(mask.max(1) > 60)[0], np.where(mask.max(0) > 60)[0]
    if len(rows) == 0 or len(columns) == 0:
        return np.zeros((0, 0), np.uint8)
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


@functools.lru_cache(maxsize=2048)
def has_cyrillic(path: str) -> bool:
    """True if the font draws the letters of Russian indices (its box for a missing letter looks like none of them)."""
    missing = glyph(path, "\u0378")
    return not any(
        g.size == 0 or (g.shape == missing.shape and bool((g == missing).all()))
        for g in (glyph(path, c) for c in "ВДК")
    )
