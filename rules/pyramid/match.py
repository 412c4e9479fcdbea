"""Whether a state is what the later look shows, and what the look then teaches about cards not known before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.layouts import STOCK, TURNED, WASTE
from rules.pyramid.pairing import leaves_alone, pairs_up
from rules.pyramid.position import PyramidPosition
from rules.pyramid.scene import HAND_TOKEN, HELD_TOKEN, Face, Scene, Table
from rules.pyramid.steps import Step
from rules.violation import Violation

Learnt = dict[int, Card]
"""The cards that tokens turned out to be."""


@dataclass(frozen=True, slots=True)
class Match:
    """How well a state fits the later look, and what was learnt.

    ``foundation_fits``: the foundation shows no other card than one taken last. ``unshown``: it shows none, though the
    first cards left. ``in_hand``: a card that is held must be out of sight, in the player's hand. ``other_habit``: so
    it is at one of the looks, while one lies open at the other.
    """

    learnt: Learnt
    foundation_fits: bool
    unshown: bool
    in_hand: bool
    other_habit: bool


def match(scene: Scene, table: Table, steps: Sequence[Step]) -> Match | None:
    """The match of a state reached by those steps, None if the look shows something else."""
    if table.gone != scene.target:
        return None
    after = scene.after
    if after.pass_number is not None and table.number not in (None, after.pass_number):
        return None
    taken = [step for step in steps if step.kind in ("pair", "single")]
    if scene.gone_count is not None and after.gone_cards is not None:
        left = sum(len(step.cards) for step in taken)
        if len(after.gone_cards) != scene.gone_count + left:
            return None
    located = _Located(scene, table, steps, {})
    if _mismatches(table, after, located):
        return None
    foundation_fits = _foundation(scene, taken, located)
    if not _enough_left(scene, taken, located):
        return None
    in_hand = after.turned is GONE and table.turned not in (None, HELD_TOKEN)
    return Match(
        learnt=located.learnt,
        foundation_fits=foundation_fits,
        unshown=bool(taken) and after.foundation is GONE and not scene.start.gone,
        in_hand=in_hand,
        other_habit=not scene.hides
        and (isinstance(scene.start.turned, Card) if in_hand else table.from_hand and isinstance(after.turned, Card)),
    )


def named(table: Table, learnt: Learnt) -> Table:
    """The state with tokens named by the cards they turned out to be."""

    def face_of(face: Face) -> Face:
        return learnt.get(face, face) if isinstance(face, int) else face

    return table._replace(
        stock=tuple(map(face_of, table.stock)),
        waste=tuple(map(face_of, table.waste)),
        turned=None if table.turned is None else face_of(table.turned),
    )


def deck_has(scene: Scene, table: Table, steps: Sequence[Step]) -> bool:
    """Whether the deck still has a card for each that these steps took unseen."""
    taken = [step for step in steps if step.kind in ("pair", "single")]
    located = _Located(scene, table, steps, {})
    _mismatches(table, scene.after, located)
    return _enough_left(scene, taken, located)


def mismatches(scene: Scene, table: Table, steps: Sequence[Step], learnt: Learnt) -> tuple[Violation, ...]:
    """What the later look shows of the piles that the state does not have; fills ``learnt`` on the way."""
    located = _Located(scene, table, steps, learnt)
    found = _mismatches(table, scene.after, located)
    hides = scene.hides or scene.start.turned in (HAND_TOKEN, HELD_TOKEN)
    if scene.after.turned is GONE and table.turned not in (None, HELD_TOKEN) and not hides:
        found.append(Violation("card-vanished", (TURNED,), (_seen(table.turned),)))
    return tuple(dict.fromkeys(found))


def _mismatches(table: Table, after: PyramidPosition, located: _Located) -> list[Violation]:
    """What the piles show that the state does not have; a card that should be held may be in the player's hand."""
    return [
        *_stock_mismatch(table, after.stock, after.stock_count),
        *_list_mismatch(STOCK, table.stock, table.more > 0, after.stock_cards, located, from_top=False),
        *(_waste_mismatch(table, after.waste, located) if after.waste_cards is None else ()),
        *_list_mismatch(WASTE, table.waste, table.below, after.waste_cards, located, from_top=True),
        *_turned_mismatch(table, after.turned, located),
    ]


class _Located:
    """Which cards already have a place, so that a token cannot turn out to be one of them."""

    def __init__(self, scene: Scene, table: Table, steps: Sequence[Step], learnt: Learnt) -> None:
        cells = (face for cell, face in enumerate(scene.faces) if not table.gone >> cell & 1)
        taken = (card for step in steps if step.kind in ("pair", "single") for card in step.cards)
        everywhere: Iterable[Face | None] = (
            *cells,
            *taken,
            *scene.gone_before,
            *table.stock,
            *table.waste,
            table.turned,
        )
        left = Counter(scene.options.deck)
        left.subtract(face for face in everywhere if isinstance(face, Card))
        self.left = left
        self.learnt = learnt

    def agrees(self, face: Face, seen: Seen) -> bool:
        """Whether the face may be what is seen; a token then learns it."""
        if isinstance(face, Card):
            return seen == face or seen in (FACE_DOWN, UNREADABLE)
        if not isinstance(seen, Card):
            return seen is not GONE
        if face in self.learnt:
            return self.learnt[face] == seen
        if not self.is_new(seen):
            return False
        self.learnt[face] = seen
        self.lies(seen)
        return True

    def is_new(self, seen: Seen) -> bool:
        """Whether a card that was nowhere known may be this one."""
        return not isinstance(seen, Card) or self.left[seen] > 0

    def lies(self, seen: Seen) -> None:
        """Takes note of where a new card lies."""
        if isinstance(seen, Card):
            self.left[seen] -= 1


