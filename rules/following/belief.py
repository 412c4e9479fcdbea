"""What is believed of a game in progress, and how each look changes it.

A belief is a few *lines*, each a way in which the game may have gone, with its log-odds against the likeliest. A look
is compared with what each line leads to: nothing happened, legal moves, moves taken back, a broken rule, another table;
places that look otherwise than a line has them were misread, at a price. Nothing is a fact because a picture said so
once: where a later look speaks for a card that an earlier one took for another, the earlier one is corrected.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.errors import RulesError
from rules.families import family_of
from rules.family import AnyMove
from rules.following.evidence import FACES, Evidence
from rules.layouts import parse_pyramid_place
from rules.looks import Position, cards_told, explain, explain_by_moves, known, lying, position_from_places
from rules.pyramid.position import PyramidPosition
from rules.violation import Violation

Happened = Literal["start", "nothing", "moves", "undone", "misread", "hidden", "breach", "another-table"]


@dataclass(frozen=True, slots=True)
class Priors:
    """How likely each change is before the look is weighed, as log-odds. Set by judgement, by what players do, and
    tried on generated games of other seeds than are reported.
    """

    nothing: float = -1.5  # who takes a picture mostly has moved; a camera that looks by itself sees mostly nothing new
    many: float = -4.0  # each move beyond the fourth: that many are not made between two looks
    unseen: float = -1.5  # each card that left without having been seen
    unseen_move: float = -3.0  # a move while something is in the way: it must show, else nothing is known of it
    undone: float = -4.0  # moves were taken back, and for each of them
    back: float = -0.7
    hidden: float = -5.0  # something lies over the table, or the picture is too poor
    breach: float = -6.0  # a rule was broken, and for each one more
    broken: float = -4.0
    changed: float = -6.0  # a card became another one: hands do not do that, eyes do; or one came from nowhere
    new_deal: float = -8.0
    another: float = -12.0
    other_way: float = -1.0  # other moves that explain the look as well as those told first


PRIORS: Final = Priors()
PACE: Final = (1.5, 0.1, 0.04, 0.015)
"""Looks by how many moves were made since the one before, one to four, as if so many had been seen already: how often a
player takes pictures shows as the game goes on."""
SPOKEN: Final = ("direction", "base", "reverse")
"""Moves that are choices: no card is moved by them."""
LOOKS_TRIED: Final = 40
"""Looks by what is read at each place that are compared with each line."""
LOOKS_EXPLAINED: Final = 60
"""Looks, of all that may be right, that are explained."""
MOST_CHANGED: Final = 14
"""Places at which a look that is explained may differ: four moves change no more."""
BREACHES_EXPLAINED: Final = 6
"""And so many of those to which no legal moves lead: which rule was broken takes long to find."""
MOST_LINES: Final = 10
PRUNED: Final = -12.0
"""A line that much less likely than the best one is dropped."""
CLEAR: Final = 3.0
"""A line is clearly ahead by so much: twenty to one."""
BACK: Final = 6
"""So many states back it is looked whether moves were taken back."""
OPTIONS: Final = 3
"""Cards that may lie at one place, the likeliest, which are tried."""
MOST_PASSES: Final = 99
"""Where the rules allow any number, and it is not known."""
_STRANGE: Final = ("card-changed", "card-appeared")
_UNLIKELY: Final = (*_STRANGE, "card-vanished")
"""What eyes do more often than hands: nobody is accused of it before a second look shows it too."""


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


@dataclass(frozen=True, slots=True)
class State:
    """A state that the game was in, and the legal moves that led there from the state before."""

    position: Position
    moves: tuple[AnyMove, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A way in which the game may have gone. ``states``: the last is where it stands by the rules. ``odd``: what lies
    there since a rule was broken, until it is put back or played on from. ``broken``: how many moves had been made when
    it was first played on from what broke a rule. ``said``: for each place how much each card that was ever likely
    there has been spoken for, since what lies there came to lie there. ``event``: what the last look showed.
    ``waiting``: for how many looks now no move has been seen. ``pending``: rules that seem to be broken, if a second
    look shows it too. ``pace``: at how many looks one, two, three, four moves had been made.
    """

    log: float
    states: tuple[State, ...]
    event: Event
    odd: Position | None = None
    broken: int | None = None
    said: Mapping[str, Mapping[Seen, float]] = field(default_factory=dict)
    waiting: int = 0
    pending: tuple[Violation, ...] = ()
    pace: tuple[int, ...] = (0,) * len(PACE)

    @property
    def position(self) -> Position:
        """What lies on the table."""
        return self.odd or self.states[-1].position

    @property
    def story(self) -> tuple[object, ...]:
        """What tells it from other lines for people: whether it is another table's, its moves, and whether a rule is
        broken."""
        return self.event.kind == "another-table", self.moves, self.odd is None

    @property
    def moves(self) -> tuple[AnyMove, ...]:
        """All legal moves that were made and stand."""
        return tuple(move for state in self.states for move in state.moves)


