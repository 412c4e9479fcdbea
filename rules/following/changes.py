"""What happened between a line and a look: moves, something in the way, moves taken back, a broken rule."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.errors import RulesError
from rules.families import family_of
from rules.family import AnyMove
from rules.following.evidence import Evidence
from rules.following.likely_looks import complete_look, in_each_others_places, meant, seen_so, surprise
from rules.following.line import Event, Happened, Line, State, cards_gone, cards_named, remembered
from rules.following.other_ways import after_playing, last_taken, may_be, takes, ways_besides
from rules.following.priors import BACK, IDLE, PACE, PRIORS, SPOKEN, STRANGE, WAITED
from rules.layouts import FOUNDATION, WASTE
from rules.looks import (
    Position,
    cards_told,
    explain_by_breaches,
    explain_by_moves,
    lying,
    position_from_places,
)
from rules.pyramid.position import PyramidPosition, known_cards


def told_of(tell: Callable[..., Any], line: Line, look: dict[str, Seen], game: Game) -> Any | None:
    """What led from a line to a look; None where nothing is told, or another table."""
    try:
        found = tell(line.position, position_from_places(game, look), game)
    except RulesError:
        return None
    return None if found is None or found.table != "same" else found


def broken_between(line: Line, look: dict[str, Seen], game: Game) -> Iterator[Any]:
    """Ways in which rules may have been broken between a line and a look, as the referee tells them."""
    try:
        yield from explain_by_breaches(line.position, position_from_places(game, look), game)
    except RulesError:
        return


def after_breach(line: Line, found: Any, look: dict[str, Seen], evidence: Evidence, game: Game) -> Line:
    """The line after a look that breaks a rule: the legal moves made before it stand."""
    log = line.log + evidence.total(look) + log_prior(found, line, look, game)
    event = Event("breach", found.moves, misread=misread_at(look, evidence), violations=found.violations)
    played = after_playing(line.position, found.moves, game) if found.moves and line.odd is None else None
    states = line.states if played is None else (*line.states, State(played[0], _as_shown(played[1])))
    after = replace(line, log=log, states=states, odd=found.position, event=event)
    after = replace(after, pending=found.violations, untold=found.violations)
    return remembered(after, evidence, line)


def after_look(line: Line, found: Any, look: dict[str, Seen], evidence: Evidence, game: Game) -> Iterator[Line]:
    """The lines after a look to which legal moves lead: those told, and other ones."""
    if found.undone and any(state.moves for state in line.states):
        return  # of a game whose moves are known, what was taken back is told by its states
    misread = misread_at(look, evidence)
    seen, in_the_way = seen_so(look, evidence)
    is_heap_hidden = in_the_way and evidence.best(FOUNDATION) is GONE
    if is_heap_hidden:
        look = {place: card for place, card in look.items() if place != FOUNDATION}
    log = line.log + seen + log_prior(found, line, look, game)
    if in_the_way and not found.moves:
        return  # told as hidden
    log += PRIORS.unseen_move if in_the_way else 0.0
    position = _led_to(line, found, look, game) if _is_opened(line, found) else found.position
    if is_heap_hidden and isinstance(position, PyramidPosition) and any(takes(move) for move in found.moves):
        position = replace(position, foundation=None)
    if position is not None:
        own = log + (0.0 if _is_sound(position) else PRIORS.changed) + _log_played_on(line, found.moves, game)
        yield after_moves(line, position, found.moves, found.undone, own, misread, evidence, in_the_way)
    nothing = not found.moves and not found.undone and not evidence.is_poor
    for cost, moves in ways_besides(found, line, look, game, nothing=nothing):
        played = after_playing(line.position, moves, game)
        position = None if played is None else _as_seen(line, played[0], look, game)
        if played is not None and position is not None:
            told_pace = log_pace(line, found.moves) if found.moves else PRIORS.nothing
            other_pace = log_pace(line, played[1]) - told_pace
            heap = _log_heap(replace(found, moves=played[1]), line, look, game) - _log_heap(found, line, look, game)
            own = log + cost + other_pace + heap + _log_played_on(line, played[1], game)
            yield after_moves(line, position, played[1], (), own, misread, evidence, in_the_way)


def _log_played_on(line: Line, moves: tuple[AnyMove, ...], game: Game) -> float:
    """How much less likely moves are that go on after one that wins a pyramid game, and cannot have come before it."""
    if not isinstance(line.position, PyramidPosition) or line.position.left_in_pyramid() > 2 * len(moves):
        return 0.0  # a move takes two cards at most
    wins = [_is_won(line.position, moves[:count], game) for count in range(len(moves) + 1)]
    if not wins[-1] or wins[0]:
        return 0.0
    won = wins.index(True)
    last_of_all = (*moves[: won - 1], *moves[won:], moves[won - 1])
    return 0.0 if _is_won(line.position, last_of_all, game) else PRIORS.won * (len(moves) - won)


def _is_won(position: Position, moves: tuple[AnyMove, ...], game: Game) -> bool:
    played = after_playing(position, moves, game)
    return played is not None and family_of(game).outcome(played[0], game) == "won"


def _is_opened(line: Line, found: Any) -> bool:
    """Whether the look alone leaves the stock's number or the waste open, though before the moves they were known."""
    before, after = line.position, found.position
    if line.odd is not None or found.undone or not isinstance(before, PyramidPosition):
        return False
    lists = ((before.stock_count, after.stock_count), (before.waste_cards, after.waste_cards))
    return any(known is not None and told is None for known, told in lists)


