"""The fits of ``train_place``: the likeliest weights of what lies at a place, of prints, and of what is so or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import torch

from vision.posterior import one_print, place_model
from vision.posterior.observation import Observed
from vision.posterior.place_model import FOREIGN, GONE, Features
from vision.recognize.index_reader import CARDS, NONE

PARTS: Final = {
    "cards": place_model.CARD_FEATURES,
    "gone": place_model.GONE_FEATURES,
    "back": place_model.BACK_FEATURES,
    "foreign": place_model.FOREIGN_FEATURES,
}
# So many labels are wrong, and so much are large weights held back.
ASTRAY, HELD = 0.002, 0.3
ROUNDS = 150
PRINT_ROUNDS = 4
HIDDEN = 0.15  # what a place with its index hidden counts beside the same with it in sight
ALONE = 0.004  # and what one counts that lies as no other does


def hidden(known: Features) -> Features:
    """The same with every index hidden, as by glare or a hand: drawn cards nearly always show theirs, and one that does
    not would be taken for one of no deck.
    """
    index, read = (place_model.CARD_FEATURES.index(name) for name in ("index", "card, where its index was read"))
    cards, foreign = known.cards.copy(), known.foreign.copy()
    cards[:, :, [index, read]] = 0.0
    foreign[:, place_model.FOREIGN_FEATURES.index("unread")] = place_model.MOST
    return replace(known, cards=cards, foreign=foreign)


def turned_over(known: Features) -> Features:
    """The same among covered cards that all lie the other way up: on drawn tables all of them lie alike, and a card by
    itself would count for nothing beside the others.
    """
    gone, back = known.gone.copy(), known.back.copy()
    others = place_model.BACK_FEATURES.index("others covered are backs")
    back[:, others] *= -1
    back[:, place_model.BACK_FEATURES.index("alike")] = 0.0
    gone[:, place_model.GONE_FEATURES.index("carries among faces")] = np.maximum(-back[:, others], 0)
    return replace(known, gone=gone, back=back)


def fitted(known: Features, truth: np.ndarray, worth: np.ndarray) -> tuple[dict[str, np.ndarray], float]:
    """The likeliest weights of each part, and the mean negative log-likelihood; worth: what each place counts, (n,).

    Which face it is, where one lies, is fitted with its index hidden as well; what lies at covered places also as if
    all others lay the other way up.
    """
    weights = {name: torch.zeros(len(PARTS[name]), dtype=torch.float64, requires_grad=True) for name in PARTS}
    joker = torch.zeros(NONE, dtype=torch.float64)
    joker[place_model.JOKER_AT] = place_model.JOKER
    faces = (truth < NONE) | (truth == FOREIGN)
    plain = {name: torch.tensor(getattr(known, name)) for name in PARTS}
    blank = {name: torch.tensor(getattr(hidden(known), name)[faces]) for name in PARTS}
    lone = {name: torch.tensor(getattr(turned_over(known), name)) for name in PARTS}
    right, face = torch.tensor(truth), torch.tensor(np.where(truth == FOREIGN, NONE, truth)[faces])
    search = torch.optim.LBFGS(
        list(weights.values()), max_iter=ROUNDS, tolerance_change=1e-12, history_size=20, line_search_fn="strong_wolfe"
    )

    all_count, faces_count = torch.tensor(worth), torch.tensor(worth[faces])

    def loss(
        parts: dict[str, torch.Tensor], classes: torch.Tensor, count: torch.Tensor, names: tuple[str, ...]
    ) -> torch.Tensor:
        scores = {name: parts[name] @ weights[name] for name in names}
        logits = torch.column_stack([scores[name] + (joker if name == "cards" else 0) for name in names])
        chance = torch.softmax(logits, 1)[torch.arange(len(classes)), classes]
        told = torch.log((1 - ASTRAY) * chance + ASTRAY / place_model.SIZE)
        return -(count * told).sum() / count.sum()

    def step() -> torch.Tensor:
        search.zero_grad()
        cost = loss(plain, right, all_count, tuple(PARTS)) + ALONE * loss(lone, right, all_count, tuple(PARTS))
        cost = cost + HIDDEN * loss(blank, face, faces_count, ("cards", "foreign"))
        cost = cost + HELD * sum((w**2).sum() for w in weights.values()) / len(right)
        cost.backward()
        return cost

    search.step(step)
    with torch.no_grad():
        return {name: w.detach().numpy() for name, w in weights.items()}, float(
            loss(plain, right, all_count, tuple(PARTS))
        )


def fitted_prints(
    seen: list[Observed], truth: list[np.ndarray], worth: list[float], weights: place_model.Weights
) -> np.ndarray:
    """The likeliest weights (2,) of how others of a rank and of a suit are printed, given all others: what they add
    depends on what the cards are thought to be, and that on them.

    seen, truth, worth: of each picture what is seen, what truly lies at each place, and what a place counts.
    """
    told = [place_model.scores(place_model.features(one), weights) for one in seen]
    best = np.zeros(len(place_model.PRINT_FEATURES))
    for _ in range(PRINT_ROUNDS):
        cards, more, right, count = [], [], [], []
        for one, classes, counts, logits in zip(seen, truth, worth, told, strict=True):
            use = (classes >= 0) & (classes < len(CARDS)) & (one.printed > 0)
            known = place_model.softmax(logits + place_model.printed(one, logits, best))[:, :GONE]
            more.append(one_print.likelier(known, one.rank_print, one.suit_print, one.printed)[use])
            cards.append(logits[use, : len(CARDS)])
            right.append(classes[use])
            count.append(np.full(use.sum(), counts))
        best = _likeliest_of(*(np.concatenate(part) for part in (cards, more, right, count)))
    return best


def _likeliest_of(logits: np.ndarray, more: np.ndarray, right: np.ndarray, count: np.ndarray) -> np.ndarray:
    """The likeliest weights (k,) of more (n, c, k) beside logits (n, c) of classes of which `right` (n,) is the one."""
    weights = torch.zeros(more.shape[2], dtype=torch.float64, requires_grad=True)
    base, add, classes, worth = torch.tensor(logits), torch.tensor(more), torch.tensor(right), torch.tensor(count)
    search = torch.optim.LBFGS([weights], max_iter=ROUNDS, tolerance_change=1e-12, line_search_fn="strong_wolfe")

    def step() -> torch.Tensor:
        search.zero_grad()
        chance = torch.softmax(base + add @ weights, 1)[torch.arange(len(classes)), classes]
        cost = -(worth * torch.log((1 - ASTRAY) * chance + ASTRAY / NONE)).sum() / worth.sum()
        cost = cost + HELD * (weights**2).sum() / len(classes)
        cost.backward()
        return cost

    search.step(step)
    return weights.detach().numpy()


def likeliest(
    known: np.ndarray, truth: np.ndarray, counts: np.ndarray | None = None, *, held: float = HELD
) -> np.ndarray:
    """The likeliest weights (k,) of features (n, k) of what is so or not, `truth` (n,); counts (n,): what each counts,
    all alike by default; held: how much large weights are held back.
    """
    weights = torch.zeros(known.shape[1], dtype=torch.float64, requires_grad=True)
    of, right = torch.tensor(known), torch.tensor(truth, dtype=torch.float64)
    worth = torch.ones_like(right) if counts is None else torch.tensor(counts)
    search = torch.optim.LBFGS([weights], max_iter=ROUNDS, tolerance_change=1e-12, line_search_fn="strong_wolfe")

    def step() -> torch.Tensor:
        search.zero_grad()
        chance = (1 - ASTRAY) * torch.sigmoid(of @ weights) + ASTRAY / 2
        cost = torch.nn.functional.binary_cross_entropy(chance, right, worth) + held * (weights**2).sum() / len(right)
        cost.backward()
        return cost

    search.step(step)
    return weights.detach().numpy()


def chosen(features: Sequence[np.ndarray], right: Sequence[np.ndarray]) -> np.ndarray:
    """The likeliest weights (k,) where of each set of n ways, features (n, k), one that is right, (n,), was chosen, the
    odds of each being linear in its features.
    """
    weights = torch.zeros(features[0].shape[1], dtype=torch.float64, requires_grad=True)
    of, among = torch.tensor(np.concatenate(features)), torch.tensor(np.concatenate(right))
    number = torch.tensor(np.repeat(np.arange(len(features)), [len(one) for one in features]))
    search = torch.optim.LBFGS([weights], max_iter=ROUNDS, tolerance_change=1e-12, line_search_fn="strong_wolfe")

    def step() -> torch.Tensor:
        search.zero_grad()
        odds = of @ weights
        none = torch.zeros(len(features), dtype=torch.float64)
        top = none.scatter_reduce(0, number, odds, "amax", include_self=False)
        each = torch.exp(odds - top.detach()[number])
        of_all = none.index_add(0, number, each)
        of_right = none.index_add(0, number, each * among)
        chance = (1 - ASTRAY) * of_right / of_all + ASTRAY / 2
        cost = -torch.log(chance).mean() + HELD * (weights**2).sum() / len(features)
        cost.backward()
        return cost

    search.step(step)
    return weights.detach().numpy()
