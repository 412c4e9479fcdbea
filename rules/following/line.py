"""A line: one way in which a game in progress may have gone, with what was seen of each card that lies there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.family import AnyMove
from rules.following.evidence import Evidence
from rules.following.priors import DOUBTFUL, PACE
from rules.layouts import FOUNDATION, TURNED, WASTE
from rules.looks import Position, cards_told, lying
from rules.pyramid.position import PyramidPosition, known_cards
from rules.violation import Violation

OTHERS: Final = UNREADABLE
"""Stands for every card of which no look spoke."""
SETTLED: Final = -12.0
"""No card is spoken for by more than one sure look and a half: what was misread once may be misread again, and that is
likelier still than that a hand laid another card there."""
TOLD: Final = -60.0
"""What a person said outweighs all looks."""
Happened = Literal["start", "nothing", "moves", "undone", "misread", "hidden", "breach", "another-table"]


@dataclass(frozen=True, slots=True)
class Event:
    """What a look showed: ``moves`` made, ``undone`` taken back (the last one first), places ``misread``, rules broken.
    ``corrected``: what an earlier look had been taken for and was not, by its place."""

    kind: Happened
    moves: tuple[AnyMove, ...] = ()
    undone: tuple[AnyMove, ...] = ()
    misread: tuple[str, ...] = ()
    violations: tuple[Violation, ...] = ()
    corrected: Mapping[str, Seen] = field(default_factory=dict)


Story = tuple[bool, tuple[tuple[str, tuple[Seen, ...], tuple[str, ...]], ...], frozenset[Seen], bool]


@dataclass(frozen=True, slots=True)
class State:
    """A state that the game was in, and the legal moves that led there from the state before, or from what lay there
    then if it is not `lawful`: what broke a rule was played on from, or what happened is not known."""

    position: Position
    moves: tuple[AnyMove, ...] = ()
    lawful: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """A way in which the game may have gone. ``states``: the last is where it stands by the rules. ``odd``: what lies
    there since a rule was broken, until it is put back or played on from. ``said``: for each place how much each card
    that was ever likely there has been spoken for, wherever it lay, and any other one by ``OTHERS``. ``event``: what
    the last look showed. ``waiting``: for how many looks now not all of the table was seen, and ``half_told`` how
    many moves were told of them. ``pending``: rules that seem to be broken, if a second look shows it too. ``untold``:
    broken rules of which nobody has been told yet, for it was not sure. ``pace``: at how many looks one, two, three,
    four moves had been made. ``taken_for``: for each card as which other ones it was read, and how surely at most.
    ``missed``: the cards that were not to be seen at the last look. ``begun``: the number of the look that showed its
    table first.
    """

    log: float
    states: tuple[State, ...]
    event: Event
    odd: Position | None = None
    said: Mapping[str, Mapping[Seen, float]] = field(default_factory=dict)
    waiting: int = 0
    half_told: int = 0
    pending: tuple[Violation, ...] = ()
    untold: tuple[Violation, ...] = ()
    pace: tuple[int, ...] = (0,) * len(PACE)
    taken_for: Mapping[Card, Mapping[Card, float]] = field(default_factory=dict)
    missed: frozenset[Seen] = frozenset()
    begun: int = 0

    @property
    def position(self) -> Position:
        """What lies on the table."""
        return self.odd or self.states[-1].position

    @property
    def story(self) -> Story:
        """What tells it from other lines for people: whether it is another table's, its moves, what is known to lie in
        the piles, and whether a rule is broken. That a direction was chosen shows in what is built. In which order
        moves were made that lead to the same does not matter, nor whether a card left before the next one was turned
        upon it. How many cards were turned, where only the last one was seen, or taken alone unseen, stays open until
        the stock shows it."""
        left = (move for move in self.moves if move.kind not in ("direction", "turn"))
        told = ((move.kind, move.cards, _places(move)) for move in left if move.kind != "single" or _is_seen(move))
        moves = tuple(sorted(told, key=str))
        return self.event.kind == "another-table", moves, _piled(self.position), self.odd is None

    @property
    def broken(self) -> int | None:
        """How many moves had been made when it was first played on from what broke a rule; None where it never was."""
        lawful = [state.lawful for state in self.states]
        return None if all(lawful) else sum(len(state.moves) for state in self.states[: lawful.index(False)])

    @property
    def moves(self) -> tuple[AnyMove, ...]:
        """All legal moves that were made and stand."""
        return tuple(move for state in self.states for move in state.moves)


def _is_seen(move: AnyMove) -> bool:
    return any(card is not FACE_DOWN for card in move.cards)


def _places(move: AnyMove) -> tuple[str, ...]:
    return tuple(WASTE if place == TURNED else place for place in move.places)


def _piled(position: Position) -> frozenset[Seen]:
    """The cards known to lie in the stock, beside it or in the waste, in whatever order."""
    if not isinstance(position, PyramidPosition):
        return frozenset()
    listed = (*(position.stock_cards or ()), *(position.waste_cards or ()), position.waste, position.turned)
    return frozenset(known_cards(listed))


def remembered(line: Line, evidence: Evidence, before: Line | None = None) -> Line:
    """The line with what the look says added to what was said of the same cards ``before`` it, wherever they lay."""
    said = before.said if before else {}
    known = _said_of(before) if before else {}
    lay = dict(lying(before.position)) if before else {}
    now: dict[str, Mapping[Seen, float]] = {}
    for place, card in lying(line.position):
        if not isinstance(card, Card) or not evidence.chances.get(place):
            if place in said and lay.get(place) == card:
                now[place] = said[place]
            elif card in known:
                now[place] = known[card]
            continue
        # Of a card that came from elsewhere what was said there; of one just turned up nothing was.
        here = said.get(place, {})
        earlier = here if lay.get(place) == card and card in here else known.get(card, {})
        now[place] = earlier if is_told(earlier) else _said_too(earlier, evidence, place, card)
    missed = frozenset(card for place, card in lying(line.position) if evidence.hides(place))
    return replace(line, said=now, taken_for=_taken_too(line, evidence), missed=missed)


def _taken_too(line: Line, evidence: Evidence) -> dict[Card, Mapping[Card, float]]:
    """As which other cards those of a line were read, this look included."""
    taken_for = dict(line.taken_for)
    for place, card in lying(line.position):
        read = evidence.best(place)
        if place != FOUNDATION and isinstance(card, Card) and isinstance(read, Card) and read != card:
            mine = taken_for.get(card, {})
            surely = evidence.log(place, read) - evidence.log(place, card)
            taken_for[card] = {**mine, read: max(surely, mine.get(read, 0.0))}
    return taken_for


def _said_too(earlier: Mapping[Seen, float], evidence: Evidence, place: str, card: Card) -> dict[Seen, float]:
    """What was said earlier of a card, and what a look says of the place at which it lies."""
    likely = {seen for seen in (*earlier, *evidence.rivals(place), card) if isinstance(seen, Card)}
    spoken: dict[Seen, float] = {seen: spoken_for(earlier, seen) + evidence.log(place, seen) for seen in likely}
    if UNREADABLE in evidence.rivals(place):
        # The line was charged no more than for a card that cannot be read there: what is corrected gives back no more.
        spoken[card] = spoken_for(earlier, card) + max(evidence.log(place, card), evidence.log(place, UNREADABLE))
    spoken[OTHERS] = spoken_for(earlier, OTHERS) + evidence.log_others(place)
    least = max(spoken.values()) + SETTLED
    return {seen: max(log, least) for seen, log in spoken.items()}


def is_told(said: Mapping[Seen, float]) -> bool:
    """Whether a person said which card it is: no look counts any more."""
    return said.get(OTHERS, 0.0) == TOLD


def _said_of(line: Line) -> dict[Seen, Mapping[Seen, float]]:
    """What was said of each card that the line tells of; one that is known and does not show was seen before."""
    known: dict[Seen, Mapping[Seen, float]] = {}
    for card in cards_told(line.position):
        if isinstance(card, Card):
            known[card] = _surely(card)
    for place, seen in lying(line.position):
        if isinstance(seen, Card) and seen in line.said.get(place, {}):
            known[seen] = line.said[place]
    return known


def _surely(card: Seen) -> dict[Seen, float]:
    return {card: 0.0, OTHERS: SETTLED / 2}


def spoken_for(before: Mapping[Seen, float], seen: Seen) -> float:
    """How much a card has been spoken for, of what was said at one place."""
    return before.get(seen, before.get(OTHERS, 0.0))


def log_misread(said: Mapping[Seen, float], taken_for: Seen, seen: Seen) -> float:
    """How likely it is, as log-odds of what was said at one place, that this lies there and was taken for another."""
    return spoken_for(said, seen) - spoken_for(said, taken_for)


def corrections(line: Line, evidence: Evidence) -> Iterator[Line]:
    """The line if a card that looks otherwise now was misread before, for each of them and for all together: a game may
    begin with a poor picture. Where the card that it looks like is told to lie elsewhere, the two were taken for each
    other, which is one misreading and not two; one that is out of sight for good lies nowhere. A card in doubt that has
    left may have been any that it looked like."""
    accused = {place for broken in line.pending for place in broken.places}
    every, cost_of_all, count = line, 0.0, 0
    gone, changed = cards_gone(line), set[str | None]()
    elsewhere = gone.union(cards_told(line.position))
    for place, card in lying(line.position):
        read = evidence.best(place)
        if read in gone:  # what else it looks like
            read = next((seen for seen in evidence.rivals(place) if isinstance(seen, Card) and seen not in gone), read)
        said = {} if place in accused else line.said.get(place, {})
        if read is GONE and isinstance(card, Card):
            for seen in said.keys() - elsewhere - {OTHERS}:
                cost = log_misread(said, card, seen)
                if cost > -DOUBTFUL:
                    yield _with_said(with_corrected(line, place, seen), line, line.log + cost)
        if not (isinstance(read, Card) and isinstance(card, Card) and read != card and said) or read in gone:
            continue
        cost, other = log_misread(said, card, read), _taken_for(line, place, read)
        if other is not None and evidence.best(other) == read:
            other = None
        if other is not None:
            there = line.said.get(other, {})
            cost = min(cost, log_misread(there, read, card))
        yield _with_said(_exchanged(line, place, read, other), line, line.log + cost)
        if not changed.isdisjoint({place, other}):
            continue
        changed |= {place, other} - {None}
        every, cost_of_all, count = _exchanged(every, place, read, other), cost_of_all + cost, count + 1
    if count > 1:
        yield _with_said(every, line, line.log + cost_of_all)


def _taken_for(line: Line, place: str, seen: Card) -> str | None:
    """Where else a card of which there is one is told to lie, what lies there having been seen; None where nowhere."""
    lay = lying(line.position)
    return next((at for at, card in lay if at != place and card == seen and line.said.get(at)), None)


def _exchanged(line: Line, place: str, seen: Card, other: str | None) -> Line:
    """The line in which this lies at a place, and what was taken for it at the other one."""
    taken_for = dict(lying(line.position))[place]
    corrected = with_corrected(line, place, seen)
    return corrected if other is None else with_corrected(corrected, other, taken_for)


def _with_said(corrected: Line, line: Line, log: float) -> Line:
    """A corrected line, of which as much stays in doubt as the looks left in doubt."""
    return replace(corrected, log=log, said=line.said)


def with_corrected(line: Line, place: str, seen: Seen) -> Line:
    """The line in which this lies at a place, and has lain there, and where it came from, for as long as what was taken
    for it; the moves that brought it there are told of it too."""
    taken_for = dict(lying(line.position)).get(place)
    states, where = list(line.states), place
    for at in reversed(range(len(states))):
        state, lay = states[at], dict(lying(states[at].position))
        if lay.get(where) != taken_for and isinstance(taken_for, Card) and at + 1 < len(states):
            where = _came_from(states[at + 1], where, seen)
        if lay.get(where) != taken_for:
            break
        state = replace(state, position=state.position.with_seen({where: seen}))
        brought = any(where in move.places for move in state.moves)
        if brought and isinstance(taken_for, Card):  # of cards that nobody saw a move may have several
            if isinstance(seen, Card):
                moves = (renamed(move, taken_for, seen) if where in move.places else move for move in state.moves)
                state = replace(state, moves=tuple(moves))
            else:  # no move brings what is not there: what was made instead is not known
                state = replace(state, lawful=False)
        states[at] = state
    odd = None if line.odd is None else line.odd.with_seen({place: seen})
    # What it was taken for may be read there again.
    mistaken = dict.fromkeys(line.said.get(place, {}), TOLD)
    said = {**line.said, place: {**mistaken, seen: 0.0, OTHERS: TOLD}}
    event = Event("misread", corrected={**line.event.corrected, place: seen})
    return replace(line, states=tuple(states), odd=odd, said=said, event=event)


def _came_from(state: State, place: str, card: Seen) -> str:
    """Where a card lay before it came to a place: by the move that took it there, else as the card turned up."""
    by = (move.places[0] for move in state.moves if place in move.places[1:] and card in move.cards)
    return next(by, TURNED if place == WASTE else "")


def renamed(move: Any, card: Seen | None, seen: Seen) -> Any:
    """The move, if it names a card, with this in its place."""
    return replace(move, cards=tuple(seen if one == card else one for one in move.cards))


def chances(line: Line, place: str) -> dict[Seen, float]:
    """The chances of what lies at a place by all looks since it came to lie there, likely cards only, and none that is
    out of sight for good; nothing where no look spoke of it."""
    here, gone = line.said.get(place, {}), cards_gone(line)
    told = dict(lying(line.position)).get(place)
    said = {seen: log for seen, log in here.items() if seen is not OTHERS and (seen == told or seen not in gone)}
    most = max(said.values(), default=0.0)
    odds = {seen: math.exp(log - most) for seen, log in said.items()}
    return {seen: one / sum(odds.values()) for seen, one in odds.items()}


def cards_named(line: Line) -> set[Seen]:
    """The cards that were seen of late."""
    told = [card for state in line.states[-2:] for card in cards_told(state.position)]
    return {card for card in (*cards_told(line.position), *told) if isinstance(card, Card)}


def cards_gone(line: Line) -> frozenset[Seen]:
    """The cards that are out of sight for good: those taken in a pyramid game, and those built upon on a foundation of
    a row game. None of them comes back, but by a move that is taken back."""
    gone = (*(getattr(line.position, "gone_cards", None) or ()), *_built_upon(line))
    return frozenset(card for card in gone if isinstance(card, Card) and not card.is_joker)


def _built_upon(line: Line) -> Iterator[Seen]:
    tops = {f"base {row}": card for row, card in enumerate(getattr(line.states[0].position, "bases", ()), start=1)}
    for move in line.moves:
        source, *goal = move.places or ("",)
        if source in tops:
            tops[source] = GONE  # of the middle a card that is no foundation may be played
        if goal and goal[0] in tops:
            yield tops[goal[0]]
            tops[goal[0]] = move.cards[0]