def _led_to(line: Line, found: Any, look: dict[str, Seen], game: Game) -> Position | None:
    """What the moves found lead to with what the look shows of it; None where that cannot be."""
    played = after_playing(line.position, found.moves, game)
    return None if played is None else _as_seen(line, played[0], look, game)


def _as_seen(line: Line, position: Position, look: dict[str, Seen], game: Game) -> Position | None:
    """A position with what a look shows of it; None where it shows otherwise, or a card would be in the piles twice."""
    again = told_of(explain_by_moves, replace(line, states=(State(position),), odd=None), look, game)
    if again is None or not again.is_plain or again.moves:
        return None
    return again.position if _is_sound(again.position) else None


def _is_sound(position: Position) -> bool:
    """Whether no card is known to lie in the piles twice."""
    piles = (position.waste_cards, position.stock_cards) if isinstance(position, PyramidPosition) else ()
    known = [card for card in known_cards(card for pile in piles for card in pile or ()) if not card.is_joker]
    return len(set(known)) == len(known)


def after_moves(
    line: Line,
    position: Position,
    moves: tuple[AnyMove, ...],
    undone: tuple[AnyMove, ...],
    log: float,
    misread: tuple[str, ...],
    evidence: Evidence,
    in_the_way: bool = False,
) -> Line:
    """The line after legal moves, or none. in_the_way: something hid a part of the look, and may hide more moves."""
    kind: Happened = "moves" if moves else "undone" if undone else "misread" if misread else "nothing"
    corrected = line.event.corrected if line.event.kind == "misread" else {}
    odd, untold = line.odd, line.untold if line.odd is not None else ()
    event = Event("breach" if untold else kind, moves, undone, misread, untold, corrected)
    if odd is not None and not moves:
        # A broken rule stands as it stood.
        after = replace(line, log=log, odd=position, event=event, pending=())
        return remembered(after, evidence, line)
    if moves:
        states = (*line.states, State(position, _as_shown(moves, in_the_way), lawful=odd is None))
    else:
        states = (*line.states[:-1], replace(line.states[-1], position=_still_known(position, line)))
    hides = in_the_way if moves else not evidence.shows_all
    waiting, half_told = (line.waiting + 1, line.half_told + _count(moves)) if hides else (0, 0)
    after = replace(line, log=log, states=states, odd=None, event=event, waiting=waiting, half_told=half_told)
    after = replace(after, pending=(), untold=(), pace=_pace_after(line, moves) if moves else line.pace)
    return remembered(after, evidence, line)


def _as_shown(moves: Sequence[AnyMove], in_the_way: bool = False) -> tuple[AnyMove, ...]:
    """The moves, of turns with the last card alone, and that where the look showed it or it was taken: the others may
    lie in another order than is thought. Where a card that nobody saw was taken, or any of the waste where several are
    turned at a time, what shows may have lain below that, and no turn is sure of it; nor is one of a card that was
    taken, where another card of the waste was too. in_the_way: what hid a part of the look may hide that one was."""
    taken = [move for move in moves if takes(move)]
    named = {card for move in taken for card in move.cards}
    turns = [at for at, move in enumerate(moves) if move.kind == "turn"]
    of_waste = sum(WASTE in move.places for move in taken)
    is_unsure = FACE_DOWN in named
    if turns and len(moves[turns[0]].cards) > 1:
        is_unsure |= of_waste > 0 or in_the_way

    def shown(turn: Any, at: int) -> Any:
        *below, top = turn.cards
        is_shown = (top in named and of_waste < 2) or (at == turns[-1] and top not in named and not is_unsure)
        return replace(turn, cards=(*[FACE_DOWN] * len(below), top if is_shown else FACE_DOWN))

    return tuple(shown(move, at) if move.kind == "turn" else move for at, move in enumerate(moves))


