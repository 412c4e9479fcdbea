"""The pictures of sample_images/, one after the other, with their truth files.

    python -m models.training.photoreal.samples --letele FOLDER --own FOLDER [--out sample_images] [--only NAME …]

LETELE: `faces.py files` of the CC0 deck @letele/playing-cards; OWN: what `own_decks.py` drew. Needs what
validation.py needs.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import dataclass, replace
from pathlib import Path

from rules.catalogue import GAMES
from rules.layouts import LAYOUTS

from . import row_tables
from .camera import View
from .develop import develop, store, truth
from .scene import Deck, Setting, build, render
from .tables import KINDS, Habits, Kind, State, Table, deal, lay, play, removals, spread
from .validation import deck_in

MOST_BYTES = 390_000


@dataclass(frozen=True, slots=True)
class Sample:
    """One picture: what is played, what it looks like, and what is wrong on purpose. The kind
    `rows` is a row game; no kind means no layout."""

    name: str
    title: str
    game: str | None
    kind: str | None
    steps: int
    seed: int
    deck: str
    back: str
    surface: str
    light: str
    camera: tuple[float, float, float, float]
    fault: str | None = None
    stage: str = "play"
    things: int = 1
    after: bool | None = None
    size: tuple[int, int] = (1280, 960)


def plan() -> tuple[Sample, ...]:
    """The samples of samples.json, in order; `camera` is elevation, azimuth, roll (degrees) and focal length (mm)."""
    text = Path(__file__).with_name("samples.json").read_text(encoding="utf-8")
    return tuple(Sample(**{**entry, "camera": tuple(entry["camera"])}) for entry in json.loads(text))


def _start(sample: Sample, kind: Kind) -> State:
    """The cards of the sample, with the fault where it concerns a card."""
    rng = random.Random(sample.seed)
    state = deal(kind, rng)
    if sample.fault == "apex":
        flat = {"KS": "KD", "KD": "KS"}
        rows = tuple(tuple(flat.get(c, c) if c else c for c in row) for row in state.rows)
        state = replace(state, rows=rows, stock=tuple(flat.get(c, c) for c in state.stock))
    return play(state, kind.total, sample.steps, rng)


def _pair(state: State, total: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The lowest pair of two pyramid cards that may leave."""
    for first, *rest in reversed(removals(state, total)):
        if first is not None and rest and rest[0] is not None:
            return first, rest[0]
    raise ValueError("no pair can leave")


def _fault(sample: Sample, table: Table) -> tuple[Table, list[dict[str, object]]]:
    """The table with the planted fault, and how `check` should name it."""
    rows: list[list[str | None]] = [list(row) for row in table.truth["rows"]]  # type: ignore[attr-defined]
    cards = list(table.cards)
    if sample.fault == "twice":
        source, target = ("tableau", 2, 1), ("tableau", 4, 3)
        code = next(c.code for c in cards if c.slot == source)
        cards = [replace(c, code=code) if c.slot == target else c for c in cards]
        rows[4][3] = code
        faults = [{"kind": "duplicate-card", "places": ["pyramid 3 2", "pyramid 5 4"], "cards": [code, code]}]
    elif sample.fault == "face up":
        cards = [replace(c, face_up=True) if c.slot == ("tableau", 3, 1) else c for c in cards]
        rows[3][1] = next(c.code for c in cards if c.slot == ("tableau", 3, 1))
        faults = [{"kind": "should-be-face-down", "places": ["pyramid 4 2"], "cards": [rows[3][1]]}]
    elif sample.fault == "missing":
        cards = [c for c in cards if c.slot != ("tableau", 4, 2)]
        rows[4][2] = None
        faults = [{"kind": "missing-card", "places": ["pyramid 5 3"], "cards": []}]
    elif sample.fault == "apex":
        found = [f"pyramid {r + 1} {row.index('KS') + 1}" for r, row in enumerate(rows) if "KS" in row]
        faults = [{"kind": "wrong-apex", "places": ["pyramid 1 1", *found], "cards": [rows[0][0], "KS"]}]
    else:
        return table, []
    return replace(table, cards=tuple(cards), truth={**table.truth, "rows": rows}), faults


def _before_and_after(sample: Sample, move: dict[str, object]) -> dict[str, object]:
    """What the truth files of two pictures with one move between them say of it."""
    both = sample.name.rpartition("-")[0]
    return {"before": f"{both}-before.jpg", "after": f"{both}-after.jpg", "move": move}


