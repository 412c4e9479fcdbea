"""Pairs of looks at a table of which the truth is known, to measure a referee by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from rules.cards import Seen
from rules.story import M, P


@dataclass(frozen=True, slots=True)
class LegalStep(Generic[P, M]):
    """A legal move between a table as the referee knows it and a look at what came of it."""

    before: P
    move: M
    after: P


@dataclass(frozen=True, slots=True)
class Planted(Generic[P]):
    """A change against the rules: the breaches it is, and cards that must be named with the first of them."""

    before: P
    after: P
    breaches: frozenset[str]
    cards: frozenset[Seen] = frozenset()
