"""What may really lie there: the looks that are compared with each line, the likeliest first."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace

from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, Seen
from rules.catalogue import Game
from rules.errors import RulesError
from rules.families import family_of
from rules.following.alignment import built_over
from rules.following.evidence import FACES, Evidence
from rules.following.line import Line, cards_gone, cards_named, corrections, log_misread
from rules.following.other_ways import with_taken_shown
from rules.following.priors import DOUBTFUL, LEAST_HIDDEN, LOOKS_TRIED, MOST_CHANGED, OPTIONS, PRIORS
from rules.layouts import FOUNDATION, PILES, STOCK, TURNED, WASTE, parse_pyramid_place
from rules.looks import Position, lying
from rules.rows.position import RowPosition


def proposals(line: Line, evidence: Evidence, game: Game) -> Iterator[tuple[float, Line, dict[str, Seen]]]:
    """What may lie there by a line, from that or as it is if it was corrected, each with what its log-odds cannot
    exceed."""
    right = [_as_if_right(line, evidence)] if line.odd is not None else []
    for number, source in enumerate((*right, line, *corrections(line, evidence))):
        named, gone = cards_named(source), cards_gone(source)
        before = complete_look(source.position, evidence)
        looks = by_moves(source.position, evidence, game)
        told = number <= len(right) or source.log > line.log - DOUBTFUL
        read = _read(source.position, before, evidence, gone) if told else ()
        for look in _once((before, *looks, *read)):
            if sum(before.get(place) != seen for place, seen in look.items()) > MOST_CHANGED:
                continue
            bound = source.log + seen_so(look, evidence)[0] - surprise(meant(look, before), named, gone)
            bound += PRIORS.changed * _impossible(before, look) + PRIORS.unseen * _left_unseen(before, look)
            yield bound, with_taken_shown(source, look, game), look


def told_once(evidence: Evidence) -> dict[str, Seen]:
    """What most likely lies at each place; of two at which the same card is read one shows another, read nowhere else,
    if that is likelier than that a card comes twice."""
    look = dict(evidence.look)
    at: dict[Card, list[str]] = {}
    for place, seen in look.items():
        if isinstance(seen, Card) and not seen.is_joker:
            at.setdefault(seen, []).append(place)
    for card, places in at.items():
        others = [
            (evidence.log(place, seen) - evidence.log(place, card), place, seen)
            for place in places
            for seen in evidence.chances[place]
            if isinstance(seen, Card) and seen not in look.values()
        ]
        log, place, seen = max(others, key=lambda one: one[0], default=(-math.inf, "", card))
        if len(places) > 1 and log > PRIORS.changed:
            look[place] = seen
    return look


def _as_if_right(line: Line, evidence: Evidence) -> Line:
    """The line if what seemed to break a rule was misread, or was put back. Where that does not show any more, the look
    that showed it may have missed a move as well."""
    before = dict(lying(line.states[-1].position))
    odd = {place: seen for place, seen in lying(line.position) if before.get(place) != seen}
    stands = all(evidence.best(place) in (None, seen) for place, seen in odd.items())
    waiting = line.waiting if stands or not line.pending else line.waiting + 1
    # A card that was seen where the rules let none come, and was not put back, was misread in place of a broken rule.
    misread = sum(
        min(0.0, log_misread(line.said.get(place, {}), seen, was))
        for place, seen in odd.items()
        if place != FOUNDATION and evidence.best(place) not in (None, was := before.get(place, GONE))
    )
    # Who was not told of a broken rule seldom puts back by himself what he took.
    back = sum(evidence.best(place) == before.get(place, GONE) for place in odd if place not in PILES)
    log = line.log + min(0.0, misread - PRIORS.breach) + (PRIORS.back * back if line.untold else 0.0)
    return replace(line, log=log, odd=None, pending=(), untold=(), waiting=waiting)


def _read(
    position: Position, before: Mapping[str, Seen], evidence: Evidence, gone: Set[Seen]
) -> Iterator[dict[str, Seen]]:
    """Looks by what is read, also with something in the way, and with cards where they lay that are read in each
    other's places: that is one misreading; or that are read nowhere, where none can have left."""
    yield from by_places(before, evidence, gone)
    yield from under_a_hand(before, evidence)
    for stay in (in_each_others_places(evidence.look, before), _missed(position, before, evidence)):
        if stay:
            yield from by_places(before, evidence.as_told({place: before[place] for place in stay}), gone)


