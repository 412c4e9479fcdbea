"""The replay of a game: its frames by plain links, the pictures of its looks, and the review of it."""

from collections.abc import AsyncIterator, Callable
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from companion_app.desk.desk import Desk
from companion_app.desk.looking_back import LookingBack
from companion_app.errors import MissingTrouble, UsageTrouble
from companion_app.hints.reviewing import Reviewer
from companion_app.languages import Language
from companion_app.languages.phrases import move_phrase
from companion_app.library.archive import Archive
from companion_app.library.frames import frames_of, settlements
from companion_app.library.store import Store
from companion_app.serving.library_routes import look_number
from companion_app.serving.pages import Pages
from companion_app.serving.security import Sent
from companion_app.serving.speaking import language_of
from companion_app.tables.following import record_of
from companion_app.tables.table import Table
from companion_app.views.library_view import help_phrase
from companion_app.views.parts import HEADER, parts_shown
from companion_app.views.replay_view import Back, frame_view, hindsight, review_lines
from rules.errors import RulesError
from rules.record import Replayed, read_record

SEE_OTHER = 303


def replay_routes(
    desk: Desk,
    store: Store | None,
    reviewer: Reviewer,
    pages: Pages,
    sent_form: Callable[[Request], AsyncIterator[Sent]],
) -> APIRouter:
    """The routes; a game that is not kept can be looked back on as long as its table is at hand."""
    router = APIRouter()
    archive, games = Archive(store) if store else None, LookingBack(desk, store)

    @router.get("/tables/{table_id}/replay")
    def replay(table_id: str, request: Request, step: str = "1") -> Response:
        language = language_of(request)
        table = games.table(table_id, language)
        frames = frames_of(table)
        number = min(max(int(step) if step.isdecimal() and len(step) < 6 else 1, 1), len(frames))
        settled = settlements(table, archive.trail(table_id)) if archive else []
        kept = archive.game(table_id) if archive else None
        view = frame_view(language, frames, number, settled, archive.helped(table_id) if archive else {})
        text, record = record_text_of(table)
        back = Back(reviewer.found(text), reviewer.is_under_way(text), record is not None, round(reviewer.seconds))
        return pages.fill(
            "replay.html",
            language,
            f"/tables/{table_id}/replay?step={number}",
            shown=parts_shown(request.headers.get(HEADER, "")),
            table=table,
            title=table.game.names[language.code],
            helped=help_phrase(language, kept) if kept else "",
            back=back,
            hindsight=hindsight(language, back.review, frames[number - 1]),
            **reviewed(language, back, record),
            **view,
        )

    @router.get("/tables/{table_id}/looks/{look}.jpg")
    def picture(table_id: str, look: str, request: Request) -> Response:
        language = language_of(request)
        content = games.picture(table_id, look_number(look), language)
        if content is None:
            raise MissingTrouble("no-table", language.say("error.no-table"))
        return Response(content, media_type="image/jpeg", headers={"cache-control": "private, max-age=86400"})

    @router.post("/tables/{table_id}/review")
    def review(table_id: str, request: Request, form: Sent = Depends(sent_form)) -> Response:
        language = language_of(request)
        text, record = record_text_of(games.table(table_id, language))
        if record is None:
            raise UsageTrouble("no-record", language.say("replay.no-record"))
        reviewer.begin(text, record.record)
        step = form["step"] if form["step"].isdecimal() else "1"
        return RedirectResponse(f"/tables/{table_id}/replay?step={step}", SEE_OTHER)

    return router


def record_text_of(table: Table) -> tuple[str, Replayed | None]:
    """The record of a game, as text and as it can be played; None where it cannot."""
    text = record_of(table.game_so_far())
    try:
        found = read_record(text)
    except RulesError:
        return text, None
    return text, None if found.stopped else found


def reviewed(language: Language, back: Back, record: Replayed | None) -> dict[str, Any]:
    """What the review says of the whole game, and the line it found."""
    if back.review is None or record is None:
        return {"said": [], "line": []}
    moves = [move.to_json() for move in record.record.moves]
    line = [move_phrase(language, move.to_json()) for move in back.review.line]
    return {"said": review_lines(language, back.review, moves), "line": line}