@dataclass(frozen=True, slots=True)
class Belief:
    """A game in progress. ``lines``: the likeliest first, its log-odds 0. ``unclear``: for how many looks now none has
    been clearly ahead. ``pins``: cards of a pyramid that a person named, for as long as a card lies there."""

    game: Game
    lines: tuple[Line, ...]
    unclear: int = 0
    pins: Mapping[str, Seen] = field(default_factory=dict)

    @property
    def best(self) -> Line:
        """The likeliest line."""
        return self.lines[0]

    @property
    def rivals(self) -> tuple[Line, ...]:
        """The lines that the likeliest one is not clearly ahead of and that tell another story, each story once."""
        met = {self.best.story}
        found: list[Line] = []
        for line in self.lines[1:]:
            if line.log > -CLEAR and line.story not in met:
                met.add(line.story)
                found.append(line)
        return tuple(found)

    @property
    def is_clear(self) -> bool:
        """Whether the likeliest line is clearly ahead, and nobody is accused by it at first sight."""
        return not self.rivals and not self.best.pending

    @property
    def stock_count(self) -> tuple[int, int] | None:
        """The fewest and the most cards that the stock may hold; None in a game without one."""
        return _range(self, "stock_count", self.game.options.stock_size if self.game.family == "pyramid" else None, 0)

    @property
    def pass_number(self) -> tuple[int, int] | None:
        """The lowest and the highest number that the pass may have; None in a game without a stock."""
        if self.game.family != "pyramid":
            return None
        return _range(self, "pass_number", self.game.options.passes or MOST_PASSES, 1)


def _range(belief: Belief, name: str, most: int | None, least: int) -> tuple[int, int] | None:
    if most is None:
        return None
    told = [getattr(line.position, name) for line in (belief.best, *belief.rivals)]
    if None in told:
        told = [*(n for n in told if n is not None), least, most]
    return min(told), max(told)


def start(game: Game, evidence: Evidence) -> Belief:
    """What is believed after the first look."""
    position = known(position_from_places(game, evidence.look), game)
    if isinstance(position, PyramidPosition) and position.pass_number is None and _is_fresh(position):
        position = replace(position, pass_number=1)
    line = Line(0.0, (State(position),), Event("start"))
    return Belief(game, (_remembered(line, evidence, {}),))


def _is_fresh(position: PyramidPosition) -> bool:
    return position.gone_cards == () and position.waste is GONE


def unread(belief: Belief) -> Belief:
    """The belief after a picture in which no table could be read."""
    hidden = (replace(line, event=Event("hidden"), waiting=line.waiting + 1) for line in belief.lines)
    return replace(belief, lines=tuple(hidden))


def told(belief: Belief, place: str, seen: Seen) -> Belief:
    """The belief once a person said what lies at a place: from the moment since which it has lain there."""
    lines = tuple(_corrected(line, place, seen) for line in belief.lines)
    pins = {**belief.pins, place: seen} if isinstance(seen, Card) and parse_pyramid_place(place) else belief.pins
    return replace(_pruned(belief.game, lines), pins=pins)