def _missed(position: Position, before: Mapping[str, Seen], evidence: Evidence) -> list[str]:
    """The places of a row game that seem empty, and whose cards are read nowhere: all of them stay on the table, and
    but for those that a foundation took and others hide they were missed."""
    if not isinstance(position, RowPosition):
        return []
    read = {*evidence.look.values(), *built_over(evidence, position)}
    lay = [place for place, card in before.items() if isinstance(card, Card) and card not in read]
    return [place for place in lay if evidence.best(place) is GONE]


def in_each_others_places(look: Mapping[str, Seen], lay: Mapping[str, Seen]) -> list[str]:
    """The places of cards that lie in each other's places, two or more in a ring: eyes take cards for each other, hands
    do not exchange them."""
    moved = {place: seen for place, seen in look.items() if isinstance(seen, Card) and seen != lay.get(place, seen)}
    now: dict[Seen, str] = {seen: place for place, seen in moved.items()}
    found: list[str] = []
    for place in moved:
        at, seen = now.get(lay[place]), {place}
        while at is not None and at not in seen:
            seen.add(at)
            at = now.get(lay[at])
        if at == place:
            found.append(place)
    return found


def _once(looks: Iterable[dict[str, Seen]]) -> Iterator[dict[str, Seen]]:
    """Each of these looks once."""
    met = set[frozenset[tuple[str, Seen]]]()
    for look in looks:
        key = frozenset(look.items())
        if key not in met:
            met.add(key)
            yield look


def _impossible(before: Mapping[str, Seen], look: Mapping[str, Seen]) -> int:
    """How many cards of a pyramid became other ones, which no rules allow."""
    return sum(
        isinstance(card, Card) and isinstance(before.get(place), Card) and before[place] != card
        for place, card in look.items()
        if parse_pyramid_place(place)
    )


def _left_unseen(before: Mapping[str, Seen], look: Mapping[str, Seen]) -> int:
    """How many cards left that nobody saw, but for one, which the foundation may show."""
    left = sum(seen is FACE_DOWN and look.get(place) is GONE for place, seen in before.items() if place != STOCK)
    return max(0, left - 1)


def meant(look: Mapping[str, Seen], before: Mapping[str, Seen]) -> dict[str, Seen]:
    """The look with the cards that cannot be read as those that lay there, for that is no sign that they left."""
    return {place: before.get(place, seen) if seen is UNREADABLE else seen for place, seen in look.items()}


def surprise(look: Mapping[str, Seen], named: Set[Seen], gone: Set[Seen] = frozenset()) -> float:
    """How unlikely it is that just these new cards came up, that a card lies there twice, and that one lies there which
    is gone."""
    shown = [seen for seen in look.values() if isinstance(seen, Card)]
    twice = sum(not card.is_joker for card in shown) - len({card for card in shown if not card.is_joker})
    again = sum(seen in gone for place, seen in look.items() if place != FOUNDATION)
    return math.log(max(FACES - len(named), 1)) * len(set(shown) - named) - PRIORS.changed * (twice + again)


def complete_look(position: Position, evidence: Evidence) -> dict[str, Seen]:
    """What a position shows, and at places of which it says nothing what is read there."""
    shown = dict(lying(position))
    for pile in (STOCK, TURNED):
        if evidence.hides(pile):
            shown.pop(pile, None)  # unseen it may have become empty
    for place in evidence.chances:
        if place not in shown:
            read = evidence.best(place)
            told_gone = place.startswith(("left", "right", "pyramid"))
            if told_gone:
                shown[place] = GONE
            elif read is not None:
                shown[place] = read
    return shown


def by_moves(position: Position, evidence: Evidence, game: Game) -> Iterator[dict[str, Seen]]:
    """What each legal move leads to, what it turns up as it is read, and each other card that may be read there."""
    family = family_of(game)
    try:
        moves = family.legal_moves(position, game)
    except RulesError:
        return
    for move in moves:
        try:
            after = family.play(position, move, game)
        except RulesError:
            continue
        look = complete_look(after, evidence)
        turned_up = [place for place, seen in look.items() if seen is FACE_DOWN or seen is UNREADABLE]
        for place in turned_up:
            read = evidence.best(place)
            if place != "stock" and read is not None and read is not GONE:
                look[place] = read
        yield look
        for place in turned_up:
            others = evidence.rivals(place)[1:OPTIONS] if place != STOCK else ()
            yield from ({**look, place: seen} for seen in others if isinstance(seen, Card))


