"""What happened between two looks at a table, as a small search: states, the moves that could have been made, the goal.

A card that is not known is a *token* (a negative number) until a later look names it; so a card turned and seen only
then is learnt, not guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from rules.cards import FACE_DOWN, GONE, Card, Seen
from rules.catalogue import Game
from rules.layouts import pyramid_place
from rules.options import Options
from rules.pyramid.complete import complete
from rules.pyramid.full import named_cards
from rules.pyramid.idle import stock_played
from rules.pyramid.position import PyramidPosition, known_cards

Face = Card | int
"""A card, or the token of one that is not known."""

CELL_TOKEN = -1000
WASTE_TOKEN = -2000
HELD_TOKEN = -3000
HAND_TOKEN = -4000


class Table(NamedTuple):
    """One state between two looks.

    ``gone``: bit mask of the pyramid's empty places. ``stock``: first one drawn first, then ``more`` unknown cards:
    0 none, 1 at least one, 2 none or some. ``waste``: bottom to top, over unknown cards if ``below``. ``turned``: the
    held card, ``HAND_TOKEN`` where not known which; ``HELD_TOKEN`` where not known if there is one. ``drawn``, ``dug``:
    unknown cards met in stock and waste. ``from_hand``: a card was held out of sight at the earlier look. ``played``:
    whether a card of the stock has been played in this pass, None where not known (True where that does not matter).
    """

    gone: int
    stock: tuple[Face, ...]
    more: int
    waste: tuple[Face, ...]
    below: bool
    turned: Face | None
    number: int | None
    drawn: int = 0
    dug: int = 0
    from_hand: bool = False
    played: bool | None = True


@dataclass(frozen=True, slots=True)
class Scene:
    """Two looks at one table.

    ``faces``: what is known of each place's card from either look; ``target``: the places empty in the later look;
    ``covers``: per place, the mask of those lying on it; ``pool``: how many cards of each worth nobody has seen (0 for
    jokers); ``gone_before``: cards known to have left before the earlier look, ``top`` the one on top of them,
    ``gone_count`` how many they all are where that is known. ``starts``: what the earlier look shows, and the same with
    a card held out of sight if there may be one. ``hides``: whether the player is known to hold cards so.
    ``idle_ends``: whether a pass in which no stock card was played ends the game.
    """

    options: Options
    after: PyramidPosition
    faces: tuple[Face, ...]
    target: int
    covers: tuple[int, ...]
    pool: Counter[int]
    gone_before: tuple[Card, ...]
    top: Seen | None
    gone_count: int | None
    starts: tuple[Table, ...]
    hides: bool = False
    idle_ends: bool = False

    @property
    def start(self) -> Table:
        """What the earlier look shows."""
        return self.starts[0]


def cell_index(row: int, column: int) -> int:
    """The bit of a place of the pyramid, both counted from 1."""
    return row * (row - 1) // 2 + column - 1


CELLS = tuple((row, column) for row in range(1, 8) for column in range(1, row + 1))
PLACES = tuple(pyramid_place(row, column) for row, column in CELLS)


@cache
def cover_masks(rows: int) -> tuple[int, ...]:
    """For each place the bits of the two places that lie on it."""
    masks = []
    for row, column in CELLS[: rows * (rows + 1) // 2]:
        below = 0 if row == rows else 3 << cell_index(row + 1, column)
        masks.append(below)
    return tuple(masks)


def gone_mask(position: PyramidPosition) -> int:
    """The bits of the places known to be empty."""
    flat = (card for row in position.rows for card in row)
    return sum(1 << index for index, card in enumerate(flat) if card is GONE)


def make_scene(before: PyramidPosition, after: PyramidPosition, game: Game, *, hides: bool = False) -> Scene:
    """The scene of two looks with the same rows; what follows from the earlier one is filled in."""
    pairs = zip(_flat(before), _flat(after), strict=True)
    faces = tuple(_face(old, new, CELL_TOKEN - index) for index, (old, new) in enumerate(pairs))
    lying = replace(after, foundation=None, gone_cards=None)
    seen = Counter(named_cards(before)) | Counter(named_cards(lying))
    unseen = Counter(game.options.deck) - seen
    pool: Counter[int] = Counter()
    for card, count in unseen.items():
        pool[card.worth] += count
    return Scene(
        options=game.options,
        after=after,
        faces=faces,
        target=gone_mask(after),
        covers=cover_masks(game.options.rows),
        pool=pool,
        gone_before=_known_gone(before),
        top=before.foundation,
        gone_count=None if before.gone_cards is None else len(before.gone_cards),
        starts=(start_table(complete(before, game), game), *_with_hand(before, game)),
        hides=hides,
        idle_ends=game.ends_after_idle_pass,
    )


def _with_hand(position: PyramidPosition, game: Game) -> Iterator[Table]:
    """The state with a card that the player holds out of sight, where the look shows none and one is left for it."""
    if game.options.turned == "laid" or position.turned is not GONE:
        return
    piles = (
        position.stock_count,
        *(None if p is None else len(p) for p in (position.waste_cards, position.gone_cards)),
    )
    counted = position.left_in_pyramid() + sum(count for count in piles if count is not None)
    if None in piles or counted < len(game.options.deck):
        yield start_table(replace(position, turned=FACE_DOWN), game)._replace(from_hand=True)


def _known_gone(position: PyramidPosition) -> tuple[Card, ...]:
    """The cards known to have left, each once."""
    gone = position.gone_cards or ()
    return tuple(known_cards(gone if position.foundation in gone else (*gone, position.foundation)))


def start_table(position: PyramidPosition, game: Game) -> Table:
    """The state a position shows."""
    stock, more, drawn = _stock(position)
    waste, below = _waste(position)
    turned: Face | None = None
    if game.options.turned == "held" and position.turned is not GONE:
        hidden = HELD_TOKEN if position.turned is None else HAND_TOKEN
        turned = position.turned if isinstance(position.turned, Card) else hidden
    table = Table(gone_mask(position), stock, more, waste, below, turned, position.pass_number, drawn, len(waste))
    return table._replace(played=stock_played(position, game)) if game.ends_after_idle_pass else table


def _stock(position: PyramidPosition) -> tuple[tuple[Face, ...], int, int]:
    if position.stock_cards is not None:
        return _tokens(position.stock_cards, -1), 0, len(position.stock_cards)
    if position.stock_count is not None:
        return _tokens((FACE_DOWN,) * position.stock_count, -1), 0, position.stock_count
    return (), 1 if position.stock else 2, 0


def _waste(position: PyramidPosition) -> tuple[tuple[Face, ...], bool]:
    if position.waste_cards is not None:
        return _tokens(position.waste_cards, WASTE_TOKEN), False
    return (() if position.waste is None else _tokens((position.waste,), WASTE_TOKEN)), True


def _tokens(cards: Iterable[Seen], first: int) -> tuple[Face, ...]:
    return tuple(card if isinstance(card, Card) else first - index for index, card in enumerate(cards))


def _flat(position: PyramidPosition) -> list[Seen]:
    return [card for row in position.rows for card in row]


def _face(old: Seen, new: Seen, token: int) -> Face:
    if isinstance(old, Card):
        return old
    return new if isinstance(new, Card) and old is not GONE else token


def to_position(scene: Scene, table: Table) -> PyramidPosition:
    """The state as a position, tokens as ``??``; what has gone is left out."""

    def seen(face: Face) -> Seen:
        return face if isinstance(face, Card) else FACE_DOWN

    rows: list[tuple[Seen, ...]] = []
    for row in range(1, scene.options.rows + 1):
        cells = (cell_index(row, column) for column in range(1, row + 1))
        rows.append(tuple(GONE if table.gone >> cell & 1 else seen(scene.faces[cell]) for cell in cells))
    turned: Seen | None = GONE
    if table.turned is not None:
        turned = None if table.turned == HELD_TOKEN else seen(table.turned)
    known_stock = table.more == 0
    return PyramidPosition(
        rows=tuple(rows),
        stock=None if table.more == 2 and not table.stock else bool(table.stock or table.more),
        stock_cards=tuple(seen(card) for card in table.stock) if known_stock else None,
        waste=seen(table.waste[-1]) if table.waste else (None if table.below else GONE),
        waste_cards=None if table.below else tuple(seen(card) for card in table.waste),
        turned=turned,
        pass_number=table.number,
        stock_played=table.played if scene.idle_ends else None,
    )
