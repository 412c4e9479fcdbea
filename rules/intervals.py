"""Intervals of 95 % for shares and means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

Z_95: Final = 1.959964
"""Two-sided 95 % quantile of the normal distribution."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with the ends of its 95 % interval."""

    estimate: float
    low: float
    high: float


def share_interval(won: int, tried: int) -> Interval:
    """Wilson's interval of a share; everything is possible where nothing was tried."""
    if tried == 0:
        return Interval(0.0, 0.0, 1.0)
    low, high = wilson(won, tried)
    return Interval(won / tried, low, high)


def wilson(won: float, tried: int) -> tuple[float, float]:
    """The ends of Wilson's interval of a share; ``won`` may be a weight, ``tried`` is at least 1."""
    share, square = min(1.0, won / tried), Z_95 * Z_95
    middle = (share + square / (2 * tried)) / (1 + square / tried)
    reach = Z_95 / (1 + square / tried) * sqrt(share * (1 - share) / tried + square / (4 * tried * tried))
    return (middle - reach if won else 0.0), (middle + reach if won < tried else 1.0)


def mean_interval(values: Sequence[float]) -> Interval:
    """The interval of a mean by the normal approximation, for paired differences too; needs a value."""
    mean = sum(values) / len(values)
    spread = sqrt(sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1))
    reach = Z_95 * spread / sqrt(len(values))
    return Interval(mean, mean - reach, mean + reach)