def by_places(before: Mapping[str, Seen], evidence: Evidence, gone: Set[Seen]) -> Iterator[dict[str, Seen]]:
    """Looks by what is read at each place or lay there, the likeliest first; a card that is read on the foundation may
    have left where it lay, however that place is read. What is read as one that is `gone` may be any that is missed
    elsewhere, and the foundation's card any that is: one of them was taken."""
    places = dict.fromkeys((*evidence.chances, *before))
    taken = evidence.best(FOUNDATION)
    read = set(evidence.look.values())
    missed = [seen for seen in before.values() if isinstance(seen, Card) and seen not in read]
    options: list[tuple[str, list[tuple[float, Seen]]]] = []
    fixed: dict[str, Seen] = {}
    for place in places:
        may = dict.fromkeys(evidence.rivals(place)[:OPTIONS])
        if missed and evidence.hides(place) and before.get(place) in read:
            may |= dict.fromkeys(missed)  # its line moved up, and this is one that was not seen
        elif place in before:
            may[before[place]] = None
        if place == FOUNDATION and isinstance(before.get(place), Card):
            may.pop(GONE, None)  # what was taken stays there
        if place != FOUNDATION and isinstance(taken, Card) and before.get(place) == taken:
            may[GONE] = None
        if evidence.best(place) in gone or (place == FOUNDATION and isinstance(taken, Card)):
            may |= dict.fromkeys(missed)
        worth = ((_worth_trying(place, seen, before, evidence, gone), seen) for seen in may)
        ranked = sorted(worth, key=lambda one: -one[0])
        if len(ranked) > 1:
            options.append((place, ranked))
        elif ranked:
            fixed[place] = ranked[0][1]
    for chosen in _best_first([[log for log, _ in ranked] for _, ranked in options]):
        yield fixed | {place: ranked[n][1] for (place, ranked), n in zip(options, chosen, strict=True)}


def _worth_trying(place: str, seen: Seen, before: Mapping[str, Seen], evidence: Evidence, gone: Set[Seen]) -> float:
    """How likely this is to lie at a place: another card than lay there is one of many that may have come, and none
    comes back that is gone."""
    another = isinstance(seen, Card) and seen != before.get(place)
    again = place != FOUNDATION and seen in gone
    return evidence.log(place, seen) - (math.log(FACES) if another else 0.0) + (PRIORS.changed if again else 0.0)


def under_a_hand(before: Mapping[str, Seen], evidence: Evidence) -> Iterator[dict[str, Seen]]:
    """Looks at which something lies over the table: where nothing is read lies what lay there, but for a card that the
    foundation shows, and for one more at most."""
    taken = evidence.best(FOUNDATION)
    lay = [place for place, seen in before.items() if seen is not GONE and place not in (STOCK, TURNED, WASTE)]
    bare = [place for place in lay if evidence.best(place) is GONE]
    hidden = [place for place in bare if before[place] != taken or place == FOUNDATION]
    if len(hidden) < LEAST_HIDDEN:
        return
    read = {place: seen for place in (*before, *evidence.chances) if (seen := evidence.best(place)) is not None}
    lies = {**before, **read, **{place: before[place] for place in hidden}}
    yield lies
    for place in hidden:
        yield {**lies, place: GONE}


def _best_first(logs: list[list[float]]) -> Iterator[tuple[int, ...]]:
    """Choices of one from each list, those with the largest sums first; at most ``LOOKS_TRIED``."""
    first = (0,) * len(logs)
    queue = [(-sum(each[0] for each in logs), first)]
    met = {first}
    for _ in range(LOOKS_TRIED):
        if not queue:
            return
        cost, chosen = heapq.heappop(queue)
        yield chosen
        for at, each in enumerate(logs):
            n = chosen[at] + 1
            following = (*chosen[:at], n, *chosen[at + 1 :])
            if n < len(each) and following not in met:
                met.add(following)
                heapq.heappush(queue, (cost + each[n - 1] - each[n], following))


def seen_so(look: Mapping[str, Seen], evidence: Evidence) -> tuple[float, bool]:
    """How likely the picture is if this lies there, and whether it is likelier with something in the way."""
    plain, hidden = evidence.total(look), evidence.total_hidden(look)
    return max(plain, hidden), hidden > plain
