"""Faults of a layout of the row family: everything wrong with the cards that lie there, each with places and cards."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import product

from rules.cards import FACE_DOWN, GONE, JOKER, UNREADABLE, Card, Rank, Seen
from rules.catalogue import Game
from rules.errors import PositionError
from rules.fault import Fault, Stage
from rules.rows.foundations import base_column, height, step
from rules.rows.moves import DIRECTIONS
from rules.rows.options import RowOptions
from rules.rows.places import CELLAR, SIDES, Stack, base_place
from rules.rows.position import Cards, RowPosition


def layout_faults(position: RowPosition, game: Game, stage: Stage = "play") -> tuple[Fault, ...]:
    """Every fault of the layout. ``deal``: just dealt, every card lies at its place; ``play``: in mid-game."""
    if position.row_count != game.row_options.shape.rows:
        return (Fault("wrong-count", tuple(place for place, _ in position.lying() if " column " not in place)),)
    return (
        *_unreadable(position),
        *_duplicates(position, game),
        *_foreign(position, game),
        *(_deal_counts(position, game) if stage == "deal" else _play_counts(position, game)),
        *(_missing_from_deal(position, game) if stage == "deal" else _missing(position, game)),
        *_misplaced(position, game, stage),
        *_wrong_bases(position, game, stage),
    )


def _unreadable(position: RowPosition) -> list[Fault]:
    """Cards that cannot be read, and cards lying face down: in this family all lie face up."""
    found = [Fault("unreadable", (place,), (card,)) for place, card in position.lying() if card is UNREADABLE]
    found += [Fault("should-be-face-up", (place,), (card,)) for place, card in position.lying() if card is FACE_DOWN]
    return found


def _duplicates(position: RowPosition, game: Game) -> list[Fault]:
    """Cards at more than one place, also one that lies in a row and must lie within a foundation."""
    places: dict[Card, list[str]] = defaultdict(list)
    for place, card in position.lying():
        if isinstance(card, Card) and not card.is_joker:
            places[card].append(place)
    for row, cards in _foundations_known(position, game).items():
        for card in cards:
            if card in places and card != position.bases[row - 1]:
                places[card].insert(0, base_place(row))
    return [
        Fault("duplicate-card", tuple(where), (card,) * len(where)) for card, where in places.items() if len(where) > 1
    ]


def refuse_foreign(position: RowPosition, game: Game) -> None:
    """Raise PositionError where a card lies that is not in the game's deck: nothing can be said of moving it."""
    for fault in _foreign(position, game):
        names = " and ".join("a joker" if card == JOKER else str(card) for card in fault.cards)
        said = f"{fault.places[0]} holds {names}, which does not belong to the deck of {game.id}"
        raise PositionError(said, "not-of-deck", cards=" ".join(map(str, fault.cards)), game=game.id)


def _foreign(position: RowPosition, game: Game) -> list[Fault]:
    in_deck = set(game.row_options.deck)
    begun = ((base_place(row), card) for row, card in enumerate(position.base_cards, start=1) if card is not None)
    told = dict.fromkeys((*position.lying(), *begun))
    return [
        Fault("foreign-card", (place,), (card,))
        for place, card in told
        if isinstance(card, Card) and card not in in_deck
    ]


def _sizes(position: RowPosition, options: RowOptions) -> dict[Stack, int]:
    """How many cards lie in each half row and column of a fresh deal; of several layouts the one most like this."""
    count = [len(row) for row in (*position.left, *position.right)]
    left, right = min(
        options.shape.laid, key=lambda laid: sum(abs(a - b) for a, b in zip(count, laid[0] + laid[1], strict=True))
    )
    sizes = {
        Stack("half", side, row): size
        for side, rows in zip(SIDES, (left, right), strict=True)
        for row, size in enumerate(rows, start=1)
    }
    columns = [Stack("column", side) for side in SIDES] if options.shape.column else []
    return sizes | {stack: options.shape.column for stack in columns if position.cards_in(stack) is not None}


