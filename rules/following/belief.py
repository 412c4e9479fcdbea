"""What is believed of a game in progress, and how each look changes it.

A belief is a few *lines*, each a way in which the game may have gone, with its log-odds against the likeliest. A look
is compared with what each line leads to: nothing happened, legal moves, moves taken back, a broken rule, another table;
places that look otherwise than a line has them were misread, at a price. Nothing is a fact because a picture said so
once: where a later look speaks for a card that an earlier one took for another, the earlier one is corrected.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.following.alignment import of_one_deck, ways_it_may_lie
from rules.following.changes import after_breach, after_look, broken_between, if_hidden, log_prior, put_back, told_of
from rules.following.evidence import EMPTY, Evidence
from rules.following.likely_looks import proposals, surprise, told_once
from rules.following.line import Event, Line, State, chances, is_told, remembered, with_corrected
from rules.following.priors import (
    AT_SIGHT,
    BREACHES_EXPLAINED,
    CLEAR,
    COUNTED,
    LOOKS_EXPLAINED,
    MOST_LINES,
    MOST_PASSES,
    PRIORS,
    PRUNED,
    SURE,
    UNLIKELY,
    WAITED,
    YOUNG,
)
from rules.following.repeated import weighed_anew
from rules.layouts import FOUNDATION, LAYOUTS, TURNED, WASTE, parse_pyramid_place
from rules.looks import Position, explain_by_moves, known, lying, position_from_places, told_twice
from rules.pyramid.position import PyramidPosition
from rules.violation import Violation


@dataclass(frozen=True, slots=True)
class Belief:
    """A game in progress. ``lines``: the likeliest first, its log-odds 0. ``unclear``: for how many looks now none has
    been clearly ahead. ``looks``: how many there were after the first one."""

    game: Game
    lines: tuple[Line, ...]
    unclear: int = 0
    looks: int = 0

    @property
    def best(self) -> Line:
        """The likeliest line."""
        return self.lines[0]

    @property
    def rivals(self) -> tuple[Line, ...]:
        """The lines that the likeliest one is not clearly ahead of, or not so far that it may accuse anybody at first
        sight, and that tell another story, each story once."""
        met = {self.best.story}
        found: list[Line] = []
        behind = AT_SIGHT if self.best.pending else CLEAR
        for line in self.lines[1:]:
            if line.log > -behind and line.story not in met:
                met.add(line.story)
                found.append(line)
        return tuple(found)

    @property
    def shared(self) -> int:
        """How many moves the likeliest line and its rivals begin with alike."""
        told = [line.moves for line in (self.best, *self.rivals)]
        parted = (number for number, moves in enumerate(zip(*told, strict=False)) if len(set(moves)) > 1)
        return next(parted, min(map(len, told)))

    @property
    def is_young(self) -> bool:
        """Whether another table is taken for the game's that was not seen often enough to forget the game for it."""
        return _is_young(self.best, self.looks)

    @property
    def is_clear(self) -> bool:
        """Whether the likeliest line is clearly ahead, and nobody is accused by it at first sight."""
        return not self.rivals and not self.best.pending

    @property
    def broken(self) -> tuple[Violation, ...]:
        """The rules that the last look breaks by all lines that may be right, with the same cards at least in part,
        whatever else is open."""
        told = () if self.best.pending else self.best.event.violations
        return tuple(each for each in told if all(_is_among(each, line.event.violations) for line in self.rivals))

    @property
    def doubts(self) -> tuple[str, ...]:
        """The places at which all looks together leave it open which card lies there, and those whose card is told to
        lie elsewhere too."""
        shown = [(place, seen, chances(self.best, place)) for place, seen in lying(self.best.position)]
        twice = told_twice(self.best.position)
        return tuple(p for p, seen, told in shown if told and (told.get(seen, 0.0) < SURE or seen in twice))

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


def _is_among(broken: Violation, violations: Sequence[Violation]) -> bool:
    """Whether the same rule is among these, broken with one of its cards, or without any card as there."""
    alike = (other.cards for other in violations if other.breach == broken.breach)
    return any(bool(set(broken.cards) & set(cards)) or broken.cards == cards for cards in alike)


def _range(belief: Belief, name: str, most: int | None, least: int) -> tuple[int, int] | None:
    if most is None:
        return None
    told = [getattr(line.position, name) for line in belief.lines if line.log > -COUNTED]
    if None in told:
        told = [*(n for n in told if n is not None), least, most]
    return min(told), max(told)


