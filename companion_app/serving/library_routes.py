"""The pages between games: the library of all that are kept, and the statistics of those that were played."""

from collections.abc import AsyncIterator, Callable
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from companion_app.desk.desk import Desk
from companion_app.drawing.drawing import draw_position
from companion_app.drawing.photo import small_picture
from companion_app.errors import MissingTrouble
from companion_app.library.archive import Archive, PlayedGame
from companion_app.library.statistics import statistics
from companion_app.library.store import Store
from companion_app.serving.pages import Pages
from companion_app.serving.security import Sent
from companion_app.serving.speaking import language_of
from companion_app.views.library_view import Wanted, library_view
from companion_app.views.statistics_view import figures_view, unbroken

SEE_OTHER = 303
MOST_DIGITS = 12
STAYS = {"cache-control": "private, max-age=86400"}


def library_routes(
    desk: Desk, store: Store | None, pages: Pages, sent_form: Callable[[Request], AsyncIterator[Sent]]
) -> APIRouter:
    """The routes; without a store there are no games to be listed."""
    router = APIRouter()
    archive = Archive(store) if store else None

    def kept(game_id: str, request: Request) -> PlayedGame:
        found = archive.game(game_id) if archive else None
        if found is None:
            raise MissingTrouble("no-table", language_of(request).say("error.no-table"))
        return found

    @router.get("/statistics")
    def figures(request: Request) -> Response:
        language = language_of(request)
        found = statistics(archive.games()) if archive else []
        views = [figures_view(language, each.game, each.to_json()) for each in found]
        return pages.fill("statistics.html", language, "/statistics", figures=views, unbroken=unbroken)

    @router.get("/games")
    def library(request: Request, game: str = "", show: str = "all", page: str = "1") -> Response:
        language, wanted = language_of(request), Wanted.of(game, show, page)
        view = library_view(language, archive.games() if archive else [], wanted)
        return pages.fill("library.html", language, address_of(wanted), **view)

    @router.get("/games/{game_id}/board.svg")
    def board(game_id: str, request: Request) -> Response:
        stands = kept(game_id, request).stands
        drawn = draw_position(stands.position) if stands else "<svg xmlns='http://www.w3.org/2000/svg'/>"
        return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "no-cache"})

    @router.get("/games/{game_id}/{look}/small.jpg")
    def small(game_id: str, look: str, request: Request) -> Response:
        picture = desk.picture(game_id, look_number(look))
        if picture is None:
            raise MissingTrouble("no-table", language_of(request).say("error.no-table"))
        return Response(small_picture(picture), media_type="image/jpeg", headers=STAYS)

    @router.post("/games/{game_id}/note")
    def note(game_id: str, request: Request, form: Sent = Depends(sent_form)) -> Response:
        kept(game_id, request)
        if archive:
            archive.note(game_id, form["note"])
        return RedirectResponse(f"{back_to(form)}#game-{game_id}", SEE_OTHER)

    @router.post("/games/{game_id}/delete")
    def delete(game_id: str, form: Sent = Depends(sent_form)) -> Response:
        desk.delete(game_id)
        return RedirectResponse(back_to(form), SEE_OTHER)

    return router


def look_number(text: str) -> int:
    """The number of a look in an address; 0, which none has, where it is none."""
    return int(text) if text.isdecimal() and len(text) < MOST_DIGITS else 0


def address_of(wanted: Wanted) -> str:
    """The address of a page of the library."""
    asked = {"game": wanted.game, "show": wanted.which, "page": wanted.page}
    usual = {"game": "", "show": "all", "page": 1}
    query = urlencode({name: value for name, value in asked.items() if value != usual[name]})
    return f"/games?{query}" if query else "/games"


def back_to(form: Sent) -> str:
    """The page of the library that a form was sent from."""
    return address_of(Wanted.of(form["game"], form["show"], form["page"]))
