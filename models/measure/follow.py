"""How well whole games are followed from their pictures: legal games of all sixteen kinds, drawn as a camera sees them.

    python -m models.measure.follow --games 10 --seed 400             a picture after each move
    python -m models.measure.follow --games 10 --seed 400 --every 2   every second picture left out
    python -m models.measure.follow --games 10 --seed 400 --forced    now and then a wrong card is forced upon a reading

One picture in eight is blurred, dark or half covered; the deal and the end are photographed with care. Questions are
answered truthfully, by the way that leaves out the least, once they have been open for three looks, or at the end, and
where nothing that is right can be chosen it is said after six that none of it is; which cards are told to be missing in
the deal is answered at once. A card that no picture showed counts as told where it is called unseen. Where a picture
follows each move, twice in each game a rule is broken, looked at twice and put back, beside the game, which goes on
from where it was: it is named if within the two looks a breach is told, as told and not as asked, of a rule that was
broken and of a card of it. Where the picture before was a hindered one, the table is looked at once more first: of what
was done to cards that nobody saw no camera can tell. A forced card is seen through where it is not told, or is in doubt
or asked about. Needs the art of `models/training`.
"""

from __future__ import annotations

import argparse
import copy
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import product
from random import Random

import cv2
import numpy as np
from rich.progress import track

from companion_app.tables.following import Follower, record_of
from models.measure import breaches, drawn, played
from models.measure.played import Shot, Turn
from models.measure.telling import all_made, is_right, same, tells, that_show, told_by
from rules.cards import FACE_DOWN, GONE, UNREADABLE, Card, deck
from rules.catalogue import GAMES
from rules.family import AnyMove
from rules.following import belief as following
from rules.following.belief import Belief
from rules.layouts import FOUNDATION
from rules.looks import layout_faults, lying
from rules.record import read_record
from rules.rows.places import Stack, parse_place
from vision.image import picture as files
from vision.layout.in_place import Asked
from vision.posterior.known import NOTHING_KNOWN, Known
from vision.reader import Reader
from vision.reading import SeenCard, TableReading

OPEN_LOOKS, NONE_LOOKS = 3, 6
# So often a wrong card is forced upon a reading, and that often so that it seems sure.
FORCED, SURE = 0.15, 0.5


@dataclass
class Eyes:
    """The reader, whose readings may be spoilt: `spoilt` tells of the last one which place was, "" for none."""

    reader: Reader
    rng: Random | None = None
    spoilt: str = ""
    begun: bool = False

    def read(self, data: bytes, *, layout: Asked = "auto", known: Known = NOTHING_KNOWN) -> TableReading:
        """As the reader's, with a wrong card forced upon it now and then, but for the first."""
        self.spoilt = ""
        reading = self.reader.read(data, layout=layout, known=known)
        faces = [card for card in reading.cards if isinstance(card.card, Card) and not card.place.startswith("table")]
        if self.begun and self.rng is not None and faces and self.rng.random() < FORCED:
            card = self.rng.choice(faces)
            wrong = self.rng.choice([face for face in deck() if face != card.card])
            self.spoilt = card.place
            reading = _with(reading, card, wrong, 0.998 if self.rng.random() < SURE else 0.6)
        self.begun = True
        return reading


def _with(reading: TableReading, card: SeenCard, wrong: Card, chance: float) -> TableReading:
    alternatives = ((wrong, chance), (card.card, 0.9 * (1 - chance)))
    changed = replace(card, card=wrong, probability=chance, doubtful=chance < 0.9, alternatives=alternatives)
    cards = tuple(changed if other is card else other for other in reading.cards)
    return replace(reading, cards=cards, places={**reading.places, card.place: wrong})


@dataclass(frozen=True, slots=True)
class What:
    """A game to follow: the id of its kind, its number and the seed, every how manieth picture is shown, and whether
    readings are spoilt."""

    name: str
    number: int
    seed: int
    every: int = 1
    forced: bool = False


@dataclass
class Told:
    """What came of one game: counts, those of each rule broken, and the seconds that each look took to be weighed."""

    game: str
    counts: Counter[str] = field(default_factory=Counter)
    rules: Counter[tuple[str, str]] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)


