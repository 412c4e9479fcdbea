"""Train the patch net: ``python -m models.training.train_patch --minutes 50`` (resumes from its checkpoint).

Windows are cut from drawn scenes, most of them where the search net itself finds something, so that the net learns
from the errors it will meet: finds a little off, and finds that are no index at all.
"""

from __future__ import annotations

import pathlib
import time
from functools import partial

import numpy as np
import torch
from torch.nn import functional

from models.training import blocks, loop
from models.training.nets import PatchNet, SearchNet
from models.training.scenes import FOREIGN, Scene
from models.training.stock import Stock
from vision.detect import heatmaps
from vision.image.shrunk import Shrunk
from vision.recognize import card_frame, index_crops

NO_INDEX = 14
HIDDEN = -2  # in place of a suit: it cannot be seen, so every suit is as likely
NEAR = 0.7  # rank heights: a find this close to a true index is that index
OVERLAID = 0.1  # share of index windows over whose right part another card is laid, as in a fan
TURN, SHIFT, SIZE = 0.3, 0.14, 0.17  # jitter of windows: radians, rank heights, log size (standard deviations)


def jittered(frame: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A frame (2, 3) shifted, turned, resized and sheared at random."""
    turn, size = rng.normal(0, TURN), np.exp(rng.normal(0, SIZE))
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * size
    shape = spin @ np.array([[np.exp(rng.normal(0, 0.12)), rng.normal(0, 0.1)], [0, 1]])
    return np.column_stack([frame[:, :2] @ shape, frame[:, 2] + frame[:, :2] @ rng.normal(0, SHIFT, 2)]).astype(
        np.float32
    )


class Finder:
    """The search net of the newest checkpoint, run on scenes."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path, self.net, self.read_at = path, SearchNet().eval(), 0.0
        self.net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]

    def find(self, image: np.ndarray) -> heatmaps.Indices:
        """Indices found in a scene at its own scale and at half."""
        if time.time() - self.read_at > 240:
            self.net.load_state_dict(torch.load(self.path, map_location="cpu", weights_only=False)["average"])
            self.read_at = time.time()
        picture = torch.from_numpy(image).permute(2, 0, 1)[None].to(torch.bfloat16) / 255
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            index, _ = self.net(picture)
        return heatmaps.decode_indices(index[0].float().numpy(), 0.12, 60)


def samples(
    scene: Scene, found: heatmaps.Indices, rng: np.random.Generator
) -> list[tuple[np.ndarray, int, int, np.ndarray]]:
    """(frame, class of its sign, suit or -1, correction) of one scene's windows."""
    out: list[tuple[np.ndarray, int, int, np.ndarray]] = []
    nothing = np.zeros(6, np.float32)
    truth = [i for i in scene.indices if np.linalg.norm(i.frame[:, 1]) >= 5.5]
    clear = [i for i in truth if i.seen >= 0.86]
    for index in clear:
        for _ in range(2):
            frame = jittered(index.frame, rng)
            out.append((frame, index.sign, index.suit, index_crops.correction(frame, index.frame)))
        if rng.random() < 0.12:
            over = index.frame.copy()
            over[:, :2] *= -1
            out.append((jittered(over, rng), NO_INDEX, -1, nothing))
    out += [(jittered(i.frame, rng), NO_INDEX, -1, nothing) for i in truth if i.faint]
    for index in truth:
        if index.rank_seen >= 0.9 and index.seen < 0.86 and not index.faint and index.suit >= 0:
            # Of a suit covered in part it learns how likely each is, whatever sign a neighbour shows beside it.
            suit = HIDDEN if index.suit_seen < 0.2 else index.suit
            frame = jittered(index.frame, rng)
            out.append((frame, index.sign, suit, index_crops.correction(frame, index.frame)))
    for frame in found.frames:
        near = [
            (float(np.linalg.norm(frame[:, 2] - i.frame[:, 2]) / np.linalg.norm(i.frame[:, 1])), i)
            for i in scene.indices
        ]
        distance, index = min(near, key=lambda pair: pair[0]) if near else (9.0, None)
        if index is None or distance > 1.0:
            out.append((frame, NO_INDEX, -1, nothing))
            continue
        height, mine = np.linalg.norm(index.frame[:, 1]), np.linalg.norm(frame[:, 1])
        along = float(frame[:, 1] @ index.frame[:, 1] / (height * mine))
        if distance <= NEAR and index.seen >= 0.86 and along > 0.6 and 0.5 < mine / height < 2:
            out.append((frame, index.sign, index.suit, index_crops.correction(frame, index.frame)))
        elif along < -0.6:
            out.append((frame, NO_INDEX, -1, nothing))
    for _ in range(2):
        height, angle = float(np.exp(rng.uniform(2, 3.5))), rng.uniform(0, 2 * np.pi)
        spin = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * height
        frame = np.column_stack([spin, rng.uniform(0, scene.image.shape[0], 2)]).astype(np.float32)
        if all(
            np.linalg.norm(frame[:, 2] - i.frame[:, 2]) > 1.2 * np.linalg.norm(i.frame[:, 1]) for i in scene.indices
        ):
            out.append((frame, NO_INDEX, -1, nothing))
    out += [(frame, NO_INDEX, -1, nothing) for frame in on_backs(scene, rng)]
    rng.shuffle(out)  # type: ignore[arg-type]
    return out[:56]


