"""Who may use the page, and how much may be sent in which time: checks in front of every route."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, aclosing
from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import FormData
from starlette.formparsers import MultiPartParser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion_app.desk.turns import MOST_PICTURES, Room
from companion_app.errors import Trouble, UnreadableTrouble, UsageTrouble
from companion_app.languages import Language
from companion_app.serving.pairing import ANY_ADDRESS, LOCAL_NAMES
from companion_app.serving.speaking import language_of

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
MOST_TEXT = 1024 * 1024
"""Bytes of a form without a picture; a form with one may be as large as the largest picture."""

PAUSE_SECONDS, FORM_SECONDS = 15.0, 120.0
"""How long nothing may come of a form, and how long it may take in all."""

MOST_DIGITS = 15
HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' blob: data:; frame-ancestors 'none'; form-action 'self'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class NotAllowed(Trouble):
    """A request from another site, or for another host."""

    http_status = 403


class TooSlow(Trouble):
    """A form that does not come."""

    http_status = 408


class HeadAsGet:
    """ASGI middleware that answers HEAD as GET, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on; of an answer to HEAD only the head comes back."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self._app({**scope, "method": "GET"}, receive, sending)


class SafeHeaders:
    """ASGI middleware that adds the headers every answer carries."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, with the headers added to the start of the answer."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        await self._app(scope, receive, sending)


def check_request(request: Request, served_host: str, language: Language) -> None:
    """Refuse a strange Host (a name made to point here) and posts that come from another site."""
    host = request.headers.get("host", "")
    if not is_our_host(_host_of(host), served_host):
        raise NotAllowed("not-allowed", language.say("error.not-allowed"))
    if request.method in SAFE_METHODS:
        return
    origin = request.headers.get("origin")
    foreign = origin is not None and _place_of(origin) != host
    if foreign or request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise NotAllowed("not-allowed", language.say("error.not-allowed"))


def _host_of(place: str) -> str:
    """The host of `host:port`, "" where it names none."""
    try:
        return urlsplit(f"//{place}").hostname or ""
    except ValueError:
        return ""


def _place_of(address: str) -> str | None:
    """`host:port` of an address, None where it is none."""
    try:
        return urlsplit(address).netloc
    except ValueError:
        return None


def is_our_host(name: str, served_host: str) -> bool:
    """Whether a host name is one the page is served at."""
    if name in LOCAL_NAMES or name == served_host:
        return True
    return served_host in ANY_ADDRESS and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class Sent:
    """A form as sent: its fields, and its picture with the name it had."""

    def __init__(self, fields: dict[str, str], picture: bytes | None, picture_name: str) -> None:
        self.fields = fields
        self.picture = picture
        self.picture_name = picture_name

    def __getitem__(self, name: str) -> str:
        return self.fields.get(name, "")


def form_reader(most_bytes: int) -> Callable[[Request], AsyncIterator[Sent]]:
    """Gives the form of a request to a route. Of forms with a picture so many are in work at a time: one that has come
    when there is no room is refused before its picture is in memory."""
    room = Room(MOST_PICTURES)

    async def sent_form(request: Request) -> AsyncIterator[Sent]:
        with ExitStack() as held:
            yield await read_form(request, most_bytes, language_of(request), lambda: held.enter_context(room.taken()))

    return sent_form


async def read_form(request: Request, most_bytes: int, language: Language, enter: Callable[[], None]) -> Sent:
    """The form of a request; never takes in more than `most_bytes`, or waits for it for ever. Calls `enter`, once, when
    more comes than a text, or a picture."""
    too_large = UnreadableTrouble("too-large", language.say("error.too-large"))
    with_picture = request.headers.get("content-type", "").lower().startswith("multipart/")
    most = most_bytes if with_picture else min(most_bytes, MOST_TEXT)
    declared = request.headers.get("content-length", "0")
    if declared.isdecimal() and (len(declared) > MOST_DIGITS or int(declared) > most):
        raise too_large
    taken, entered = 0, False
    receive = request.receive

    def come_in() -> None:
        nonlocal entered
        if not entered:
            entered = True
            enter()

    async def counting() -> Message:
        nonlocal taken
        async with asyncio.timeout(PAUSE_SECONDS):
            message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise too_large
        if taken > MOST_TEXT:
            come_in()
        return message

    try:
        async with asyncio.timeout(FORM_SECONDS):
            form = await _form(Request(request.scope, counting), with_picture)
            try:
                return await _sent(form, come_in)
            finally:
                await form.close()
    except TimeoutError as error:
        raise TooSlow("too-slow-form", language.say("error.too-slow-form")) from error
    except Trouble:
        raise
    except Exception as error:
        raise UsageTrouble("form", language.say("error.form")) from error


class _InMemory(MultiPartParser):
    """Starlette would put a picture of more than a megabyte into a file; the limit had another name in 2024."""

    spool_max_size = max_file_size = sys.maxsize


async def _form(request: Request, with_picture: bool) -> FormData:
    if with_picture:
        async with aclosing(request.stream()) as stream:
            return await _InMemory(request.headers, stream, max_files=12, max_fields=64).parse()
    return await request.form(max_fields=64)


async def _sent(form: FormData, enter: Callable[[], None]) -> Sent:
    fields: dict[str, str] = {}
    picture, name = None, ""
    for key, value in form.multi_items():
        if isinstance(value, str):
            fields[key] = value
        elif value.filename:
            enter()
            picture, name = await value.read(), value.filename
    return Sent(fields, picture, name)


def local_path(path: str) -> str:
    """A path of this server, the start page for anything else."""
    return path if path.startswith("/") and not path.startswith("//") and "\\" not in path else "/"