@dataclass
class Shown:
    """The moves made, as far as they showed between those pictures that showed anything."""

    moves: list[AnyMove] = field(default_factory=list)
    since: list[AnyMove] = field(default_factory=list)

    def add(self, made: Sequence[AnyMove], *, shows: bool) -> None:
        """Add the moves made since the picture before; shows: whether this one showed anything."""
        self.since += made
        if shows:
            self.moves += that_show(self.since)
            self.since = []


def follow_game(reader: Reader, what: What, source: drawn.DeckSource | None = None) -> Told:
    """Follow one game; source: of decks, else of those never trained on."""
    eyes = Eyes(reader, Random(f"{what.seed} {what.name} {what.number} forced") if what.forced else None)
    game = GAMES[what.name]
    follower, out = Follower(eyes, game), Told(what.name, Counter(games=1))
    shots = list(played.shots(game, what.number, what.seed, source or drawn.validation_decks()))
    moves: list[AnyMove] = []
    shown = 0
    # For how many looks now a place has been in doubt.
    doubted: dict[str, int] = {}
    since: list[AnyMove] = []
    # What only a poor picture could have shown may go untold, or one of which nothing was taken, or which left it open.
    surely, taken, settled = Shown(), Shown(), Shown()
    for place, shot in enumerate(shots):
        since += [shot.turn.move] if shot.turn.move is not None else []
        last = place == len(shots) - 1
        if place % what.every and not last:
            continue
        moves += that_show(since)
        surely.add(since, shows=not shot.fault)
        _look(follower, shot, eyes, out)
        after = follower.belief
        taken.add(since, shows=after is not None and after.best.event.kind != "hidden")
        settled.add(since, shows=after is not None and after.best.event.kind != "hidden" and after.is_clear)
        since = []
        if follower.belief is None:
            out.counts["refused"] += 1
            return out
        if shown == 0:
            follower.belief = _with_missed(follower.belief, shot.turn, out)
        shown += 1
        belief = follower.belief
        if belief.unclear >= OPEN_LOOKS or (last and not belief.is_clear):
            out.counts["questions"] += 1
            offered = (belief.best, *belief.rivals)
            right = [line for line in offered if any(is_right(line, made) for made in (moves, taken.moves))]
            if right:
                follower.belief = following.answered(belief, max(right, key=lambda line: tells(line, moves)))
            elif belief.unclear >= NONE_LOOKS or last:
                follower.belief = following.none_of_these(belief)
        doubted = {place: doubted.get(place, 0) + 1 for place in follower.belief.doubts}
        asked = [place for place, looks in doubted.items() if looks >= OPEN_LOOKS or last]
        for place in asked:
            out.counts["questions"] += 1
            seen = played.shown(shot.turn, game).get(place, GONE)
            follower.belief = following.told(follower.belief, place, seen)
        if shot.plant is not None and what.every == 1 and not what.forced:
            _break_a_rule(copy.copy(follower), shot, shot.plant, out)
    assert follower.belief is not None
    told = told_by(follower.belief.best)
    made = next((each for each in (moves, taken.moves, settled.moves) if same(told, each)), surely.moves)
    judge(follower.belief, shots[-1].turn, made, out)
    out.counts["looks"] = shown
    return out


def _with_missed(belief: Belief, deal: Turn, out: Told) -> Belief:
    """The belief once a person said where the cards lie that are told to be missing in the deal."""
    got = dict(lying(belief.best.position))
    faults = layout_faults(belief.best.position, belief.game)
    if not any(fault.kind == "missing-card" for fault in faults):
        return belief
    out.counts["questions"] += 1
    truth = played.shown(deal, belief.game)
    missed = {_line_of(place) for place in truth if got.get(place, GONE) is GONE}
    for place, seen in truth.items():
        if _line_of(place) in missed:
            belief = following.told(belief, place, seen)
    return belief


def _line_of(place: str) -> str | Stack:
    """The line of cards in which a place is, or the place itself: a card missed in a line shifts the others."""
    parsed = parse_place(place)
    return place if parsed is None else parsed[0]


