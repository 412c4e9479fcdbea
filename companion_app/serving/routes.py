"""The page's addresses: each parses, calls the desk, and shows the table that comes of it."""

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from urllib.parse import quote

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent

from companion_app.desk.desk import Desk
from companion_app.desk.history import PRACTISED
from companion_app.desk.refused import Attempt, RefusedPictures
from companion_app.desk.watched import told_of
from companion_app.desk.watching import View
from companion_app.drawing.photo import small_picture
from companion_app.drawing.plain_board import plain_board
from companion_app.errors import MissingTrouble, Trouble, UsageTrouble
from companion_app.languages import CODES, Language
from companion_app.serving.device_routes import admitted
from companion_app.serving.events import told
from companion_app.serving.pages import Pages
from companion_app.serving.pairing import Pairing
from companion_app.serving.refused_routes import opened
from companion_app.serving.security import Sent, local_path
from companion_app.serving.speaking import COOKIE, language_of
from companion_app.tables.following import record_of
from companion_app.tables.games import plain_game
from companion_app.tables.laying import next_to_enter, to_be_entered
from companion_app.tables.pointed_corners import corners_told
from companion_app.tables.pointed_piles import POINTED, point_of
from companion_app.tables.proposal import CONFIRMED, confirmed
from companion_app.tables.row_table import How
from companion_app.tables.spread_table import NO_LAYOUT, Spread
from companion_app.tables.table import WAYS, Table, Way
from companion_app.troubles import as_trouble
from companion_app.views.links import sent_position
from companion_app.views.parts import HEADER, parts_shown
from companion_app.views.practising import asking, practised
from companion_app.views.replay import game_json, steps
from companion_app.views.samples import find_sample, sample_bytes
from companion_app.views.view import Wanted
from rules.catalogue import GAMES, find_game
from rules.errors import RulesError

SEE_OTHER = 303
MOST_LISTED = 12
USUAL_LAYOUT = "pyramid-7"
YEAR = 365 * 24 * 3600
IMAGE_TYPES = {"png": "image/png"}


