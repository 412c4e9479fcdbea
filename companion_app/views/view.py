"""What the page shows of a table, as plain values for the template."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from companion_app.drawing.board import board_of
from companion_app.drawing.drawing import draw_position
from companion_app.drawing.marks import Marks
from companion_app.drawing.photo import draw_overlay
from companion_app.drawing.plain_board import cell_words
from companion_app.hints.advise import hint_answer
from companion_app.languages import Language
from companion_app.languages.phrases import (
    advice_phrase,
    area_of,
    area_phrase,
    cards_phrase,
    fault_detail,
    fault_phrase,
    hint_lines,
    move_phrase,
    places_phrase,
)
from companion_app.tables.chooser import chooser_view, question_view
from companion_app.tables.proposal import Unsettled, unsettled
from companion_app.tables.row_table import is_in_line
from companion_app.tables.spread_table import Spread
from companion_app.tables.table import Table, move_key
from companion_app.views.counting_view import counting_view
from companion_app.views.game_view import game_view, which_view
from companion_app.views.links import link_of
from companion_app.views.partners import Ground, moves_view, partners_view
from companion_app.views.practising import is_open, practice_view, question_at, question_before
from companion_app.views.practising import question_view as sum_view
from companion_app.views.row_view import choices_view, first_phrase, is_in_cellar, look_at, marked_places
from companion_app.views.samples import find_sample
from companion_app.views.score_view import score_view
from companion_app.views.story_view import REMOVALS, story_view
from rules.cards import UNREADABLE, Card, Seen, seen_code
from rules.looks import Position, covering, free_places, known, lying
from rules.pyramid.position import PyramidPosition
from rules.rows.position import RowPosition
from vision.reading import TableReading

STEP_WHERE, STEP_CARDS, STEP_WHY = 2, 3, 4


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person has opened on the page of a table: the chooser of a place, a legal move of the list (its key) to be
    shown on the board in place of the hint's, and another game (its id) whose rules are looked at."""

    place: str | None = None
    move: str = ""
    game: str = ""


def view_of(spoken: Language, table: Table, wanted: Wanted, refused: str = "") -> dict[str, Any]:
    """Everything the template of a table names. refused: why no hint can be given."""
    position, story = table.position(), table.story
    open_ = unsettled(table) if table.way == "score" else None
    beside = {spot: seen_code(seen) for spot, seen in table.beside.items()}
    faults = [fault.to_json() for fault in table.faults()]
    violations = [broken.to_json() for broken in story.violations] if story and not table.allowed else []
    hint = hint_view(spoken, table) | {"refused": refused}
    chooser = chosen_view(spoken, table, position, wanted.place)
    moves = moves_view(spoken, Ground.of(table), wanted.move)
    partners = chooser["partners"] if chooser else None
    marks = Marks(
        pair=() if partners else moves["places"] or hint["pair"],
        area=() if partners or moves["places"] else hint["area"],
        doubtful=frozenset(table.doubts),
        pinned=frozenset(table.pins),
        illegal=frozenset(place for broken in violations for place in broken["places"]),
        faulty=frozenset(place for fault in faults for place in fault["places"]),
        chosen=chooser["place"] if chooser else None,
        partners=frozenset(partners["places"] if partners else ()),
    )
    labels = {
        cell.place: cell_name(spoken, table, position, marks, cell.place, cell.code)
        for cell in board_of(position.to_json(), beside).cells
    }
    named = replace(marks, labels=labels)
    return {
        "table": table,
        "named": labels,
        "board": draw_position(position.to_json(), named, title=spoken.say("table.board"), beside=beside),
        "overlay": overlay_of(table, table.reading, marks),
        "live": overlay_of(table, table.watched, marks),
        "read": read_view(table),
        "hint": hint,
        "chooser": chooser,
        "doubts": doubts_view(spoken, table, position, open_),
        "faults": faults_view(spoken, faults),
        "fault_count": len(faults),
        "fault_names": [fault_phrase(spoken, fault) for fault in faults],
        "story": story_view(spoken, table, violations),
        "which": which_view(spoken, table),
        "score": score_view(spoken, table, position, open_),
        "game": game_view(spoken, table, wanted.game),
        "piles": piles_view(table, position),
        "choices": choices_view(spoken, table, position) if isinstance(position, RowPosition) else None,
        "link": link_of(table),
        "text": json.dumps(position.to_json(), ensure_ascii=False),
        "advice": advice_view(spoken, table),
        "after": after_sample(table),
        "moves": moves,
        "counting": counting_view(spoken, table),
        "practice": practice_view(spoken, table),
    }


