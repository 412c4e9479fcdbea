"""Builds the real parts; the commands are the only ones to ask for them."""

from functools import cache

from companion_app.compose import Eyes


@cache
def eyes() -> Eyes:
    """The reader of pictures, loaded and warm; once per process."""
    from vision.reader import Reader

    return Reader.load()