def followed(belief: Belief, evidence: Evidence) -> Belief:
    """The belief after one more look."""
    evidence = _as_told(evidence, belief.pins)
    unchanged = [_hidden(line, evidence) for line in belief.lines]
    lines, best = list(unchanged), max(line.log for line in unchanged)
    odd: list[tuple[float, Line, dict[str, Seen]]] = []
    for bound, source, look in _proposals(belief, evidence)[:LOOKS_EXPLAINED]:
        if bound < best + PRUNED:
            break
        found = _told_of(explain_by_moves, source, look, belief.game)
        if found is None or found.violations:
            odd.append((bound + PRIORS.breach, source, look))
            continue
        for line in _explained(source, found, look, evidence, belief.game):
            lines.append(line)
            best = max(best, line.log)
    for bound, source, look in odd[:BREACHES_EXPLAINED]:
        if bound < best + PRUNED:
            break
        found = _told_of(explain, source, look, belief.game)
        if found is not None and found.violations:
            lines.append(_broken(source, found, look, evidence))
            best = max(best, lines[-1].log)
    for line in belief.lines:
        lines += _put_back(line, evidence)
    other = _another_table(belief.best, evidence, belief.game)
    if other.log > best:
        # One picture of something else does not end a game.
        kept = max(unchanged, key=lambda line: line.log)
        lines.append(replace(kept, log=max(kept.log, other.log + PRUNED / 2)))
    lines.append(other)
    after = _pruned(belief.game, tuple(lines))
    shown = dict(lying(after.best.position))
    pins = {place: card for place, card in belief.pins.items() if shown.get(place) == card}
    return replace(after, unclear=0 if after.is_clear else belief.unclear + 1, pins=pins)


def _as_told(evidence: Evidence, pins: Mapping[str, Seen]) -> Evidence:
    """What a look says, faces at places that a person named read as that person does."""
    read = {place: card for place, card in pins.items() if isinstance(evidence.best(place), Card)}
    return Evidence({**evidence.chances, **{place: {card: 1.0} for place, card in read.items()}})


def answered(belief: Belief, line: Line) -> Belief:
    """The belief once a person said which line is the right one."""
    return Belief(belief.game, (replace(line, log=0.0),), pins=belief.pins)


def _pruned(game: Game, lines: tuple[Line, ...]) -> Belief:
    merged: dict[object, Line] = {}
    for line in sorted(lines, key=lambda line: -line.log):
        key = line.position, line.odd is None, line.moves
        merged.setdefault(key, line)
    best = max(line.log for line in merged.values())
    kept = [replace(line, log=line.log - best) for line in merged.values() if line.log - best > PRUNED]
    return Belief(game, tuple(kept[:MOST_LINES]))


def _another_table(line: Line, evidence: Evidence, game: Game) -> Line:
    """What is read as a table that has nothing to do with the game: a deal laid afresh, or another game."""
    found = start(game, evidence).best
    log = line.log + evidence.total(evidence.look) - _surprise(evidence.look, set())
    bare = sum(not isinstance(seen, Card) for seen in evidence.look.values())
    log += PRIORS.new_deal if _is_dealt(found.position, game) else PRIORS.another - math.log(2) * bare
    return replace(found, log=log, event=Event("another-table"))


def _is_dealt(position: Position, game: Game) -> bool:
    if isinstance(position, PyramidPosition):
        return position.left_in_pyramid() == game.options.pyramid_size and _is_fresh(position)
    shape = game.row_options.shape
    return tuple(map(len, position.left)) == shape.left and tuple(map(len, position.right)) == shape.right


def _proposals(belief: Belief, evidence: Evidence) -> list[tuple[float, Line, dict[str, Seen]]]:
    """What may lie there, from which line, the likeliest first, each with what its log-odds cannot exceed."""
    found: list[tuple[float, Line, dict[str, Seen]]] = []
    for line in belief.lines:
        right = [replace(line, odd=None, pending=())] if line.odd is not None else []
        corrected = list(_corrections(line, evidence))
        for number, source in enumerate((line, *right, *corrected)):
            named, before = _named(source), _complete_look(source.position, evidence)
            looks = _by_moves(source.position, evidence, belief.game)
            read = _by_places(before, evidence) if number <= len(right) else ()
            for look in _once((before, *looks, *read)):
                if sum(before.get(place) != seen for place, seen in look.items()) > MOST_CHANGED:
                    continue
                bound = source.log + _seen_so(look, evidence)[0] - _surprise(look, named)
                found.append((bound + PRIORS.changed * _impossible(before, look), source, look))
    return sorted(found, key=lambda one: -one[0])


def _once(looks: Iterable[dict[str, Seen]]) -> Iterator[dict[str, Seen]]:
    """Each of these looks once."""
    met = set[frozenset[tuple[str, Seen]]]()
    for look in looks:
        key = frozenset(look.items())
        if key not in met:
            met.add(key)
            yield look


def _impossible(before: Mapping[str, Seen], look: Mapping[str, Seen]) -> int:
    """In how many ways a look cannot follow by any rules: cards of a pyramid that became other ones, and cards that lie
    there twice."""
    changed = sum(
        isinstance(card, Card) and isinstance(before.get(place), Card) and before[place] != card
        for place, card in look.items()
        if parse_pyramid_place(place)
    )
    shown = [card for place, card in look.items() if isinstance(card, Card) and not card.is_joker]
    return changed + len(shown) - len(set(shown))


