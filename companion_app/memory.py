"""Memory that is given back: what a picture took is free again once it is read, whichever thread read it."""

import contextlib
import ctypes


def give_back() -> None:
    """Give the system back what was freed. The C library alone keeps it, in a heap for every thread that ever read a
    picture, and a server's memory doubles within minutes. Only glibc knows this; others do as they do."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
