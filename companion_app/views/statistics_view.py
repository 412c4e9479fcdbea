"""Figures of games as the page and the command line show them: a line each, of all games, without help and with."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from companion_app.languages import Language
from companion_app.languages.phrases import percent
from companion_app.views.game_view import option_phrase
from rules.catalogue import Game

NONE = "–"
UNBROKEN = {ord(" "): "\u00a0", ord("–"): "\u2060–\u2060"}
"""Keeps the ends of an interval on one line."""
INTERVAL = re.compile(r"\(.*\)")
BEST = ("cards-left", "points", "foundation", "par")


@dataclass(frozen=True, slots=True)
class FiguresView:
    """The figures of one game: its name, its house rules, the heads of the columns, the lines with a value for each
    column (none where no game is over yet), and what is to be said beside them."""

    id: str
    name: str
    rules: Sequence[str]
    columns: Sequence[str]
    lines: Sequence[tuple[str, Sequence[str]]]
    notes: Sequence[str]


def figures_view(spoken: Language, game: Game, answer: Mapping[str, Any]) -> FiguresView:
    """The figures of a game as `cardtable stats --json` prints them, for people."""
    shares = [answer, answer["unassisted"], answer["assisted"]]

    def line(key: str, values: Sequence[str]) -> tuple[str, Sequence[str]]:
        return spoken.say(f"stats.{key}"), values

    lines = [
        *(line(key, [str(share[key]) for share in shares]) for key in ("games", "won", "lost", "left")),
        line("win", [_win(spoken, share) for share in shares]),
        line("streak", [str(share["streak"]["current"]) for share in shares]),
        line("longest", [str(share["streak"]["longest"]) for share in shares]),
        line("mean-left", [_number(spoken, share["cards_left"], 1) for share in shares]),
    ]
    for scheme in BEST:
        best = [share["best"].get(scheme) for share in shares]
        if any(value is not None for value in best):
            lines.append(line(f"best.{scheme}", [_number(spoken, value) for value in best]))
    notes = []
    if answer["last_played"]:
        notes.append(f"{spoken.say('stats.last')}: {when(spoken, datetime.fromisoformat(answer['last_played']))}")
    for key in ("begun_in_the_middle", "in_doubt", "in_play"):
        if answer[key]:
            notes.append(f"{spoken.say('stats.' + key.replace('_', '-'))}: {answer[key]}")
    rules = [option_phrase(spoken, name, value) for name, value in answer["rules"].items()]
    columns = [spoken.say(f"stats.{key}") for key in ("all", "unassisted", "assisted")]
    return FiguresView(game.id, game.names[spoken.code], rules, columns, lines if answer["games"] else (), notes)


def unbroken(value: str) -> str:
    """A value whose interval stays on one line of the page."""
    return INTERVAL.sub(lambda found: found[0].translate(UNBROKEN), value)


def when(spoken: Language, at: datetime) -> str:
    """A time as lists show it, by the clock of this computer."""
    return spoken.moment(at.astimezone())


def _win(spoken: Language, share: Mapping[str, Any]) -> str:
    if not share["games"]:
        return NONE
    win = share["win"]
    between = f"{spoken.number(100 * win['low'], 0)}–{percent(spoken, win['high'])}"
    return f"{percent(spoken, win['estimate'])} ({between})"


def _number(spoken: Language, value: float | None, digits: int = 0) -> str:
    return NONE if value is None else spoken.number(value, digits)
