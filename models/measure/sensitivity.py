"""Which tuned numbers of `vision` a reading depends on: each made smaller and larger, and the same pictures read again.

    python -m models.measure.sensitivity --pictures 120 --seed 80000 --only layout posterior     a line for each number

A number on which nothing depends either way is not needed, and what it is used for hardly is. The pictures are drawn
whole tables, half rows, spreads, strange decks, clutter and hindered pictures, all with decks kept out of training; the
numbers of taught decks, of watching and of picture files play no part in them. Needs the art of `models/training`.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import importlib
import inspect
import json
import pathlib
import pkgutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from types import ModuleType
from typing import Any

import cv2
import numpy as np

import vision
from models.measure import clutter, hindered, marks, spreads, strange
from models.measure.drawn import WIDE, Pool, View, validation_decks
from models.measure.judging import judge
from models.measure.pictures import Picture
from rules.cards import seen_code
from vision.errors import PictureError
from vision.nets.session import Net
from vision.reader import Reader

FACTORS = (0.67, 1.5)
# Numbers that only taught decks, films and picture files ask for.
ELSEWHERE = ("vision.decks", "vision.video", "vision.image")
# Chances that differ by less are told alike.
ALIKE = 2


@dataclass(frozen=True, slots=True)
class Number:
    """A tuned number: its module, the record or constant that it stands in, its field there and its place in that."""

    module: str
    name: str
    field: str = ""
    at: int = -1

    def __str__(self) -> str:
        of = f".{self.field}" if self.field else ""
        return f"{self.module.removeprefix('vision.')}.{self.name}{of}{f'[{self.at}]' if self.at >= 0 else ''}"


@cache
def modules() -> tuple[ModuleType, ...]:
    """All modules of `vision`."""
    names = [found.name for found in pkgutil.walk_packages(vision.__path__, "vision.")]
    return tuple(importlib.import_module(name) for name in names)


def numbers() -> Iterator[Number]:
    """The numbers of all records of settings, and decimals that stand by themselves, but for those of `ELSEWHERE`."""
    for module in modules():
        if module.__name__.startswith(ELSEWHERE):
            continue
        for name in _constants(module):
            value = getattr(module, name)
            if isinstance(value, float):
                yield Number(module.__name__, name)
            elif is_dataclass(value) and type(value).__module__ == module.__name__:
                for each in fields(value):
                    kept = getattr(value, each.name)
                    if isinstance(kept, tuple):
                        tuned = [at for at, one in enumerate(kept) if _is_number(one)]
                        yield from (Number(module.__name__, name, each.name, at) for at in tuned)
                    elif _is_number(kept):
                        yield Number(module.__name__, name, each.name)


def _constants(module: ModuleType) -> Iterator[str]:
    """The names that a module gives values in capitals."""
    for part in ast.parse(inspect.getsource(module)).body:
        targets = (
            part.targets if isinstance(part, ast.Assign) else [part.target] if isinstance(part, ast.AnnAssign) else []
        )
        names = [one for target in targets for one in (target.elts if isinstance(target, ast.Tuple) else [target])]
        yield from (one.id for one in names if isinstance(one, ast.Name) and one.id.upper() == one.id)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value != 0


@contextmanager
def changed(number: Number, factor: float) -> Iterator[None]:
    """While it lasts the number is so many times what it was, whole ones at least one more or less."""
    module = importlib.import_module(number.module)
    value = getattr(module, number.name)
    if not number.field:
        users = [other for other in modules() if getattr(other, number.name, None) is value]
        _set(setattr, users, number.name, _times(value, factor))
    else:
        users, kept = [value], getattr(value, number.field)
        new = _times(kept, factor) if number.at < 0 else _with(kept, number.at, factor)
        _set(object.__setattr__, users, number.field, new)
    try:
        yield
    finally:
        if number.field:
            _set(object.__setattr__, users, number.field, kept)
        else:
            _set(setattr, users, number.name, value)


def _set(how: Callable[[Any, str, Any], None], users: list[Any], name: str, value: Any) -> None:
    for user in users:
        how(user, name, value)
    for module in modules():
        for one in vars(module).values():
            if hasattr(one, "cache_clear") and getattr(one, "__name__", "") not in ("load", "weights"):
                one.cache_clear()


def _with(kept: tuple[Any, ...], at: int, factor: float) -> tuple[Any, ...]:
    return (*kept[:at], _times(kept[at], factor), *kept[at + 1 :])


def _times(value: float, factor: float) -> float:
    if not isinstance(value, int):
        return value * factor
    return max(1, min(value - 1, round(value * factor))) if factor < 1 else max(value + 1, round(value * factor))


def pictures(count: int, seed: int) -> Iterator[tuple[str, Picture]]:
    """So many pictures, of each kind in turn, with what advice is wanted, if any."""
    source = validation_decks()
    faulty, rows, close = Pool(seed, source), Pool(seed + 1, source, plain=True), Pool(seed + 2, source, plain=True)
    strewn, faults = clutter.pool(seed + 3, cluttered=True), hindered.Hindered(seed + 4, source)
    odd = strange.tables(seed + 5, 1)
    rng = np.random.default_rng(seed)
    for number in range(count):
        kind, n = number % 6, number // 6
        if kind == 0:
            yield "", faulty.picture(2 * n, WIDE)
        elif kind == 1:
            yield "", rows.row_table(n, View())
        elif kind == 2:
            laid = list(spreads.KINDS)[n % len(spreads.KINDS)]
            yield "", spreads.picture(close, n, laid, spreads.COUNTS[n % len(spreads.COUNTS)])
        elif kind == 3:
            yield "", next(odd)[1]
        elif kind == 4:
            yield "", strewn.picture(2 * n, View())
        else:
            name = list(hindered.HINDRANCES)[n % len(hindered.HINDRANCES)]
            clean = faults.clean(2 * n)
            where = marks.from_truth(clean)
            yield (name, hindered.HINDRANCES[name](clean, where, rng)[0]) if where is not None else ("", clean)


def told(reader: Reader, wanted: str, picture: Picture) -> tuple[str, Counter[str]]:
    """What a reading says of a picture, and counts of what is wrong with it."""
    try:
        reading = reader.read_pixels(picture.pixels, layout="auto" if picture.layout else None)
    except PictureError as error:
        return error.code, Counter({"refused": 1, "advice": wanted not in ("", "sharper")})
    said = [(c.place, str(seen_code(c.card)), round(c.probability, ALIKE)) for c in reading.cards]
    advice = {one.code for one in reading.advice}
    judged = judge(picture, reading).counts if reading.layout == picture.layout else Counter({"slots_wrong": 9})
    counts = Counter(
        wrong=judged["slots_wrong"] + judged["wanted"] - judged["found"],
        sure=judged["sure_wrong"],
        doubts=judged["doubted"],
        phantoms=len(clutter.phantoms(picture, reading)) if picture.lying is not None else 0,
        advice=(wanted not in advice) if wanted else 0,
    )
    return json.dumps([reading.layout, said, sorted(advice)]), counts


_KEPT: list[tuple[str, Picture]] = []
_READER: list[Reader] = []
_SEEN: dict[bytes, list[np.ndarray]] = {}


def _begin(count: int, seed: int) -> None:
    cv2.setNumThreads(1)
    cv2.ocl.setUseOpenCL(False)
    _READER.append(Reader.load(1))
    _KEPT.extend(pictures(count, seed))
    asked = Net.__call__

    def remembered(net: Net, batch: np.ndarray, **switches: bool) -> list[np.ndarray]:
        """What the net said of the same input before."""
        kind = f"{net.manifest['sha256']} {batch.shape} {switches}".encode()
        key = hashlib.blake2b(np.ascontiguousarray(batch).tobytes() + kind, digest_size=16).digest()
        if key not in _SEEN and len(_SEEN) < 40 * count:
            _SEEN[key] = asked(net, batch, **switches)
        return [part.copy() for part in _SEEN[key]] if key in _SEEN else asked(net, batch, **switches)

    Net.__call__ = remembered  # type: ignore[method-assign]


def _read_all() -> list[tuple[str, Counter[str]]]:
    return [told(_READER[0], *one) for one in _KEPT]


_USUAL: list[tuple[str, Counter[str]]] = []


def _tried(number: Number) -> dict[str, Any]:
    if not _USUAL:
        _USUAL.extend(_read_all())
    out: dict[str, Any] = {}
    for factor in FACTORS:
        with changed(number, factor):
            try:
                after = _read_all()
            except Exception as error:  # a number may be no longer what the code can work with
                out[str(factor)] = {"error": repr(error)}
                continue
        differ = Counter(other=sum(a[0] != b[0] for a, b in zip(after, _USUAL, strict=True)))
        for (_, now), (_, was) in zip(after, _USUAL, strict=True):
            differ.update({name: now[name] - was[name] for name in now.keys() | was.keys()})
        out[str(factor)] = {name: n for name, n in differ.items() if n}
    return out


def main() -> None:
    """Try each number and print what came of it, those on which least depends first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=120)
    parser.add_argument("--seed", type=int, default=80_000)
    parser.add_argument("--only", nargs="*", default=[], help="numbers whose names contain one of these")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--kept", type=pathlib.Path, help="a file of lines, to go on where it was stopped")
    given = parser.parse_args()
    known: dict[str, dict[str, Any]] = {}
    if given.kept and given.kept.exists():
        known = dict(map(json.loads, given.kept.read_text("utf-8").splitlines()))
    wanted = [n for n in numbers() if not given.only or any(part in str(n) for part in given.only)]
    with ProcessPoolExecutor(given.processes, initializer=_begin, initargs=(given.pictures, given.seed)) as pool:
        asked = {pool.submit(_tried, number): str(number) for number in wanted if str(number) not in known}
        for done in as_completed(asked):
            known[asked[done]] = done.result()
            if given.kept:
                with given.kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([asked[done], done.result()]) + "\n")
            print(asked[done], done.result(), file=sys.stderr, flush=True)
    print(f"| number | pictures told otherwise at {FACTORS[0]} | at {FACTORS[1]} | what more goes wrong |")
    print("| --- | --- | --- | --- |")
    for name, each in sorted(known.items(), key=lambda one: sum(of.get("other", 99) for of in one[1].values())):
        low, high = (each[str(factor)] for factor in FACTORS)
        more = "; ".join(", ".join(f"{k} {v:+}" for k, v in of.items() if k != "other") for of in (low, high))
        print(f"| `{name}` | {low.get('other', 0)} | {high.get('other', 0)} | {more} |")


if __name__ == "__main__":
    main()
