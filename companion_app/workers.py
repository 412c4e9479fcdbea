"""Who does many jobs at once: the cores of this computer, or the workers of a Dask cluster by the same calls."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from companion_app.errors import UsageTrouble

CONNECT_SECONDS = 10
EVERY_CORE = -1


@contextmanager
def workers(scheduler: str | None, most: int = EVERY_CORE) -> Iterator[Any]:
    """Every core, or ``most`` of them, or the workers of the cluster at an address; raises UsageTrouble where that
    cannot be had."""
    from joblib import parallel_config

    if scheduler is None:
        with parallel_config(backend="loky", n_jobs=most):
            yield
        return
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageTrouble("cluster", why="pip install 'cardtable[cluster]'") from error
    try:
        client = Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=True)
    except (OSError, ValueError) as error:
        raise UsageTrouble("cluster", why=f"{scheduler}: {error}") from error
    with client, parallel_config(backend="dask", n_jobs=EVERY_CORE):
        yield
