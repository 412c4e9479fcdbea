"""The pages of par matches: begun, games entered and taken out, the table shown and saved, deleted."""

from collections.abc import AsyncIterator, Callable

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from companion_app.errors import MissingTrouble, UsageTrouble
from companion_app.languages import Language
from companion_app.library.archive import Archive, PlayedGame
from companion_app.library.matches import (
    LONGEST_NAME,
    MOST_PLAYERS,
    Match,
    Matches,
    enterable,
    par_games,
    standings,
    why_not,
)
from companion_app.library.store import Store
from companion_app.serving.pages import Pages
from companion_app.serving.security import Sent
from companion_app.serving.speaking import language_of
from companion_app.views.match_view import leading, match_csv, match_text, match_view
from companion_app.views.statistics_view import when

SEE_OTHER = 303


def match_routes(store: Store | None, pages: Pages, sent_form: Callable[[Request], AsyncIterator[Sent]]) -> APIRouter:
    """The routes; without a store there are no matches."""
    router = APIRouter()
    matches, archive = (Matches(store), Archive(store)) if store else (None, None)

    def kept() -> tuple[Matches, list[PlayedGame]]:
        if matches is None or archive is None:
            raise MissingTrouble("no-match")
        return matches, archive.games()

    @router.get("/matches")
    def listed(request: Request) -> Response:
        language = language_of(request)
        games = archive.games() if archive else []
        found = [
            (
                match,
                match.game.names[language.code],
                when(language, match.at),
                leading(language, standings(match, games)),
            )
            for match in (matches.all() if matches else [])
        ]
        choices = [(game.id, game.names[language.code]) for game in par_games()]
        limits = {"most": MOST_PLAYERS, "long": LONGEST_NAME}
        return pages.fill("matches.html", language, "/matches", matches=found, choices=choices, limits=limits)

    @router.post("/matches")
    def begin(form: Sent = Depends(sent_form)) -> Response:
        found, _ = kept()
        return shown(found.begin(form["game"], form["players"].splitlines()))

    @router.get("/matches/{match_id}")
    def match_page(match_id: str, request: Request) -> Response:
        language = language_of(request)
        found, games = kept()
        match = found.find(match_id)
        choices = enterable(match, games, found.entered())
        view = match_view(language, match, standings(match, games), choices, games)
        return pages.fill("match.html", language, f"/matches/{match.id}", **view)

    @router.get("/matches/{match_id}/match.{kind}")
    def saved(match_id: str, kind: str, request: Request) -> Response:
        language = language_of(request)
        found, games = kept()
        match = found.find(match_id)
        table = standings(match, games)
        if kind not in ("csv", "txt"):
            raise MissingTrouble("no-match")
        text = match_csv(language, table) if kind == "csv" else match_text(language, match, table)
        named = {"content-disposition": f'attachment; filename="par-match.{kind}"'}
        media = "text/csv" if kind == "csv" else "text/plain"
        return Response(text, media_type=f"{media}; charset=utf-8", headers=named)

    @router.post("/matches/{match_id}/enter")
    def enter(match_id: str, request: Request, form: Sent = Depends(sent_form)) -> Response:
        language = language_of(request)
        found, games = kept()
        match = found.find(match_id)
        game = next((game for game in games if game.id == form["game"] and game.is_newest), None)
        if game is None:
            raise MissingTrouble("no-table")
        why = why_not(match, game) or found.enter(match, number(form["player"]), number(form["number"]), game.id)
        if why:
            raise UsageTrouble("match-entry", why=reason(language, why))
        return shown(match.id)

    @router.post("/matches/{match_id}/out")
    def take_out(match_id: str, form: Sent = Depends(sent_form)) -> Response:
        found, _ = kept()
        match: Match = found.find(match_id)
        found.take_out(match, number(form["player"]), number(form["number"]))
        return shown(match.id)

    @router.post("/matches/{match_id}/delete")
    def delete(match_id: str) -> Response:
        found, _ = kept()
        found.delete(match_id)
        return RedirectResponse("/matches", SEE_OTHER)

    return router


def shown(match_id: str) -> Response:
    """Go and see the match."""
    return RedirectResponse(f"/matches/{match_id}", SEE_OTHER)


def number(text: str) -> int:
    """A small number of a form; -1 where it is none."""
    return int(text) if text.isdecimal() and len(text) < 4 else -1


def reason(language: Language, why: str) -> str:
    """Why a game cannot be entered, in words."""
    return language.say(f"error.{why}" if why == "par-deal" else f"match.why.{why}")