def routes(
    desk: Desk,
    pages: Pages,
    refused: RefusedPictures,
    sent_form: Callable[[Request], AsyncIterator[Sent]],
    *,
    pairing: Pairing,
) -> APIRouter:
    """All routes of the page. Plain functions run beside the event loop, so reading a picture holds up nobody."""
    router = APIRouter()

    @router.get("/")
    def start(request: Request) -> Response:
        language, kept, trouble = language_of(request), (), ""
        try:
            kept = desk.games(MOST_LISTED)
            sent = sent_position(request.query_params, language)
        except (Trouble, RulesError) as error:
            sent, trouble = None, as_trouble(error, language).message
        return pages.start(language, kept, trouble, sent)

    @router.get("/samples/{name}/small")
    def small_sample(name: str, request: Request) -> Response:
        content = small_picture(sample_of(name, language_of(request)))
        return Response(content, media_type="image/jpeg", headers={"cache-control": "private, max-age=86400"})

    @router.get("/samples/{name}")
    def sample(name: str, request: Request) -> Response:
        return Response(sample_of(name, language_of(request)), media_type=image_type(name))

    @router.post("/language")
    def choose_language(request: Request, form: Sent = Depends(sent_form)) -> Response:
        answer = RedirectResponse(local_path(form["from"]), SEE_OTHER)
        if form["language"] in CODES:
            answer.set_cookie(COOKIE, form["language"], max_age=YEAR, samesite="lax", httponly=True)
        return answer

    @router.post("/tables")
    def open_table(request: Request, form: Sent = Depends(sent_form)) -> Response:
        language = language_of(request)
        if form["position"].strip():
            return shown(desk.open_text(form["position"], form["game"], language, form.fields))
        if form["enter"]:
            game = find_game(form["game"]) if form["game"] in GAMES else plain_game(USUAL_LAYOUT)
            entered = desk.open_text(json.dumps(to_be_entered(game).to_json()), game.id, language)
            return shown(entered, next_to_enter(entered))
        picture, name = picture_of(form, language)
        sample = find_sample(form["sample"])
        wanted = form["game"] or (sample.game or NO_LAYOUT if sample else "")
        way = way_of(sample.way if sample else form["way"])
        is_deal = sample.stage == "deal" if sample else way == "check"
        attempt = Attempt(picture, name, wanted, way, "deal" if is_deal else "play")
        with refused.keeping(attempt, language):
            return shown(opened(desk, attempt, language))

    @router.get("/tables/{table_id}")
    def table(table_id: str, request: Request, place: str | None = None, move: str = "", game: str = "") -> Response:
        language, on_show = language_of(request), parts_shown(request.headers.get(HEADER, ""))
        found = desk.find(table_id, language)
        if isinstance(found, Spread):
            return pages.spread(language, found, place, on_show)
        found, refused = desk.helped(found, language)
        unkept = as_trouble(desk.unkept, language).message if desk.unkept else ""
        return pages.table(language, found, Wanted(place, move, game), unkept, refused, on_show)

    @router.get("/tables/{table_id}/events", response_class=EventSourceResponse)
    async def events(table_id: str, request: Request) -> AsyncIterator[ServerSentEvent]:
        async for event in told(lambda: desk.sight(table_id), admitted(pairing, request)):
            yield event

    @router.get("/tables/{table_id}/picture.jpg")
    def picture(table_id: str, request: Request) -> Response:
        found = desk.find(table_id, language_of(request))
        return Response(
            found.picture or b"", media_type="image/jpeg", headers={"cache-control": "private, max-age=86400"}
        )

    @router.get("/tables/{table_id}/position.svg")
    def drawing(table_id: str, request: Request) -> Response:
        found = desk.find(table_id, language_of(request))
        spoken, table = language_of(request), played(found)
        drawn = plain_board(spoken, table.position().to_json(), table.game.names[spoken.code])
        return Response(drawn, media_type="image/svg+xml")

    @router.get("/tables/{table_id}/record.txt")
    def record(table_id: str, request: Request) -> Response:
        found = played(desk.find(table_id, language_of(request)))
        named = {"content-disposition": f'attachment; filename="{found.game.id}.txt"'}
        return Response(record_of(found.game_so_far()), media_type="text/plain; charset=utf-8", headers=named)

    @router.get("/tables/{table_id}/game.json")
    def whole_game(table_id: str, request: Request) -> Response:
        language = language_of(request)
        found = played(desk.find(table_id, language))
        named = {"content-disposition": f'attachment; filename="{found.game.id}.json"'}
        return JSONResponse(game_json(found, language), headers=named)

    @router.get("/tables/{table_id}/game.html")
    def saved_page(table_id: str, request: Request) -> Response:
        language = language_of(request)
        found = played(desk.find(table_id, language))
        return pages.game(language, found, steps(found, language, lambda look: desk.picture(table_id, look)))

    @router.post("/tables/{table_id}/glance")
    def glance(table_id: str, request: Request, form: Sent = Depends(sent_form)) -> dict[str, str | bool]:
        language = language_of(request)
        found, frame = watched_of(table_id, form, language)
        return view_answer(desk.watching.glance(found.id, frame), language)

    @router.post("/tables/{table_id}/look-into")
    def look_into(table_id: str, request: Request, form: Sent = Depends(sent_form)) -> dict[str, str | bool]:
        language = language_of(request)
        found, frame = watched_of(table_id, form, language)
        desk.look_into(frame, found)
        return view_answer(desk.watching.view(found.id), language)

    def watched_of(table_id: str, form: Sent, language: Language) -> tuple[Table, bytes]:
        found = desk.find(table_id, language)
        if isinstance(found, Spread):
            raise UsageTrouble("not-watched")
        return found, picture_of(form, language)[0]

    @router.post("/tables/{table_id}/delete")
    def delete(table_id: str) -> Response:
        desk.delete(table_id)
        return RedirectResponse("/", SEE_OTHER)

    changes, spread_changes = table_changes(desk, refused), changes_of_spreads(desk)

    @router.post("/tables/{table_id}/{action}")
    def change(table_id: str, action: str, request: Request, form: Sent = Depends(sent_form)) -> Response:
        language = language_of(request)
        found = desk.find(table_id, language)
        if isinstance(found, Spread) and action in spread_changes:
            return shown(spread_changes[action](found, form))
        if isinstance(found, Spread) or action not in changes:
            raise MissingTrouble("no-table", language.say("error.no-table"))
        later = changes[action](found, form, language)
        if action == "practise" and form["chooser"]:
            return shown(later, form["place"])
        return shown(later, next_to_enter(later) if action == "settle" else None)

    return router


Change = Callable[[Table, Sent, Language], Table]


