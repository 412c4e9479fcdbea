"""Sums practised at a table: what is asked before a pair is told, and what the page shows of it."""

from dataclasses import replace
from typing import Any

from companion_app.languages import Language
from companion_app.stamps import stamp_of
from companion_app.tables.practice import Question, chance, question_of, sum_text, sums_now, worth_text
from companion_app.tables.table import Table
from rules.looks import known

STEP_CARDS = 3
"""From this step of a hint its cards are told."""


def question_at(table: Table, place: str | None) -> Question | None:
    """What can be asked of the card at a place of a table; nothing where it was not read surely."""
    if place is None or place in table.doubts:
        return None
    position = known(table.position(), table.game)
    return question_of(position, table.game, place, _as_it_lies(table))


def question_before(table: Table) -> Question | None:
    """What is asked before a hint tells any cards: of a card with a partner now, which may be another one than the
    hint's. It stays the same whatever better hints are found meanwhile."""
    wanted = table.practice.asks and table.help.step >= STEP_CARDS and not table.is_won
    if not wanted or table.advised is None:
        return None
    pairs = sums_now(known(table.position(), table.game), table.game)
    places = [place for pair in pairs if not set(pair) & set(table.doubts) for place in pair]
    return question_at(table, places[chance(_as_it_lies(table)) % len(places)]) if places else None


def _as_it_lies(table: Table) -> str:
    """Tells apart the tables, and how they lie, that are asked of."""
    return stamp_of(f"{table.look} {table.position().to_json()} {table.game.rules.to_json()}".encode())


def is_open(table: Table, question: Question | None) -> bool:
    """Whether a question is asked and not answered yet."""
    return table.practice.asks and question is not None and table.practice.said(question) is None


def practised(table: Table, place: str, worth: int) -> Table:
    """The table with an answer counted; itself where nothing is asked of that place."""
    question = question_at(table, place)
    if not is_open(table, question) or question is None:
        return table
    return replace(table, practice=table.practice.answered(question, worth))


def asking(table: Table, *, asks: bool) -> Table:
    """The table, at which a person is asked first, or is not."""
    return replace(table, practice=replace(table.practice, asks=asks))


def question_view(spoken: Language, table: Table, question: Question | None) -> dict[str, Any] | None:
    """The question, or what was answered to it."""
    if question is None or not table.practice.asks:
        return None
    said = table.practice.said(question)
    view = {
        "place": question.place,
        "question": spoken.say("practice.question", card=spoken.card(str(question.card))),
        "total": spoken.say("practice.total", total=question.total),
        "choices": [(worth, worth_text(worth)) for worth in question.choices()],
        "open": said is None,
        "told": [],
    }
    return view if said is None else view | {"told": _told(spoken, question, said)}


def _told(spoken: Language, question: Question, said: int) -> list[str]:
    wanted = sum_text(question.card.worth, question.wanted)
    if said == question.wanted:
        return [spoken.say("practice.right", sum=wanted)]
    missed = [spoken.say("practice.wrong", sum=sum_text(question.card.worth, said))] if said else []
    return [*missed, spoken.say("practice.wanted", sum=wanted)]


def practice_view(spoken: Language, table: Table) -> dict[str, Any] | None:
    """The setting, and how often each sum was right and how often missed; None in a game without sums."""
    if table.game.family != "pyramid":
        return None
    sums = sorted(table.practice.sums.items(), reverse=True)
    return {
        "asks": table.practice.asks,
        "sums": [(f"{worth_text(one)} + {worth_text(other)}", *counts) for (one, other), counts in sums],
        "asked": question_view(spoken, table, question_before(table)),
    }
