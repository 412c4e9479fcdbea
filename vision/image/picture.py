"""From the bytes of a picture file to upright pixels."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import PictureError
from vision.image.headers import Header, read_header

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Blur:
    """When a picture is blurred all over. Set by judgement."""

    side: int = 700  # the longest side at which it is judged
    tones: float = 60  # smaller ranges of tones are an empty table's,
    share: float = 0.5  # so many per cent being darker, and as many lighter
    steep: float = 0.08  # share of that range that the steepest slopes climb in a pixel: a sharp edge 0.25, one blurred
    # over seven pixels 0.05


BLUR = Blur()


def decode(data: bytes) -> Bytes:
    """Pixels (h, w, 3) uint8 RGB, upright (EXIF orientation applied).

    Raises PictureError as ``headers.read_header`` does: the size is read from the header, so a picture that is too
    large is refused before it takes memory.
    """
    return _decoded(data, read_header(data), 1)


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

    A JPEG takes less time and memory to decode then; any other picture is reduced once it is decoded. Raises
    PictureError as ``decode`` does.
    """
    header = read_header(data)
    longest = max(header.width, header.height)
    covers = next((n for n in (4, 2) if longest >= n * enough), 1)
    image = _decoded(data, header, covers if header.format == "jpeg" else 1)
    if covers > 1 and header.format != "jpeg":
        small = -(-image.shape[1] // covers), -(-image.shape[0] // covers)
        image = np.asarray(cv2.resize(image, small, interpolation=cv2.INTER_AREA), np.uint8)
    height, width = image.shape[:2]
    if covers == 1:
        return Reduced(image, 1, width, height)
    # A part of a pixel at the edge counts as one; a picture stored on its side is turned upright by now.
    size = (header.width, header.height)
    upright = (width, height) == (-(-size[0] // covers), -(-size[1] // covers))
    return Reduced(image, covers, *(size if upright else size[::-1]))


# OpenCV has no names for these in RGB: the bits of the reduced grey ones and of RGB.
_RGB = {
    1: cv2.IMREAD_COLOR_RGB,
    2: cv2.IMREAD_REDUCED_GRAYSCALE_2 | cv2.IMREAD_COLOR_RGB,
    4: cv2.IMREAD_REDUCED_GRAYSCALE_4 | cv2.IMREAD_COLOR_RGB,
}


_NO_MEMORY = -4  # OpenCV's StsNoMem


def _decoded(data: bytes, header: Header, covers: int) -> Bytes:
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), _RGB[covers])
    except cv2.error as error:
        if error.code == _NO_MEMORY:
            raise MemoryError from None
        image = None
    if image is None:
        raise PictureError("truncated")
    stored = {-(-header.width // covers), -(-header.height // covers)}
    if set(image.shape[:2]) != stored:
        raise PictureError("not-a-picture")
    return np.asarray(image, np.uint8)


def is_blurred(image: Bytes) -> bool:
    """True for a picture (h, w, 3) uint8 RGB that has light and dark in it, but no edge that is nearly sharp."""
    shrink = min(1.0, BLUR.side / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    # A little blur keeps the camera's noise from counting as edges.
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.float32), (0, 0), 1.0)
    low, high = np.percentile(grey, (BLUR.share, 100 - BLUR.share))
    slope = np.hypot(*(cv2.Sobel(grey, cv2.CV_32F, x, 1 - x, scale=1 / 8) for x in (0, 1)))
    return bool(high - low > BLUR.tones and np.percentile(slope, 100 - BLUR.share) < BLUR.steep * (high - low))
