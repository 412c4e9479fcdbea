"""The addresses of problem reports: of a table, and of a picture that could not be read."""

from fastapi import APIRouter, Request, Response

from companion_app.desk.desk import Desk
from companion_app.desk.refused import RefusedPictures
from companion_app.serving.reporting import report_of_refused, report_of_table
from companion_app.serving.routes import played
from companion_app.serving.speaking import language_of

NAMED = {"content-disposition": 'attachment; filename="cardtable-report.zip"', "cache-control": "no-store"}


def report_routes(desk: Desk, refused: RefusedPictures) -> APIRouter:
    """The routes of both."""
    router = APIRouter()

    @router.get("/tables/{table_id}/report.zip")
    def of_table(table_id: str, request: Request) -> Response:
        language = language_of(request)
        found = played(desk.find(table_id, language))
        content = report_of_table(found, language, lambda look: desk.picture(table_id, look))
        return Response(content, media_type="application/zip", headers=NAMED)

    @router.get("/refused/{refused_id}/report.zip")
    def of_refused(refused_id: str) -> Response:
        content = report_of_refused(refused.find(refused_id))
        return Response(content, media_type="application/zip", headers=NAMED)

    return router
