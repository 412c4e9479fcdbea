"""Connections that nobody is held up by: how long one may take to ask, to send and to take its answer."""

import asyncio
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

ASK_SECONDS = 10.0
"""A request's head must be there by then, counted from when the server began to wait for it."""

TAKE_SECONDS = 20.0
"""An answer that waits to be taken for so long is not taken any more."""

MOST_CONNECTIONS = 200
MOST_HEAD = 32 * 1024
KEEP_ALIVE_SECONDS = 5
END_SECONDS = 1
"""How long answers under way are waited for when the server ends."""


def configured(app: ASGIApp, certificate: Path | None = None) -> Config:
    """How uvicorn serves the page: with limits, and without what the page does not use; with the file of a key and its
    certificate over https."""
    return Config(
        app,
        http=PatientProtocol,
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=END_SECONDS,
        h11_max_incomplete_event_size=MOST_HEAD,
        ssl_certfile=certificate,
    )


class PatientProtocol(H11Protocol):
    """HTTP as uvicorn speaks it; a connection that is too slow to ask or to take its answer is closed."""

    _asking: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        """Take in what came; while a request is answered nobody is waited for."""
        super().data_received(data)
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        super().connection_lost(exc)
        for timer in (self._asking, self._taking):
            if timer is not None:
                timer.cancel()

    def pause_writing(self) -> None:
        """The other side takes nothing at the moment."""
        super().pause_writing()
        self._taking = self.loop.call_later(TAKE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The other side took some."""
        super().resume_writing()
        if self._taking is not None:
            self._taking.cancel()

    @property
    def _is_waiting(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _wait_for_head(self) -> None:
        if not self._is_waiting:
            if self._asking is not None:
                self._asking.cancel()
            self._asking = None
        elif self._asking is None:
            self._asking = self.loop.call_later(ASK_SECONDS, self._give_up)

    def _give_up(self) -> None:
        self._asking = None
        if self._is_waiting and self.transport is not None:
            self.transport.close()
