"""A served page with fake eyes, and commands run in this process."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn

from companion_app.commands.serve import listen
from companion_app.desk.helping import Improve
from companion_app.hints.advise import improve
from companion_app.library.store import Store
from companion_app.serving.patience import configured
from companion_app.serving.server import create_app
from companion_app.settings import Settings
from tests.companion_app.fakes import FakeEyes

START_SECONDS = 20.0


@contextmanager
def served(
    eyes: FakeEyes, think: Improve = improve, store: Store | None = None, **settings: object
) -> Iterator[httpx.Client]:
    """The real server on a free port of this machine, in a thread."""
    chosen = Settings(port=0, page_hint_seconds=0.2, **settings)  # type: ignore[arg-type]
    listener = listen(chosen.host, 0)
    server = uvicorn.Server(configured(create_app(chosen, reader=eyes, think=think, store=store)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    until = time.monotonic() + START_SECONDS
    while not server.started and time.monotonic() < until:
        time.sleep(0.02)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    headers = {"accept": "application/problem+json"}
    with httpx.Client(base_url=address, headers=headers, follow_redirects=True, timeout=60, trust_env=False) as client:
        yield client
    server.should_exit = True
    thread.join(START_SECONDS)
    listener.close()


@pytest.fixture
def serve() -> Iterator[Callable[..., httpx.Client]]:
    """A function that serves the page with the eyes given, and with what `think` finds out about hints."""
    open_servers = []

    def start(eyes: FakeEyes | None = None, think: Improve = improve, **settings: object) -> httpx.Client:
        server = served(eyes or FakeEyes(), think, **settings)
        open_servers.append(server)
        return server.__enter__()

    yield start
    for server in open_servers:
        server.__exit__(None, None, None)


@pytest.fixture
def kept_page(serve: Callable[..., httpx.Client], tmp_path: Path) -> Callable[..., httpx.Client]:
    """A function that serves the page with what its eyes see, each time anew with the games of the same folder."""
    return lambda *seen: serve(FakeEyes(*seen), store=Store(tmp_path))
