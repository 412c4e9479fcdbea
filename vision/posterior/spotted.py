"""What a place shows, and what is decided of it: the posterior of every place, one deck, one calibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from vision.posterior import calibration, one_deck, place_model
from vision.posterior.calibration import Sharpness, Sureness
from vision.posterior.known import NOTHING_KNOWN, Known
from vision.posterior.observation import Observed
from vision.reading import Quad, SeenCard
from vision.recognize import card_frame
from vision.recognize.index_reader import FACES, NONE

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asking:
    """When to ask instead of guess; set by judgement and tried on validation tables."""

    doubtful: float = 0.84  # a back or an empty place less sure than this is asked about
    named: float = 0.99  # a card less sure than this is asked about (of 46 200 surer ones drawn 12 were wrong), and one
    # of whose rank the whole card says the contrary so surely
    placed: float = 0.96  # whatever lies at a place less surely the one it is taken for is asked about
    readable: float = 0.4  # a face whose best card is less sure than this is called unreadable
    strange: float = 0.9  # the most that is told of a card on which no corner was read, where pips of no other are
    # known, and of one that is gone though others lie on it
    plain: float = 0.97  # a picture without a readable corner is read if one face is this sure by its pips
    foreign: float = 0.5  # a face that is of no deck with more than this chance is called foreign,
    width: float = 70.0  # if it is so many pixels wide: of a smaller one too little shows


ASKING = Asking()


@dataclass(frozen=True, slots=True)
class Spotted:
    """The posterior of one place.

    Chances that a card lies there, that its face shows if one does, and that such a face is of no deck; belief (53,) of
    which card of the deck it is, the last one a joker; corners (4, 2) in pixels, and the chance that it is the place it
    is taken for. by_body (53,): chances of which card it is by the whole card alone. hidden (8, 6): how much of
    each cell of it something hides that is no card, nan where another card does.
    """

    place: str
    present: float
    face: float
    belief: Doubles
    quad_xy: Doubles
    foreign: float = 0.0
    told: float = 1.0
    by_body: Doubles | None = None
    hidden: Doubles | None = None

    def gainsays(self, told: Seen) -> bool:
        """Whether the whole card, its pips or its picture, speaks against the rank of the card that is told."""
        if self.by_body is None or not isinstance(told, Card):
            return False
        alike = [face.rank == told.rank for face in FACES]
        return float(self.by_body[alike].sum()) < 1 - ASKING.named

    @property
    def is_foreign(self) -> bool:
        """Whether a card of no deck lies there, large enough to be called one."""
        axes = card_frame.axes_of(self.quad_xy)
        wide = 2 * min(float(np.linalg.norm(axes[:, 0])), float(np.linalg.norm(axes[:, 1])))
        return self.present * self.face * self.foreign > ASKING.foreign and wide >= ASKING.width

    @property
    def is_plain(self) -> bool:
        """Whether a card of the deck shows its face and which it is."""
        shows = self.present * self.face * (1 - self.foreign)
        return shows > 0.5 and float(self.belief.max()) > ASKING.plain


def judged(seen: Observed, known: Known = NOTHING_KNOWN) -> tuple[Spotted, ...]:
    """The posterior of every place that was observed, by what was known before."""
    chances, astray = place_model.believed(seen, _prior(seen, known.places) if known.places else None, known.prints)
    unread = 1 - place_model.mistrust(seen, 1 - ASKING.strange)
    each = zip(chances, astray.tolist(), place_model.by_body(seen), strict=True)
    return tuple(_spotted(seen, n, *one, unread) for n, one in enumerate(each))


def _spotted(seen: Observed, number: int, p: Doubles, astray: float, by_body: Doubles, unread: float) -> Spotted:
    query = seen.queries[number]
    own, face = float(p[:NONE].sum()), float(p[:NONE].sum() + p[place_model.FOREIGN])
    told = min(query.told, unread) if face > 0.5 and seen.belief[number, NONE] > 0.5 else query.told
    if query.found and query.carries and p[place_model.GONE] > 0.5:
        told = min(told, ASKING.strange)
    return Spotted(
        query.place,
        face + float(p[place_model.BACK]),
        face / max(face + float(p[place_model.BACK]), 1e-12),
        p[:NONE] / max(own, 1e-12),
        card_frame.corners_of(query.axes),
        float(p[place_model.FOREIGN]) / max(face, 1e-12),
        told * (1 - astray),
        by_body,
        seen.hidden[number],
    )


def _prior(seen: Observed, prior: Mapping[str, Mapping[Seen, float]]) -> Doubles:
    out = np.zeros((len(seen), place_model.SIZE))
    classes: dict[Seen, int] = {GONE: place_model.GONE, FACE_DOWN: place_model.BACK}
    classes.update({face: n for n, face in enumerate(FACES)})
    for row, query in zip(out, seen.queries, strict=True):
        for what, chance in prior.get(query.place, {}).items():
            row[classes[what]] = np.log(max(chance, 1e-9))
    return out


def claims(spotted: Sequence[Spotted]) -> Doubles:
    """Chances (n, 54) that each card of the deck, or a joker, lies at each place, and the rest."""
    own = np.array([s.present * s.face * (1 - s.foreign) for s in spotted])
    cards = np.array([s.belief for s in spotted]).reshape(-1, NONE) * own[:, None]
    return np.column_stack([cards, 1 - own])


def decided(spotted: Sequence[Spotted], twice: float, picture: Sharpness = "sharp") -> tuple[SeenCard, ...]:
    """A decision for each place, after one deck has had its say.

    twice: as in ``one_deck.one_deck``. picture: what it is, which tells how sure it makes.
    """
    of = claims(spotted)
    agreed = one_deck.one_deck(of, twice)
    sureness = calibration.load()[picture]
    return tuple(_decision(s, b, float(o), sureness) for s, b, o in zip(spotted, agreed, of[:, NONE], strict=True))


def _decision(s: Spotted, agreed: Doubles, rest: float, sureness: Sureness) -> SeenCard:
    """What lies at a place; agreed (54,): chances of the cards of the deck, and the rest, which was `rest` before."""
    cards, more = agreed[:NONE], float(agreed[NONE]) / max(rest, 1e-12)
    gone, back = (1 - s.present) * more, s.present * (1 - s.face) * more
    face = 1 - gone - back
    options: list[tuple[Seen, float]] = [(FACES[k], float(cards[k])) for k in np.argsort(-cards)[:3]]
    options += [(GONE, gone), (FACE_DOWN, back)]
    options.sort(key=lambda option: -option[1])
    best, chance = options[0]
    # Witnesses that agree are surer than their product, those that do not are no surer.
    sure = chance if s.gainsays(best) else sureness.final(chance)
    others = (1 - sure) / max(1 - chance, 1e-9)
    options = [(best, sure * s.told), *((seen, likely * s.told * others) for seen, likely in options[1:])]
    if face > 0.5 and (best in (GONE, FACE_DOWN) or chance < ASKING.readable):
        # A face shows, but no card stands out: say so rather than call it gone or turned.
        shown = tuple(option for option in options if option[0] not in (GONE, FACE_DOWN))
        return SeenCard(s.place, UNREADABLE, face * (1 - chance) * s.told, True, shown[:3], quad(s.quad_xy))
    enough = ASKING.doubtful if best in (FACE_DOWN, GONE) else ASKING.named
    is_doubtful = sure < enough or s.told < ASKING.placed
    return SeenCard(s.place, best, sure * s.told, is_doubtful, tuple(options[:3]), quad(s.quad_xy))


def quad(corners: Doubles) -> Quad:
    """Corners (4, 2) as numbers."""
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d