def overlay_of(table: Table, reading: TableReading | None, marks: Marks) -> str:
    """The outlines of the cards of a table where a reading has them; nothing where there is none."""
    return draw_overlay(reading, marks, labels_of(table, reading)) if reading else ""


def labels_of(table: Table, reading: TableReading) -> dict[str, Seen]:
    """What the outlines on a picture are named: what is known to lie there, before what was read."""
    read = {card.place for card in reading.cards}
    known_there = {place: seen for place, seen in lying(table.position()) if place in read and isinstance(seen, Card)}
    return {**known_there, **table.settled} if table.belief else dict(table.pins)


def cell_name(spoken: Language, table: Table, position: Position, marks: Marks, place: str, code: str | None) -> str:
    """The spoken name of a place: rank and suit, place, what covers it, and what is said about it."""
    above = covering(position, place)
    cards = [seen_code(seen) for spot in above if (seen := position.look(spot)) is not None]
    parts = cell_words(spoken, place, code)
    if above:
        key = "cell.behind" if isinstance(position, RowPosition) else "cell.under"
        parts.append(spoken.say(key, cards=cards_phrase(spoken, cards)))
    elif place in free_places(position, table.game):
        parts.append(spoken.say("cell.free"))
    elif isinstance(position, RowPosition) and is_in_cellar(position, place, table.game):
        parts.append(spoken.say("cell.locked"))
    said = {
        "cell.doubtful": place in marks.doubtful,
        "cell.pinned": place in marks.pinned,
        "cell.pair-a": place in marks.pair[:1],
        "cell.pair-b": place in marks.pair[1:],
        "cell.illegal": place in marks.illegal,
        "cell.partner": place in marks.partners,
    }
    return "; ".join(parts + [spoken.say(key) for key, wanted in said.items() if wanted])


def read_view(table: Table | Spread) -> dict[str, int] | None:
    """How many cards were read, and how long it took."""
    if table.reading is None:
        return None
    faces = sum(isinstance(card.card, Card) for card in table.reading.cards)
    return {"cards": faces, "milliseconds": round(table.reading.milliseconds.get("total", 0))}


def hint_view(spoken: Language, table: Table) -> dict[str, Any]:
    """The hint as far as it is shown, with the places to mark; without its cards while a sum is asked first."""
    step, question = table.help.step, question_before(table)
    view: dict[str, Any] = {
        "step": step,
        "asked": False,
        "all": 0,
        "number": 1,
        "chosen": table.help.move,
        "following": "",
        "pair": (),
        "area": (),
        "moves": [],
        "lines": [],
    }
    view |= {"first": "", "where": "", "move": "", "rests": "", "verdict": "", "pace": "", "thinking": False, "key": ""}
    if table.is_won:
        won = "hint.won-rows" if table.game.family == "rows" else "hint.won"
        return view | {"asked": True, "first": spoken.say(won), "verdict": spoken.say("verdict.won")}
    if table.advised is None or step == 0:
        return view
    found = hint_answer(table.advised, spoken)
    hints = found["hints"]
    view |= {
        "asked": True,
        "all": len(hints),
        "verdict": spoken.say("verdict." + found["verdict"]),
    }
    if not hints:
        return view | {"first": spoken.say("hint.none"), "step": 1}
    keys = [move_key(hint.move) for hint in table.advised.hints]
    shown = hints[table.shown]
    view |= {
        "number": table.shown + 1,
        "following": keys[(table.shown + 1) % len(keys)],
        "thinking": table.thinking,
        "pace": spoken.say("hint.still" if table.thinking else "hint.done"),
    }
    position = table.position()
    if isinstance(position, RowPosition):
        view["first"] = first_phrase(spoken, shown["move"])
    else:
        view["first"] = spoken.say("hint.remove" if shown["move"]["kind"] in REMOVALS else "hint.turn-only")
    if question is not None and is_open(table, question):
        return view | {"key": f"0 {view['first']}", "area": (question.place,), "all": 1}
    if step >= STEP_WHERE:
        view |= where_view(spoken, shown, position, cards_too=step >= STEP_CARDS)
    if step >= STEP_WHY:
        moves = [move_phrase(spoken, other["move"]) for other in hints]
        view |= {"lines": hint_lines(spoken, shown, hints), "moves": list(zip(keys, moves, strict=True))}
    return view | {"key": f"{step} {view['first']} {view['where']} {view['move']}"}


