"""How far a long command has come, on the standard error of a terminal and nowhere else."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)


class Bar:
    """What is shown of a task; called, it hears how many more are done. Shows nothing without a terminal."""

    def __init__(self, shown: Progress | None = None, task: TaskID | None = None) -> None:
        self._shown, self._task = shown, task

    def __call__(self, count: int) -> None:
        """So many more are done."""
        if self._shown is not None and self._task is not None:
            self._shown.advance(self._task, count)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Out of the way, while answers are printed to what may be the same terminal."""
        if self._shown is None:
            yield
            return
        self._shown.stop()
        yield
        self._shown.start()


@contextmanager
def progress(messages: Console, title: str, total: int | None) -> Iterator[Bar]:
    """A bar of how many are done, or without a ``total`` how many there are and that it goes on."""
    if not messages.is_terminal:
        yield Bar()
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=messages, transient=True) as shown:
        yield Bar(shown, shown.add_task(title, total=total))
