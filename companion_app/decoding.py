"""Where pictures that people give are decoded: in processes of their own, shared by all that needs pixels."""

from __future__ import annotations

import atexit
from functools import cache
from typing import TYPE_CHECKING

from vision.image.decoder import Decoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WHOLE = 1 << 30  # a longest side that no picture has: none is reduced


@cache
def decoder() -> Decoder:
    """The one decoder of this process; its processes end with it."""
    made = Decoder()
    atexit.register(made.close)
    return made


def pixels(picture: bytes, enough: int = WHOLE) -> NDArray[np.uint8]:
    """The pixels (h, w, 3) uint8 RGB, upright, of a picture file; a large one reduced as far as leaves a longest side
    of ``enough``. Raises PictureError."""
    return decoder()(picture, enough).image
