"""Faults of a layout: everything wrong with the cards that lie there, all at once, each with its places and cards."""

from __future__ import annotations

from collections import Counter, defaultdict

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.fault import Fault, Stage
from rules.layouts import FOUNDATION, STOCK, TURNED, WASTE, pyramid_place
from rules.pyramid.full import named_cards
from rules.pyramid.legality import covering
from rules.pyramid.position import PyramidPosition


def layout_faults(position: PyramidPosition, game: Game, stage: Stage = "play") -> tuple[Fault, ...]:
    """Every fault of the layout. ``deal``: just dealt, nothing may be missing; ``play``: in mid-game."""
    if position.row_count != game.options.rows:
        return (Fault("wrong-count", _places_left(position)),)
    return (
        *_unreadable(position),
        *_duplicates(position, game),
        *_foreign(position, game),
        *_counts(position, game, stage),
        *_missing(position, game, stage),
        *_misplaced(position, game, stage),
        *_faces(position, game),
        *_wrong_apex(position, game),
    )


def _lying(position: PyramidPosition) -> list[tuple[str, Seen]]:
    """Every place with what lies there; a card within a pile has the pile's place. A top counts once."""
    pairs = [(place, position.look(place) or GONE) for place in _pyramid_places(position)]
    pairs += [(STOCK, card) for card in position.stock_cards or ()]
    pairs += [(TURNED, position.turned or GONE)]
    pairs += [(WASTE, card) for card in position.waste_cards or (position.waste or GONE,)]
    gone = position.gone_cards or ()
    pairs += [(FOUNDATION, card) for card in gone]
    if position.foundation not in gone:
        pairs.append((FOUNDATION, position.foundation or GONE))
    return [(place, card) for place, card in pairs if card is not GONE]


def _pyramid_places(position: PyramidPosition) -> list[str]:
    return [pyramid_place(r, c) for r in range(1, position.row_count + 1) for c in range(1, r + 1)]


def _gaps(position: PyramidPosition) -> tuple[str, ...]:
    return tuple(place for place in _pyramid_places(position) if position.look(place) is GONE)


def _places_left(position: PyramidPosition) -> tuple[str, ...]:
    return tuple(place for place in _pyramid_places(position) if position.look(place) is not GONE)


def _unreadable(position: PyramidPosition) -> list[Fault]:
    return [Fault("unreadable", (place,), (card,)) for place, card in _lying(position) if card is UNREADABLE]


def _duplicates(position: PyramidPosition, game: Game) -> list[Fault]:
    """Cards named at more than one place; jokers are alike, so only their number can be wrong."""
    places: dict[Card, list[str]] = defaultdict(list)
    for place, card in _lying(position):
        if isinstance(card, Card):
            places[card].append(place)
    found: list[Fault] = []
    for card, where in places.items():
        if not card.is_joker and len(where) > 1:
            found.append(Fault("duplicate-card", tuple(where), (card,) * len(where)))
        if card.is_joker and len(where) > game.options.jokers > 0:
            found.append(Fault("wrong-count", tuple(where), (card,) * len(where)))
    return found


def _foreign(position: PyramidPosition, game: Game) -> list[Fault]:
    in_deck = set(game.options.deck)
    return [
        Fault("foreign-card", (place,), (card,))
        for place, card in _lying(position)
        if isinstance(card, Card) and card not in in_deck
    ]


def _counts(position: PyramidPosition, game: Game, stage: Stage) -> list[Fault]:
    """A fresh deal's stock of another size; in mid-game more cards, or fewer, than the deck in all."""
    options, deck_size = game.options, len(game.options.deck)
    if stage == "deal":
        wrong = position.stock_count not in (None, options.stock_size) or (position.stock and options.stock_size == 0)
        return [Fault("wrong-count", (STOCK,))] if wrong else []
    total = _total_count(position)
    if total is None:
        surplus = _least_count(position) > deck_size
        return [Fault("wrong-count", (STOCK, TURNED, WASTE))] if surplus else []
    return [] if total == deck_size else [Fault("wrong-count", (STOCK, TURNED, WASTE, FOUNDATION))]


