"""Ways beside those told at once in which a look may have come about: with turns that the next one hid, a card that
left alone unseen, or one turned up that looks like the one before."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from rules.cards import FACE_DOWN, UNREADABLE, Card, Seen, deck
from rules.catalogue import Game
from rules.errors import RulesError
from rules.families import family_of
from rules.family import AnyMove
from rules.following.line import Line, renamed
from rules.following.priors import MOST_UNSEEN, PRIORS
from rules.layouts import FOUNDATION, TURNED, WASTE
from rules.looks import Position, cards_told, lying
from rules.pyramid.moves import single
from rules.pyramid.pairing import leaves_alone, pairs_up
from rules.pyramid.position import PyramidPosition

Moves = tuple[Any, ...]


def ways_besides(
    found: Any, line: Line, look: Mapping[str, Seen], game: Game, *, nothing: bool
) -> Iterator[tuple[float, Moves]]:
    """Other moves than those found that explain a look as well, with what they cost. nothing: none were found, and the
    look is a good one."""
    with_a_turn = tuple(_turned_alike(line, look, game) if nothing else _with_a_turn(found, line, look, game))
    others = tuple(_other_ways(found, line))
    yield from others
    yield from with_a_turn
    known = ((0.0, found.moves), *others, *with_a_turn)
    another = [way for cost, moves in known for way in _with_another_taken(cost, moves, line, game)]
    yield from another
    for cost, moves in another if line.waiting else ():
        yield from _with_unseen_turns(cost, moves, line, game)
    for cost, moves in ((0.0, found.moves), *with_a_turn):
        yield from _with_unseen_turns(cost, moves, line, game)
        yield from _with_unseen_single(cost, moves, line, look, game)


def _other_ways(found: Any, line: Line) -> Iterator[tuple[float, Moves]]:
    """Other moves that explain a look as well, with what they cost; but for a turn that shows what was to be seen
    before: of one more joker nobody can tell that it came."""
    top = dict(lying(line.position)).get(WASTE)
    for number, moves in enumerate(found.alternatives, start=1):
        if found.moves or not (len(moves) == 1 and moves[0].kind == "turn" and moves[0].cards[-1] == top):
            yield PRIORS.other_way * number, moves


def _with_unseen_turns(cost: float, made: Moves, line: Line, game: Game) -> Iterator[tuple[float, Moves]]:
    """These moves and more turns, whose cards the next turn hid: nobody can see whether they were made."""
    for at, turn in enumerate(made):
        before = after_playing(line.position, made[:at], game) if turn.kind == "turn" else None
        if before is None:
            continue
        unseen = _unseen(turn)
        # What the stock was known to have on top is of the first of these turns.
        known = getattr(before[0], "stock_cards", None) or ()
        rest = (_without(turn, set(known[: len(turn.cards)])), *made[at + 1 :])
        # Between two looks there may have been two moves, and one of them the turn that shows.
        most = min(1 + 2 * line.waiting, MOST_UNSEEN)
        for count in range(1, most + 1):
            yield cost, (*made[:at], *[unseen] * count, *rest)
        for again, position in _through_the_stock(before[0], most, game):
            for last in _turns(position, game):
                shown = replace(last, cards=(*last.cards[:-1], turn.cards[-1]))
                yield cost, (*made[:at], *again, shown, *made[at + 1 :])


def _through_the_stock(position: Position, most: int, game: Game) -> Iterator[tuple[Moves, Position]]:
    """Turns that nobody saw to the end of the stock, the redeal, and turns after it, ``most`` moves at most; and what
    they lead to."""
    made: Moves = ()
    while len(made) < most:
        turns, is_again = _turns(position, game), any(move.kind == "redeal" for move in made)
        more = turns[:1] or ([] if is_again else _legal(position, game, "redeal"))
        played = after_playing(position, tuple(_unseen(move) for move in more), game) if more else None
        if played is None:
            return
        position, made = played[0], (*made, _unseen(more[0]))
        if is_again or not turns:
            yield made, position


def _with_unseen_single(
    cost: float, made: Moves, line: Line, look: Mapping[str, Seen], game: Game
) -> Iterator[tuple[float, Moves]]:
    """These moves, and a card that leaves alone and that no look showed: taken from the waste before a turn that covers
    where it lay, or turned up, held and taken. Where nothing was taken after it, the foundation must not show another.
    """
    if game.family != "pyramid":
        return
    told = {*cards_told(line.position), *(card for move in made for card in move.cards)}
    is_any_unseen = any(leaves_alone(card, game.options) for card in deck() if card not in told)
    taken = look.get(FOUNDATION)
    is_shown = taken is None or (isinstance(taken, Card) and leaves_alone(taken, game.options))
    for at, turn in enumerate(made):
        before = after_playing(line.position, made[:at], game) if turn.kind == "turn" else None
        if before is None or not (is_shown or any(takes(move) for move in made[at:])):
            continue
        top = dict(lying(before[0])).get(WASTE)
        if isinstance(top, Card) and leaves_alone(top, game.options):
            yield cost, (*made[:at], single(top, WASTE), *made[at:])
        elif is_any_unseen:
            yield cost + PRIORS.unseen, (*made[:at], single(FACE_DOWN, WASTE), *made[at:])
        if is_any_unseen and turn.places[1] == TURNED:
            yield cost + PRIORS.unseen, (*made[:at], _unseen(turn), single(FACE_DOWN, TURNED), *made[at:])


def _with_a_turn(found: Any, line: Line, look: Mapping[str, Seen], game: Game) -> Iterator[tuple[float, Moves]]:
    """The moves found, if one takes the waste's card, and a turn: a card that then shows, and that nobody knew to lie
    below, may have been turned up after them, though it would do as one of those turned before; or, where several are
    turned at a time, before them, and the uppermost, which nobody saw, was the one taken."""
    shown, moves = look.get(WASTE), found.moves
    taken = [at for at, move in enumerate(moves) if move.kind != "turn" and WASTE in move.places]
    turns = [move for move in moves if move.kind == "turn"]
    if not taken or not isinstance(shown, Card) or (turns and not any(shown in move.cards for move in turns)):
        return
    moves = tuple(renamed(move, shown, FACE_DOWN) if move.kind == "turn" else move for move in moves)
    after, _ = after_playing(line.position, moves, game) or (None, ())
    if after is not None and isinstance(dict(lying(after)).get(WASTE), Card):
        return  # it is known what lies below
    for turn in _turns(after, game):
        yield 0.0, (*moves, replace(turn, cards=(*turn.cards[:-1], shown)))
    at = taken[-1]
    before, _ = after_playing(line.position, moves[:at], game) or (None, ())
    for turn in _turns(before, game):
        if len(turn.cards) > 1 and not turns:
            turned = replace(turn, cards=(*turn.cards[:-2], shown, FACE_DOWN))
            yield PRIORS.unseen, (*moves[:at], turned, _with_unseen(moves[at]), *moves[at + 1 :])


def _with_another_taken(cost: float, made: Moves, line: Line, game: Game) -> Iterator[tuple[float, Moves]]:
    """These moves, if one takes the card that lay on the waste, with one in its stead that was turned up upon it and
    that nobody saw. While something hid the table that may as well have been; else a player takes what he sees."""
    top = dict(lying(line.position)).get(WASTE)
    at = next((at for at, move in enumerate(made) if takes(move) and WASTE in move.places), None)
    if at is None or not isinstance(top, Card) or top not in made[at].cards:
        return
    before, _ = after_playing(line.position, made[:at], game) or (None, ())
    # What is known of the stock comes up one turn earlier.
    known = {card for card in getattr(before, "stock_cards", None) or () if isinstance(card, Card)}
    later = [_without(move, known) if move.kind == "turn" else move for move in made[at + 1 :]]
    for turn in _turns(before, game):
        if len(turn.cards) == 1 and not any(move.kind == "turn" for move in later):
            return  # the card that lay there would show again
        log = PRIORS.unseen + (0.0 if line.waiting else PRIORS.passed_over)
        yield cost + log, (*made[:at], _unseen(turn), _with_unseen(made[at]), *later)


def _turned_alike(line: Line, look: Mapping[str, Seen], game: Game) -> Iterator[tuple[float, Moves]]:
    """A turn, where nothing else happened and the waste, whose card was read, shows one that cannot be, or one more
    that looks just like it: a joker."""
    shown, top = look.get(WASTE), dict(lying(line.position)).get(WASTE)
    if not isinstance(top, Card) or shown not in (UNREADABLE, top):
        return
    cost = PRIORS.unread if shown is UNREADABLE else _log_again(line.position, top, game)
    if cost is None:
        return
    for turn in _turns(line.position, game):
        yield cost, (_unseen(turn),)


def _log_again(position: Position, top: Card, game: Game) -> float | None:
    """The logarithm of how likely the next card of the stock looks like this one; None where it cannot."""
    if not isinstance(position, PyramidPosition) or not top.is_joker:
        return None
    lists = (*position.rows, position.gone_cards or (), position.waste_cards or (top,), position.stock_cards or ())
    told = [card for cards in lists for card in cards if isinstance(card, Card)]
    left, unseen = game.options.deck.count(top) - told.count(top), len(game.options.deck) - len(told)
    return math.log(left / unseen) if left > 0 else None


def _turns(position: Position | None, game: Game) -> list[Any]:
    return _legal(position, game, "turn")


def _legal(position: Position | None, game: Game, kind: str) -> list[Any]:
    legal = () if position is None else family_of(game).legal_moves(position, game)
    return [move for move in legal if move.kind == kind]


def _unseen(turn: Any) -> Any:
    """The same turn with cards that nobody saw."""
    return replace(turn, cards=(FACE_DOWN,) * len(turn.cards))


def _without(turn: Any, known: Set[Seen]) -> Any:
    """The same turn with these cards unnamed."""
    return replace(turn, cards=tuple(FACE_DOWN if card in known else card for card in turn.cards))


def _with_unseen(move: Any) -> Any:
    """The same move with a card of the waste that nobody saw."""
    return renamed(move, move.cards[move.places.index(WASTE)], FACE_DOWN)


def after_playing(position: Position, moves: Moves, game: Game) -> tuple[Position, Moves] | None:
    """What moves lead to, and they with all cards named that are known to lie there; None where the rules forbid it."""
    family, played = family_of(game), []
    try:
        for move in moves:
            played.append(family.fill(move, position) if FACE_DOWN in move.cards else move)
            position = family.play(position, played[-1], game)
    except RulesError:
        return None
    return position, tuple(played)


def takes(move: AnyMove) -> bool:
    """Whether a move takes cards out of a pyramid game."""
    return move.kind in ("pair", "single")


def may_be(top: Card, taken: Sequence[Seen], game: Game) -> bool:
    """Whether a card that was taken unseen, alone or with another one, may be this one."""
    options = game.options
    if len(taken) == 1:
        return leaves_alone(top, options)
    known = next((card for card in taken if isinstance(card, Card)), None)
    return not leaves_alone(top, options) and (known is None or pairs_up(top, known, options))


def last_taken(line: Line) -> list[tuple[Seen, ...]]:
    """What was taken together by the last moves that took anything, those of one look."""
    taken = ([move.cards for move in state.moves if takes(move)] for state in reversed(line.states))
    return next(filter(None, taken), [])


def with_taken_shown(line: Line, look: Mapping[str, Seen], game: Game) -> Line:
    """The line in which a card that was taken unseen, while the foundation was hidden, is the one shown there now."""
    top, at = look.get(FOUNDATION), len(line.states) - 1
    position, moves = line.states[at].position, line.states[at].moves
    if not isinstance(position, PyramidPosition) or position.foundation is not None or not isinstance(top, Card):
        return line
    unseen = next((move for move in moves if takes(move) and FACE_DOWN in move.cards), None)
    if unseen is None or top in cards_told(position) or not may_be(top, unseen.cards, game):
        return line
    gone = position.gone_cards
    if gone and FACE_DOWN in gone:
        one = gone.index(FACE_DOWN)
        gone = (*gone[:one], top, *gone[one + 1 :])
    named = tuple(renamed(move, FACE_DOWN, top) if move is unseen else move for move in moves)
    state = replace(line.states[at], position=replace(position, gone_cards=gone), moves=named)
    return replace(line, states=(*line.states[:at], state))
