"""Hints for a position, as the contract prints them."""

from collections.abc import Collection, Iterator
from random import Random
from typing import Any

from companion_app.beside import is_beside
from companion_app.languages import Language
from companion_app.phrases import reason_phrase
from companion_app.thinking import Answer, Clock
from rules.catalogue import Game
from rules.hint_parts import CERTAIN_WIN
from rules.pyramid.findings import Budget
from rules.pyramid.hint_records import Hints
from rules.pyramid.hints import hints, improving_hints
from rules.pyramid.position import PyramidPosition
from rules.rows.complete import complete
from rules.rows.hint_records import RowHints
from rules.rows.hints import RowBudget
from rules.rows.hints import hints as row_hints
from rules.rows.position import RowPosition

SEED = 13
SHARE_DIGITS = 4


def advise(position: PyramidPosition, game: Game, seconds: float, doubtful: Collection[str] = ()) -> Hints:
    """Every legal move, best first; the same position gives the same samples. No move rests on what lies beside."""
    rested = [place for place in doubtful if not is_beside(place)]
    return hints(position, game, rng=Random(SEED), budget=Budget(seconds=seconds), doubtful=rested)


def improve(
    position: PyramidPosition, game: Game, seconds: float, doubtful: Collection[str], clock: Clock
) -> Iterator[Answer]:
    """The first answer within 300 ms, then better ones, until ``seconds`` are over, the best move is proven to win, or
    nothing is left to find out."""
    rested = [place for place in doubtful if not is_beside(place)]
    for found in improving_hints(position, game, rng=Random(SEED), seconds=seconds, doubtful=rested, clock=clock):
        proven = [hint.certainty == "proven" for hint in found.hints]
        settled = all(proven) or (proven[0] and found.hints[0].win == CERTAIN_WIN)
        yield Answer(found, thinking=not settled)
        if settled:
            return


def advise_rows(position: RowPosition, game: Game, seconds: float, doubtful: Collection[str] = ()) -> RowHints:
    """As `advise` for the row family; what follows from the cards seen is filled in first."""
    rested = [place for place in doubtful if not is_beside(place)]
    return row_hints(complete(position, game), game, budget=RowBudget(seconds=seconds), doubtful=rested)


def hint_answer(found: Hints | RowHints, language: Language) -> dict[str, Any]:
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