def on_backs(scene: Scene, rng: np.random.Generator) -> list[np.ndarray]:
    """Windows where an index would stand on a face-down or foreign card: reading looks there, and must see nothing."""
    out = []
    size = scene.image.shape[0]
    for number, card in enumerate(scene.cards):
        if (card.face_up and card.code != FOREIGN) or len(out) >= 10:
            continue
        axes = card_frame.axes_of(card.quad_xy)
        axes = card_frame.over(axes) if rng.random() < 0.5 else axes
        usual = np.array(
            [[card_frame.USUAL_UNIT[0], 0, card_frame.USUAL[0]], [0, card_frame.USUAL_UNIT[1], card_frame.USUAL[1]]]
        )
        usual[:, :2] *= np.exp(rng.normal(0, 0.3))
        frame = axes[:, :2] @ usual
        frame[:, 2] += axes[:, 2]
        x, y = frame[:, 2].astype(int)
        shows = 0 <= x < size and 0 <= y < size and scene.ids[y, x] == number + 1
        if shows and np.linalg.norm(frame[:, 1]) > 5:
            out.append(jittered(frame.astype(np.float32), rng))
    return out


def overlay(cuts: np.ndarray, ranks: np.ndarray, rng: np.random.Generator) -> None:
    """Lay a neighbour's index over the right part of some windows (n, 48, 48, 3) that show an index: most cards show
    pips of their own suit there, so that a fan's next card would be believed too.
    """
    at = np.flatnonzero(ranks != NO_INDEX)
    shown = cuts[at].copy()
    for k, window in zip(at, shown, strict=True):
        if rng.random() < OVERLAID:
            other = shown[int(rng.integers(len(shown)))]
            # The other's left edge, some 0.7 rank heights from its middle, lies 0.8 to 1.4 to the right of this one's.
            edge, begin = (
                round((u - index_crops.LEFT) / index_crops.SPAN * index_crops.SIDE)
                for u in (rng.uniform(0.8, 1.4), -0.7)
            )
            width = index_crops.SIDE - edge
            cuts[k] = np.concatenate([window[:, :edge], other[:, begin : begin + width]], axis=1)


def windows_of(stock: Stock, finder: Finder) -> list[blocks.Sample]:
    """(window (48, 48, 3) uint8, class of its sign, suit or -1, correction) of the next scene."""
    scene = stock.scene(card_px=float(np.exp(stock.rng.uniform(np.log(42), np.log(340)))))
    picked = samples(scene, finder.find(scene.image), stock.rng)
    if not picked:
        return []
    cuts = index_crops.cut(Shrunk(scene.image), np.stack([s[0] for s in picked]))
    overlay(cuts, np.array([s[1] for s in picked]), stock.rng)
    return [(c, s[1], s[2], s[3]) for c, s in zip(cuts, picked, strict=True)]


def loss_of(net: PatchNet, batch: list[torch.Tensor], device: str) -> tuple[torch.Tensor, dict[str, float]]:
    """Loss of one batch, and its parts with the shares read rightly."""
    cuts, rank, suit, shift = batch
    rank, suit, shift = rank.to(device), suit.to(device), shift.to(device)
    with torch.autocast(device, torch.bfloat16):
        ranks, suits, moves = net(torch.from_numpy(index_crops.whitened(cuts.numpy())).to(device))
    ranks, suits, moves = ranks.float(), suits.float(), moves.float()
    card = rank != NO_INDEX
    l_rank = functional.cross_entropy(ranks, rank)
    l_suit = functional.cross_entropy(suits, suit.clamp(min=-1), ignore_index=-1)
    if (hidden := suit == HIDDEN).any():
        l_suit = l_suit - functional.log_softmax(suits[hidden], 1).mean() * hidden.float().mean()
    l_move = (
        functional.smooth_l1_loss(moves, shift, reduction="none", beta=0.1).sum(1) * card
    ).sum() / card.sum().clamp(min=1)
    with torch.no_grad():
        right = (ranks.argmax(1) == rank)[card].float().mean().item()
        reject = (ranks.argmax(1) == rank)[~card].float().mean().item() if (~card).any() else 1.0
        same = (suits.argmax(1) == suit)[suit >= 0].float().mean().item()
    return l_rank + 1.5 * l_suit + l_move, {
        "loss": l_rank.item() + l_suit.item(),
        "rank": right,
        "suit": same,
        "reject": reject,
        "move": l_move.item(),
    }


def main() -> None:
    """Train for a time, saving a checkpoint every two minutes."""
    parser = blocks.options(__doc__, name="patch", minutes=50)
    parser.add_argument("--search", type=pathlib.Path, default=loop.WORK / "search.pt")
    args = parser.parse_args()
    blocks.train(PatchNet(), PatchNet(), partial(windows_of, finder=Finder(args.search)), loss_of, args)


if __name__ == "__main__":
    main()