def _least_count(position: PyramidPosition) -> int:
    """Cards that lie there at least."""
    stock = position.stock_count if position.stock_count is not None else int(bool(position.stock))
    waste = len(position.waste_cards) if position.waste_cards is not None else position.waste not in (None, GONE)
    return position.left_in_pyramid() + stock + waste + (position.turned not in (None, GONE))


def _total_count(position: PyramidPosition) -> int | None:
    """All cards, those that have gone included, where every pile is known."""
    gone = position.gone_cards
    if position.stock_count is None or position.waste_cards is None or position.turned is None or gone is None:
        return None
    return _least_count(position) + len(gone)


def _missing(position: PyramidPosition, game: Game, stage: Stage) -> list[Fault]:
    """Gaps in a fresh deal, and cards of the deck that lie nowhere: named where every other card is known."""
    gaps = _gaps(position) if stage == "deal" else ()
    left = Counter(game.options.deck) - Counter(named_cards(position))
    named = [] if _hidden_room(position, stage) else list(left.elements())
    if len(named) <= len(gaps):
        return [
            Fault("missing-card", (gap,), () if len(named) != len(gaps) else (named[number],))
            for number, gap in enumerate(gaps)
        ]
    return [Fault("missing-card", gaps, (card,)) for card in named]


def _hidden_room(position: PyramidPosition, stage: Stage) -> bool:
    """Whether a card not named could still lie somewhere."""
    lists = (position.stock_cards, position.waste_cards, position.gone_cards if stage == "play" else ())
    if any(cards is None or FACE_DOWN in cards for cards in lists) or position.turned is None:
        return True
    return any(card in (FACE_DOWN, UNREADABLE) for _, card in _lying(position))


def _misplaced(position: PyramidPosition, game: Game, stage: Stage) -> list[Fault]:
    """Cards where the rules put none: in piles a fresh deal leaves empty, held where cards are laid at once, or still
    lying on a place that has been emptied from under them."""
    found: list[Fault] = []
    for gap in _gaps(position) if stage == "play" else ():
        covers = covering(position, gap)
        if covers:
            found.append(
                Fault("misplaced", (gap, *covers), (GONE, *(position.look(cover) or GONE for cover in covers)))
            )
    never = (TURNED,) if game.options.turned == "laid" else ()
    for place in (TURNED, WASTE, FOUNDATION) if stage == "deal" else never:
        card = position.look(place)
        if card is not None and card is not GONE:
            found.append(Fault("misplaced", (place,), (card,)))
    return found


def _faces(position: PyramidPosition, game: Game) -> list[Fault]:
    """Cards lying the wrong way up: covered cards of a face-down pyramid that show, anything else that does not."""
    expected = _face_expected(position, game)
    found: list[Fault] = []
    for place in _pyramid_places(position):
        card = position.look(place)
        if card in (None, GONE, UNREADABLE):
            continue
        if card is FACE_DOWN and (expected == "up" or not covering(position, place)):
            found.append(Fault("should-be-face-up", (place,), (card,)))
        if card is not FACE_DOWN and expected == "down" and covering(position, place):
            found.append(Fault("should-be-face-down", (place,), (card,)))
    for place in (TURNED, WASTE):
        if position.look(place) is FACE_DOWN and position.waste_cards is None:
            found.append(Fault("should-be-face-up", (place,), (FACE_DOWN,)))
    return found


def _face_expected(position: PyramidPosition, game: Game) -> str:
    """How covered cards should lie; where a game may be laid either way, as most of its covered cards do."""
    if not game.either_face:
        return game.options.face
    covered = [position.look(place) for place in _pyramid_places(position) if covering(position, place)]
    down = sum(card is FACE_DOWN for card in covered)
    up = sum(isinstance(card, Card) for card in covered)
    return "down" if down > up else "up"


def _wrong_apex(position: PyramidPosition, game: Game) -> list[Fault]:
    """Another card lies at the apex than the game puts there, or the game's apex card lies elsewhere."""
    top = pyramid_place(1, 1)
    wanted, apex = game.options.apex, position.look(top)
    if wanted is None or apex is None or apex in (GONE, wanted):
        return []
    elsewhere = [place for place, card in _lying(position) if card == wanted]
    if not elsewhere and not isinstance(apex, Card):
        return []
    return [Fault("wrong-apex", (top, *elsewhere), (apex, *(wanted,) * len(elsewhere)))]
