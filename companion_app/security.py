"""Who may use the page, and how much may be sent: checks in front of every route."""

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import UploadFile
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion_app.errors import Trouble, UnreadableTrouble, UsageTrouble
from companion_app.languages import Language

LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
ANY_ADDRESS = frozenset({"0.0.0.0", "::"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
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
    if not is_our_host(urlsplit(f"//{host}").hostname or "", served_host):
        raise NotAllowed("not-allowed", language.say("error.not-allowed"))
    if request.method in SAFE_METHODS:
        return
    origin = request.headers.get("origin")
    foreign = origin is not None and urlsplit(origin).netloc != host
    if foreign or request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise NotAllowed("not-allowed", language.say("error.not-allowed"))


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


async def read_form(request: Request, most_bytes: int, language: Language) -> Sent:
    """The form of a request; never takes in more than `most_bytes`."""
    too_large = UnreadableTrouble("too-large", language.say("error.too-large"))
    declared = request.headers.get("content-length", "0")
    if declared.isdecimal() and int(declared) > most_bytes:
        raise too_large
    taken = 0
    receive = request.receive

    async def counting() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most_bytes:
            raise too_large
        return message

    try:
        async with Request(request.scope, counting).form(max_files=4, max_fields=64) as form:
            return await _sent(form.multi_items())
    except Trouble:
        raise
    except Exception as error:
        raise UsageTrouble("form", language.say("error.form")) from error


async def _sent(items: Iterable[tuple[str, UploadFile | str]]) -> Sent:
    fields: dict[str, str] = {}
    picture, name = None, ""
    for key, value in items:
        if isinstance(value, str):
            fields[key] = value
        elif value.filename:
            picture, name = await value.read(), value.filename
    return Sent(fields, picture, name)