def _named(line: Line) -> set[Seen]:
    """The cards that were seen of late."""
    told = [card for state in line.states[-2:] for card in cards_told(state.position)]
    return {card for card in (*cards_told(line.position), *told) if isinstance(card, Card)}


def _surprise(look: Mapping[str, Seen], named: set[Seen]) -> float:
    """How unlikely it is that just these new cards came up."""
    shown = {seen for seen in look.values() if isinstance(seen, Card)}
    return math.log(max(FACES - len(named), 1)) * len(shown - named)


def _complete_look(position: Position, evidence: Evidence) -> dict[str, Seen]:
    """What a position shows, and at places of which it says nothing what is read there."""
    shown = dict(lying(position))
    for place in evidence.chances:
        if place not in shown:
            read = evidence.best(place)
            told_gone = place.startswith(("left", "right", "pyramid"))
            if told_gone:
                shown[place] = GONE
            elif read is not None:
                shown[place] = read
    return shown


def _by_moves(position: Position, evidence: Evidence, game: Game) -> Iterator[dict[str, Seen]]:
    """What each legal move leads to, what it turns up as it is read."""
    family = family_of(game)
    try:
        moves = family.legal_moves(position, game)
    except RulesError:
        return
    for move in moves:
        try:
            after = family.play(position, move, game)
        except RulesError:
            continue
        look = _complete_look(after, evidence)
        turned_up = [place for place, seen in look.items() if seen is FACE_DOWN or seen is UNREADABLE]
        for place in turned_up:
            read = evidence.best(place)
            if place != "stock" and read is not None and read is not GONE:
                look[place] = read
        yield look


def _by_places(before: Mapping[str, Seen], evidence: Evidence) -> Iterator[dict[str, Seen]]:
    """Looks by what is read at each place or lay there, the likeliest first."""
    places = dict.fromkeys((*evidence.chances, *before))
    options: list[tuple[str, list[tuple[float, Seen]]]] = []
    fixed: dict[str, Seen] = {}
    for place in places:
        may = dict.fromkeys(evidence.rivals(place)[:OPTIONS])
        if place in before:
            may[before[place]] = None
        ranked = sorted(((evidence.log(place, seen), seen) for seen in may), key=lambda one: -one[0])
        if len(ranked) > 1:
            options.append((place, ranked))
        elif ranked:
            fixed[place] = ranked[0][1]
    for chosen in _best_first([[log for log, _ in ranked] for _, ranked in options]):
        yield fixed | {place: ranked[n][1] for (place, ranked), n in zip(options, chosen, strict=True)}


def _best_first(logs: list[list[float]]) -> Iterator[tuple[int, ...]]:
    """Choices of one from each list, those with the largest sums first; at most ``LOOKS_TRIED``."""
    first = (0,) * len(logs)
    queue = [(-sum(each[0] for each in logs), first)]
    met = {first}
    for _ in range(LOOKS_TRIED):
        if not queue:
            return
        cost, chosen = heapq.heappop(queue)
        yield chosen
        for at, each in enumerate(logs):
            n = chosen[at] + 1
            following = (*chosen[:at], n, *chosen[at + 1 :])
            if n < len(each) and following not in met:
                met.add(following)
                heapq.heappush(queue, (cost + each[n - 1] - each[n], following))


def _told_of(tell: Callable[..., Any], line: Line, look: dict[str, Seen], game: Game) -> Any | None:
    """What led from a line to a look; None where nothing is told, or another table."""
    try:
        found = tell(line.position, position_from_places(game, look), game)
    except RulesError:
        return None
    return None if found is None or found.table != "same" else found


def _broken(line: Line, found: Any, look: dict[str, Seen], evidence: Evidence) -> Line:
    """The line after a look that breaks a rule."""
    log = line.log + evidence.total(look) + _prior(found, line, look)
    event = Event("breach", found.moves, misread=_misread(look, evidence), violations=found.violations)
    pending = found.violations if any(each.breach in _UNLIKELY for each in found.violations) else ()
    after = replace(line, log=log, odd=found.position, event=event, pending=pending, waiting=line.waiting + 1)
    return _remembered(after, evidence, line.said)