def _still_known(position: Position, line: Line) -> Position:
    """What lies there where nothing was moved: a face that was known is no less known for a worse picture."""
    lies = dict(lying(position))
    lay = {place: card for place, card in lying(line.position) if isinstance(card, Card)}
    known = {place: card for place, card in lay.items() if lies.get(place) is FACE_DOWN}
    if WASTE in known and isinstance(position, PyramidPosition) and isinstance(line.position, PyramidPosition):
        return replace(position.with_seen(known), waste_cards=line.position.waste_cards)
    return position.with_seen(known) if known else position


def _count(moves: Sequence[AnyMove]) -> int:
    return sum(move.kind not in SPOKEN for move in moves)


def _pace_after(line: Line, moves: Sequence[AnyMove]) -> tuple[int, ...]:
    """The pace with these moves: since the last look that showed all, as many at each as may be."""
    pace, looks = list(line.pace), min(line.waiting, WAITED) + 1
    count = max(1, _count(moves))
    for look in range(min(looks, count)):
        at_one = count // looks + (look < count % looks)
        pace[min(at_one, len(pace)) - 1] += 1
    return tuple(pace)


def put_back(line: Line, evidence: Evidence) -> Iterator[Line]:
    """The line back at one of its states: moves were taken back."""
    back: list[AnyMove] = []
    for at in range(len(line.states) - 2, max(-1, len(line.states) - 2 - BACK), -1):
        back += reversed(line.states[at + 1].moves)
        look = complete_look(line.states[at].position, evidence)
        log = line.log + _log_undone(back) + evidence.total(look)
        event = Event("undone", undone=tuple(back), misread=misread_at(look, evidence))
        kept = replace(line, log=log, states=line.states[: at + 1], odd=None, event=event)
        kept = replace(kept, pending=(), untold=())
        yield remembered(kept, evidence, line)


def _log_undone(undone: Sequence[AnyMove]) -> float:
    turned = sum(move.kind == "turn" for move in undone)
    return PRIORS.undone + PRIORS.back * len(undone) + PRIORS.turned_back * turned


def if_hidden(line: Line, evidence: Evidence) -> Line:
    """The line if the table was hidden, or too poorly seen: nothing is learnt."""
    look = complete_look(line.position, evidence)
    log = line.log + evidence.total_hidden(look)
    event = Event("hidden", misread=misread_at(look, evidence))
    return replace(line, log=log, event=event, waiting=line.waiting + 1)


def misread_at(look: Mapping[str, Seen], evidence: Evidence) -> tuple[str, ...]:
    return tuple(
        place
        for place, seen in look.items()
        if (read := evidence.best(place)) not in (None, seen, UNREADABLE) and not _as_good(read, seen)
    )


def _as_good(read: Seen | None, seen: Seen) -> bool:
    """A covered card that is known lies face down, and the other way round: no misreading."""
    return read is FACE_DOWN and isinstance(seen, Card)


def log_prior(found: Any, line: Line, look: Mapping[str, Seen], game: Game) -> float:
    """How likely what happened is before it is looked at."""
    unseen = sum(not isinstance(card, Card) for move in found.moves if move.kind != "turn" for card in move.cards)
    still = found.undone or not (found.moves or found.violations)
    prior = PRIORS.nothing if still else log_pace(line, found.moves, len(found.violations) > 0)
    told = meant(look, dict(lying(line.position)))
    prior += PRIORS.unseen * unseen - surprise(told, cards_named(line), cards_gone(line))
    prior += PRIORS.changed * _turned_again(found.moves, line)
    if found.undone:
        prior += _log_undone(found.undone)
    else:
        prior += _log_heap(found, line, look, game)
    if found.violations:
        exchanged = len(in_each_others_places(look, dict(lying(line.position))))
        taken, at_a_time = {each.cards[:1] for each in found.violations}, 2 if game.family == "pyramid" else 1
        prior += PRIORS.breach + PRIORS.broken * (len(found.violations) - 1)
        prior += PRIORS.taken * max(0, len(taken) - at_a_time)
        prior += PRIORS.changed * (sum(each.breach in STRANGE for each in found.violations) + exchanged)
        if game.family == "rows":
            prior += PRIORS.vanished * sum(each.breach == "card-vanished" for each in found.violations)
        prior += PRIORS.blind * sum(card is FACE_DOWN for each in found.violations for card in each.cards)
    return prior


