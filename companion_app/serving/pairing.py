"""Other devices that may use the page: each is let in once, by a token that only this computer shows."""

import hmac
import secrets
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

COOKIE = "cardtable-device"
TOKEN_SECONDS = 600.0
"""How long a token may be used, once."""
MOST_DEVICES = 12
MOST_NAME = 60
KINDS = ("iPhone", "iPad", "Android", "Windows", "Mac", "Linux")
"""What browsers name themselves by; those that name several name the first of these."""
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
ANY_ADDRESS = frozenset({"0.0.0.0", "::"})
HERE = frozenset({"127.0.0.1", "::1", "::ffff:127.0.0.1"})
"""Where requests of this computer come from."""
OPEN_TO_ALL = frozenset({"/pair", "/static/pair.js", "/static/page.css", "/static/icon.svg"})
"""What a device that is not let in needs to be let in."""
ELSEWHERE = ("198.51.100.1", 9)
"""An address and port outside every home network: which way leads there tells our own address; nothing is sent."""


@dataclass(frozen=True, slots=True)
class Device:
    """A device that was let in: its number, what its browser calls itself, its address, and since when."""

    number: int
    name: str
    address: str
    since: datetime


class Pairing:
    """Who may use the page besides this computer. Safe to use from several threads."""

    def __init__(self, address: str = "", clock: Callable[[], float] = time.monotonic) -> None:
        """address: where other devices find the page, as `http://192.168.1.7:8000`; empty where none can."""
        self.address = address
        self.sight: object = object()
        """Another one after each change."""
        self._clock, self._lock = clock, threading.Lock()
        self._devices: dict[str, Device] = {}
        self._met = 0
        self._token, self._made = "", 0.0

    def invitation(self, path: str = "/") -> str:
        """The address that lets one device in, once and for ten minutes, and leads it to a page. The token stands in
        the fragment, which browsers send to nobody."""
        with self._lock:
            if not self._token or self._clock() - self._made > TOKEN_SECONDS:
                self._token, self._made = secrets.token_urlsafe(16), self._clock()
            return f"{self.address}{path}#pair={self._token}"

    def let_in(self, token: str, name: str, address: str) -> str | None:
        """The secret of a device that shows the token; None where that is not the one, or too old."""
        with self._lock:
            fresh = bool(self._token) and self._clock() - self._made <= TOKEN_SECONDS
            if not fresh or not hmac.compare_digest(token.encode("utf-8", "replace"), self._token.encode()):
                return None
            self._token, self._met, self.sight = "", self._met + 1, object()
            secret = secrets.token_urlsafe(24)
            self._devices[secret] = Device(self._met, name[:MOST_NAME], address, datetime.now().astimezone())
            while len(self._devices) > MOST_DEVICES:
                del self._devices[next(iter(self._devices))]
            return secret

    def admits(self, client: str, secret: str, path: str) -> bool:
        """Whether a request may go on: from this computer, from a device that was let in, or for what lets it in."""
        return client in HERE or path in OPEN_TO_ALL or self._knows(secret)

    def _knows(self, secret: str) -> bool:
        with self._lock:
            return secret in self._devices

    def devices(self) -> list[Device]:
        """The devices let in, the first one first."""
        with self._lock:
            return list(self._devices.values())

    def end(self, number: int) -> None:
        """Let a device in no more."""
        with self._lock:
            self._devices = {secret: each for secret, each in self._devices.items() if each.number != number}
            self.sight = object()


def lan_address() -> str | None:
    """The address of this computer in its network, None where it is in none. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return None
        return str(probe.getsockname()[0])


def name_of(agent: str) -> str:
    """What a device is called, by how its browser names itself."""
    return next((name for name in KINDS if name in agent), agent[:MOST_NAME] or "?")
