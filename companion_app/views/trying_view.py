"""What the page shows of a line that is tried on screen, as plain values for the template."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from companion_app.drawing.board import board_of
from companion_app.drawing.drawing import draw_position
from companion_app.drawing.marks import Marks
from companion_app.languages import Language
from companion_app.languages.phrases import PILES, breach_phrase, cards_phrase, fault_detail, length_phrase, move_phrase
from companion_app.stamps import stamp_of
from companion_app.tables.table import Table
from companion_app.tables.trying import Asked, Choice, Trial, answered
from companion_app.views.partners import Ground, move_places, move_words, moves_view, partners_view
from companion_app.views.story_view import REMOVALS
from rules.cards import seen_code
from rules.hint_records import Hints
from rules.layouts import FOUNDATION, TURNED, WASTE
from rules.looks import Position, covering, free_places
from rules.pyramid.position import PyramidPosition
from rules.rows.position import RowPosition

Advise = Callable[[Position], Hints[Any] | str]
"""Hints for a position, or why there are none."""


def base_of(table: Table) -> str:
    """Tells the positions apart that lines start from."""
    said = json.dumps([table.game.id, table.game.rules.to_json(), table.position().to_json()])
    return stamp_of(said.encode())


def trying_view(
    spoken: Language, table: Table, asked: Asked, base: str = "", advise: Advise | None = None
) -> dict[str, Any]:
    """The line that is asked for, tried over a table. base: what it was begun over; advise: finds a hint for where it
    leads, if one is wanted."""
    start = Ground.of(table)
    trial, choice = answered(start.position, table.game, _on_board(start.position, asked))
    ground = _ground(trial, start)
    partners = partners_view(spoken, ground, choice.chosen) if choice.chosen else None
    hint = advise(trial.position) if advise and trial.outcome == "open" else None
    best = hint.hints[0].move if isinstance(hint, Hints) and hint.hints else None
    marks = Marks(
        pair=move_places(trial.position, best) if best else (),
        doubtful=frozenset(ground.doubts),
        chosen=choice.chosen or None,
        partners=frozenset(partners["places"] if partners else ()),
    )
    now = base_of(table)
    return {
        "table": table,
        "board": _board(spoken, trial, ground, marks),
        "trial": trial,
        "base": now,
        "chosen": choice.chosen,
        "news": list(_news(spoken, trial, asked, is_moved=bool(base) and base != now)),
        "broken": [_broken(spoken, broken.to_json()) for broken in choice.broken],
        "said": list(_said(spoken, trial, choice, partners["lines"] if partners else [])),
        "hint": list(_hinted(spoken, ground, hint)),
        "made": [move_phrase(spoken, move.to_json()) for move in trial.moves],
        "moves": moves_view(spoken, ground)["all"] if trial.legal else [],
        "intro": spoken.say("try.intro-rows" if table.game.family == "rows" else "try.intro"),
    }


def _on_board(position: Position, asked: Asked) -> Asked:
    """What is asked, without places that no board has."""
    is_named = all(place in ("", *_PILES) or place.partition(" ")[0] in _LINES for place in (asked.place, asked.to))
    return asked if is_named else replace(asked, place="", to="")


_PILES = ("stock", TURNED, WASTE, FOUNDATION, "cellar")
_LINES = ("pyramid", "base", "left", "right")


def _ground(trial: Trial, start: Ground) -> Ground:
    """Where a line leads; a card in doubt is in doubt there as long as it has not moved."""
    stay = (place for place in start.doubts if trial.position.look(place) == start.position.look(place))
    return Ground(trial.position, trial.game, tuple(stay))


def _board(spoken: Language, trial: Trial, ground: Ground, marks: Marks) -> str:
    shown = _with_foundation(trial).to_json()
    cells = board_of(shown).cells
    labels = {cell.place: _cell_name(spoken, ground, marks, cell.place, cell.code) for cell in cells}
    return draw_position(shown, replace(marks, labels=labels), title=spoken.say("try.board"))


def _with_foundation(trial: Trial) -> Position:
    """The position with the card that left last on top of the foundation: of a pair either may lie there."""
    left = [move for move in trial.moves if move.kind in REMOVALS]
    if not left or not isinstance(trial.position, PyramidPosition):
        return trial.position
    return trial.position.with_seen({FOUNDATION: left[-1].cards[-1]})


def _cell_name(spoken: Language, ground: Ground, marks: Marks, place: str, code: str | None) -> str:
    unseen = code == "??" and place in (TURNED, WASTE)
    names = {"unknown": "seen.unknown"} | ({"??": "seen.unseen"} if unseen else {})
    parts = [spoken.say(names[code]) if code in names else spoken.card(code), spoken.place(place)]
    above = [seen_code(seen) for spot in covering(ground.position, place) if (seen := ground.position.look(spot))]
    if above:
        key = "cell.behind" if isinstance(ground.position, RowPosition) else "cell.under"
        parts.append(spoken.say(key, cards=cards_phrase(spoken, above)))
    elif place in free_places(ground.position, ground.game):
        parts.append(spoken.say("cell.free"))
    said = {
        "cell.doubtful": place in marks.doubtful,
        "try.chosen": place == marks.chosen,
        "cell.partner": place in marks.partners,
        "cell.pair-a": place in marks.pair[:1],
        "cell.pair-b": place in marks.pair[1:],
    }
    return "; ".join(parts + [spoken.say(key) for key, wanted in said.items() if wanted])


def _news(spoken: Language, trial: Trial, asked: Asked, *, is_moved: bool) -> Iterator[str]:
    """That the table is another one than the line was begun over, and that a move does not go any more."""
    if is_moved:
        yield spoken.say("try.moved", made=len(trial.moves), all=len(asked.keys))
    elif trial.stopped:
        yield spoken.say("try.stopped")


def _broken(spoken: Language, broken: Mapping[str, Any]) -> str:
    """Which rule stands against a move that is only tried, with which cards, where."""
    key = f"tried.{broken['breach']}"
    detail = fault_detail(spoken, broken, PILES)
    if key not in spoken:
        return breach_phrase(spoken, broken)
    return f"{spoken.say(key)}: {detail}" if detail else spoken.say(key)


def _said(spoken: Language, trial: Trial, choice: Choice, partners: list[str]) -> Iterator[str]:
    if choice.unsure:
        yield spoken.say(f"try.{choice.unsure}")
    if choice.chosen:
        seen = trial.position.look(choice.chosen)
        card = spoken.card(seen_code(seen)) if seen else spoken.place(choice.chosen)
        goes = any(choice.chosen in move.places for move in trial.legal)
        yield spoken.say("try.first", card=card) if goes else card
        yield from partners
    if choice.move is not None:
        yield move_phrase(spoken, choice.move.to_json())
    if trial.outcome != "open":
        yield spoken.say(f"try.{trial.outcome}")


def _hinted(spoken: Language, ground: Ground, hint: Hints[Any] | str | None) -> Iterator[str]:
    if isinstance(hint, str):
        yield hint
    elif hint is not None:
        yield move_words(spoken, ground, hint.hints[0].move) if hint.hints else spoken.say("hint.none")
        yield spoken.say(f"verdict.{hint.verdict}")
        if hint.hints and hint.hints[0].wins:
            yield length_phrase(spoken, len(hint.hints[0].line), hint.hints[0].shortest)