def where_view(spoken: Language, hint: Mapping[str, Any], position: Position, *, cards_too: bool) -> dict[str, Any]:
    """Where to look for a move; with `cards_too` its cards, and the doubts it rests on."""
    move = hint["move"]
    removes = move["kind"] in REMOVALS
    places = tuple(move["places"] if removes else move["places"][:1])
    marked, where = places, places if removes else ()
    area, areas = tuple(area_of(places)), area_phrase(spoken, places)
    if isinstance(position, RowPosition):
        area, areas = look_at(spoken, position, move)
        marked, where = marked_places(position, move), places if move["cards"] else ()
    if not cards_too:
        return {"area": area, "where": spoken.say("hint.look", areas=areas)}
    rests = hint["depends_on"]
    return {
        "pair": marked,
        "area": () if marked else area,
        "move": move_phrase(spoken, move),
        "where": places_phrase(spoken, where),
        "rests": spoken.say("hint.first-settle", places=places_phrase(spoken, rests)) if rests else "",
    }


def doubts_view(spoken: Language, table: Table, position: Position, open_: Unsettled | None) -> dict[str, Any]:
    """The cards to ask about now: those in doubt that a legal move could use, or, of a table to be scored (open_),
    those that could change its score; the others are only counted. In a row game in play every card counts, for all lie
    open."""
    free = {*free_places(position, table.game), "waste", "turned"} if open_ is None else set(open_.doubts)
    free |= set(depends_on(table))
    everything = open_ is None and isinstance(position, RowPosition)
    now = [place for place in table.doubts if everything or place in free]
    return {"questions": [question_view(spoken, table, place) for place in now], "others": len(table.doubts) - len(now)}


def depends_on(table: Table) -> tuple[str, ...]:
    """Doubtful places that the hint on show rests on."""
    if table.advised is None or not table.advised.hints or table.help.step < 3:
        return ()
    return table.advised.hints[table.shown].depends_on


def chosen_view(spoken: Language, table: Table, position: Position, place: str | None) -> dict[str, Any] | None:
    """The chooser for the card at a place, None where there is no such place."""
    seen = {place: position.look(place) for place in (cell.place for cell in board_of(position.to_json()).cells)}
    seen |= {spot: position.look(spot) for spot in table.doubts} | table.beside
    if place is None or place not in seen:
        return None
    view = chooser_view(spoken, table, place, seen[place], table.game.rules.deck, is_in_line=is_in_line(place))
    question = question_at(table, place)
    # Of a card that is there to be named nothing is known that could go with another.
    is_asked = seen[place] is UNREADABLE or is_open(table, question)
    partners = None if is_asked else partners_view(spoken, Ground.of(table), place)
    return view | {"partners": partners, "asked": sum_view(spoken, table, question)}


def faults_view(spoken: Language, faults: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The faults by kind: each kind once with all its faults, which are told shortly where there are several."""
    kinds = list(dict.fromkeys(fault["kind"] for fault in faults))
    grouped = [[fault for fault in faults if fault["kind"] == kind] for kind in kinds]
    return [
        {
            "kind": spoken.say(f"fault.{kind}"),
            "all": [fault_phrase(spoken, group[0])]
            if len(group) == 1
            else [fault_detail(spoken, fault) for fault in group],
        }
        for kind, group in zip(kinds, grouped, strict=True)
    ]


def after_sample(table: Table) -> str | None:
    """The sample that shows this table a little later, where it was opened from a sample."""
    sample = find_sample(table.name)
    return sample.after if sample and sample.after and find_sample(sample.after) else None


def piles_view(table: Table, position: Position) -> dict[str, Any]:
    """What is known of stock and pass, and whether a person is to be asked for what is not."""
    if not isinstance(position, PyramidPosition):
        return {"asked": False}
    told = cast(PyramidPosition, known(position, table.game))
    several = table.game.options.passes != 1
    asked = not table.is_won and (told.stock_count is None or (several and told.pass_number is None))
    return {"stock": told.stock_count, "pass": told.pass_number, "asked": asked}


def advice_view(spoken: Language, table: Table | Spread) -> list[str]:
    """What would make the next picture read better."""
    given = table.reading.advice if table.reading else ()
    return list(dict.fromkeys(advice_phrase(spoken, advice.code, advice.places) for advice in given))
