"""How surely a broken rule is named: states of played games, something done against the rules, and put right again.

    python -m models.measure.breaches --games 20 --seed 500

Of each of the sixteen games so many: three legal looks at some moment of it, two at what breaks a rule, one at what was
put back. What a camera can see is done: two cards taken that do not make the total, cards taken from under others, a
card taken alone; in row games a card laid where it does not fit, or taken from under another. It is named if within the
two looks a breach is told, as told and not as asked, of a rule that was broken and of a card of it.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations, product
from random import Random

import cv2
import numpy as np
from rich.progress import track

from companion_app.following import Follower
from models.measure import drawn, played
from models.measure.played import Turn
from rules.cards import GONE, Card
from rules.catalogue import GAMES, Game
from rules.families import family_of
from rules.family import AnyMove
from rules.following.belief import Belief
from rules.looks import Position, explain_by_moves, free_places, lying, position_from_places
from rules.pyramid.moves import Move
from rules.rows.breaches import moved
from rules.rows.moves import build, foundation
from rules.rows.places import parse_place
from rules.rows.position import RowPosition
from vision.image import picture as files
from vision.reader import Reader

LEGAL, BROKEN = 3, 2


@dataclass(frozen=True, slots=True)
class Plant:
    """What was done against the rules, the rules that it broke, and what lies there then."""

    move: AnyMove
    rules: frozenset[str]
    position: Position


def plant(position: Position, game: Game, rng: Random) -> Plant | None:
    """Something against the rules that a camera can see; None where nothing was found."""
    tried = list(_row_moves(position) if isinstance(position, RowPosition) else _removals(position, game))
    rng.shuffle(tried)
    # Each kind of breach as often as the others, however many ways there are to it.
    for kind in rng.sample(sorted({kind for kind, _ in tried}), len({kind for kind, _ in tried})):
        for _, move in (one for one in tried if one[0] == kind):
            broken = family_of(game).violations(position, move, game)
            after = _done(position, move, game)
            if broken and not _may_be_legal(position, after, game):
                return Plant(move, frozenset(each.breach for each in broken), after)
    return None


def _may_be_legal(before: Position, after: Position, game: Game) -> bool:
    """Whether legal moves lead there as well, such as a pair with a card turned meanwhile: no camera can tell then."""
    found = explain_by_moves(before, position_from_places(game, dict(lying(after))), game)
    return found is not None and found.is_plain


def _removals(position: Position, game: Game) -> Iterator[tuple[str, AnyMove]]:
    faces = {place: card for place, card in lying(position) if place.startswith("pyramid") and isinstance(card, Card)}
    free, total = set(free_places(position, game)), game.options.total
    for place, card in faces.items():
        if place in free:
            yield "alone", Move("single", (card,), (place,))
    for places in combinations(faces, 2):
        cards = tuple(faces[place] for place in places)
        fits = sum(int(card.rank or 0) for card in cards) == total
        if fits and not set(places) <= free:
            yield "covered", Move("pair", cards, places)
        elif not fits and set(places) <= free:
            yield "total", Move("pair", cards, places)


def _row_moves(position: RowPosition) -> Iterator[tuple[str, AnyMove]]:
    lying_there = [(place, card) for place, card in position.lying() if isinstance(card, Card)]
    lines = [stack for stack in position.stacks() if stack.kind in ("half", "column")]
    for place, card in lying_there:
        source = parse_place(place)
        if source is None or source[0].kind == "base":
            continue
        outer = source[1] == len(position.cards_in(source[0]) or ())
        for stack in lines:
            if stack != source[0]:
                goal = stack.place(len(position.cards_in(stack) or ()) + 1)
                yield "build" if outer else "inner", build(card, place, goal)
        for row in range(1, len(position.bases) + 1):
            yield "foundation" if outer else "inner", foundation(card, place, row)


def _done(position: Position, move: AnyMove, game: Game) -> Position:
    if isinstance(position, RowPosition):
        return moved(position, move, game)  # type: ignore[arg-type]
    return position.with_seen(dict.fromkeys(move.places, GONE))


def turns_with(game: Game, number: int, seed: int) -> tuple[list[Turn], Plant] | None:
    """Legal states, twice the same broken one, and the last legal one again; None where nothing could be planted."""
    rng = Random(f"{seed} {game.id} {number}")
    turns = played.play(game, rng, most=rng.randrange(LEGAL, 25))
    last = turns[-1]
    found = plant(last.view, game, rng)
    if found is None:
        return None
    top = found.move.cards[0] if game.family == "pyramid" else last.top
    broken = Turn(None, found.position, top)
    return [*turns[-LEGAL:], *[broken] * BROKEN, Turn(None, last.view, last.top)], found


def follow_breach(reader: Reader, what: tuple[str, int, int], source: drawn.DeckSource | None = None) -> Counter[str]:
    """Plant and follow one breach: a game's id, a number and the seed. source: of decks, else of those never trained
    on."""
    name, number, seed = what
    game = GAMES[name]
    planted = turns_with(game, number, seed)
    if planted is None:
        return Counter()
    turns, found = planted
    follower, counts, named = Follower(reader, game), Counter(planted=1), False
    for place, shot in enumerate(played.pictures(game, turns, (number, seed), source or drawn.validation_decks())):
        ready = np.ascontiguousarray(shot.picture.pixels[..., ::-1])
        data = cv2.imencode(".jpg", ready, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
        try:
            belief = follower.look(data)
        except files.PictureError:
            return Counter(refused=1)
        if place < LEGAL:
            counts["accused"] += _tells(belief)
        elif place < LEGAL + BROKEN:
            named = named or _names(belief, found)
        else:
            counts["still accused when put back"] += belief.best.odd is not None
    counts["named"] += named
    for rule in found.rules:
        counts[f"{rule}: planted"] += 1
        counts[f"{rule}: named"] += named
    return counts


def _tells(belief: Belief) -> bool:
    return belief.best.event.kind == "breach" and (belief.is_clear or belief.is_broken)


def _names(belief: Belief, found: Plant) -> bool:
    return _tells(belief) and any(
        broken.breach in found.rules and set(broken.cards) & set(found.move.cards)
        for broken in belief.best.event.violations
    )


_READER: list[Reader] = []


def _begin() -> None:
    cv2.setNumThreads(1)
    _READER.append(Reader.load(1))


def _one(what: tuple[str, int, int]) -> tuple[str, Counter[str]]:
    return what[0], follow_breach(_READER[0], what)


def main() -> None:
    """Measure, and print a line for each game, for all, and for each rule."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20, help="of each of the sixteen")
    parser.add_argument("--seed", type=int, default=500)
    parser.add_argument("--only", nargs="*", default=list(GAMES), help="ids of games")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    what = [(name, number, given.seed) for name, number in product(given.only, range(given.games))]
    told: dict[str, Counter[str]] = {}
    with ProcessPoolExecutor(given.processes, initializer=_begin) as pool:
        for name, counts in track(pool.map(_one, what), total=len(what), description="breaches", transient=True):
            told.setdefault(name, Counter()).update(counts)
    columns = ("planted", "named", "accused", "still accused when put back", "refused")
    print(f"| game | {' | '.join(columns)} |\n|{' --- |' * (len(columns) + 1)}")
    every = sum(told.values(), Counter())
    for name, counts in (*told.items(), ("all", every)):
        print(f"| {name} | {' | '.join(str(counts[column]) for column in columns)} |")
    for rule in sorted(key.split(":")[0] for key in every if key.endswith(": planted")):
        print(f"{rule}: {every[f'{rule}: named']} of {every[f'{rule}: planted']} named")


if __name__ == "__main__":
    main()
