"""Ranked hints: exact where every card is known, by sampling what fits where it is not.

Nothing a player cannot know is used: unseen cards are sampled anew for each world. What is proven without knowing them
holds whatever they are: that a position is lost even if every card outside the pyramid lay open; with unlimited passes
and draw 1, that it can be won (each stock card can then be brought to the top of the waste); lines that need nothing
unseen, see ``unaided``; and with few cards left in the pyramid what ``endings`` finds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from random import Random

from rules.cards import GONE, Card
from rules.catalogue import Game
from rules.family import Verdict
from rules.hint_parts import CERTAIN_WIN, Reason
from rules.layouts import parse_pyramid_place
from rules.pyramid.endings import Endings
from rules.pyramid.exact import ExactJudge
from rules.pyramid.findings import Budget, Findings, Found
from rules.pyramid.full import known_position
from rules.pyramid.hint_records import Hint, Hints
from rules.pyramid.least import least_removals
from rules.pyramid.legality import covering, legal_moves, outcome, removals
from rules.pyramid.moves import Move
from rules.pyramid.pairing import leaves_alone
from rules.pyramid.position import PyramidPosition
from rules.pyramid.possible import require_possible
from rules.pyramid.reasons import freed_places, reason_of, tied_card
from rules.pyramid.sampled import FEW_LEFT, SamplingJudge, work_within
from rules.pyramid.search import Searcher

FIRST_ANSWER = Budget(seconds=0.15)
"""Short enough for an answer within 300 ms."""


def hints(
    position: PyramidPosition,
    game: Game,
    *,
    rng: Random,
    budget: Budget = FIRST_ANSWER,
    doubtful: Collection[str] = (),
) -> Hints:
    """Every legal move, best first; none once the game is won.

    ``doubtful``: places whose reading is in doubt; hints resting on them say so. Raises PositionError where the
    position cannot be."""
    began = budget.clock()
    adviser = _Adviser(position, game, rng, doubtful)
    answer = adviser.think(budget)
    left = budget.seconds - (budget.clock() - began)
    by_time = budget.states is None and budget.worlds is None
    if budget.shortest and by_time and answer.settled and answer.verdict == "winnable" and answer.hints and left > 0:
        # What time the shortest line has left goes to the moves not decided yet.
        answer = adviser.think(replace(budget, seconds=left, shortest=False))
    return replace(answer, milliseconds=(budget.clock() - began) * 1000)


def improving_hints(
    position: PyramidPosition,
    game: Game,
    *,
    rng: Random,
    seconds: float,
    doubtful: Collection[str] = (),
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Hints]:
    """The first answer within 300 ms, then better ones, each after twice the time, until ``seconds`` are over or
    nothing is left to find out: of a win, that no line is shorter. Raises PositionError where the position cannot
    be."""
    began = clock()
    adviser = _Adviser(position, game, rng, doubtful)
    span = min(FIRST_ANSWER.seconds, seconds)
    budget = Budget(seconds=span, clock=clock)
    while True:
        answer = adviser.think(budget)
        yield answer
        left = seconds - (clock() - began)
        if left <= 0 or answer.settled:
            return
        span = min(2 * span, left)
        budget = Budget(seconds=span, clock=clock, shortest=True)


def is_safe(move: Move, game: Game) -> bool:
    """Whether a move never hurts: a free king leaves at once, from the pyramid always, from the piles with draw 1."""
    card = move.cards[0] if move.kind == "single" else None
    if not isinstance(card, Card) or not leaves_alone(card, game.options):
        return False
    return game.options.draw == 1 or parse_pyramid_place(move.places[0]) is not None


def partners_of(position: PyramidPosition, game: Game, place: str) -> tuple[Move, ...]:
    """Every legal removal that takes the card at a place."""
    return tuple(move for move in removals(position, game) if place in move.places)


def _with_apex(position: PyramidPosition, game: Game) -> PyramidPosition:
    """The position with the card known that the game always deals to the apex, where that lies face down or unread."""
    apex, lying = game.options.apex, position.at(1, 1)
    if apex is None or isinstance(lying, Card) or lying is GONE:
        return position
    return replace(position, rows=((apex,), *position.rows[1:]))


class _Adviser:
    """Thinks about one position; what samples have shown is kept from one thought to the next."""

    def __init__(self, position: PyramidPosition, game: Game, rng: Random, doubtful: Collection[str]) -> None:
        require_possible(position, game)
        position = _with_apex(position, game)
        self._position, self._game, self._doubtful = position, game, frozenset(doubtful)
        self._moves = () if outcome(position, game) == "won" else legal_moves(position, game)
        self._least = least_removals(position, game)
        known = known_position(position, game)
        self._exact = ExactJudge(known, self._moves, game) if known and self._moves else None
        self._sampling = SamplingJudge(position, self._moves, game, rng) if self._moves and not known else None

    def think(self, budget: Budget) -> Hints:
        began = budget.clock()
        until = began + budget.seconds
        if self._exact is not None:
            findings = self._exact.judge(budget, until)
        elif self._sampling is not None:
            findings = self._sampling.judge(budget, until)
        else:
            findings = Findings((), self._verdict_without_moves(budget), "order")
        entries = sorted(zip(self._moves, findings.found, strict=True), key=lambda entry: self._rank(entry, findings))
        listed = tuple(self._hint(move, found) for move, found in entries)
        settled = self._is_settled(listed, findings)
        spent = (budget.clock() - began) * 1000
        return Hints(listed, findings.verdict, findings.ranked_by, findings.worlds, spent, settled)

    def _is_settled(self, listed: tuple[Hint, ...], findings: Findings) -> bool:
        if listed and listed[0].certainty == "proven" and listed[0].win == CERTAIN_WIN:
            return findings.lines_settled or not listed[0].line
        if self._sampling is not None and self._sampling.exhausted:
            return True
        return all(hint.certainty == "proven" for hint in listed)

    def _verdict_without_moves(self, budget: Budget) -> Verdict:
        """Where a card that is not read could still be played, the game may be over all the same."""
        ends: dict[str, Verdict] = {"won": "winnable", "lost": "lost"}
        end = outcome(self._position, self._game)
        if end == "open" and self._position.left_in_pyramid() <= FEW_LEFT:
            endings = Endings(self._position, (), self._game, Searcher(self._game))
            work_within(endings, budget)
            return "lost" if endings.lost else "undecided"
        return ends.get(end, "undecided")

    def _rank(self, entry: tuple[Move, Found], findings: Findings) -> tuple[float, ...]:
        move, found = entry
        removes, wins = move.kind in ("pair", "single"), found.certainty == "proven" and found.win == CERTAIN_WIN
        share = found.win.estimate if found.certainty != "bound" and not findings.by_cards_left else 0.0
        return (
            move.kind == "redeal" and self._position.stock is None,
            not wins,
            # A win that needs nothing unseen can be told move by move, the shortest first.
            wins and not found.line,
            len(found.line) if wins else 0,
            not (is_safe(move, self._game) and (found.certainty != "proven" or share == 1.0)),
            findings.ranked_by == "share-won" and not self._is_needed(move),
            -share,
            found.certainty == "proven" and share == 0.0 and findings.verdict != "lost",
            # Among equals a turn shows a card and keeps all pairs that need not be taken now.
            removes and findings.scouting,
            found.cards_left,
            not removes,
            -len(freed_places(self._position, move)),
        )

    def _is_needed(self, move: Move) -> bool:
        """Whether every win takes this pair, a card of the pyramid with its last partner: then it may leave at once.
        With three cards turned at a time a card of the waste may have to stay, with jokers no partner is the last."""
        options = self._game.options
        plain = (options.draw, options.goal, options.turn_when, options.jokers) == (1, "pyramid", "always", 0)
        return plain and move.kind == "pair" and tied_card(self._position, move, self._game) is not None

    def _hint(self, move: Move, found: Found) -> Hint:
        reason: Reason = reason_of(self._position, move, self._game, self._moves)
        rests_on = set(move.places)
        for place in move.places:
            rests_on |= self._near(place)
        if found.certainty == "proven":
            rests_on |= self._doubtful
        depends = tuple(sorted(rests_on & self._doubtful))
        left = round(found.cards_left, 2)
        shortest = found.shortest or (found.win == CERTAIN_WIN and 0 < len(found.line) <= self._least)
        return Hint(move, found.certainty, found.win, left, reason, depends, found.line, shortest)

    def _near(self, place: str) -> set[str]:
        """The places whose being empty lets the card at ``place`` be taken."""
        spot = parse_pyramid_place(place)
        if spot is None or spot[0] >= self._position.row_count:
            return set()
        row, column = spot
        return {f"pyramid {row + 1} {column}", f"pyramid {row + 1} {column + 1}", *covering(self._position, place)}
