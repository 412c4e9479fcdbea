"""Train the card net: ``python -m models.training.train_card --minutes 75`` (resumes from its checkpoint).

Views of whole cards are cut from drawn scenes where cards lie, a little askew, and where none lies though one might:
beside cards, on things that are none, and where the search net sees one all the same.
With ``--taught`` the net learns from what the present one says of each view as well: of that it learns sooner than of
the truth alone.
"""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np
import torch
from torch.nn import functional

from models.training import blocks
from models.training.nets import CardNet
from models.training.scenes import FOREIGN, RANKS, SUITS, Scene
from models.training.stock import Stock
from vision.detect import multiscale
from vision.image.shrunk import Shrunk
from vision.nets import session
from vision.recognize import card_classifier, card_frame, index_crops

GONE, FACE, BACK = range(3)
JOKER, STRANGE = 13, 14
SHOWS = 0.12  # share of a card that must show, or nothing is learnt of it
APART = 0.45  # half sides of a card: a place whose middle lies nearer to its middle is that card's
EMPTY = 0.35  # places without a card for each with one
TURNED = 0.25  # share of views from the card's other end
# Jitter (standard deviations): of place in half sides, of size and of direction; and so often so many times that, for
# outlines are made out badly now and then.
PLACE, SIZE, TURN = 0.05, 0.05, 0.04
BADLY = 0.25, 3.0
ODD = 0.35  # share of scenes with cards of no deck among the others
MOST = 40  # views of one scene
CLUTTERED = 0.6  # share of scenes with things that are no cards
SOUGHT = 0.5  # share of scenes in which the search net is asked where it sees cards
TAUGHT = 1.0  # what the present net's word counts beside the truth


def shown(scene: Scene, axes: np.ndarray, number: int) -> float:
    """The share of card `number` that shows."""
    grid = np.array([(a, b) for a in np.linspace(-0.92, 0.92, 10) for b in np.linspace(-0.94, 0.94, 14)])
    at = np.floor(grid @ axes[:, :2].T + axes[:, 2]).astype(int)
    inside = ((at >= 0) & (at < scene.image.shape[0])).all(1)
    return float((scene.ids[at[inside, 1], at[inside, 0]] == number + 1).sum() / len(grid))