def _deal_counts(position: RowPosition, game: Game) -> list[Fault]:
    """Rows of a fresh deal with too many cards; those with too few have missing cards."""
    found: list[Fault] = []
    for stack, size in _sizes(position, game.row_options).items():
        cards = position.cards_in(stack) or ()
        if len(cards) > size:
            places = tuple(stack.place(index) for index in range(size + 1, len(cards) + 1))
            found.append(Fault("wrong-count", places, cards[size:]))
    return found


def _missing_from_deal(position: RowPosition, game: Game) -> list[Fault]:
    """Gaps in a fresh deal, and cards of the deck that lie nowhere: named where every other card is known."""
    gaps = [base_place(row) for row, card in enumerate(position.bases, start=1) if card is GONE]
    for stack, size in _sizes(position, game.row_options).items():
        count = len(position.cards_in(stack) or ())
        gaps += [stack.place(index) for index in range(count + 1, size + 1)]
    lying = [card for _, card in position.lying()]
    hidden = _columns_unknown(position, game) or not all(isinstance(card, Card) for card in lying)
    left = Counter(game.row_options.deck) - Counter(card for card in lying if isinstance(card, Card))
    named = [] if hidden else list(left.elements())
    if len(named) <= len(gaps):
        return [
            Fault("missing-card", (gap,), (named[number],) if len(named) == len(gaps) else ())
            for number, gap in enumerate(gaps)
        ]
    return [Fault("missing-card", tuple(gaps), (card,)) for card in named]


def _columns_unknown(position: RowPosition, game: Game) -> bool:
    return bool(game.row_options.shape.column) and len(position.columns) < len(SIDES)


def _play_counts(position: RowPosition, game: Game) -> list[Fault]:
    """Rows with more cards than building could ever make: those on which nothing is built grow no longer than dealt."""
    options = game.row_options
    found: list[Fault] = []
    for stack, size in _sizes(position, options).items():
        cards = position.cards_in(stack) or ()
        if stack.kind == "column":
            grows = options.build_on_columns
        else:
            grows = not options.shape.is_auxiliary(stack.row) or options.build_on_auxiliary
        if len(cards) > size and not grows:
            places = tuple(stack.place(index) for index in range(size + 1, len(cards) + 1))
            found.append(Fault("wrong-count", places, cards[size:]))
    return found


def _foundations_known(position: RowPosition, game: Game) -> dict[int, tuple[Card, ...]]:
    """The cards of each foundation, from base to top, where base card, top and direction are known."""
    found: dict[int, tuple[Card, ...]] = {}
    for row in base_column(position, game).foundations.values():
        base, top = position.base_cards[row - 1], position.bases[row - 1]
        if game.row_options.bases == "aces" and base is None and isinstance(top, Card) and not top.is_joker:
            base = Card(Rank.ACE, top.suit)
        if base is None or base.rank is None or not isinstance(top, Card) or top.rank is None or base.suit != top.suit:
            continue
        if base == top or position.direction is not None:
            count = height(base.rank, top.rank, position.direction or "up")
            found[row] = _run(base, count, position.direction or "up")
    return found


def _run(base: Card, count: int, way: str) -> tuple[Card, ...]:
    cards = [base]
    while len(cards) < count:
        rank = cards[-1].rank
        assert rank is not None
        cards.append(Card(step(rank, "up" if way == "up" else "down"), base.suit))
    return tuple(cards)


def _missing(position: RowPosition, game: Game) -> list[Fault]:
    """In mid-game: empty base places where no rule empties them, and cards that lie nowhere although all is known.

    What lies within the foundations is told by base cards and direction, or by whichever of them explains most."""
    options = game.row_options
    gaps = [base_place(row) for row, card in enumerate(position.bases, start=1) if card is GONE]
    if options.bases == "centre":
        gaps = []
    lying = [card for _, card in position.lying()]
    column = base_column(position, game)
    unknown = _columns_unknown(position, game) or (options.cellar and position.cellar is None)
    if unknown or column.undecided or not all(isinstance(card, Card) for card in lying):
        return [Fault("missing-card", (gap,)) for gap in gaps]
    missing = _fewest_missing(position, game, {card for card in lying if isinstance(card, Card)})
    return [Fault("missing-card", tuple(gaps), (card,)) for card in missing] or [
        Fault("missing-card", (gap,)) for gap in gaps
    ]


