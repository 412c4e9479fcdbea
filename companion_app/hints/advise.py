"""Hints for a position, as the contract prints them."""

from collections.abc import Collection, Iterator
from random import Random
from typing import Any

from companion_app.beside import is_beside
from companion_app.errors import UnreadableTrouble
from companion_app.hints.resting import Clock
from companion_app.hints.thinking import Answer
from companion_app.languages import Language
from companion_app.languages.phrases import fault_phrase, reason_phrase
from rules.catalogue import Game
from rules.hint_records import Hints
from rules.looks import Position, layout_faults
from rules.pyramid.findings import Budget
from rules.pyramid.hints import hints, improving_hints
from rules.rows.complete import complete
from rules.rows.hints import RowBudget
from rules.rows.hints import hints as row_hints
from rules.rows.hints import improving_hints as improving_row_hints
from rules.rows.position import RowPosition

SEED = 13
SHARE_DIGITS = 4


IMPOSSIBLE = ("duplicate-card", "foreign-card")


def advise(position: Position, game: Game, seconds: float, doubtful: Collection[str] = ()) -> Hints[Any]:
    """Every legal move, best first; the same position gives the same samples. No move rests on what lies beside. In row
    games what follows from the cards seen is filled in first."""
    rested = [place for place in doubtful if not is_beside(place)]
    if isinstance(position, RowPosition):
        return row_hints(
            complete(position, game), game, budget=RowBudget(seconds=seconds, shortest=True), doubtful=rested
        )
    return hints(position, game, rng=Random(SEED), budget=Budget(seconds=seconds, shortest=True), doubtful=rested)


def improve(
    position: Position, game: Game, seconds: float, doubtful: Collection[str], clock: Clock
) -> Iterator[Answer]:
    """The first answer within 300 ms, then better ones, until ``seconds`` are over, it is proven of a win that no line
    is shorter, or nothing else is left to find out."""
    rested = [place for place in doubtful if not is_beside(place)]
    for found in _improving(position, game, seconds, rested, clock):
        yield Answer(found, thinking=not found.settled)


def _improving(
    position: Position, game: Game, seconds: float, doubtful: Collection[str], clock: Clock
) -> Iterator[Hints[Any]]:
    if isinstance(position, RowPosition):
        return improving_row_hints(complete(position, game), game, seconds=seconds, doubtful=doubtful, clock=clock)
    return improving_hints(position, game, rng=Random(SEED), seconds=seconds, doubtful=doubtful, clock=clock)


def refuse_impossible(position: Position, game: Game, language: Language) -> None:
    """Raise UnreadableTrouble where cards lie there twice or are of another deck: no line of play holds then."""
    wrong = [fault.to_json() for fault in layout_faults(position, game) if fault.kind in IMPOSSIBLE]
    if wrong:
        faults = "; ".join(fault_phrase(language, fault) for fault in wrong)
        raise UnreadableTrouble("impossible", language.say("error.impossible", faults=faults))


def hint_answer(found: Hints[Any], language: Language) -> dict[str, Any]:
    """The answer of `cardtable hint`; `reason` is a sentence, `reason_code` and `reason_cards` say it for programs."""
    answer = found.to_json()
    for hint in answer["hints"]:
        reason = hint["reason"]
        hint["win"] = {name: round(share, SHARE_DIGITS) for name, share in hint["win"].items()}
        hint["cards_left"] = round(hint["cards_left"], 2)
        hint["reason"] = reason_phrase(language, reason)
        hint |= {"reason_code": reason["code"], "reason_cards": reason["cards"]}
    answer["milliseconds"] = round(answer["milliseconds"], 1)
    return answer