def jittered(axes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Axes (2, 3) shifted, turned and resized at random."""
    far = BADLY[1] if rng.random() < BADLY[0] else 1.0
    turn = rng.normal(0, TURN) * far
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    shape = np.diag(np.exp(rng.normal(0, SIZE, 2) * far)) + np.array([[0, rng.normal(0, 0.03) * far], [0, 0]])
    shift = axes[:, :2] @ rng.normal(0, PLACE, 2) * far
    return np.column_stack([spin @ axes[:, :2] @ shape, axes[:, 2] + shift])


def samples(scene: Scene, rng: np.random.Generator) -> list[tuple[np.ndarray, int, int, int]]:
    """(axes, kind, rank class or -1, suit or -1) of one scene's views."""
    out: list[tuple[np.ndarray, int, int, int]] = []
    every = [card_frame.axes_of(card.quad_xy) for card in scene.cards]
    for number, (card, axes) in enumerate(zip(scene.cards, every, strict=True)):
        if shown(scene, axes, number) < SHOWS:
            continue
        rank, suit = -1, -1
        if card.face_up:
            if card.code == FOREIGN:
                rank = STRANGE
            elif card.code == "JK":
                rank = JOKER
            else:
                rank, suit = RANKS.index(card.code[:-1]), SUITS.index(card.code[-1])
        seen = card_frame.over(axes) if rng.random() < TURNED else axes
        out.append((jittered(seen, rng), FACE if card.face_up else BACK, rank, suit))
    for _ in range(round(EMPTY * len(out) + rng.random())):
        place = every[int(rng.integers(len(every)))].copy()
        # Half of them where the places of a layout stand to each other, as a pyramid's do.
        away = rng.uniform(-2.4, 2.4, 2) if rng.random() < 0.5 else rng.integers(-2, 3, 2) * rng.uniform(0.9, 1.25, 2)
        place[:, 2] += place[:, :2] @ away
        if (place[:, 2] < 0).any() or (place[:, 2] > scene.image.shape[0]).any():
            continue
        off = [np.abs(np.linalg.solve(a[:, :2], place[:, 2] - a[:, 2])).max() for a in every]
        if min(off) > APART:
            out.append((jittered(place, rng), GONE, -1, -1))
    usual = float(np.median([np.sqrt(abs(np.linalg.det(axes[:, :2]))) for axes in every])) if every else 0.0
    for place in [*_on_things(scene, usual, rng), *_mistaken(scene, rng)]:
        off = [np.abs(np.linalg.solve(a[:, :2], place[:, 2] - a[:, 2])).max() for a in every]
        if min(off, default=1.0) > APART:
            out.append((jittered(place, rng), GONE, -1, -1))
    rng.shuffle(out)  # type: ignore[arg-type]
    return out[:MOST]


def _on_things(scene: Scene, usual: float, rng: np.random.Generator) -> list[np.ndarray]:
    """Axes (2, 3) of what may be taken for a card on things that are none: each of them as a whole, and a place on it
    of a card's size.
    """
    places = []
    for quad in scene.things:
        whole = card_frame.axes_of(quad)
        if np.linalg.norm(whole[:, 1]) < np.linalg.norm(whole[:, 0]):
            whole = whole[:, [1, 0, 2]] * [1, -1, 1]
        size = np.sqrt(abs(np.linalg.det(whole[:, :2])))
        if 0.3 * usual < size < 3 * usual:
            places.append(whole)
        if usual and size > 1:
            turn = float(rng.uniform(0, 2 * np.pi))
            spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
            sides = spin @ np.diag([np.sqrt(0.71), np.sqrt(1.41)]) * usual
            places.append(np.column_stack([sides, whole[:, 2] + whole[:, :2] @ rng.uniform(-0.8, 0.8, 2)]))
    inside = scene.image.shape[0]
    return [place for place in places if (place[:, 2] >= 0).all() and (place[:, 2] <= inside).all()]


def _mistaken(scene: Scene, rng: np.random.Generator) -> list[np.ndarray]:
    """Axes (2, 3) of the whole cards that the search net sees in a scene, the true ones included."""
    if rng.random() >= SOUGHT:
        return []
    found = multiscale.search(Shrunk(scene.image), present_net("search"))
    return list(card_frame.axes_of_all(found.cards.quads())) if len(found.cards) else []


@lru_cache(maxsize=2)
def present_net(name: str = "card") -> session.Net:
    """A net that is in use, once a process."""
    return session.load(name, 1)


def views_of(stock: Stock, taught: bool = False) -> list[blocks.Sample]:
    """(view (64, 48, 3) uint8, kind, rank class or -1, suit or -1) of the next scene, and what the present net says
    of each (22,) where it teaches.
    """
    scene = stock.scene(card_px=float(np.exp(stock.rng.uniform(np.log(36), np.log(280)))), strange=ODD)
    picked = samples(scene, stock.rng)
    if not picked:
        return []
    cuts = card_classifier.cut(Shrunk(scene.image), np.stack([s[0] for s in picked]))
    told = [(out,) for out in present_net()(index_crops.whitened(cuts))[0]] if taught else [()] * len(cuts)
    return [(c, *s[1:], *t) for c, s, t in zip(cuts, picked, told, strict=True)]


def loss_of(net: CardNet, batch: list[torch.Tensor], device: str) -> tuple[torch.Tensor, dict[str, float]]:
    """Loss of one batch, and its parts with the shares told rightly."""
    cuts, kind, rank, suit, *told = batch
    kind, rank, suit = kind.to(device), rank.to(device), suit.to(device)
    with torch.autocast(device, torch.bfloat16):
        kinds, ranks, suits = net(torch.from_numpy(index_crops.whitened(cuts.numpy())).to(device))
    kinds, ranks, suits = kinds.float(), ranks.float(), suits.float()
    l_kind = functional.cross_entropy(kinds, kind)
    l_rank = functional.cross_entropy(ranks, rank, ignore_index=-1)
    l_suit = functional.cross_entropy(suits, suit, ignore_index=-1)
    with torch.no_grad():
        parts = {
            "loss": l_kind.item() + l_rank.item() + l_suit.item(),
            "kind": (kinds.argmax(1) == kind).float().mean().item(),
            "rank": (ranks.argmax(1) == rank)[rank >= 0].float().mean().item(),
            "suit": (suits.argmax(1) == suit)[suit >= 0].float().mean().item(),
        }
    loss = l_kind + l_rank + l_suit
    for said in told:
        mine, theirs = (kinds, ranks, suits), said.to(device).split((3, 15, 4), 1)
        alike = [functional.cross_entropy(m, t.softmax(1), reduction="none") for m, t in zip(mine, theirs, strict=True)]
        # Of what is no card the present net may know less than the truth does.
        loss = loss + TAUGHT * (alike[0] * (kind != GONE) + (alike[1] + alike[2]) * (kind == FACE)).mean()
    return loss, parts


def main() -> None:
    """Train for a time, saving a checkpoint every two minutes."""
    parser = blocks.options(__doc__, name="card", minutes=75)
    parser.add_argument("--taught", action="store_true", help="by the present net as well")
    args = parser.parse_args()
    blocks.train(CardNet(), CardNet(), partial(views_of, taught=args.taught), loss_of, args, cluttered=CLUTTERED)


if __name__ == "__main__":
    main()
