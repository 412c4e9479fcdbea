"""From the bytes of a picture file to upright pixels."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import PictureError

Bytes = NDArray[np.uint8]

MOST_PIXELS = 60_000_000
LEAST_SIDE = 160
_HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1", b"avif")
_FRAME_MARKERS = {0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF}

# Longest side at which blur is judged; the share of the whole range of tones that the steepest slopes climb in a pixel
# there (a sharp edge 0.25, one blurred over seven pixels 0.05); ranges below this many tones are an empty table's.
_JUDGED, _STEEP, _TONES = 700, 0.08, 60


def decode(data: bytes) -> Bytes:
    """Pixels (h, w, 3) uint8 RGB, upright (EXIF orientation applied).

    Raises PictureError: empty, heic, not-a-picture, truncated, too-large, too-small. The size is read from the
    header, so a picture that is too large is refused before it takes memory.
    """
    _check(data)
    return _decoded(data, 1)


@dataclass(frozen=True, slots=True)
class Reduced:
    """A picture decoded at a part of its size: (h, w, 3) uint8 RGB, upright, of which one pixel covers `covers` ×
    `covers` of the picture's own; and the picture's own upright size.
    """

    image: Bytes
    covers: int
    width: int
    height: int


def decode_reduced(data: bytes, enough: int) -> Reduced:
    """The picture at a half or a quarter of its size where that leaves a longest side of `enough` pixels, else whole.

    Only a JPEG is reduced: it takes less time and memory to decode then, any other picture does not. Raises
    PictureError as ``decode`` does.
    """
    size = _check(data)
    covers = 1
    if size is not None and data.startswith(b"\xff\xd8"):
        covers = next((n for n in (4, 2) if max(size) >= n * enough), 1)
    image = _decoded(data, covers)
    height, width = image.shape[:2]
    if size is None or covers == 1:
        return Reduced(image, 1, width, height)
    # A part of a pixel at the edge counts as one; a picture stored on its side is turned upright by now.
    upright = (width, height) == (-(-size[0] // covers), -(-size[1] // covers))
    return Reduced(image, covers, *(size if upright else size[::-1]))


# OpenCV has no names for these in RGB: the bits of the reduced grey ones and of RGB.
_RGB = {
    1: cv2.IMREAD_COLOR_RGB,
    2: cv2.IMREAD_REDUCED_GRAYSCALE_2 | cv2.IMREAD_COLOR_RGB,
    4: cv2.IMREAD_REDUCED_GRAYSCALE_4 | cv2.IMREAD_COLOR_RGB,
}


def _check(data: bytes) -> tuple[int, int] | None:
    """The size that the header tells, if it does; raises PictureError for what need not be decoded to be refused."""
    if not data:
        raise PictureError("empty")
    if data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS:
        raise PictureError("heic")
    size = header_size(data)
    if size is not None:
        _check_size(*size)
        if not is_whole(data):
            raise PictureError("truncated")
    return size


def _decoded(data: bytes, covers: int) -> Bytes:
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), _RGB[covers])
    except cv2.error:
        image = None
    if image is None:
        raise PictureError("not-a-picture" if header_size(data) is None else "truncated")
    _check_size(image.shape[1], image.shape[0])
    return np.asarray(image, np.uint8)


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


def is_blurred(image: Bytes) -> bool:
    """True for a picture (h, w, 3) uint8 RGB that has light and dark in it, but no edge that is nearly sharp."""
    shrink = min(1.0, _JUDGED / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    # A little blur keeps the camera's noise from counting as edges.
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.float32), (0, 0), 1.0)
    low, high = np.percentile(grey, (0.5, 99.5))
    slope = np.hypot(*(cv2.Sobel(grey, cv2.CV_32F, x, 1 - x, scale=1 / 8) for x in (0, 1)))
    return bool(high - low > _TONES and np.percentile(slope, 99.5) < _STEEP * (high - low))
