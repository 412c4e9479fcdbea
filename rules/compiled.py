"""The one adapter to numba: functions compiled on first use, the machine code kept for the next start.

The code is kept in a folder of the user's cache (``NUMBA_CACHE_DIR`` names another one) that is named by all compiled
sources of the package, because a function holds the code of those that it calls, and numba looks only at its own file.
Where nothing can be written the functions are compiled anew in each process; what is damaged, by a flipped bit even, is
set aside and compiled anew.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
from numba.core import config, event, options
from platformdirs import user_cache_path

from rules.sealed import SealedFile

_F = TypeVar("_F", bound=Callable[..., Any])
_log = logging.getLogger(__name__)

_settings: Final[Any] = config
_events: Final[Any] = event

# The counting is done at every call for every array handed on, and took more than half of the time of a search. Not
# every numba need have the setting.
_UNCOUNTED: Final[dict[str, Any]] = {"_nrt": False} if hasattr(options.DefaultOptions, "_nrt") else {}

_DAMAGED: Final = ".damaged"

_SEALED: Final = b"sealed"
"""How files of kept code are written: those written in another way are never met."""

_MARK: Final = b"from rules.compiled import "
"""What the sources of compiled functions have in common."""


def compiled(function: _F) -> _F:
    """The function compiled, free of the interpreter lock while it runs; its integers are 64-bit and wrap round.

    What it calls, and the constants it uses, must be of a module of its own package that has compiled functions too."""
    return _compiled(function, {})


def compiled_without_arrays(function: _F) -> _F:
    """As ``compiled``, for a function that makes no array and copies none: then nobody need count who uses one."""
    return _compiled(function, _UNCOUNTED)


def _compiled(function: _F, settings: dict[str, Any]) -> _F:
    try:
        folder = _kept_in(Path(function.__code__.co_filename).parent)
    except OSError as error:
        _log.info("compiled search code cannot be kept: %s", error)
        return cast(_F, numba.njit(nogil=True, **settings)(function))
    with _cache_folder(folder):
        made = numba.njit(cache=True, nogil=True, **settings)(function)
    kept: Any = made._cache
    kept._cache_file = SealedFile(kept._cache_path, kept._impl.filename_base, kept._impl.locator.get_source_stamp())
    _forgive(kept)
    return cast(_F, made)


def _forgive(kept: Any) -> None:
    """What is kept of a compiled function is a help, never a hindrance: neither a file that cannot be read nor one that
    cannot be written keeps it from being compiled. numba lets both errors through."""
    load, save = kept.load_overload, kept.save_overload

    def load_or_compile(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception as error:
            _log.info("kept search code cannot be read and is compiled anew: %r", error)
            _set_aside(Path(kept._cache_file._index_path))
            return None

    def save_or_not(*arguments: Any) -> None:
        try:
            save(*arguments)
        except Exception as error:
            _log.info("compiled search code cannot be kept: %r", error)

    kept.load_overload, kept.save_overload = load_or_compile, save_or_not


def _set_aside(index: Path) -> None:
    """Put the list of a function's kept code out of the way: the code itself is then written over."""
    try:
        index.replace(index.with_name(index.name + _DAMAGED))
    except OSError as error:
        _log.info("damaged search code cannot be set aside: %s", error)


@contextmanager
def when_compiling(told: Callable[[], None]) -> Iterator[None]:
    """``told`` is called, in any thread, each time that a function begins to be compiled rather than loaded."""

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            told()

        def on_end(self, event: Any) -> None:
            """Nothing to do."""

    listener = Listener()
    _events.register("numba:compile", listener)
    try:
        yield
    finally:
        _events.unregister("numba:compile", listener)


def source_digest(package: Path) -> str:
    """Tells apart what the compiled sources of a folder are compiled to."""
    digest = sha256(_SEALED)
    for path in sorted(package.glob("*.py")):
        text = path.read_bytes().replace(b"\r\n", b"\n")
        if _MARK in text:
            digest.update(path.name.encode() + b"\0" + text + b"\0")
    return digest.hexdigest()[:16]


@cache
def _kept_in(package: Path) -> Path:
    """The folder for the code of a package, made; raises OSError where it cannot be written."""
    base = (
        Path(_settings.CACHE_DIR) if _settings.CACHE_DIR else user_cache_path("cardtable", appauthor=False) / "compiled"
    )
    folder = base / f"{package.name}-{source_digest(package)}"
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()
    return folder


@contextmanager
def _cache_folder(folder: Path) -> Iterator[None]:
    """Functions made meanwhile keep their code there: numba reads its setting when a function is made."""
    before = _settings.CACHE_DIR
    _settings.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        _settings.CACHE_DIR = before
