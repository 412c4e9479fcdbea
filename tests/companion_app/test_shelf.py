"""Which table goes when there are too many: never the one that somebody is at."""

from dataclasses import dataclass

from companion_app.desk.shelf import LEFT_AFTER, SETTLED_IN, Shelf
from companion_app.tables.table import Table
from rules.catalogue import GAMES

MOST = 24


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def table(name: str) -> Table:
    return Table(name, "", GAMES["pyramid"])


def test_the_table_one_is_looking_at_stays_when_24_others_are_opened() -> None:
    clock = Clock()
    shelf = Shelf(MOST, clock)
    shelf.put(table("mine"))
    clock.now += SETTLED_IN + 1
    assert shelf.find("mine")
    for number in range(3 * MOST):
        shelf.put(table(str(number)))
        assert shelf.find(str(number))
    assert shelf.find("mine")
    kept = [number for number in range(3 * MOST) if shelf.find(str(number))]
    assert kept == list(range(2 * MOST + 1, 3 * MOST))


def test_a_table_that_nobody_is_at_any_more_goes() -> None:
    clock = Clock()
    shelf = Shelf(MOST, clock)
    for number in range(MOST):
        shelf.put(table(str(number)))
    clock.now += SETTLED_IN + 1
    for number in range(MOST):
        shelf.find(str(number))
    shelf.put(table("new"))
    assert shelf.find("new") and not shelf.find("0")
    clock.now += LEFT_AFTER + 1
    shelf.find("5")
    shelf.put(table("newest"))
    assert shelf.find("5") and shelf.find("newest") and not shelf.find("1")


def test_a_change_of_a_state_that_is_not_the_newest_is_not_made() -> None:
    shelf = Shelf(MOST)
    old, first, second = table("mine"), table("mine"), table("mine")
    shelf.put(old)
    assert shelf.swap(old, first)
    assert not shelf.swap(old, second)
    assert shelf.find("mine") is first
    assert not shelf.swap(table("other"), table("other"))
