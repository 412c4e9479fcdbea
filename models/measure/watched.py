"""How well whole games are watched by a camera on a stand, how soon each move is told, and what watching costs.

    python -m models.measure.watched --games 4 --seed 700    films of four games of each of the sixteen
    python -m models.measure.watched --idle 30               nothing moves for so many minutes: share of a core, memory

The frames (`filmed.py`) go through what `cardtable watch` and `serve --camera` are made of. Nobody answers questions:
the next still frame is read instead. The delay is from the first frame at rest to the table told, and with a first
hint: the frames waited for, at five a second, and the time that reading, weighing and the hint take here. Needs the art
of `models/training`.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, islice, product

import cv2
import numpy as np
from rich.progress import track

from companion_app.camera.cameras import Frame
from companion_app.camera.watcher import watch
from companion_app.desk.desk import Desk
from companion_app.errors import Trouble
from companion_app.hints.preparing import Preparation
from companion_app.languages import language as language_of
from companion_app.settings import Settings
from models.measure import drawn
from models.measure.filmed import RATE, Filmed, film
from models.measure.follow import Told, judge
from rules.catalogue import GAMES
from vision.reader import Reader

# One table of so many is asked for a hint.
HINTED = 4
MINUTE = 60


@dataclass
class Clock:
    """Which frame was shown last, since what second the same state has lain at rest, and when that was handed out."""

    last: Filmed | None = None
    rest: float = 0.0
    handed: float = 0.0
    frames: int = 0

    def frames_of(self, scenes: Iterator[Filmed]) -> Iterator[tuple[float, Frame]]:
        """The seconds and frames, remembered as they are handed out."""
        for scene in scenes:
            if self.last is None or scene.turn is not self.last.turn or not self.last.at_rest:
                self.rest = scene.second
            self.last, self.frames = scene, self.frames + 1
            self.handed = time.perf_counter()
            yield scene.second, scene.frame


@dataclass
class Watched(Told):
    """What came of one film; ``told``, ``hinted``: seconds from rest to the table told, and to a first hint."""

    told: list[float] = field(default_factory=list)
    hinted: list[float] = field(default_factory=list)


def watch_film(reader: Reader, what: tuple[str, int, int], source: drawn.DeckSource | None = None) -> Watched:
    """Watch one film: a game's id, a number and the seed; source: of decks, else of those never trained on."""
    name, number, seed = what
    game, language, clock = GAMES[name], language_of("en"), Clock()
    out = Watched(name, Counter(games=1))
    desk = Desk(reader, Settings(keep=False), Preparation())

    def notice(kind: str, why: str) -> None:
        out.counts[kind] += 1

    scenes = film(game, number, seed, source or drawn.validation_decks())
    table, turn = None, None
    for seen in watch(desk, name, {}, clock.frames_of(scenes), language, notice):
        table = seen.table
        assert clock.last is not None
        out.counts["accused"] += bool(table.game_so_far().broken)
        if clock.last.turn is turn or not clock.last.at_rest:
            continue
        turn = clock.last.turn
        waited = seen.second - clock.rest
        out.told.append(waited + time.perf_counter() - clock.handed)
        if len(out.told) % HINTED == 0:
            try:
                desk.hint(table, 0, "", language)
            except Trouble:  # of a table that cannot be there is no hint
                out.counts["no hint"] += 1
                continue
            out.hinted.append(waited + time.perf_counter() - clock.handed)
    assert clock.last is not None
    out.counts["frames"] = clock.frames
    if table is None:
        out.counts["refused"] += 1
        return out
    belief = table.game_so_far()
    out.counts["questions"] += not belief.is_clear
    judge(belief, clock.last.turn, clock.last.moves, out)
    return out


def idle(reader: Reader, minutes: float, source: drawn.DeckSource | None = None) -> tuple[float, float]:
    """The share of a core that watching takes while nothing moves, and by how many megabytes memory grows meanwhile."""
    scenes = film(GAMES["pyramid"], 1, 700, source or drawn.validation_decks(), most=1)
    still = [scene.frame for scene in islice((s for s in scenes if s.at_rest), 6)]
    desk, language = Desk(reader, Settings(keep=False), Preparation()), language_of("en")
    count = int(minutes * MINUTE * RATE)
    frames = ((number / RATE, still[number % len(still)]) for number in range(count))
    begun = list(islice(frames, int(10 * RATE)))
    marks: list[tuple[float, int]] = []

    def marked() -> Iterator[tuple[float, Frame]]:
        marks.append((time.process_time(), _memory()))
        yield from frames

    for _ in watch(desk, "pyramid", {}, chain(begun, marked()), language, lambda kind, why: None):
        pass
    spent, grown = time.process_time() - marks[0][0], _memory() - marks[0][1]
    return spent / ((count - len(begun)) / RATE), grown / 1024


def _memory() -> int:
    """The most memory held so far, in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


_READER: list[Reader] = []


def _begin() -> None:
    cv2.setNumThreads(1)
    _READER.append(Reader.load(1))


def _one(what: tuple[str, int, int]) -> Watched:
    return watch_film(_READER[0], what)


def main() -> None:
    """Measure and print a line for each game, and one for all; or what watching costs while nothing moves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=4, help="films of each of the sixteen games")
    parser.add_argument("--seed", type=int, default=700)
    parser.add_argument("--only", nargs="*", default=list(GAMES), help="ids of games")
    parser.add_argument("--idle", type=float, default=0, help="minutes in which nothing moves, in place of films")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    if given.idle:
        _begin()
        share, grown = idle(_READER[0], given.idle)
        print(f"{given.idle:g} minutes of frames, nothing moving: {share:.1%} of one core; memory grew {grown:.1f} MB")
        return
    what = [(name, number, given.seed) for name, number in product(given.only, range(given.games))]
    every: dict[str, Counter[str]] = {}
    told: list[float] = []
    hinted: list[float] = []
    with ProcessPoolExecutor(given.processes, initializer=_begin) as pool:
        for one in track(pool.map(_one, what), total=len(what), description="films", transient=True):
            every.setdefault(one.game, Counter()).update(one.counts)
            told += one.told
            hinted += one.hinted
    columns = ("games", "exact", "silently wrong", "questions", "accused", "refused", "records played", "bumped")
    columns += ("unread", "no hint", "frames")
    print(f"| game | {' | '.join(columns)} |\n|{' --- |' * (len(columns) + 1)}")
    for name, counts in (*every.items(), ("all", sum(every.values(), Counter()))):
        print(f"| {name} | {' | '.join(str(counts[column]) for column in columns)} |")
    for name, seconds in (("told", told), ("a first hint", hinted)):
        middle, late = np.percentile(seconds, [50, 95])
        print(f"From the table at rest to {name}: median {middle:.2f} s, 95th in a hundred {late:.2f} s.")


if __name__ == "__main__":
    main()
