"""A par match for people: its table on the page, as text and as CSV."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from companion_app.languages import Language
from companion_app.library.archive import PlayedGame
from companion_app.library.matches import PAR, Match, Standings
from companion_app.views.statistics_view import NONE, when
from rules.scoring import PAR_GAMES

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take for the beginning of a formula."""
NUMBERS = range(1, PAR_GAMES + 1)


def match_view(
    spoken: Language, match: Match, table: Standings, choices: Sequence[PlayedGame], games: Sequence[PlayedGame]
) -> Mapping[str, Any]:
    """The page of a match. choices: the games that can be entered."""
    by_id = {game.id: game for game in games if game.is_newest}
    return {
        "match": match,
        "title": match.game.names[spoken.code],
        "begun": when(spoken, match.at),
        "numbers": list(NUMBERS),
        "lines": [
            {
                "player": line.player,
                "cells": [
                    (told(score), match.entries.get((place, number), ""))
                    for number, score in zip(NUMBERS, line.scores, strict=True)
                ],
                "sum": told(line.sum if line.played else None),
                "leads": line.player in table.leaders,
            }
            for place, line in enumerate(table.lines)
        ],
        "leaders": ", ".join(table.leaders),
        "is_over": table.is_over,
        "choices": [(game.id, f"{when(spoken, game.at)}: {told(_par(game))}") for game in choices],
        "free": [(place, player) for place, player in enumerate(match.players) if _free(match, place)],
        "next": min((number for place in range(len(match.players)) for number in _free(match, place)), default=1),
        "entries": [
            (place, number, match.players[place], when(spoken, by_id[game].at) if game in by_id else NONE, game)
            for (place, number), game in sorted(match.entries.items())
        ],
    }


def _par(game: PlayedGame) -> int | None:
    return game.stands.scores.get(PAR) if game.stands else None


def _free(match: Match, place: int) -> list[int]:
    return [number for number in NUMBERS if (place, number) not in match.entries]


def told(score: int | None) -> str:
    """A score with its sign; 0 is par."""
    return NONE if score is None else f"{score:+d}".replace("-", "−") if score else "0"


def match_csv(spoken: Language, table: Standings) -> str:
    """The table for spreadsheets: a line for each player."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_heads(spoken))
    for line in table.lines:
        name = f"'{line.player}" if line.player.startswith(FORMULA) else line.player
        writer.writerow([name, *("" if score is None else score for score in line.scores), line.sum])
    return out.getvalue()


def match_text(spoken: Language, match: Match, table: Standings) -> str:
    """The table as plain text, its columns aligned."""
    rows = [_heads(spoken)] + [
        [line.player, *(NONE if score is None else str(score) for score in line.scores), str(line.sum)]
        for line in table.lines
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    drawn = [
        "  ".join(text.rjust(width) if column else text.ljust(width) for column, (text, width) in enumerate(pairs))
        for pairs in (list(zip(row, widths, strict=True)) for row in rows)
    ]
    head = f"{spoken.say('match.one')}: {match.game.names[spoken.code]}, {when(spoken, match.at)}"
    return "\n".join([head, "", *drawn, "", *leading(spoken, table)]) + "\n"


def leading(spoken: Language, table: Standings) -> list[str]:
    """Who leads, or has won."""
    if not table.leaders:
        return []
    return [f"{spoken.say('match.won-by' if table.is_over else 'match.leads')}: {', '.join(table.leaders)}"]


def _heads(spoken: Language) -> list[str]:
    numbers = (spoken.say("match.number", n=number) for number in NUMBERS)
    return [spoken.say("match.player"), *numbers, spoken.say("match.sum")]