def _picture(shot: Shot) -> bytes:
    ready = np.ascontiguousarray(shot.picture.pixels[..., ::-1])
    return cv2.imencode(".jpg", ready, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


def _look(follower: Follower, shot: Shot, eyes: Eyes, out: Told) -> None:
    """Show one picture, and count what is made of it."""
    data = _picture(shot)
    first = follower.belief is None
    start = time.process_time()
    try:
        belief = follower.look(data)
    except files.PictureError:
        return
    out.seconds.append(time.process_time() - start)
    out.counts["accused"] += bool(belief.broken)
    best = belief.best
    if eyes.spoilt and not first:
        truth = played.shown(shot.turn, follower.game or belief.game).get(eyes.spoilt, GONE)
        told = dict(lying(best.position)).get(eyes.spoilt)
        out.counts["forced"] += 1
        doubted = eyes.spoilt in best.event.misread or eyes.spoilt in belief.doubts
        asked = doubted or not belief.is_clear or best.event.kind == "hidden"
        out.counts["forced, seen through"] += told == truth or asked or told in (None, FACE_DOWN, UNREADABLE)


def _break_a_rule(follower: Follower, shot: Shot, plant: breaches.Plant, out: Told) -> None:
    """Show a broken rule and what was put back, and count whether it is named, and still held against the player."""
    *broken, restored = shot.aside
    if shot.fault:
        follower.look(_picture(restored))
    named = [breaches.names(follower.look(_picture(one)), plant) for one in broken]
    back = follower.look(_picture(restored))
    tally = {"planted": 1, "named": any(named), "still accused": back.best.odd is not None}
    out.counts.update(tally)
    for rule in plant.rules:
        out.rules.update({(rule, "planted"): 1, (rule, "named"): any(named)})


def judge(belief: Belief, last: Turn, moves: Sequence[AnyMove], out: Told) -> None:
    """Count whether a game ended with just the position and the moves that it truly had, and its record can be
    played. How many cards were turned unseen is said where the stock's number is told as a range; that a card was not
    found, among the faults of the layout."""
    best, truth = belief.best, played.shown(last, belief.game)
    got = dict(lying(best.position))
    right = all(got.get(place, GONE) in (seen, FACE_DOWN, None) for place, seen in truth.items() if place != FOUNDATION)
    exact = right and same(told_by(best), moves)
    says = best.event.kind in ("hidden", "breach", "another-table") or not belief.is_clear or best.odd is not None
    says = says or (best.broken is not None and all_made(best.moves[: best.broken], moves))
    fewest, most = belief.stock_count or (0, 0)
    says = (
        says
        or fewest < most
        or any(fault.kind == "missing-card" for fault in layout_faults(best.position, belief.game))
    )
    out.counts["exact"] += exact
    out.counts["silently wrong"] += not exact and not says
    out.counts["records played"] += read_record(record_of(belief)).stopped is None


_READER: list[Reader] = []


def _begin() -> None:
    cv2.setNumThreads(1)
    _READER.append(Reader.load(1))


def _one(what: What) -> Told:
    return follow_game(_READER[0], what)


def main() -> None:
    """Measure and print a line for each game, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10, help="games of each of the sixteen")
    parser.add_argument("--seed", type=int, default=400)
    parser.add_argument("--every", type=int, default=1, help="show every first, second, … picture")
    parser.add_argument("--only", nargs="*", default=list(GAMES), help="ids of games")
    parser.add_argument("--forced", action="store_true", help="force wrong cards upon readings")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    numbers = product(given.only, range(given.games))
    what = [What(name, number, given.seed, given.every, given.forced) for name, number in numbers]
    told: dict[str, Counter[str]] = {}
    rules: Counter[tuple[str, str]] = Counter()
    seconds: list[float] = []
    with ProcessPoolExecutor(given.processes, initializer=_begin) as pool:
        for one in track(pool.map(_one, what), total=len(what), description="games", transient=True):
            told.setdefault(one.game, Counter()).update(one.counts)
            rules.update(one.rules)
            seconds += one.seconds
    columns = ("games", "exact", "silently wrong", "questions", "accused", "refused", "records played", "looks")
    columns += ("forced", "forced, seen through") if given.forced else ()
    columns += ("planted", "named", "still accused") if rules else ()
    print(f"| game | {' | '.join(columns)} |\n|{' --- |' * (len(columns) + 1)}")
    for name, counts in (*told.items(), ("all", sum(told.values(), Counter()))):
        print(f"| {name} | {' | '.join(str(counts[column]) for column in columns)} |")
    for rule in sorted({rule for rule, _ in rules}):
        print(f"{rule}: {rules[rule, 'named']} of {rules[rule, 'planted']} named")
    middle, late = np.percentile(seconds, [50, 95]) * 1000
    print(f"Each look, read and weighed on one core: median {middle:.0f} ms, 95th in a hundred {late:.0f} ms.")


if __name__ == "__main__":
    main()
