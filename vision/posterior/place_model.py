"""One posterior a place: a softmax over what may lie there, linear in what was seen.

The weights are fitted by ``python -m models.training.train_place`` on drawn validation tables and kept in
``models/place.json`` with how they were made, as a net is. Nothing else edits what a place is believed to show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.deck_prints import NO_PRINTS, DeckPrints
from vision.nets import session
from vision.nets.session import ModelError
from vision.posterior import one_print
from vision.posterior.observation import Observed, Query
from vision.recognize import card_shape
from vision.recognize.index_reader import CARDS, JOKER_AT, NONE, READ

Doubles = NDArray[np.float64]

# The classes: the 52 cards in the order of a belief and the joker, then these.
GONE: Final = NONE
BACK: Final = GONE + 1
FOREIGN: Final = BACK + 1
SIZE: Final = FOREIGN + 1
# A net is wrong altogether, or looks at another card, this often, however sure it is: its chances are mixed with so
# much of every card alike; with more where an index was read unsurely, by so large a part of what is unsure (the
# likeliest on faces of drawn validation pictures that the weights were not fitted to).
_INDEX_ASTRAY, _CARD_ASTRAY, _UNSURE = 0.002, 0.01, 0.1
# Where pips and court of a table's cards surely name others than the indices do, they are wrong so much more often; so
# many cards of any deck are thought of beside those.
_DECKS = 10.0
# Log-odds are held off so far.
MOST = 6.0
# Covered cards lie as the others do but for the apex of some games and for faults: others say no more than this.
_ALIKE = 1.5
# An edge so faint is as good as none.
_FAINT = 0.1
# Few patiences are laid with jokers, while many backs look a little like one; training tables have none.
JOKER: Final = float(np.log(0.05))

GONE_FEATURES: Final = (
    "one",
    "found",
    "corners",
    "none by the net",
    "none by the map",
    "index",
    "carries",
    "carries among faces",
    "carries, none by the map",
    "pile",
    "stock",
    "loose",
    "loose, found",
    "loose, none by the net",
    "loose, none by the map",
    "loose, index",
    "loose, named",
    "loose, corners",
    "loose, over others",
    "loose, none by the net, read",
    "loose, none by the map, read",
    "loose, unlike in shape",
    "pile, edges",
)
BACK_FEATURES: Final = (
    "one",
    "back by the net",
    "back by the map",
    "index",
    "others covered are backs",
    "alike",
    "carries",
    "pile",
    "stock",
    "loose",
    "pile, backs known",
    "pile, like them",
    "pile, off in colour",
)
FOREIGN_FEATURES: Final = ("one", "foreign by the net", "unread", "loose")
CANDIDATE_FEATURES: Final = (
    "one",
    "witnesses of its body",
    "none by the net",
    "read surely",
    "index",
    "read elsewhere",
    "none by the map",
)
LAYOUT_FEATURES: Final = ("one", "cards", "strays", "piles", "missed", "bare", "lines")
PRINT_FEATURES: Final = ("rank", "suit")
# What tells only of a place on which others lie; 0 for these, of the features of each class.
_CARRIED = ("carries", "carries among faces", "carries, none by the map", "others covered are backs")
_NOT_CARRIED = {of: np.array([name not in _CARRIED for name in of], float) for of in (GONE_FEATURES, BACK_FEATURES)}
CARD_FEATURES: Final = ("index", "card", "card, where its index was read", "card, where it is covered")


@dataclass(frozen=True, slots=True)
class Features:
    """What the model is linear in, for n places: gone, back and foreign (n, k) each, and (n, 53, 4) of each card."""

    gone: Doubles
    back: Doubles
    foreign: Doubles
    cards: Doubles


@dataclass(frozen=True, slots=True)
class Weights:
    """Those of the features, in their order; prints: of how others of the same rank and suit are printed; candidate: of
    what tells that a candidate is a card, before anything is known of its place; layout: of what tells that cards lie
    in a layout.
    """

    gone: Doubles
    back: Doubles
    foreign: Doubles
    cards: Doubles
    prints: Doubles
    candidate: Doubles
    layout: Doubles


@lru_cache(maxsize=1)
def load() -> Weights:
    """The weights in ``models/place.json``; raises ModelError where they are missing, changed, or of other features."""
    kept = session.weights("place")
    try:
        return Weights(
            *(
                np.array([kept[name][feature] for feature in features], np.float64)
                for name, features in (
                    ("gone", GONE_FEATURES),
                    ("back", BACK_FEATURES),
                    ("foreign", FOREIGN_FEATURES),
                    ("cards", CARD_FEATURES),
                    ("prints", PRINT_FEATURES),
                    ("candidate", CANDIDATE_FEATURES),
                    ("layout", LAYOUT_FEATURES),
                )
            )
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"model 'place' cannot be loaded: {error}") from error


def posterior(seen: Observed, prior: Doubles | None = None) -> Doubles:
    """Chances (n, 56) of what lies at each place: 52 cards, joker, gone, back, a card of no deck.

    prior: log-odds (n, 56) of what was known before the picture was seen, of any scale; nothing where None.
    """
    return believed(seen, prior)[0]


def believed(seen: Observed, prior: Doubles | None = None, known: DeckPrints = NO_PRINTS) -> tuple[Doubles, Doubles]:
    """The same, and the chance (n,) that all cards of its suit are misread alike. known: how the deck is printed, as
    far as earlier pictures showed it.
    """
    if not len(seen):
        return np.zeros((0, SIZE)), np.zeros(0)
    told = _carried(seen, load(), np.zeros(SIZE) if prior is None else prior)
    chances = softmax(told + printed(seen, told, load().prints, known))
    alone = softmax(told[:, : len(CARDS)])
    return chances, one_print.astray(alone, chances[:, : len(CARDS)])


def _carried(seen: Observed, weights: Weights, prior: Doubles) -> Doubles:
    """Logits (n, 56). A place holds a card because others lie on it only as surely as one of those does lie there: what
    is taken for a card and may be none does not make the places below it sure.
    """
    own = np.zeros((len(seen), SIZE)) + prior
    own[:, [GONE, BACK]] += [query.prior for query in seen.queries]
    of = features(seen)
    chances = softmax(scores(of, weights) + own)
    bare = replace(of, gone=of.gone * _NOT_CARRIED[GONE_FEATURES], back=of.back * _NOT_CARRIED[BACK_FEATURES])
    open_ = softmax(scores(bare, weights) + own)
    at = {query.place: number for number, query in enumerate(seen.queries)}
    for number in reversed(range(len(seen))):
        over = [at[place] for place in seen.queries[number].covered_by if place in at]
        if over and seen.queries[number].carries:
            none = float(chances[over, GONE].prod())
            chances[number] = (1 - none) * chances[number] + none * open_[number]
    return np.log(np.maximum(chances, 1e-300))


def printed(seen: Observed, told: Doubles, weights: Doubles, known: DeckPrints = NO_PRINTS) -> Doubles:
    """What prints add to logits (n, 56): each card is likelier by how the others of its rank and its suit are printed,
    as far as is known which these are. Whether a card lies there at all stays as likely as it was.
    """
    out = np.zeros_like(told)
    if not (known.some or seen.printed.sum() > 1):
        return out
    start = softmax(told[:, : len(CARDS)])
    alone = softmax(told)[:, :GONE]
    if known.some and not one_print.is_same(alone, seen.rank_print, seen.suit_print, seen.printed, known):
        known = NO_PRINTS
    for _ in range(one_print.ROUNDS):
        chances = softmax(told + out)[:, :GONE]
        more = one_print.likelier(chances, seen.rank_print, seen.suit_print, seen.printed, known) @ weights
        highest = more.max(1, keepdims=True)
        level = highest + np.log((start * np.exp(more - highest)).sum(1, keepdims=True))
        out[:, : len(CARDS)] = more - level
    return out


def softmax(logits: Doubles) -> Doubles:
    """Chances along the rows."""
    out = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(out / out.sum(1, keepdims=True))


def scores(of: Features, weights: Weights) -> Doubles:
    """Logits (n, 56) of the classes."""
    cards = of.cards @ weights.cards
    cards[:, JOKER_AT] += JOKER
    return np.column_stack([cards, of.gone @ weights.gone, of.back @ weights.back, of.foreign @ weights.foreign])


def features(seen: Observed) -> Features:
    """The features of each place."""
    q = seen.queries
    one = np.ones(len(q))
    found, carries = (np.array([getattr(query, name) for query in q], np.float64) for name in ("found", "carries"))
    pile, stock, loose = (np.array([query.kind == kind for query in q], float) for kind in ("pile", "stock", "loose"))
    none_net, none_map = odds(seen.kinds[:, 0]), odds(seen.alone[:, 0])
    back_net, back_map = (odds(_share(kinds[:, 2], kinds[:, 1])) for kinds in (seen.kinds, seen.shown))
    index, unread = odds(seen.index), odds(seen.belief[:, NONE])
    others = _others((back_net + back_map - index) / 3, (carries > 0) & (found > 0))
    faces, none = carries * np.maximum(-others, 0), carries * none_map
    gone = [one, found, seen.corners, none_net, none_map, index, carries, faces, none, pile, stock, loose]
    gone += [loose * found, loose * none_net, loose * none_map, loose * index]
    # What is taken for an index and is none hardly ever names one card.
    gone += [loose * odds(seen.belief[:, :NONE].max(1)), loose * seen.corners, loose * _over(q)]
    # Where a card was read surely the net of whole cards sees its neighbours, and the map the table.
    gone += [loose * none_net * seen.belief[:, :NONE].max(1), loose * none_map * seen.belief[:, :NONE].max(1)]
    gone += [_unlike(q, loose > 0), (pile + stock) * np.log(seen.edges + _FAINT)]
    back = [one, back_net, back_map, index, carries * others, seen.alike, carries, pile, stock, loose, *seen.deck.T]
    foreign = [one, odds(seen.cards[:, NONE] * _facing(seen)), unread, loose]
    return Features(np.column_stack(gone), np.column_stack(back), np.column_stack(foreign), _card_features(seen))


def _card_features(seen: Observed) -> Doubles:
    """How likely each card is by its indices and by the whole of it, (n, 53, 4)."""
    unread = seen.belief[:, NONE:]
    astray = _INDEX_ASTRAY + _UNSURE * (1 - unread - seen.belief[:, :NONE].max(1, keepdims=True))
    index = np.log((seen.belief[:, :NONE] + unread / NONE) * (1 - astray) + astray / NONE)
    # Against a card of which nothing is known.
    index, card = index + np.log(NONE), np.log(by_body(seen)) + np.log(NONE)
    hidden = 1 - seen.part[:, None]
    return np.stack([index, card, card * (1 - unread), card * hidden], axis=2)


def by_body(seen: Observed) -> Doubles:
    """Chances (n, 53) of which card lies at each place by its pips and picture alone, as far as they are trusted."""
    own, facing = np.maximum(1 - seen.cards[:, NONE:], 1e-6), _facing(seen)[:, None]
    card = seen.cards[:, :NONE] / own * facing + (1 - facing) / NONE
    astray = _CARD_ASTRAY + mistrust(seen, 0.0)
    return np.asarray(card * (1 - astray) + astray / NONE)


def mistrust(seen: Observed, before: float) -> float:
    """How often pips and court surely name a wrong card: as often as the indices of this table gainsay them, and, which
    counts as a few cards more, as often as is thought `before` any is seen.
    """
    index, card = seen.belief[:, :NONE], seen.cards[:, :NONE]
    both = (index.max(1) > READ) & (card.max(1) > READ)
    wrong = both & (index.argmax(1) != card.argmax(1))
    return float((wrong.sum() + before * _DECKS) / (both.sum() + _DECKS))


def _facing(seen: Observed) -> Doubles:
    """The chance (n,) that a face lies just there, and not nothing: else what the whole card shows is of others."""
    return _share(seen.kinds[:, 1], seen.kinds[:, 0])


def _others(backs: Doubles, covered: NDArray[np.bool_]) -> Doubles:
    """The mean log-odds of a back of the other covered cards, (n,)."""
    total, count = (backs * covered).sum() - backs * covered, covered.sum() - covered
    return np.asarray(np.clip(total / np.maximum(count, 1), -_ALIKE, _ALIKE))


def _over(queries: Sequence[Query]) -> Doubles:
    return np.array([query.over for query in queries])


def _unlike(queries: Sequence[Query], loose: NDArray[np.bool_]) -> Doubles:
    """How unlike in shape each loose find on which nothing was read is to the cards that were read, (n,). A find of the
    usual shape is no more a card for it: the nets copy shapes from what lies beside.
    """
    read = np.array([len(query.readings) > 0 for query in queries], bool)
    known, asked, out = loose & read, loose & ~read, np.zeros(len(queries))
    if known.any() and asked.any():
        axes = np.array([query.axes for query in queries])
        out[asked] = card_shape.unlike(axes[asked], axes[known])
    return out


def _share(part: Doubles, other: Doubles) -> Doubles:
    return np.asarray(part / np.maximum(part + other, 1e-9))


def odds(chance: Doubles) -> Doubles:
    """Log-odds (n,) of chances, held off both ends."""
    held = np.clip(chance, 1e-9, 1 - 1e-9)
    return np.asarray(np.clip(np.log(held / (1 - held)), -MOST, MOST))