def _stock_mismatch(table: Table, some: bool | None, count: int | None) -> list[Violation]:
    has = len(table.stock)
    if some and not has and not table.more:
        return [Violation("card-appeared", (STOCK,), (FACE_DOWN,))]
    if some is False and (has or table.more == 1):
        return [Violation("card-vanished", (STOCK,), (_seen(table.stock[0]) if has else FACE_DOWN,))]
    if count is None or (count >= has + (table.more == 1) if table.more else count == has):
        return []
    return [Violation("card-vanished" if count < has else "card-appeared", (STOCK,), (FACE_DOWN,))]


def _list_mismatch(
    place: str,
    known: tuple[Face, ...],
    is_open: bool,
    seen: tuple[Seen, ...] | None,
    located: _Located,
    *,
    from_top: bool,
) -> list[Violation]:
    """Card by card, where the later look lists a pile; an open pile is compared from its known end."""
    if seen is None:
        return []
    if len(seen) < len(known) or (len(seen) > len(known) and not is_open):
        return _surplus(place, known, seen)
    beyond = seen[: len(seen) - len(known)] if from_top else seen[len(known) :]
    strange = tuple(card for card in beyond if isinstance(card, Card) and not located.is_new(card))
    if strange:
        return [Violation("card-appeared", (place,), strange)]
    if from_top and known:
        seen = seen[-len(known) :]
    wrong = [(face, card) for face, card in zip(known, seen, strict=False) if not located.agrees(face, card)]
    return [Violation("card-changed", (place,), (_seen(face), card)) for face, card in wrong]


def _surplus(place: str, known: tuple[Face, ...], seen: tuple[Seen, ...]) -> list[Violation]:
    """The cards one list has and the other has not."""
    vanished = [card for card in known if isinstance(card, Card) and card not in seen]
    appeared = [card for card in seen if isinstance(card, Card) and card not in known]
    if len(seen) < len(known):
        return [Violation("card-vanished", (place,), tuple(vanished) or (FACE_DOWN,))]
    return [Violation("card-appeared", (place,), tuple(appeared) or (FACE_DOWN,))]


def _waste_mismatch(table: Table, seen: Seen | None, located: _Located) -> list[Violation]:
    if seen is None:
        return []
    if not table.waste:
        if seen is GONE:
            return []
        if not table.below or not located.is_new(seen):
            return [Violation("card-appeared", (WASTE,), (seen,))]
        located.lies(seen)
        return []
    top = table.waste[-1]
    if seen is GONE:
        return [Violation("card-vanished", (WASTE,), (_seen(top),))]
    return [] if located.agrees(top, seen) else [Violation("card-changed", (WASTE,), (_seen(top), seen))]


def _turned_mismatch(table: Table, seen: Seen | None, located: _Located) -> list[Violation]:
    held = table.turned
    if seen in (None, GONE):
        return []
    if held is None:
        return [Violation("card-appeared", (TURNED,), (seen,))]
    return [] if located.agrees(held, seen) else [Violation("card-changed", (TURNED,), (_seen(held), seen))]


def _foundation(scene: Scene, taken: Sequence[Step], located: _Located) -> bool:
    """Whether the top of the foundation, where it shows, may be a card of the last removal; an unknown one of it is
    then learnt. Where nothing was taken it is the card that lay there before."""
    top, options = scene.after.foundation, scene.options
    if not isinstance(top, Card):
        return True
    if not taken:
        return foundation_as_before(scene)
    last = taken[-1].cards
    if top in last or any(located.learnt.get(face) == top for face in last if isinstance(face, int)):
        return True
    for face, other in zip(last, reversed(last), strict=True):
        if isinstance(face, Card) or face in located.learnt:
            continue
        known = other if isinstance(other, Card) else located.learnt.get(other)
        alone = len(last) == 1 and leaves_alone(top, options)
        with_other = (
            len(last) == 2 and not leaves_alone(top, options) and (known is None or pairs_up(top, known, options))
        )
        if alone or with_other:
            return located.agrees(face, top)
    return False


def is_new(scene: Scene, table: Table, card: Seen) -> bool:
    """Whether a card that lay nowhere known may be this one."""
    return _Located(scene, table, (), {}).is_new(card)


def foundation_as_before(scene: Scene) -> bool:
    """Whether the foundation may show what it showed before."""
    return scene.top in (None, UNREADABLE, FACE_DOWN, scene.after.foundation)


def _enough_left(scene: Scene, taken: Sequence[Step], located: _Located) -> bool:
    """Whether the deck still has a card for each that left unseen: one that makes the total with its partner."""
    left = Counter[int]()
    for card, count in located.left.items():
        left[card.worth] += count
    for step in taken:
        faces = [face if isinstance(face, Card) else located.learnt.get(face) for face in step.cards]
        known = [face for face in faces if face is not None]
        if len(faces) > 2 or len(known) == len(faces) or (known and known[0].is_joker):
            continue
        if not known and len(faces) == 2:
            if not _pair_left(left, scene.options.total):
                return False
            continue
        wanted = scene.options.total - sum(card.worth for card in known)
        worth = wanted if left[wanted] > 0 or len(faces) == 1 else 0
        if left[worth] <= 0:
            return False
        left[worth] -= 1
    return True


def _pair_left(left: Counter[int], total: int) -> bool:
    """Whether two of these worths make the total; a joker (0) goes with any that does not leave alone."""
    here = [worth for worth, count in left.items() if count > 0 and worth != total]
    joker = 0 in here and (len(here) > 1 or left[0] > 1)
    return joker or any(left[total - worth] > (worth + worth == total) for worth in here if worth)


def _seen(face: Face) -> Seen:
    return face if isinstance(face, Card) else FACE_DOWN
