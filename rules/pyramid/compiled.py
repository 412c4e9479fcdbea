"""The one adapter to numba: functions compiled on first use, the machine code kept for the next start.

Where neither the package's folder nor the user's cache folder can be written (``NUMBA_CACHE_DIR`` names another one),
the functions are compiled anew in each process.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

_F = TypeVar("_F", bound=Callable[..., Any])
_log = logging.getLogger(__name__)


def compiled(function: _F) -> _F:
    """The function compiled, free of the interpreter lock while it runs; its integers are 64-bit and wrap round."""
    try:
        return cast(_F, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError as error:
        if "locator" not in str(error):
            raise
        _log.info("compiled search code cannot be kept: %s", error)
        return cast(_F, numba.njit(nogil=True)(function))
