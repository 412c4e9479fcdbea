"""Learning to read a deck: from windows on its indices, whose cards are known, to the heads of its profile.

Linear discriminant analysis on many variants of each window. Temperatures, the weight of the net's own heads and the
chance of being an index at all are fitted on cards left out, so that the profile knows how sure it may be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.cards import Card, Rank, Suit
from vision.decks import augmentation
from vision.decks.profile import (
    RANK_OUT,
    SUIT_OUT,
    Figures,
    Head,
    Judge,
    Lesson,
    Profile,
    ProfileError,
    inputs_of,
    own_none,
    prints_of,
)
from vision.nets.session import Net
from vision.recognize import index_crops
from vision.recognize.index_reader import CARDS, RANKS, SUITS
from vision.recognize.prints import LIGHT

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Ints = NDArray[np.intp]

# Variants of each window: as many of indices in all as keeps learning within seconds.
INDEX_VARIANTS, OTHER_VARIANTS, MOST_INDICES = 24, 3, 2600
# Share of the mean variance added to every direction: few windows tell little of how a deck varies.
SMOOTHED = 0.3
# The same for the corrections, of which there are many more examples than classes.
STIFF = 0.05
# Cards are left out in so many rounds, each rank and each suit staying in the others.
ROUNDS = 4
# Tried of temperatures and of weights of the net's own heads.
TEMPERATURES, ANCHORS = np.geomspace(0.5, 8, 9), np.linspace(0, 1, 5) ** 2
# What holds the weights of an index near nothing; no step of the fit changes one by more than the longest.
HOLD, LONGEST = 1e-2, 4.0
# A left-out card surer than this to be another one contradicts what it was told to be.
CONTRADICTED = 0.9
_SUITS = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)


@dataclass(frozen=True, slots=True)
class Seen:
    """Windows as the net sees them: inputs (n, 896), outputs (n, 25), and of indices ranks, suits, the round (n,) in
    which each is left out with its card, the correction (n, 6) of each, and which window (n,) each shows, the first
    variant of each being the window itself.
    """

    inputs: Doubles
    out: Doubles
    rank: Ints
    suit: Ints
    round: Ints
    back: Doubles
    window: Ints

    def take(self, which: NDArray[np.bool_]) -> Seen:
        """Some of them."""
        names = ("inputs", "out", "rank", "suit", "round", "back", "window")
        return Seen(*(getattr(self, name)[which] for name in names))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What was said of windows that had no part in learning: distances to ranks (n, 13) and suits (n, 4), signs (n, 6)
    of being an index, and the same signs of other things (m, 6).
    """

    rank: Doubles
    suit: Doubles
    signs: Doubles
    other_signs: Doubles


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A card that looks like another one of the same deck: the number of the card told, and what it looks like."""

    told: Card
    looks: Card
    chance: float


def learn(
    name: str, lesson: Lesson, net: Net, sources: Sequence[str] = ()
) -> tuple[Profile, tuple[Contradiction, ...]]:
    """The profile of a deck, and the cards told that contradict the rest; the same lesson gives the same profile.

    Raises ProfileError (too-few) unless every rank and every suit is in the lesson on two cards at least.
    """
    _check(lesson)
    seen, others = _looked_at(lesson, net)
    kept = augmentation.index_cells(lesson.place, lesson.extent, LIGHT).reshape(-1)
    left_out = _left_out(seen, others, kept)
    rank = _fitted(left_out.rank, seen.out[:, RANK_OUT], seen.rank)
    suit = _fitted(left_out.suit, seen.out[:, SUIT_OUT], seen.suit)
    weights = _logistic(left_out.signs, left_out.other_signs)
    head = _head(seen, others, kept)
    head = replace(
        head,
        rank=replace(head.rank, temperature=rank[0], anchor=rank[1]),
        suit=replace(head.suit, temperature=suit[0], anchor=suit[1]),
        index_weights=weights,
    )
    ranks = head.rank.log_chances(left_out.rank, seen.out[:, RANK_OUT])
    suits = head.suit.log_chances(left_out.suit, seen.out[:, SUIT_OUT])
    # Told of the windows as they were photographed: their variants are mostly worse than what is met in play.
    as_is = slice(0, len(lesson.cards))
    usual = (seen.out[:, RANK_OUT].argmax(1) == seen.rank) & (seen.out[:, SUIT_OUT].argmax(1) == seen.suit)
    figures = Figures(
        cards=len(set(lesson.cards)),
        windows=len(lesson.cards),
        rank_right=float((ranks.argmax(1) == seen.rank)[as_is].mean()),
        suit_right=float((suits.argmax(1) == seen.suit)[as_is].mean()),
        usual_right=float(usual[as_is].mean()),
    )
    profile = Profile(name, str(net.manifest.get("sha256")), head, lesson, figures, tuple(sources))
    return profile, _contradictions(seen, ranks, suits)


def _check(lesson: Lesson) -> None:
    cards = set(lesson.cards)
    few = [rank.code for rank in Rank if sum(card.rank is rank for card in cards) < 2]
    few += [suit.value for suit in _SUITS if sum(card.suit is suit for card in cards) < 2]
    if few:
        raise ProfileError("too-few", " ".join(few))


def _looked_at(lesson: Lesson, net: Net) -> tuple[Seen, Seen]:
    """Variants of the lesson's windows through the net: the indices and the other things."""
    rng = np.random.default_rng(1)
    ranks = np.array([CARDS.index(card) % RANKS for card in lesson.cards], np.intp)
    suits = np.array([CARDS.index(card) // RANKS for card in lesson.cards], np.intp)
    # Of every rank and of every suit only some cards are left out in one round.
    rounds = (ranks + suits) % ROUNDS
    n = max(2, min(INDEX_VARIANTS, MOST_INDICES // max(len(ranks), 1)))
    ground = augmentation.ground(lesson.place, lesson.extent)
    seen = _through(
        *_variants(lesson.windows, ground, n, rng),
        net,
        np.tile(np.stack([ranks, suits, rounds, np.arange(len(ranks))]), n),
    )
    m = len(lesson.others)
    turns = np.stack([np.full(m, -1), np.full(m, -1), np.arange(m) % ROUNDS, np.arange(m)])
    others = _variants(lesson.others, None, OTHER_VARIANTS, rng)
    return seen, _through(*others, net, np.tile(turns, OTHER_VARIANTS))


def _variants(
    wide: Bytes, ground: augmentation.Ground | None, n: int, rng: np.random.Generator
) -> tuple[Bytes, Doubles]:
    """The windows and n - 1 variants of each, with the corrections that lead back."""
    made = [augmentation.varied(wide, ground, rng) for _ in range(n - 1)]
    plain = augmentation.plain(wide)
    return np.concatenate([plain, *(w for w, _ in made)]), np.concatenate(
        [np.zeros((len(wide), 6)), *(c for _, c in made)]
    )


def _through(cut: Bytes, back: Doubles, net: Net, named: Ints) -> Seen:
    batches = [index_crops.whitened(cut[k : k + 256]) for k in range(0, len(cut), 256)]
    results = [net(batch) for batch in batches]
    inputs = np.concatenate([inputs_of(b, r[1]) for b, r in zip(batches, results, strict=True)])
    out = np.concatenate([r[0] for r in results]).astype(np.float64)
    rank, suit, rounds, window = named.astype(np.intp)
    return Seen(inputs, out, rank, suit, rounds, back, window)


def _head(seen: Seen, others: Seen, kept: NDArray[np.bool_]) -> Head:
    """Axes, class means and prints, of the cells kept (576,); temperatures and the chance of an index are open yet."""
    middle = seen.inputs.mean(0)
    centred = seen.inputs - middle
    both = np.concatenate([centred, others.inputs - middle])
    which = np.concatenate([np.zeros(len(centred), np.intp), np.ones(len(others.inputs), np.intp)])
    index = _judge(both, which, 2)
    towards = np.sign(index.means[0, 0] - index.means[1, 0])
    return Head(
        middle,
        _judge(centred, seen.rank, RANKS),
        _judge(centred, seen.suit, SUITS),
        index.axes[:, 0] * towards,
        np.zeros(6),
        _shift(centred, seen.back),
        _prints(seen, kept),
    )


def _prints(seen: Seen, kept: NDArray[np.bool_]) -> Doubles:
    """The mean light (k, 576) of each card's indices as they were photographed, 0 beyond the cells kept."""
    first = np.unique(seen.window, return_index=True)[1]
    light, card = prints_of(seen.inputs[first], kept), (seen.suit * RANKS + seen.rank)[first]
    return prints_of(np.stack([light[card == k].mean(0) for k in np.unique(card)]), kept, at=0)


def _shift(centred: Doubles, back: Doubles) -> Doubles:
    """Weights (897, 6) that lead from windows to their corrections, by ridge regression."""
    x = centred.T @ centred / len(centred)
    x += np.eye(len(x)) * (STIFF * np.trace(x) / len(x))
    mean = back.mean(0)
    return np.asarray(np.vstack([np.linalg.solve(x, centred.T @ (back - mean) / len(centred)), mean]))


def _judge(centred: Doubles, which: Ints, k: int) -> Judge:
    """Linear discriminants of k classes: within each, these axes have a variance of about one."""
    means = np.stack([centred[which == c].mean(0) for c in range(k)])
    within = centred - means[which]
    scatter = within.T @ within / len(within)
    scatter += np.eye(len(scatter)) * (SMOOTHED * np.trace(scatter) / len(scatter))
    root = np.linalg.cholesky(scatter)
    apart = means - means.mean(0)
    basis = np.linalg.svd(np.linalg.solve(root, apart.T), full_matrices=False)[0][:, : k - 1]
    axes = np.linalg.solve(root.T, basis)
    return Judge(np.asarray(axes), np.asarray(means @ axes))


def _left_out(seen: Seen, others: Seen, kept: NDArray[np.bool_]) -> LeftOut:
    rank, suit = np.zeros((len(seen.rank), RANKS)), np.zeros((len(seen.rank), SUITS))
    signs, other_signs = np.zeros((len(seen.rank), 6)), np.zeros((len(others.rank), 6))
    for number in range(ROUNDS):
        mine, theirs = seen.round == number, others.round == number
        if not mine.any() or not theirs.any():
            continue
        head = _head(seen.take(~mine), others.take(~theirs), kept)
        rank[mine], suit[mine], signs[mine] = _told(head, seen.take(mine))
        other_signs[theirs] = _told(head, others.take(theirs))[2]
    return LeftOut(rank, suit, signs, other_signs)


def _told(head: Head, seen: Seen) -> tuple[Doubles, Doubles, Doubles]:
    centred = seen.inputs - head.middle
    rank, suit = head.rank.distances(centred), head.suit.distances(centred)
    return rank, suit, head.signs(seen.inputs, rank, suit, own_none(seen.out))


def _fitted(distances: Doubles, own: Doubles, truth: Ints) -> tuple[float, float]:
    """Temperature and weight of the net's own logits that make left-out truth likeliest."""
    blank = Judge(np.zeros((0, 0)), np.zeros((0, 0)))
    best = (np.inf, 1.0, 0.0)
    for temperature in TEMPERATURES.tolist():
        for anchor in ANCHORS.tolist():
            judge = replace(blank, temperature=temperature, anchor=anchor)
            loss = -float(judge.log_chances(distances, own)[np.arange(len(truth)), truth].mean())
            best = min(best, (loss, temperature, anchor))
    return best[1], best[2]


def _logistic(indices: Doubles, others: Doubles) -> Doubles:
    """Weights (k,) of the chance of being an index, both kinds counting alike; by Newton's steps."""
    x = np.concatenate([indices, others])
    y = np.concatenate([np.ones(len(indices)), np.zeros(len(others))])
    share = np.where(y > 0, 0.5 / len(indices), 0.5 / len(others))
    w = np.zeros(x.shape[1])
    for _ in range(25):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        slope = x.T @ (share * (p - y)) + HOLD / len(x) * w
        curve = (x * (share * np.maximum(p * (1 - p), 1e-6))[:, None]).T @ x + HOLD / len(x) * np.eye(len(w))
        step = np.linalg.solve(curve, slope)
        w = w - step * min(1.0, LONGEST / max(float(np.abs(step).max()), 1e-9))
    return np.asarray(w)


def _contradictions(seen: Seen, ranks: Doubles, suits: Doubles) -> tuple[Contradiction, ...]:
    """Cards that, left out, do not look like what they were told to be, in the mean over their windows as they were
    photographed: pairs that lie in each other's place, and others that look surely like another card.
    """
    as_is = np.zeros(len(seen.window), bool)
    as_is[np.unique(seen.window, return_index=True)[1]] = True
    told = np.array(sorted(set(zip(seen.rank.tolist(), seen.suit.tolist(), strict=True))), np.intp)
    mine = [(seen.rank == rank) & (seen.suit == suit) & as_is for rank, suit in told]
    chances = [np.stack([np.exp(of[which]).mean(0) for which in mine]) for of in (ranks, suits)]
    cards = [CARDS[suit * RANKS + rank] for rank, suit in told]
    out, left = [], np.ones(len(told), bool)
    for one, other, chance in _swapped(chances[0][:, told[:, 0]] * chances[1][:, told[:, 1]]):
        out += [Contradiction(cards[one], cards[other], chance), Contradiction(cards[other], cards[one], chance)]
        left[[one, other]] = False
    for n in np.flatnonzero(left):
        best = [int(of[n].argmax()) for of in chances]
        wrong = [
            float(of[n].max()) for of, seems, is_told in zip(chances, best, told[n], strict=True) if seems != is_told
        ]
        if wrong and max(wrong) > CONTRADICTED:
            out.append(Contradiction(cards[n], CARDS[best[1] * RANKS + best[0]], max(wrong)))
    return tuple(out)


def _swapped(chances: Doubles) -> list[tuple[int, int, float]]:
    """Pairs of cards that likely lie in each other's place, surest first, no card twice, and how likely each pair is.

    chances: (n, n) of each card to be another of the n; that just one pair is swapped is taken to be as likely as none.
    """
    log = np.log(np.maximum(chances, 1e-30))
    own = np.diag(log)
    gain = np.triu(log + log.T - own - own[:, None], 1)
    gain -= np.log(max(len(log) * (len(log) - 1) / 2, 1))
    out = []
    while len(gain) and (best := float(gain.max())) > 0:
        one, other = (int(n) for n in np.unravel_index(gain.argmax(), gain.shape))
        out.append((one, other, float(1 / (1 + np.exp(-best)))))
        gain[[one, other]], gain[:, [one, other]] = -np.inf, -np.inf
    return out