def _fewest_missing(position: RowPosition, game: Game, lying: set[Card]) -> list[Card]:
    """The cards of the deck that lie nowhere, under the direction and base ranks that explain most: by which the fewest
    cards are missing, or within a foundation though they lie elsewhere; none where several such leave different
    ones."""
    options = game.row_options
    tops = {
        row: top
        for row in base_column(position, game).foundations.values()
        if isinstance(top := position.bases[row - 1], Card)
    }
    known = {row: card.rank for row, card in enumerate(position.base_cards, start=1) if card is not None and card.rank}
    ranks: Sequence[Rank] = (Rank.ACE,) if options.bases == "aces" else tuple(Rank)
    if options.bases == "rank" and known:
        ranks = tuple(set(known.values()))
    if options.bases == "centre":
        if any(row not in known for row in tops):
            return []
        ranks = (Rank.ACE,)
    results: dict[frozenset[Card], int] = {}
    for way, rank in product((position.direction,) if position.direction else DIRECTIONS, ranks):
        within: set[Card] = set()
        for row, top in tops.items():
            base = known.get(row, rank) if options.bases == "centre" else rank
            if top.rank is not None:
                within |= set(_run(Card(base, top.suit), height(base, top.rank, way), way))
        missing = frozenset(set(options.deck) - lying - within)
        wrong = len(missing) + len((within - set(tops.values())) & lying)
        results[missing] = min(wrong, results.get(missing, wrong))
    fewest = min(results.values())
    best = [missing for missing, wrong in results.items() if wrong == fewest]
    (missing,) = best if len(best) == 1 else (frozenset[Card](),)
    return [card for card in options.deck if card in missing]


def _misplaced(position: RowPosition, game: Game, stage: Stage) -> list[Fault]:
    """Cards where the rules put none: a cellar or columns that the game has not, a cellar filled in a fresh deal."""
    options = game.row_options
    found: list[Fault] = []
    if position.cellar not in (None, GONE) and (stage == "deal" or not options.cellar):
        found.append(Fault("misplaced", (CELLAR,), (position.cellar or GONE,)))
    for side in SIDES:
        cards: Cards = position.cards_in(Stack("column", side)) or ()
        if cards and not options.shape.column:
            places = tuple(Stack("column", side).place(index) for index in range(1, len(cards) + 1))
            found.append(Fault("misplaced", places, cards))
    return found


def _wrong_bases(position: RowPosition, game: Game, stage: Stage) -> list[Fault]:
    """Base cards that the game does not have there: no ace, another rank than the others, or a suit twice."""
    options = game.row_options
    if options.bases == "centre":
        return []
    begun: list[Seen | None] = list(position.base_cards)
    if stage == "deal":
        begun = [base or top for base, top in zip(position.base_cards, position.bases, strict=True)]
    rank = _base_rank(begun, options)
    found = [
        Fault("wrong-base", (base_place(row),), (card,))
        for row, card in enumerate(begun, start=1)
        if isinstance(card, Card) and card.rank is not None and rank is not None and card.rank != rank
    ]
    told = {fault.places[0] for fault in found}
    by_suit: dict[object, list[tuple[str, Card]]] = defaultdict(list)
    for row, top in enumerate(position.bases, start=1):
        if isinstance(top, Card) and not top.is_joker and base_place(row) not in told:
            by_suit[top.suit].append((base_place(row), top))
    for same in by_suit.values():
        if len(same) > 1 and len({card for _, card in same}) > 1:
            found.append(Fault("wrong-base", tuple(place for place, _ in same), tuple(card for _, card in same)))
    return found


def _base_rank(begun: Sequence[Seen | None], options: RowOptions) -> Rank | None:
    """The rank that the bases should have: the ace, or that of most of them."""
    if options.bases == "aces":
        return Rank.ACE
    ranks = Counter(card.rank for card in begun if isinstance(card, Card) and card.rank is not None)
    return ranks.most_common(1)[0][0] if ranks else None