def table_changes(desk: Desk, refused: RefusedPictures) -> dict[str, Change]:
    """What can be asked of a table, by the last word of the address."""

    def next_picture(table: Table, form: Sent, language: Language) -> Table:
        picture, name = picture_of(form, language)
        attempt = Attempt(picture, name, table.game.id, table=table.id, layout=table.game.layout)
        with refused.keeping(attempt, language):
            return desk.next_picture(table, picture, name, language)

    def watched(table: Table, form: Sent, language: Language) -> Table:
        picture, name = picture_of(form, language)
        return desk.watched(table, picture, name, language)

    def pointed(table: Table, form: Sent, language: Language) -> Table:
        at = {pile: point_of(form[f"{pile}-across"], form[f"{pile}-down"]) for pile in POINTED}
        return desk.point(table, at, form["look"])

    return {
        "game": lambda table, form, language: desk.choose_game(table, form["game"] or table.game.id, form.fields),
        "piles": lambda table, form, language: desk.tell_piles(table, form["stock"], form["pass"], form["look"]),
        "point": pointed,
        "corners": lambda table, form, language: desk.point(table, corners_told(form.fields), form["look"]),
        "stage": lambda table, form, language: desk.choose_stage(table, "deal" if form["stage"] == "deal" else "play"),
        "direction": lambda table, form, language: desk.tell_choices(
            table, form["direction"], form["reversed"], form["look"]
        ),
        "settle": lambda table, form, language: desk.settle(
            table, form["place"], card_of(form), form["look"], how_of(form["how"])
        ),
        "hint": lambda table, form, language: desk.hint(table, number(form["step"]), form["move"], language),
        "next": next_picture,
        "watched": watched,
        "allow": lambda table, form, language: desk.allow(table, form["look"]),
        "answer": lambda table, form, language: desk.answer(table, form["option"], form["look"]),
        "anew": lambda table, form, language: desk.begin_anew(table, form["look"]),
        "back": lambda table, form, language: desk.put_back(table, form["look"]),
        "undo": lambda table, form, language: desk.undo(table),
        "redo": lambda table, form, language: desk.redo(table),
        "text": lambda table, form, language: desk.change_text(table, form["position"], language),
        "asking": lambda table, form, language: desk.change(
            table, lambda now: asking(now, asks=form["asks"] == "yes"), PRACTISED
        ),
        "practise": lambda table, form, language: desk.change(
            table, lambda now: practised(now, form["place"], number(form["worth"])), PRACTISED
        ),
        "keep": lambda table, form, language: desk.change(table, lambda now: confirmed(now, form["seen"]), CONFIRMED),
    }


def changes_of_spreads(desk: Desk) -> dict[str, Callable[[Spread, Sent], Spread]]:
    """What can be asked of cards without a layout, by the last word of the address."""
    return {
        "settle": lambda spread, form: desk.change(spread, lambda now: now.settled(form["place"], card_of(form))),
        "add": lambda spread, form: desk.change(spread, lambda now: now.added(form["card"])),
        "order": lambda spread, form: desk.change(
            spread, lambda now: replace(now, order="lie" if form["order"] == "lie" else "suit")
        ),
    }


def view_answer(view: View, language: Language) -> dict[str, str | bool]:
    """How a camera's view stands: in a word and in words, whether the outlines lie where the cards do, and whether a
    whole frame could tell why nothing lies still."""
    return {
        "sight": view.glance.sight.value,
        "says": told_of(view, language),
        "outlined": view.is_outlined,
        "restless": view.glance.restless and not view.shaken,
    }


def played(found: Table | Spread) -> Table:
    """A table of a game; raises UsageTrouble for cards without a layout."""
    if isinstance(found, Spread):
        raise UsageTrouble("no-position-here")
    return found


def shown(table: Table | Spread, place: str | None = None) -> Response:
    """Go and see the table; with a place, the chooser for the card that lies there."""
    return RedirectResponse(f"/tables/{table.id}" + (f"?place={quote(place)}" if place else ""), SEE_OTHER)


def way_of(text: str) -> Way:
    """What a table is opened for; to play where it is not said."""
    return next((way for way in WAYS if way == text), "play")


def number(text: str) -> int:
    """A small number of a form; 0 where it is none."""
    return int(text) if text.isdecimal() and len(text) < 4 else 0


def card_of(form: Sent) -> str:
    """The code of the card that a person chose: as a whole, or by its rank and its suit."""
    return f"{form['rank']}{form['suit']}" if form["suit"] else form["card"]


def how_of(text: str) -> How:
    """Where a card lies beside the one at a place; instead of it where nothing else is said."""
    return "before" if text == "before" else "after" if text == "after" else ""


def picture_of(form: Sent, language: Language) -> tuple[bytes, str]:
    """The picture sent or the sample chosen, and its name."""
    if form["sample"]:
        return sample_of(form["sample"], language), form["sample"]
    if form.picture is None:
        raise UsageTrouble("nothing", language.say("error.nothing"))
    return form.picture, form.picture_name


def sample_of(name: str, language: Language) -> bytes:
    """A sample's picture; raises MissingTrouble."""
    content = sample_bytes(name)
    if content is None:
        raise MissingTrouble("no-sample", language.say("error.no-sample"))
    return content


def image_type(name: str) -> str:
    """The media type of a picture's name."""
    return IMAGE_TYPES.get(name.rsplit(".", 1)[-1].lower(), "image/jpeg")
