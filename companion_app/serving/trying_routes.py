"""The address of a line tried on screen: all of it stands in the address, so that nothing of it is kept."""

import time
from contextlib import suppress
from typing import Any

from fastapi import APIRouter, Request, Response

from companion_app.desk.desk import Desk
from companion_app.desk.helping import Improve
from companion_app.errors import UnreadableTrouble
from companion_app.hints.advise import refuse_impossible
from companion_app.hints.preparing import Preparation
from companion_app.languages import Language
from companion_app.library.aids import HINT, Aids
from companion_app.library.store import StoreTrouble
from companion_app.serving.pages import Pages
from companion_app.serving.routes import played
from companion_app.serving.speaking import language_of
from companion_app.tables.table import LAST_STEP, Table
from companion_app.tables.trying import MOST_MOVES, Asked
from companion_app.troubles import as_trouble
from companion_app.views.parts import HEADER, parts_shown
from companion_app.views.trying_view import Advise
from rules.errors import RulesError
from rules.hint_records import Hints
from rules.looks import Position

HINT_SECONDS = 0.3


def trying_routes(
    desk: Desk, pages: Pages, think: Improve, preparation: Preparation, aids: Aids | None = None
) -> APIRouter:
    """The route of a line; `think` finds hints for where it leads, once the search is ready. aids: where it is kept
    that a hint was shown."""
    router = APIRouter()

    @router.get("/tables/{table_id}/try")
    def trying(table_id: str, request: Request) -> Response:
        language, asks = language_of(request), request.query_params
        found = played(desk.find(table_id, language))
        asked = Asked(
            tuple(asks.getlist("m")[:MOST_MOVES]),
            tuple(asks.getlist("u")[:MOST_MOVES]),
            asks.get("do", ""),
            "back" if asks.get("back") else "again" if asks.get("again") else "",
            asks.get("card", ""),
            asks.get("to", ""),
        )
        advise = advisor(found, language, think, preparation) if asks.get("hint") else None
        if advise is not None and aids is not None:
            # Where it cannot be kept the page of the table says so: its next change is not kept either.
            with suppress(StoreTrouble):
                aids.note(found, HINT, LAST_STEP)
        shown = parts_shown(request.headers.get(HEADER, ""))
        return pages.trying(language, found, (asked, asks.get("base", ""), advise), shown)

    return router


def advisor(table: Table, language: Language, think: Improve, preparation: Preparation) -> Advise:
    """Finds a hint for a position of a line, or says why there is none: the first, or of a win, if there is time, the
    one that no line is shorter than."""

    def advise(position: Position) -> Hints[Any] | str:
        if not preparation.is_over:
            return language.say("search.preparing")
        try:
            refuse_impossible(position, table.game, language)
            answers = think(position, table.game, HINT_SECONDS, table.doubts, time.perf_counter)
            found = next(answers).hints
            while found.hints and found.hints[0].wins and not found.hints[0].shortest:
                better = next(answers, None)
                if better is None:
                    break
                found = better.hints
            return found
        except (UnreadableTrouble, RulesError, StopIteration) as trouble:
            return as_trouble(trouble, language).message

    return advise
