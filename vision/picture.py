"""From the bytes of a picture file to upright pixels."""

from __future__ import annotations

import struct

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import PictureError

Bytes = NDArray[np.uint8]

MOST_PIXELS = 60_000_000
LEAST_SIDE = 160
_HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1", b"avif")
_FRAME_MARKERS = {0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF}


def decode(data: bytes) -> Bytes:
    """Pixels (h, w, 3) uint8 RGB, upright (EXIF orientation applied).

    Raises PictureError: empty, heic, not-a-picture, truncated, too-large, too-small. The size is read from the
    header, so a picture that is too large is refused before it takes memory.
    """
    if not data:
        raise PictureError("empty")
    if data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS:
        raise PictureError("heic")
    size = header_size(data)
    if size is not None:
        _check_size(*size)
        if not is_whole(data):
            raise PictureError("truncated")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None:
        raise PictureError("not-a-picture" if size is None else "truncated")
    _check_size(image.shape[1], image.shape[0])
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB), np.uint8)


def _check_size(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise PictureError("too-large", f"{width} × {height}")
    if min(width, height) < LEAST_SIDE:
        raise PictureError("too-small", f"{width} × {height}")


def header_size(data: bytes) -> tuple[int, int] | None:
    """(width, height) from the header of a JPEG, PNG or WebP file; None for any other."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return int(width), int(height)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp_size(data)
    if data.startswith(b"\xff\xd8"):
        return _jpeg_size(data)
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X" and len(data) >= 30:
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8 " and len(data) >= 30:
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
    return None


def _segments(data: bytes) -> list[tuple[int, int, int]]:
    """(marker, start of content, end) of the segments of a JPEG up to its picture data."""
    found, at = [], 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        found.append((marker, at + 4, at + 2 + length))
        if marker == 0xDA:
            break
        at += 2 + length
    return found


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    for marker, start, _ in _segments(data):
        if marker in _FRAME_MARKERS and start + 5 <= len(data):
            height, width = struct.unpack(">HH", data[start + 1 : start + 5])
            return int(width), int(height)
    return None


def is_whole(data: bytes) -> bool:
    """False for a JPEG or PNG whose end is missing."""
    if data.startswith(b"\x89PNG"):
        return b"IEND" in data[-64:]
    if data.startswith(b"\xff\xd8"):
        scans = [end for marker, _, end in _segments(data) if marker == 0xDA]
        # Inside picture data every FF byte is followed by 00 or a restart marker, so FF D9 is the true end.
        return bool(scans) and data.find(b"\xff\xd9", scans[0]) >= 0
    if data[:4] == b"RIFF":
        return len(data) >= int.from_bytes(data[4:8], "little") + 8 - 1
    return True
