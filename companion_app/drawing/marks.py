"""What is pointed out on the photograph and on the drawn position: the same record for both."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Marks:
    """Places by what is to be said about them.

    `pair` are the cards of a hint, first A, then B; `area` the part of the table to look at; `chosen` the place whose
    card is being corrected; `partners` what goes with that card; `labels` the accessible name of each place.
    """

    pair: tuple[str, ...] = ()
    area: tuple[str, ...] = ()
    doubtful: frozenset[str] = frozenset()
    pinned: frozenset[str] = frozenset()
    illegal: frozenset[str] = frozenset()
    faulty: frozenset[str] = frozenset()
    chosen: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    partners: frozenset[str] = frozenset()

    def classes(self, place: str) -> str:
        """The CSS classes of a place."""
        groups = {
            "is-a": place in self.pair[:1],
            "is-b": place in self.pair[1:2],
            "is-area": place in self.area,
            "is-doubtful": place in self.doubtful,
            "is-pinned": place in self.pinned,
            "is-illegal": place in self.illegal,
            "is-faulty": place in self.faulty,
            "is-chosen": place == self.chosen,
            "is-partner": place in self.partners,
        }
        return " ".join(name for name, wanted in groups.items() if wanted)