def _log_heap(found: Any, line: Line, look: Mapping[str, Seen], game: Game) -> float:
    """How much less likely what happened is for what the foundation of a pyramid game shows after it."""
    if found.undone:
        return 0.0
    if not _heap_told(found, line, look, game):
        return PRIORS.heap
    return PRIORS.unshown if not found.violations and _is_unshown(found.moves, line, look) else 0.0


def _turned_again(moves: Sequence[AnyMove], line: Line) -> int:
    """How many of these moves turn up a card that was seen before and cannot be in the stock."""
    made, start = (*line.moves, *moves), line.states[0].position
    first = next((at + 1 for at in range(len(made) - 1, -1, -1) if made[at].kind == "redeal"), 0)
    met = set(cards_told(start)) - set(getattr(start, "stock_cards", None) or ()) if first == 0 else set()
    again = 0
    for at, move in enumerate(made[first:], start=first):
        cards = {card for card in move.cards if isinstance(card, Card) and not card.is_joker}
        again += at >= len(line.moves) and move.kind == "turn" and not cards.isdisjoint(met)
        met |= cards
    return again


def _heap_told(found: Any, line: Line, look: Mapping[str, Seen], game: Game) -> bool:
    """Whether the foundation of a pyramid game shows a card that was taken last, or what it showed before."""
    top = look.get(FOUNDATION)
    if not isinstance(top, Card):
        return True
    taken = [move.cards for move in found.moves if takes(move)]
    lay = dict(lying(line.position))
    # Of a pair that broke a rule it may be the other card, which the rule does not name.
    left = tuple(card for place, card in lay.items() if look.get(place) is GONE)
    against = [(*broken.cards, *left) for broken in found.violations]
    if not taken and not against:
        shown = lay.get(FOUNDATION)
        was_taken = [card for cards in last_taken(line) for card in cards] if shown is None else []
        return shown == top or (shown is None and (not was_taken or top in was_taken))
    # Of what was taken against the rules nobody knows what it is.
    unseen = any(FACE_DOWN in cards and (against or may_be(top, cards, game)) for cards in (*taken, *against))
    return unseen or any(top in cards for cards in (*taken, *against))


def _is_unshown(moves: Sequence[AnyMove], line: Line, look: Mapping[str, Seen]) -> bool:
    """Whether the first cards of a pyramid game to be taken are not on the foundation, which is in sight."""
    if look.get(FOUNDATION) is not GONE or not isinstance(line.position, PyramidPosition):
        return False
    return any(takes(move) for move in moves) and not any(takes(move) for move in line.moves)


def log_pace(line: Line, moves: Sequence[AnyMove], more: int = 0) -> float:
    """How likely just so many moves are between two looks of this player's; while not all was to be seen, any of the
    numbers up to as many as looks may well have been made, with those told meanwhile. more: things done beside legal
    moves.
    """
    waiting, told = min(line.waiting, WAITED), line.half_told
    log = _log_count(line.pace, waiting, told + max(1, more + _count(moves)))
    return log - _log_count(line.pace, waiting - 1, told) if told else log


def _log_count(pace: tuple[int, ...], waiting: int, count: int) -> float:
    likely = _likely_counts(pace, waiting)
    return math.log(likely[min(count, len(likely)) - 1]) + PRIORS.many * max(0, count - len(likely))


@lru_cache(maxsize=1024)
def _likely_counts(pace: tuple[int, ...], waiting: int) -> tuple[float, ...]:
    """How likely one, two, … moves are since that many looks and one more: in each of the last of them as many may have
    been made as this player makes, and hardly less likely in fewer of them."""
    seen = [before + now for before, now in zip(PACE, pace, strict=True)]
    each = np.array(seen) / sum(seen)
    made, likely = np.ones(1), np.zeros(len(seen) * (waiting + 1))
    for looks in range(1, waiting + 2):
        made = np.convolve(made, each)
        at = slice(looks - 1, looks - 1 + len(made))
        likely[at] = np.maximum(likely[at], made * IDLE ** (waiting + 1 - looks))
    return tuple(likely)