def start(game: Game, evidence: Evidence, position: Position | None = None) -> Belief:
    """What is believed after the first look; position: what lies there, where a person told more of it."""
    evidence = of_one_deck(_nothing_taken(evidence.laid_in(game), game))
    position = known(position or position_from_places(game, told_once(evidence)), game)
    if isinstance(position, PyramidPosition) and position.pass_number is None and _is_fresh(position):
        position = replace(position, pass_number=1)
    line = Line(0.0, (State(position),), Event("start"))
    return Belief(game, (remembered(line, evidence),))


def _nothing_taken(evidence: Evidence, game: Game) -> Evidence:
    """What a deal of a pyramid shows: while every card of it lies there, and none on the waste, what cannot be read
    where the foundation may be is no card; nor is what may be one that was turned up: if it is, it shows again."""
    places = [spot.place for spot in LAYOUTS[game.layout].spots] if game.family == "pyramid" else []
    is_deal = places and all(evidence.best(place) not in (None, GONE) for place in places)
    if not is_deal or evidence.best(WASTE) is not GONE:
        return evidence
    turned = evidence.chances.get(TURNED, {})
    nothing = [FOUNDATION] if evidence.best(FOUNDATION) is UNREADABLE else []
    nothing += [TURNED] if turned and max(turned.values()) < SURE else []
    return replace(evidence, chances={**evidence.chances, **{place: {GONE: EMPTY} for place in nothing}})


def _is_fresh(position: PyramidPosition) -> bool:
    return position.gone_cards == () and position.waste is GONE


def unread(belief: Belief) -> Belief:
    """The belief after a picture in which no table could be read."""
    hidden = (replace(line, event=Event("hidden"), waiting=line.waiting + 1) for line in belief.lines)
    return replace(belief, lines=tuple(hidden))


def told(belief: Belief, place: str, seen: Seen) -> Belief:
    """The belief once a person said what lies at a place: from the moment since which it has lain there."""
    lines = tuple(replace(with_corrected(line, place, seen), event=line.event) for line in belief.lines)
    return replace(belief, lines=_pruned(lines, belief.game), unclear=0)


def followed(belief: Belief, evidence: Evidence) -> Belief:
    """The belief after one more look."""
    stands, game, evidence = belief.best, belief.game, of_one_deck(evidence.laid_in(belief.game))
    # Each line lays the look out as its own cards may lie; what is in doubt is weighed alike for all.
    ways = [(line, way) for line in belief.lines for way in _laid_out(evidence, line)]
    laid = [(line, weighed_anew(_as_told(way, stands), stands)) for line, way in ways]
    unchanged = [if_hidden(line, look) for line, look in laid]
    lines, best = list(unchanged), max(line.log for line in unchanged)
    tried = [(*one, look) for line, look in laid for one in proposals(line, look, game)]
    odd: list[tuple[float, Line, dict[str, Seen], Evidence, set[Seen]]] = []
    for bound, source, look, seen in sorted(tried, key=lambda one: -one[0])[:LOOKS_EXPLAINED]:
        if bound < best + PRUNED:
            break
        tell = partial(explain_by_moves, trusting=True, hidden=min(source.waiting, WAITED))
        found = told_of(tell, source, look, game)
        if found is None or found.violations:
            odd.append((bound + PRIORS.breach, source, look, seen, set()))
            continue
        unseen = any(move.kind != "turn" and FACE_DOWN in move.cards for move in found.moves)
        if unseen or log_prior(found, source, look, game) < PRIORS.breach:
            # Cards never seen, or more moves than this player makes: a broken rule may be likelier.
            taken = {card for move in found.moves if move.kind != "turn" for card in move.cards}
            odd.append((bound + PRIORS.breach, source, look, seen, set() if unseen else taken))
        for line in after_look(source, found, look, seen, game):
            lines.append(line)
            best = max(best, line.log)
    for bound, source, look, seen, taken in odd[:BREACHES_EXPLAINED]:
        if bound < best + PRUNED:
            break
        for broken in broken_between(source, look, game):
            if taken and taken.issuperset(card for each in broken.violations for card in each.cards):
                continue  # the same cards were taken by the rules
            lines.append(after_breach(source, broken, look, seen, game))
            best = max(best, lines[-1].log)
    for line, seen in laid:
        lines += put_back(line, seen)
    looks = belief.looks + 1
    lines.append(replace(_another_table(stands, laid[0][1], game), begun=looks))
    after = _at_sight(replace(belief, lines=_with_former(lines, unchanged, looks, game)), laid[0][1], stands)
    after = _with_told(after)
    return replace(after, unclear=0 if after.is_clear else belief.unclear + 1, looks=looks)