def _explained(line: Line, found: Any, look: dict[str, Seen], evidence: Evidence, game: Game) -> Iterator[Line]:
    """The lines after a look to which legal moves lead: those told, and other ones."""
    if found.undone and any(state.moves for state in line.states):
        return  # of a game whose moves are known, what was taken back is told by its states
    log, misread = line.log + evidence.total(look) + _prior(found, line, look), _misread(look, evidence)
    seen, in_the_way = _seen_so(look, evidence)
    log += seen - evidence.total(look)
    if in_the_way and not found.moves:
        return  # told as hidden
    log += PRIORS.unseen_move if in_the_way else 0.0
    yield _moved(line, found.position, found.moves, found.undone, log, misread, evidence)
    for cost, moves in (*_other_ways(found), *_with_unseen_turn(found)):
        other = _played(line.position, moves, game)
        if other is None:
            continue
        again = _told_of(explain_by_moves, replace(line, states=(State(other),), odd=None), look, game)
        if again is not None and again.is_plain and not again.moves:
            other_pace = _pace(line, moves) - _pace(line, found.moves)
            yield _moved(line, again.position, moves, (), log + cost + other_pace, misread, evidence)


def _other_ways(found: Any) -> Iterator[tuple[float, tuple[Any, ...]]]:
    """Other moves that explain a look as well, with what they cost."""
    for number, moves in enumerate(found.alternatives, start=1):
        yield PRIORS.other_way * number, moves


def _with_unseen_turn(found: Any) -> Iterator[tuple[float, tuple[Any, ...]]]:
    """The moves found and one turn more, whose cards the next turn hid: nobody can see whether it was made."""
    turn = next((move for move in found.moves if move.kind == "turn"), None)
    if turn is not None:
        yield 0.0, (replace(turn, cards=(FACE_DOWN,) * len(turn.cards)), *found.moves)


def _seen_so(look: Mapping[str, Seen], evidence: Evidence) -> tuple[float, bool]:
    """How likely the picture is if this lies there, and whether it is likelier with something in the way."""
    plain, hidden = evidence.total(look), evidence.total_hidden(look) + PRIORS.hidden
    return max(plain, hidden), hidden > plain


def _played(position: Position, moves: tuple[Any, ...], game: Game) -> Position | None:
    family = family_of(game)
    try:
        for move in moves:
            position = family.play(position, move, game)
    except RulesError:
        return None
    return position


def _moved(
    line: Line,
    position: Position,
    moves: tuple[AnyMove, ...],
    undone: tuple[AnyMove, ...],
    log: float,
    misread: tuple[str, ...],
    evidence: Evidence,
) -> Line:
    """The line after legal moves, or none."""
    kind: Happened = "moves" if moves else "undone" if undone else "misread" if misread else "nothing"
    corrected = line.event.corrected if line.event.kind == "misread" else {}
    odd, broken, stands = line.odd, line.broken, line.pending if line.odd is not None else ()
    event = Event("breach" if stands else kind, moves, undone, misread, stands, corrected)
    if odd is not None and not moves:
        # A broken rule stands as it stood.
        after = replace(line, log=log, odd=position, event=event, pending=())
        return _remembered(after, evidence, line.said)
    if odd is not None:
        broken = len(line.moves) if broken is None else broken
        odd = None
    if moves:
        states = (*line.states, State(position, moves))
    else:
        states = (*line.states[:-1], replace(line.states[-1], position=position))
    waiting = 0 if moves else line.waiting + 1
    pace = list(line.pace)
    if moves:
        pace[min(max(1, sum(move.kind not in SPOKEN for move in moves)), len(pace)) - 1] += 1
    after = replace(line, log=log, states=states, odd=odd, broken=broken, event=event, waiting=waiting, pending=())
    after = replace(after, pace=tuple(pace))
    return _remembered(after, evidence, line.said)


def _put_back(line: Line, evidence: Evidence) -> Iterator[Line]:
    """The line back at one of its states: moves were taken back."""
    back: list[AnyMove] = []
    for at in range(len(line.states) - 2, max(-1, len(line.states) - 2 - BACK), -1):
        back += reversed(line.states[at + 1].moves)
        look = _complete_look(line.states[at].position, evidence)
        log = line.log + PRIORS.undone + PRIORS.back * len(back) + evidence.total(look)
        event = Event("undone", undone=tuple(back), misread=_misread(look, evidence))
        kept = replace(line, log=log, states=line.states[: at + 1], odd=None, event=event, pending=())
        yield _remembered(kept, evidence, line.said)


