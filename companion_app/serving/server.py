"""The page's server: `create_app` builds it from its parts; nothing happens at import."""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.base import RequestResponseEndpoint
from starlette.middleware.gzip import GZipMiddleware

from companion_app.decks.deck_eyes import DeckEyes
from companion_app.desk.desk import Desk
from companion_app.desk.helping import Improve
from companion_app.desk.refused import RefusedPictures, RefusedTrouble, address_of
from companion_app.errors import BusyTrouble, http_status
from companion_app.hints.advise import improve
from companion_app.hints.preparing import Preparation
from companion_app.hints.reviewing import Reviewer
from companion_app.languages import Language
from companion_app.library.aids import Aids
from companion_app.library.store import Store
from companion_app.serving.deck_routes import deck_routes
from companion_app.serving.device_routes import admitted, device_routes
from companion_app.serving.library_routes import library_routes
from companion_app.serving.match_routes import match_routes
from companion_app.serving.pages import Pages
from companion_app.serving.pairing import Pairing
from companion_app.serving.refused_routes import refused_routes
from companion_app.serving.replay_routes import replay_routes
from companion_app.serving.report_routes import report_routes
from companion_app.serving.routes import routes
from companion_app.serving.security import HeadAsGet, NotAllowed, SafeHeaders, check_request, form_reader
from companion_app.serving.sheet_routes import sheet_routes
from companion_app.serving.speaking import language_of
from companion_app.serving.trying_routes import trying_routes
from companion_app.settings import Settings
from companion_app.tables.compose import Eyes
from companion_app.troubles import as_trouble

NOT_FOUND = 404
RETRY_SECONDS = "1"
SMALL_ANSWER = 1000
"""Bytes that are sent as they are."""
WEB = Path(str(files("companion_app") / "web"))


def create_app(
    settings: Settings,
    *,
    reader: Eyes,
    preparation: Preparation | None = None,
    think: Improve = improve,
    store: Store | None = None,
    watching: Callable[[Desk], None] | None = None,
    pairing: Pairing | None = None,
) -> FastAPI:
    """The application: one desk of tables, read by `reader`; hints wait for the `preparation` of the search, then
    `think` finds better and better ones; games are kept in the `store`, where there is one. `watching` is begun
    with the desk, for a camera of the server's own. `pairing` lets other devices in."""
    pairing = pairing or Pairing()
    preparation = preparation or Preparation()
    app = FastAPI(title="cardtable", docs_url=None, redoc_url=None, openapi_url=None)
    decks = reader if isinstance(reader, DeckEyes) else None
    sent_form = form_reader(settings.max_bytes)
    has = {"has_decks": decks is not None, "has_guests": bool(pairing.address), "keeps": store is not None}
    pages = Pages(WEB / "templates", preparation, **has)
    if decks is not None:
        app.include_router(deck_routes(decks, pages, sent_form))
    desk = Desk(reader, settings, preparation, think, store)
    if watching is not None:
        watching(desk)
    app.include_router(device_routes(pairing, pages, sent_form))
    app.include_router(trying_routes(desk, pages, think, preparation, Aids(store) if store else None))
    refused = RefusedPictures()
    app.include_router(refused_routes(desk, pages, refused, sent_form))
    app.include_router(report_routes(desk, refused))
    app.include_router(sheet_routes())
    app.include_router(library_routes(desk, store, pages, sent_form))
    app.include_router(match_routes(store, pages, sent_form))
    app.include_router(replay_routes(desk, store, Reviewer(desk.rest), pages, sent_form))
    app.include_router(routes(desk, pages, refused, sent_form, pairing=pairing))
    app.mount("/static", StaticFiles(directory=WEB / "static"), name="static")
    app.add_middleware(SafeHeaders)
    app.add_middleware(GZipMiddleware, minimum_size=SMALL_ANSWER, compresslevel=6)

    @app.middleware("http")
    async def answer(request: Request, call_next: RequestResponseEndpoint) -> Response:
        try:
            check_request(request, settings.served_host, language_of(request))
            if not admitted(pairing, request)():
                return await run_in_threadpool(not_let_in, request, pages)
            if "\0" in request.scope["path"]:
                raise HTTPException(NOT_FOUND)  # no file has such a name, and asking for it is an error
            return await call_next(request)
        except Exception as error:
            return await run_in_threadpool(problem, request, pages, error)

    app.add_middleware(HeadAsGet)

    @app.exception_handler(HTTPException)
    async def refuse(request: Request, error: HTTPException) -> Response:
        return problem(request, pages, error)

    return app


def not_let_in(request: Request, pages: Pages) -> Response:
    """What a device gets that was not let in: a page that tells how, or a problem."""
    language = language_of(request)
    if "text/html" in request.headers.get("accept", ""):
        return pages.pair(language)
    return problem(request, pages, NotAllowed("not-paired", language.say("error.not-paired")))


def problem(request: Request, pages: Pages, error: Exception) -> Response:
    """Any error as problem+json, or as a page where a browser asked for one. The server goes on."""
    language = language_of(request)
    status, code, message = describe(error, language)
    headers = {"retry-after": RETRY_SECONDS} if status == BusyTrouble.http_status else {}
    refused = error.refused if isinstance(error, RefusedTrouble) else None
    if "text/html" in request.headers.get("accept", ""):
        page = pages.refused(language, refused, status) if refused else pages.trouble(language, status, message)
        page.headers.update(headers)
        return page
    content = {"type": "about:blank", "title": code, "status": status, "detail": message, "code": code}
    if refused:
        content["instance"] = address_of(refused)
    return JSONResponse(content, status, headers, media_type="application/problem+json")


def describe(error: Exception, language: Language) -> tuple[int, str, str]:
    """Status, code and message of an error."""
    if isinstance(error, HTTPException):
        return error.status_code, "http", language.say("error.http")
    trouble = as_trouble(error, language)
    # What was sent may hold halves of characters, which no answer can carry.
    message = trouble.message.encode("utf-8", "replace").decode("utf-8")
    return (500 if trouble.code == "internal" else http_status(trouble)), trouble.code, message