def _laid_out(evidence: Evidence, line: Line) -> list[Evidence]:
    """The look as the cards of a line may lie; where a rule was broken, that may have been put back."""
    positions = dict.fromkeys((line.position, line.states[-1].position))
    ways = [way for position in positions for way in ways_it_may_lie(evidence, position, line.missed)]
    return [way for number, way in enumerate(ways) if way not in ways[:number]]


def _is_young(line: Line, looks: int) -> bool:
    return line.begun > 0 and looks - line.begun < YOUNG


def _with_former(lines: Sequence[Line], unchanged: Sequence[Line], looks: int, game: Game) -> tuple[Line, ...]:
    """The lines that may be right; while another table was not seen often enough, with each former game among them as
    it stood (``unchanged``): one picture of something else ends no game, nor do two that do not agree."""
    best, former = max(lines, key=lambda line: line.log), dict[int, Line]()
    if _is_young(best, looks):
        for line in sorted(unchanged, key=lambda line: -line.log):
            if line.begun < best.begun:
                former.setdefault(line.begun, line)
    unlikely = [line for line in former.values() if line.log - best.log < PRUNED / 2]
    return (*_pruned(lines, game), *(replace(line, log=PRUNED / 2) for line in unlikely))


def _at_sight(belief: Belief, evidence: Evidence, stands: Line) -> Belief:
    """The belief, in which rules that seem to be broken count at first sight: where the look is a good one, hands do
    such things more often than eyes, and whatever else may have happened is far less likely. Else a second look is
    waited for, by whichever story what `stands` told is told again."""
    told = belief.best.pending
    again = bool(stands.pending) and all(_is_among(each, stands.pending) for each in told)
    unlikely = any(each.breach in UNLIKELY for each in told)
    others = any(line.log > -AT_SIGHT and line.event.violations != told for line in belief.lines)
    if not told or (not again and (evidence.is_poor or unlikely or others)):
        return belief
    return replace(belief, lines=tuple(replace(x, pending=()) if x.pending == told else x for x in belief.lines))


def _with_told(belief: Belief) -> Belief:
    """The belief, in which rules that are sure to be broken count as told."""
    told = belief.broken
    lines = (replace(x, untold=tuple(each for each in x.untold if not _is_among(each, told))) for x in belief.lines)
    return replace(belief, lines=tuple(lines)) if told else belief


def _as_told(evidence: Evidence, line: Line) -> Evidence:
    """What a look says, with faces at places of a pyramid that a person named read as that person does, and so those
    of half rows as which these cards were read before, but for a card that left where it lay: that may have come."""
    read, lay = dict[str, Card](), dict(lying(line.position))
    left = {card for place, card in lay.items() if isinstance(card, Card) and evidence.best(place) != card}
    for place, card in lay.items():
        said, best = line.said.get(place, {}), evidence.best(place)
        is_as_before = best in said and best not in left
        may_be = isinstance(best, Card) and (is_as_before or parse_pyramid_place(place) is not None)
        if may_be and is_told(said) and isinstance(card, Card):
            read[place] = card
    return evidence.as_told(read)


def answered(belief: Belief, line: Line) -> Belief:
    """The belief once a person said which line is the right one, and that what it tells did happen."""
    alike = [replace(one, log=one.log - line.log, pending=(), untold=()) for one in belief.lines if _is_as(one, line)]
    return replace(belief, lines=tuple(sorted(alike, key=lambda one: -one.log)), unclear=0)


def _is_as(one: Line, other: Line) -> bool:
    """Whether two lines tell the same story, and of the last look the same."""
    return one.story == other.story and one.event.kind == other.event.kind


def counted(belief: Belief, stock_count: int | None, pass_number: int | None) -> Belief:
    """The belief once a person said how many cards the stock has, or the number of the pass (None: nothing): of the
    ways it may have gone those count that lead there, if there are any."""
    said = (("stock_count", stock_count), ("pass_number", pass_number))
    fit = [line for line in belief.lines if all(n in (None, getattr(line.position, name, n)) for name, n in said)]
    lines = _pruned(fit, belief.game) if fit else belief.lines
    return replace(belief, lines=tuple(_counted(line, stock_count, pass_number) for line in lines))


