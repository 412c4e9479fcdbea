"""Errors of vision: one class, told apart by ``code``.

PictureError
    empty, not-a-picture, truncated, heic, avif, other-format, moving, too-large, too-small, damaged, too-slow
                                                                  the bytes are no picture we can use
    no-cards, no-layout, two-layouts, too-blurred, outside        a picture, but not of what was asked for
"""

from __future__ import annotations

from vision.reading import Advice

MESSAGES = {
    "empty": "The file is empty. Choose the picture again.",
    "not-a-picture": "This file is no picture that can be read. Use a JPEG, PNG or WebP picture.",
    "truncated": "The picture is cut off in the middle. Copy or send it again.",
    "heic": (
        "This is an HEIC picture, which cannot be read here. Save it as JPEG (on an iPhone: Settings, Camera,"
        " Formats, Most Compatible)."
    ),
    "avif": "This is an AVIF picture, which cannot be read here. Save it as JPEG.",
    "other-format": "This is a {detail} file, which cannot be read here. Save the picture as JPEG, PNG or WebP.",
    "moving": "This {detail} file holds moving pictures. Save one of them as JPEG, PNG or WebP.",
    "damaged": "The picture was damaged on its way, so that parts of it would be guessed. Copy or send it again.",
    "too-slow": "Decoding the picture takes too long. Save it as an ordinary JPEG.",
    "too-large": "The picture is too large ({detail}). Save it with at most 60 megapixels; 12 are plenty.",
    "too-small": (
        "The picture is too small ({detail}). It should be at least 160 pixels high and wide; 1280 by 960 or "
        "more reads well."
    ),
    "no-cards": (
        "No cards are seen in this picture. Photograph the table from above, with the cards filling most of "
        "the picture, in good light."
    ),
    "no-layout": (
        "Cards are seen, but not laid as was asked. Take the whole layout into the picture, or read it as a spread "
        "without a layout."
    ),
    "two-layouts": "Two layouts lie side by side. Photograph each of them by itself.",
    "too-blurred": (
        "The picture is too blurred to read the cards. Hold the camera still, tap to focus, and give more light."
    ),
    "outside": (
        "Part of the layout lies outside the picture. Move the camera up or back until the whole layout is inside."
    ),
}


class PictureError(Exception):
    """A picture that cannot be used; ``code`` says why, the message also what to do, with a ``detail`` in it (a size,
    the name of a format). ``advice``: what of it would help, the most helpful first, as far as that could be seen."""

    def __init__(self, code: str, detail: str = "", advice: tuple[Advice, ...] = ()) -> None:
        super().__init__(MESSAGES[code].format(detail=detail))
        self.code = code
        self.detail = detail
        self.advice = advice
        self.message = str(self)

    def __reduce__(self) -> tuple[type[PictureError], tuple[str, str, tuple[Advice, ...]]]:
        """It is made anew of its code, not of its message, where it goes from one process to another."""
        return type(self), (self.code, self.detail, self.advice)
