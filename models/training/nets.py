"""The nets: plain 3 × 3 convolutions, small enough for a laptop's processor."""

from __future__ import annotations

import torch
from torch import nn

from vision.recognize.alphabets import SIGNS


def block(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """3 × 3 convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


# Channels of the search net's outputs.
INDEX_CHANNELS = 8  # heat, offset x y, down x y (unit), log height, right in the frame's own axes (along, across)
CORNER_CHANNELS = 7  # heat, offset x y, along the edge clockwise from the corner x y, along the other edge x y
CARD_CHANNELS = 11  # none / face / back, centre x y, log height, log width, double angles of both axes


class SearchNet(nn.Module):
    """Picture (n, 3, h, w) in 0..1 RGB, h and w multiples of 32, to index maps at stride 4 and card maps at stride
    8.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 12, 3, 2, 1), nn.ReLU(inplace=True))
        self.s4 = nn.Sequential(block(12, 24, 2), block(24, 24))
        self.s8 = nn.Sequential(block(24, 48, 2), block(48, 48), block(48, 48))
        self.s16 = nn.Sequential(block(48, 64, 2), block(64, 64), block(64, 64))
        self.s32 = nn.Sequential(block(64, 64, 2), block(64, 64), block(64, 64))
        self.up32 = nn.Conv2d(64, 64, 1)
        self.up16 = nn.Conv2d(64, 48, 1)
        self.up8 = nn.Conv2d(48, 24, 1)
        self.merge16 = block(64, 64)
        self.merge8 = block(48, 48)
        self.merge4 = block(24, 32)
        self.index = nn.Sequential(block(32, 32), nn.Conv2d(32, INDEX_CHANNELS, 1))
        self.corner = nn.Sequential(block(32, 24), nn.Conv2d(24, CORNER_CHANNELS, 1))
        self.card = nn.Sequential(block(48, 64), block(64, 64), nn.Conv2d(64, CARD_CHANNELS, 1))
        nn.init.constant_(self.index[-1].bias, 0.0)  # type: ignore[arg-type, union-attr]
        self.index[-1].bias.data[0] = -4.0  # type: ignore[index, union-attr]
        nn.init.constant_(self.corner[-1].bias, 0.0)  # type: ignore[arg-type, union-attr]
        self.corner[-1].bias.data[0] = -4.0  # type: ignore[index, union-attr]

    def forward(self, picture: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Index and corner map (n, 8 + 7, h/4, w/4), the first channel of each part a logit; card map (n, 11, h/8,
        w/8), its first three logits.
        """
        return self.centred(picture - 0.5)

    def centred(self, picture: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The same of a picture in -0.5..0.5."""
        a4 = self.s4(self.stem(picture))
        a8 = self.s8(a4)
        a16 = self.s16(a8)
        a32 = self.s32(a16)
        b16 = self.merge16(a16 + twice(self.up32(a32)))
        b8 = self.merge8(a8 + twice(self.up16(b16)))
        b4 = self.merge4(a4 + twice(self.up8(b8)))
        return torch.cat([self.index(b4), self.corner(b4)], 1), self.card(b8)


def twice(x: torch.Tensor) -> torch.Tensor:
    """Twice as large, each value four times (the convolution that follows smooths it)."""
    return nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")


def trunk(width: int) -> nn.Sequential:
    """(n, 3, h, w) to (n, 4 × width, h / 8, w / 8)."""
    w = width
    return nn.Sequential(
        block(3, w),
        block(w, w, 2),
        block(w, 2 * w),
        block(2 * w, 2 * w, 2),
        block(2 * w, 3 * w),
        block(3 * w, 3 * w, 2),
        block(3 * w, 4 * w),
    )


RANK_CLASSES = 15  # A..K, joker, no index here
SIGN_CLASSES = SIGNS  # the same, and the letters that other decks print
SUIT_CLASSES = 4


class PatchNet(nn.Module):
    """Windows (n, 3, 48, 48) in 0..1, scaled by the card's own white, to sign, suit and the correction of the
    window.
    """

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        w = width
        self.body = trunk(w)
        self.squeeze = nn.Sequential(nn.Conv2d(4 * w, w, 1), nn.ReLU(inplace=True), nn.Flatten())
        self.hidden = nn.Sequential(nn.Linear(w * 36, 128), nn.ReLU(inplace=True), nn.Dropout(0.1))
        self.rank = nn.Linear(128, SIGN_CLASSES)
        self.suit = nn.Linear(128, SUIT_CLASSES)
        self.shift = nn.Linear(128, 6)

    def forward(self, windows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logits of the printed sign (n, 38) and of the suit (n, 4), correction (n, 6): the true frame in the window's
        own units minus identity.
        """
        x = self.features(windows)
        return self.rank(x), self.suit(x), self.shift(x)

    def features(self, windows: torch.Tensor) -> torch.Tensor:
        """(n, 128): what the three heads judge by."""
        return self.hidden(self.squeeze(self.body(windows - 0.5)))  # type: ignore[no-any-return]


class CardNet(nn.Module):
    """Views of whole cards (n, 3, 64, 48) in 0..1, scaled by the card's own white, to what lies there, rank and
    suit.
    """

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        w = width
        self.body = trunk(w)
        self.squeeze = nn.Sequential(nn.Conv2d(4 * w, 16, 1), nn.ReLU(inplace=True), nn.Flatten())
        self.hidden = nn.Sequential(nn.Linear(16 * 48, 96), nn.ReLU(inplace=True), nn.Dropout(0.1))
        self.kind = nn.Linear(96, 3)
        self.rank = nn.Linear(96, RANK_CLASSES)
        self.suit = nn.Linear(96, SUIT_CLASSES)

    def forward(self, views: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logits of no card, face, back (n, 3), of rank (n, 15: A..K, joker, of no deck) and of suit (n, 4)."""
        x = self.hidden(self.squeeze(self.body(views - 0.5)))
        return self.kind(x), self.rank(x), self.suit(x)


class OverHead(nn.Module):
    """What the card net makes of views on its way (n, 48, 16, 12) and in the end (n, 64, 8, 6) to how much of each cell
    something hides that is no card, as logits (n, 1, 8, 6).
    """

    def __init__(self, fine: int = 48, coarse: int = 64, width: int = 32) -> None:
        super().__init__()
        self.fine = nn.ModuleList([block(fine, width), block(width, width, 2)])
        self.both = nn.ModuleList([block(width + coarse, width), nn.Conv2d(width, 1, 1)])

    def forward(self, fine: torch.Tensor, coarse: torch.Tensor) -> torch.Tensor:
        """The logits."""
        for layer in self.fine:
            fine = layer(fine)
        out = torch.cat([fine, coarse], 1)
        for layer in self.both:
            out = layer(out)
        return out
