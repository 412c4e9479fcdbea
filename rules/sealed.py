"""Files of compiled code with a seal: what was damaged since it was written is never run.

numba trusts what it reads: a flipped bit in machine code is run, and may end the process. It also writes its index
before the code, so that a process killed between the two leaves an entry that names the code of other types.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba.core import caching

_LENGTH = sha256().digest_size


class DamagedError(ValueError):
    """A file that is not as it was written."""


class SealedFile(caching.IndexDataCacheFile):
    """The index and the code of one function; the last bytes of each file are the digest of the rest, and code is kept
    with the key it was made for."""

    def save(self, key: Any, data: Any) -> None:
        """Keep code; raises OSError."""
        super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        """The code of a key, None where there is none; raises DamagedError."""
        kept_key, data = super().load(key) or (key, None)
        return data if kept_key == key else None

    def _load_index(self) -> Any:
        path = Path(self._index_path)
        if path.exists():
            _check(path)
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        _check(Path(self._data_path(name)))
        return super()._load_data(name)

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        with super()._open_for_write(filepath) as file:
            written = io.BytesIO()
            yield written
            data = written.getvalue()
            file.write(data + sha256(data).digest())


def _check(path: Path) -> None:
    """Raises DamagedError, and OSError. What follows a pickle is not looked at by those that read it."""
    data = path.read_bytes()
    if sha256(data[:-_LENGTH]).digest() != data[-_LENGTH:]:
        raise DamagedError(f"{path.name} is not as it was written")
