"""Memory that is given back: what a picture took is free again once it is read, whichever thread read it.

The C library alone keeps what was freed, in a heap for every thread that ever read a picture: a server's memory doubles
within minutes. Only glibc knows these calls; others do as they do.
"""

import contextlib
import ctypes

ARENA_MAX = -8  # its name for mallopt, in malloc.h
HEAPS = 2


def share_heaps() -> None:
    """From now on the threads of this process share a few heaps."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).mallopt(ARENA_MAX, HEAPS)


def give_back() -> None:
    """Give the system back what was freed."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
