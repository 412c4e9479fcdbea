"""What the referee gets right: ``python -m tests.oracle_rows --cases 6000 --breaches 4000 --steps 10000 --seed 1``."""

from __future__ import annotations

import argparse
import sys
import time

from tests.oracle_rows.measure import MEASURES


def main() -> None:
    """Prints a table for each measure; ``--show`` also the cases that went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle_rows", description="the row referee by an oracle")
    for name, default in (("cases", 6000), ("breaches", 4000), ("steps", 10_000), ("records", 1000), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--show", type=int, default=0, help="cases that went wrong to print")
    chosen = vars(parser.parse_args())
    for name, measure in MEASURES.items():
        if not chosen[name]:
            continue
        began = time.process_time()
        tally = measure(chosen[name], chosen["seed"])
        print(f"{name} (cpu {time.process_time() - began:.0f} s)")
        for key, count in sorted(tally.counts.items()):
            print(f"  {key:28} {count:6}")
        for kind, case in tally.wrong[: chosen["show"]]:
            print(f"  -- {kind}: {case}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
