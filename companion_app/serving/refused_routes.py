"""The addresses of pictures that could not be read: to look at one, and to try it otherwise."""

from collections.abc import AsyncIterator, Callable

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from companion_app.desk.desk import Desk
from companion_app.desk.refused import Attempt, RefusedPictures
from companion_app.errors import MissingTrouble
from companion_app.languages import Language
from companion_app.serving.pages import Pages
from companion_app.serving.security import Sent
from companion_app.serving.speaking import language_of
from companion_app.tables.pointed_corners import Corners, corners_told
from companion_app.tables.spread_table import NO_LAYOUT, Spread
from companion_app.tables.table import Table

SEE_OTHER = 303


def refused_routes(
    desk: Desk, pages: Pages, refused: RefusedPictures, sent_form: Callable[[Request], AsyncIterator[Sent]]
) -> APIRouter:
    """All routes of pictures that were refused."""
    router = APIRouter(prefix="/refused")

    @router.get("/{refused_id}")
    def show(refused_id: str, request: Request) -> Response:
        language = language_of(request)
        return pages.refused(language, refused.find(refused_id))

    @router.get("/{refused_id}/picture.jpg")
    def picture(refused_id: str) -> Response:
        shown = refused.find(refused_id).shown
        return Response(shown, media_type="image/jpeg", headers={"cache-control": "no-store"})

    @router.post("/{refused_id}")
    def try_again(refused_id: str, request: Request, form: Sent = Depends(sent_form)) -> Response:
        language = language_of(request)
        found = refused.find(refused_id)
        corners = corners_told(form.fields) if form["layout"] else None
        attempt = found.attempt if corners else Attempt(found.attempt.picture, found.attempt.name, form["game"])
        with refused.keeping(attempt, language, refused_id):
            table = opened(desk, attempt, language, corners)
        refused.drop(refused_id)
        return RedirectResponse(f"/tables/{table.id}", SEE_OTHER)

    return router


def opened(desk: Desk, attempt: Attempt, language: Language, corners: Corners | None = None) -> Table | Spread:
    """The table that a picture opens, or to which it is the next picture. Raises what is wrong with the picture."""
    picture, name = attempt.picture, attempt.name
    if attempt.table:
        table = desk.find(attempt.table, language)
        if isinstance(table, Spread):
            raise MissingTrouble("no-table")
        return desk.next_picture(table, picture, name, language, corners)
    if attempt.game == NO_LAYOUT and corners is None:
        return desk.open_spread(picture, name, language)
    return desk.open_picture(picture, name, attempt.game, language, attempt.stage, attempt.way, corners)
