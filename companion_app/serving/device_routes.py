"""The page of the devices that are let in: the code to scan, who was let in, and the end of it with one tap."""

from collections.abc import AsyncIterator, Callable

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent

from companion_app.errors import UsageTrouble
from companion_app.serving.events import told
from companion_app.serving.pages import Pages
from companion_app.serving.pairing import COOKIE, HERE, Pairing, name_of
from companion_app.serving.security import NotAllowed, Sent, local_path
from companion_app.serving.speaking import language_of
from companion_app.views.parts import HEADER, parts_shown

SEE_OTHER = 303


def device_routes(pairing: Pairing, pages: Pages, sent_form: Callable[[Request], AsyncIterator[Sent]]) -> APIRouter:
    """The routes: only this computer shows the code."""
    router = APIRouter()

    @router.get("/devices")
    def devices(request: Request, of: str = "/") -> Response:
        here = client_of(request) in HERE
        shown = parts_shown(request.headers.get(HEADER, ""))
        invitation = pairing.invitation(local_path(of)) if here and pairing.address else ""
        return pages.devices(language_of(request), invitation, pairing.devices(), shown)

    @router.get("/devices/events", response_class=EventSourceResponse)
    async def events(request: Request) -> AsyncIterator[ServerSentEvent]:
        async for event in told(lambda: (pairing.sight,), admitted(pairing, request)):
            yield event

    @router.post("/devices/end")
    def end(form: Sent = Depends(sent_form)) -> Response:
        if not form["number"].isdecimal():
            raise UsageTrouble("form", "")
        pairing.end(int(form["number"]))
        return RedirectResponse("/devices", SEE_OTHER)

    @router.post("/pair")
    def pair(request: Request, form: Sent = Depends(sent_form)) -> Response:
        name = name_of(request.headers.get("user-agent", ""))
        secret = pairing.let_in(form["token"], name, client_of(request))
        if secret is None:
            raise NotAllowed("not-paired", language_of(request).say("error.not-paired"))
        answer = JSONResponse({"paired": name})
        answer.set_cookie(COOKIE, secret, httponly=True, samesite="strict", secure=request.url.scheme == "https")
        return answer

    return router


def client_of(request: Request) -> str:
    """The address a request comes from."""
    return request.client.host if request.client else ""


def admitted(pairing: Pairing, request: Request) -> Callable[[], bool]:
    """Tells whether whoever sent a request may use the page, at the time it is asked: a device may be ended while what
    it asked for is still being told."""
    client, secret, path = client_of(request), request.cookies.get(COOKIE, ""), request.url.path
    return lambda: pairing.admits(client, secret, path)