def _hidden(line: Line, evidence: Evidence) -> Line:
    """The line if the table was hidden, or too poorly seen: nothing is learnt."""
    look = _complete_look(line.position, evidence)
    log = line.log + PRIORS.hidden + evidence.total_hidden(look)
    event = Event("hidden", misread=_misread(look, evidence))
    return replace(line, log=log, event=event, waiting=line.waiting + 1)


def _misread(look: Mapping[str, Seen], evidence: Evidence) -> tuple[str, ...]:
    return tuple(
        place
        for place, seen in look.items()
        if (read := evidence.best(place)) not in (None, seen, UNREADABLE) and not _as_good(read, seen)
    )


def _as_good(read: Seen | None, seen: Seen) -> bool:
    """A covered card that is known lies face down, and the other way round: no misreading."""
    return read is FACE_DOWN and isinstance(seen, Card)


def _prior(found: Any, line: Line, look: Mapping[str, Seen]) -> float:
    """How likely what happened is before it is looked at."""
    unseen = sum(not isinstance(card, Card) for move in found.moves if move.kind != "turn" for card in move.cards)
    prior = _pace(line, found.moves) if found.moves else PRIORS.nothing
    prior += PRIORS.unseen * unseen - _surprise(look, _named(line))
    if found.undone:
        prior += PRIORS.undone + PRIORS.back * len(found.undone)
    if found.violations:
        prior += PRIORS.breach + PRIORS.broken * (len(found.violations) - 1)
        prior += PRIORS.changed * sum(each.breach in _STRANGE for each in found.violations)
    return prior


def _pace(line: Line, moves: Sequence[AnyMove]) -> float:
    """How likely just so many moves are between two looks of this player's; while nothing was to be seen, any of the
    numbers up to as many as looks may well have been made.
    """
    count = max(1, sum(move.kind not in SPOKEN for move in moves))
    seen = [before + now for before, now in zip(PACE, line.pace, strict=True)]
    may = seen[max(count - 1 - line.waiting, 0) : count] or seen[-1:]
    likely = max(may) if line.waiting else may[-1]
    return math.log(likely / sum(seen)) + PRIORS.many * max(0, count - len(seen) - line.waiting)


def _remembered(line: Line, evidence: Evidence, said: Mapping[str, Mapping[Seen, float]]) -> Line:
    """The line with what the look says added to what was said of the same cards before."""
    now: dict[str, Mapping[Seen, float]] = {}
    for place, card in lying(line.position):
        if not isinstance(card, Card) or not evidence.chances.get(place):
            if place in said:
                now[place] = said[place]
            continue
        before = said.get(place, {})
        if before and card not in before:
            before = {}  # another card lies there now
        likely = {seen for seen in (*before, *evidence.rivals(place), card) if isinstance(seen, Card)}
        now[place] = {seen: before.get(seen, _floor(before)) + evidence.log(place, seen) for seen in likely}
    return replace(line, said=now)


def _floor(before: Mapping[Seen, float]) -> float:
    """What the looks before say for a card of which none of them spoke."""
    return min(before.values(), default=0.0) - (8.0 if len(before) == 1 else 0.0)


def _corrections(line: Line, evidence: Evidence) -> Iterator[Line]:
    """The line if a card that looks otherwise now was misread before."""
    accused = {place for broken in line.pending for place in broken.places}
    for place, card in lying(line.position):
        read = evidence.best(place)
        said = {} if place in accused else line.said.get(place, {})
        if isinstance(read, Card) and isinstance(card, Card) and read != card and said:
            cost = said.get(read, _floor(said)) - said.get(card, 0.0)
            other = _corrected(line, place, read)
            yield replace(other, log=line.log + cost)


def _corrected(line: Line, place: str, seen: Seen) -> Line:
    """The line in which this lies at a place, and has lain there for as long as what was taken for it."""
    taken_for = dict(lying(line.position)).get(place)
    at = len(line.states)
    while at and dict(lying(line.states[at - 1].position)).get(place) == taken_for:
        at -= 1
    states = [
        state if n < at else replace(state, position=state.position.with_seen({place: seen}))
        for n, state in enumerate(line.states)
    ]
    odd = None if line.odd is None else line.odd.with_seen({place: seen})
    said = {**line.said, place: {seen: 0.0}}
    event = Event("misread", corrected={**line.event.corrected, place: seen})
    return replace(line, states=tuple(states), odd=odd, said=said, event=event)
