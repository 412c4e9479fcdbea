"""The chance given with a reading, made as good as the share of such readings that prove right."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import numpy as np

from vision.nets import session
from vision.nets.session import ModelError

# Of a sharp picture, and of a soft one: what blurs one window blurs all, so witnesses that agree may err alike.
Sharpness = Literal["sharp", "soft"]
KINDS: Final[tuple[Sharpness, ...]] = ("sharp", "soft")


@dataclass(frozen=True, slots=True)
class Sureness:
    """What the chances of windows, places and one deck come to together is too modest where it is high: several that
    agree are surer than their product. From the chance `bend` on its logarithmic odds grow `slope` times as fast, up to
    the chance `most`.
    """

    bend: float
    slope: float
    most: float

    def final(self, chance: float) -> float:
        """The chance to be told for one that was worked out; the same below `bend`, and never falling."""
        if chance <= self.bend:
            return chance
        odds = _odds(self.bend) + self.slope * (_odds(min(chance, 1 - 1e-9)) - _odds(self.bend))
        return self.bend + (1 / (1 + float(np.exp(-odds))) - self.bend) * self._room

    def worked_out(self, final: float) -> float:
        """The chance that was worked out, of one that is told."""
        if final <= self.bend:
            return final
        chance = min(self.bend + (final - self.bend) / self._room, 1 - 1e-9)
        odds = _odds(self.bend) + (_odds(chance) - _odds(self.bend)) / self.slope
        return 1 / (1 + float(np.exp(-odds)))

    @property
    def _room(self) -> float:
        return (self.most - self.bend) / (1 - self.bend)


def _odds(chance: float) -> float:
    return float(np.log(chance / (1 - chance)))


@lru_cache(maxsize=1)
def load() -> dict[Sharpness, Sureness]:
    """Those in ``models/sureness.json``; raises ModelError where they are missing or changed."""
    kept = session.weights("sureness")
    try:
        return {kind: Sureness(**kept[kind]) for kind in KINDS}
    except (KeyError, TypeError) as error:
        raise ModelError(f"model 'sureness' cannot be loaded: {error}") from error
