"""The rules of a game on a sheet to be printed, as a page."""

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse

from companion_app.serving.speaking import language_of
from companion_app.views.rule_sheet import sheet
from rules.catalogue import GAMES, find_game

NOT_FOUND = 404


def sheet_routes() -> APIRouter:
    """The route: a game under the rules that its address names."""
    router = APIRouter()

    @router.get("/games/{game_id}/sheet")
    def rules(game_id: str, request: Request) -> HTMLResponse:
        if game_id not in GAMES:
            raise HTTPException(NOT_FOUND)
        spoken = language_of(request)
        page = sheet(find_game(game_id, dict(request.query_params)), spoken, is_served=True)
        return HTMLResponse(page, headers={"content-language": spoken.code, "cache-control": "no-store"})

    return router
