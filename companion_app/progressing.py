"""How far a long command has come, on the standard error of a terminal and nowhere else."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn


@contextmanager
def progress(
    messages: Console, title: str, total: int | None, *, prints: bool = True
) -> Iterator[Callable[[int], None]]:
    """A function that hears how many more are done. A bar shows it, or without a ``total`` how many there are and that
    it goes on. Where answers are printed to the same terminal (``prints``) they show it themselves."""
    shown = messages.is_terminal and not (prints and sys.stdout.isatty())
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=messages, transient=True, disable=not shown) as bar:
        task = bar.add_task(title, total=total)
        yield lambda count: bar.advance(task, count)
