"""A whole evening of play, watched from outside.

    python -m tests.companion_app.evening --minutes 5 --seed 1

Tables are read, hints asked for, cards corrected, a table watched, decks taught and forgotten, games solved, simulated
and looked back at, by the page and by the commands. Names looked up, packets sent anywhere but to this machine, and
files written anywhere, for a moment even, are printed; status 1 where there is one that the README does not name.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.companion_app.evening.alone import Seen, watched
from tests.companion_app.evening.named import by_folder, not_named


def evening(seconds: float, seed: int, place: Path) -> Seen:
    """What was seen of an evening played in an empty folder; with 0 seconds a short one."""
    pictures = place / "pictures"
    pictures.mkdir(parents=True)
    return watched(["-m", "tests.companion_app.evening.playing", str(pictures), str(seconds), str(seed)], place)


def report(seen: Seen) -> list[str]:
    """What was seen, a line each."""
    if seen.names is None or seen.packets is None:
        traffic = ["no namespace to be had here: traffic and shared folders were not watched"]
    else:
        traffic = [f"names looked up: {seen.names}", f"packets to anywhere else: {seen.packets}"]
    files = [f"{count} files written in {folder}" for folder, count in by_folder(seen.files).items()]
    return [seen.said.rstrip(), *traffic, *files, f"left in the end: {sum(seen.files.values())}"]


def wrong(seen: Seen) -> list[str]:
    """What should not have been, a line each."""
    beyond = [f"name {name}" for name in seen.names or ()] + [f"packet to {place}" for place in seen.packets or ()]
    failed = [] if seen.status == 0 else [f"the play ended with status {seen.status}"]
    return failed + beyond + [f"file not named: {path}" for path in not_named(seen.files)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        seen = evening(60 * chosen.minutes, chosen.seed, Path(folder) / "evening")
    found = wrong(seen)
    print("\n".join([*report(seen), *found, f"{len(found)} things that should not have been"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