def _counted(line: Line, stock_count: int | None, pass_number: int | None) -> Line:
    def said(position: Position) -> Position:
        if not isinstance(position, PyramidPosition):
            return position
        if stock_count is not None and stock_count != position.stock_count:
            position = replace(position, stock=stock_count > 0, stock_count=stock_count, stock_cards=None)
        return replace(position, pass_number=pass_number or position.pass_number)

    last = replace(line.states[-1], position=said(line.states[-1].position))
    return replace(line, states=(*line.states[:-1], last), odd=None if line.odd is None else said(line.odd))


def allowed(belief: Belief) -> Belief:
    """The belief once a person said that a house rule allows what seems to break one: the game goes on from there."""
    best = belief.best
    if best.odd is None:
        return belief
    states = (*best.states, State(best.odd, lawful=False))
    gone_on = replace(best, log=0.0, states=states, odd=None, pending=(), untold=())
    return replace(belief, lines=(gone_on,), unclear=0)


def none_of_these(belief: Belief) -> Belief:
    """The belief once a person said that it went in none of the ways told: what all of them agree on stands, and the
    game goes on from what lies there. What was moved in between is not known, nor what the stock and the waste hold."""
    best, here = belief.best, belief.best.position
    counts = accumulate(len(state.moves) for state in best.states)
    stands = tuple(state for state, count in zip(best.states, counts, strict=True) if count <= belief.shared)
    if isinstance(here, PyramidPosition):
        here = known(position_from_places(belief.game, dict(lying(here))), belief.game)
    states = (*stands, State(here, lawful=False))
    line = replace(best, log=0.0, states=states, odd=None, event=Event("nothing"))
    return replace(belief, lines=(replace(line, pending=(), untold=(), waiting=0, half_told=0),), unclear=0)


def all_misread(belief: Belief) -> Belief:
    """The belief once a person said that what seems to break a rule was misread: what the rules allow stands."""
    best = belief.best
    places = tuple(dict.fromkeys(place for broken in best.event.violations for place in broken.places))
    right = replace(best, log=0.0, odd=None, pending=(), untold=(), event=Event("misread", misread=places))
    return replace(belief, lines=(right,), unclear=0)


def _pruned(lines: Sequence[Line], game: Game) -> tuple[Line, ...]:
    merged: dict[object, Line] = {}
    for line in sorted(lines, key=lambda line: -line.log):
        key = line.story, _told_apart(line.position, game)
        merged.setdefault(key, line)
    best = max(line.log for line in merged.values())
    kept = [replace(line, log=line.log - best) for line in merged.values() if line.log - best > PRUNED]
    return tuple(kept[:MOST_LINES])


def _told_apart(position: Position, game: Game) -> object:
    """What of a position makes two lines of one story differ. Where several cards are turned at a time all that is
    known of the piles: it tells which of them will show. Else of cards that nobody saw in the waste not where they lie,
    but for the next one."""
    if not isinstance(position, PyramidPosition):
        return position
    stock, waste = position.stock_cards, position.waste_cards
    piles = (stock, waste) if game.options.draw > 1 else waste and waste[-2:]
    return tuple(lying(position)), position.stock_count, position.pass_number, piles


def _another_table(line: Line, evidence: Evidence, game: Game) -> Line:
    """What is read as a table that has nothing to do with the game: a deal laid afresh, or another game."""
    found = start(game, evidence).best
    log = line.log + evidence.total(evidence.look) - surprise(evidence.look, set())
    bare = sum(not isinstance(seen, Card) for seen in evidence.look.values())
    log += PRIORS.new_deal if is_dealt(found.position, game) else PRIORS.another - math.log(2) * bare
    return replace(found, log=log, event=Event("another-table"))


def is_dealt(position: Position, game: Game) -> bool:
    """Whether a position is that of a fresh deal."""
    if isinstance(position, PyramidPosition):
        return position.left_in_pyramid() == game.options.pyramid_size and _is_fresh(position)
    shape = game.row_options.shape
    return tuple(map(len, position.left)) == shape.left and tuple(map(len, position.right)) == shape.right
