"""What a reading depends on is tried by changing one number at a time, and nothing else, and putting it back."""

import importlib
from dataclasses import fields

import pytest

from models.measure import hindered
from models.measure.sensitivity import FACTORS, Number, changed, numbers, told
from vision.layout import one_line
from vision.reader import Reader

HEAT = Number("vision.detect.multiscale", "SETTINGS", "heat")


def values(every: list[Number]) -> dict[str, object]:
    """What stands in every record and constant with a number to try."""
    out = {}
    for number in every:
        value = getattr(importlib.import_module(number.module), number.name)
        out[str(number)] = getattr(value, number.field) if number.field else value
    return out


def test_numbers_are_told_apart_and_each_is_put_back() -> None:
    every = list(numbers())
    names, before = [str(number) for number in every], values(every)
    assert len(names) == len(set(names)) and str(HEAT) == "detect.multiscale.SETTINGS.heat" in names
    for number in every[::20]:
        for factor in FACTORS:
            with changed(number, factor):
                now = values(every)
            # All that stand in one field are changed with it.
            field = str(number).partition("[")[0]
            assert {name.partition("[")[0] for name in names if now[name] != before[name]} == {field}
        assert values(every) == before


def test_one_of_several_in_a_field_is_changed_alone_and_whole_numbers_stay_whole() -> None:
    was = one_line.SETTINGS
    with changed(Number("vision.layout.one_line", "SETTINGS", "overlap", 1), 1.5):
        assert one_line.SETTINGS.overlap == (0.85, 0.98 * 1.5)
        assert [f.name for f in fields(was) if getattr(was, f.name) != getattr(one_line.SETTINGS, f.name)] == []
    for factor, holes in zip(FACTORS, (3, 6), strict=True):
        with changed(Number("vision.layout.one_line", "SETTINGS", "holes"), factor):
            assert one_line.SETTINGS.holes == holes
    assert one_line.SETTINGS.overlap == (0.85, 0.98) and one_line.SETTINGS.holes == 4


@pytest.mark.parametrize("factor", [3.5])
def test_a_reading_that_depends_on_a_number_is_another_one_while_that_is_changed(factor: float) -> None:
    reader, picture = Reader.load(2), hindered.samples()[0]
    before = told(reader, "", picture)
    with changed(HEAT, factor):
        assert told(reader, "", picture)[0] != before[0]
    assert told(reader, "", picture) == before
