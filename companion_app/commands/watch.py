"""`cardtable watch`: a game followed by a camera above the table, until it is ended; the game is kept."""

from typing import Annotated, Any

import typer

from companion_app.commands.base import Deck, GameId, Json, Lang, Output, Rules, Status, opened, rule_pair
from companion_app.commands.follow import show, show_record
from companion_app.settings import Settings, games_folder


def watch(
    game: GameId,
    camera: Annotated[str, typer.Option("--camera", metavar="N|URL|FILE", help="The camera above the table.")],
    rules: Rules = None,
    as_json: Json = False,
    lang: Lang = None,
    deck: Deck = None,
) -> None:
    """Watch a game through a camera: each move is told once the table lies still; Ctrl+C ends it."""
    out, chosen = opened(game, rules, as_json, lang)
    given = dict(rule_pair(text) for text in rules or [])
    last: list[Any] = []
    try:
        out.attempt(lambda: _watch(chosen.id, given, camera, out, last), camera=camera)
    except KeyboardInterrupt:
        out.messages.print()
    if last:
        from companion_app.tables.following import record_of

        out.answer({"record": record_of(last[-1].game_so_far())}, show_record)
        if Settings().keep:
            out.messages.print(out.language.say("watch.kept", id=last[-1].id), markup=False)
    out.end()


def _watch(game_id: str, rules: dict[str, str], camera: str, out: Output, last: list[Any]) -> None:
    from companion_app.camera.cameras import frames
    from companion_app.camera.watcher import watch as tables
    from companion_app.desk.desk import Desk
    from companion_app.hints.preparing import Preparation
    from companion_app.library.store import Store
    from companion_app.tables.following import follow_answer
    from companion_app.wiring import eyes

    settings = Settings()
    desk = Desk(eyes(), settings, Preparation(), store=Store(games_folder()) if settings.keep else None)

    def notice(what: str, why: str) -> None:
        out.messages.print(out.language.say(f"watch.{what}", why=why), markup=False)

    seen_tables = tables(desk, game_id, rules, frames(camera), out.language, notice)
    for seen in seen_tables:
        last[:] = [seen.table]
        answer = follow_answer(seen.table.game_so_far())
        if answer["violations"] or answer["explanation"] == "another-table":
            out.note(Status.FINDINGS)
        out.answer({"picture": {"file": camera, "second": round(seen.second, 1)}, **answer}, show)
        if desk.unkept is not None:
            out.failed(desk.unkept)