def _spread(sample: Sample, habits: Habits, rng: random.Random) -> tuple[Table, dict[str, object]]:
    """Cards without a layout."""
    table = spread(sample.steps, "apart", habits, rng)
    codes = [c.code for c in table.cards]
    said = {"game": "none", "position": None, "face_up": codes, "faults": []}
    return table, said | {"layout": {"centre": [], "left": [], "right": []}}


def _pyramid(sample: Sample, kind: Kind, habits: Habits) -> tuple[Table, dict[str, object]]:
    """A pyramid, its fault if it has one, and the pair that leaves if one does."""
    state = _start(sample, kind)
    extra: dict[str, object] = {}
    if sample.after is not None:
        pair = _pair(state, kind.total)
        cards, places = [state.rows[r][c] for r, c in pair], [f"pyramid {r + 1} {c + 1}" for r, c in pair]
        extra = _before_and_after(sample, {"kind": "pair", "cards": cards, "places": places})
        state = state.without(pair) if sample.after else state
    table, faults = _fault(sample, lay(state, kind, habits, sample.seed))
    position = {
        "pyramid": table.truth["rows"],
        "stock": bool(state.stock),
        "turned": None,
        "waste": table.truth["waste"],
        "foundation": table.truth["foundation"],
    }
    return table, {"game": sample.game, "stage": sample.stage, "position": position, "faults": faults, **extra}


def _rows(sample: Sample, height: float) -> tuple[Table, dict[str, object]]:
    """A row game, and the move that is made if one is."""
    game, rng = GAMES[sample.game or ""], random.Random(sample.seed)
    state = row_tables.deal(game, rng)
    habits = row_tables.habits_drawn(rng, LAYOUTS[game.layout], height)
    line = row_tables.line_of_play(state, game)
    extra: dict[str, object] = {}
    if sample.after is not None:
        extra = _before_and_after(sample, line[sample.steps].to_json())
    for move in line[: sample.steps + bool(sample.after)]:
        state = state.after(move, game)
    table = row_tables.lay(state, game, habits, sample.seed)
    return table, {"game": sample.game, "stage": sample.stage, "faults": [], **extra}


def table_of(sample: Sample, deck: Deck) -> tuple[Table, dict[str, object]]:
    """The laid table, and what its truth file says besides."""
    if sample.kind == "rows":
        return _rows(sample, deck.height)
    rng = random.Random(sample.seed + 5)
    habits = replace(Habits.drawn(rng, deck.height), foundation=True)
    return _pyramid(sample, KINDS[sample.kind], habits) if sample.kind else _spread(sample, habits, rng)


def make(sample: Sample, faces: dict[str, Path], out: Path, samples: int) -> None:
    """Render one sample."""
    backs = {"letele red": faces["letele"] / "back2.png", "letele black": faces["letele"] / "back1.png"}
    deck = deck_in(faces[sample.deck], backs.get(sample.back, faces["backs"] / f"{sample.back}.png"))
    table, said = table_of(sample, deck)
    elevation, azimuth, roll, lens = sample.camera
    view = View(elevation, azimuth, roll, lens, *sample.size, fill=0.93, aside=(0.2, -0.15))
    setting = Setting(deck, sample.surface, sample.light, view, sample.seed, sample.things, samples)
    camera, sheets, main_light = build(table, setting)
    picture = develop(render(view, samples, 1), main_light, random.Random(sample.seed))
    seen = truth(table, sheets, camera)
    record = {"title": sample.title, **said, "deck": sample.deck, "back": sample.back, **seen}
    record |= {"table": sample.surface, "light": sample.light, "elevation": elevation, "azimuth": azimuth}
    store(out / sample.name, picture, record, 89, MOST_BYTES)
    print(sample.name, flush=True)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--letele", type=Path, required=True)
    parser.add_argument("--own", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("sample_images"))
    parser.add_argument("--only", nargs="*", default=None)
    parser.add_argument("--samples", type=int, default=6)
    given = parser.parse_args()
    faces = {"letele": given.letele} | {name: given.own / name for name in ("harbour", "meadow", "backs")}
    for sample in plan():
        if given.only is None or sample.name in given.only:
            make(sample, faces, given.out, given.samples)


if __name__ == "__main__":
    main()
