"""What was known before a picture was seen: of its places, and of its deck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rules.cards import Seen
from vision.deck_prints import NO_PRINTS, DeckPrints


@dataclass(frozen=True, slots=True)
class Known:
    """places: for some places the chances of what lies there. prints: how the deck is printed, as far as earlier
    pictures of it showed that.
    """

    places: Mapping[str, Mapping[Seen, float]] = field(default_factory=dict)
    prints: DeckPrints = NO_PRINTS


NOTHING_KNOWN: Final = Known()
