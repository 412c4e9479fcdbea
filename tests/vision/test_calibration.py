"""The chance that is told: never falling, the same where it is low, and undone by its inverse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.measure.sureness import fitted, told
from vision.posterior import calibration
from vision.posterior.calibration import Sureness

SHARP = calibration.load()["sharp"]
AS_IT_IS = Sureness(0.85, 1.0, 1.0)
CHANCES = st.floats(0, 1)
ANY = st.builds(Sureness, st.floats(0.6, 0.9), st.floats(1, 3), st.floats(0.99, 0.9999))


@given(ANY, CHANCES, CHANCES)
def test_a_surer_reading_is_never_told_as_less_sure(sureness: Sureness, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0 <= sureness.final(low) <= sureness.final(high) <= 1


@given(ANY, st.floats(0, 0.999))
def test_what_was_worked_out_can_be_told_from_what_is_told(sureness: Sureness, chance: float) -> None:
    assert sureness.worked_out(sureness.final(chance)) == pytest.approx(chance, abs=1e-6)


@given(st.floats(0, SHARP.bend))
def test_low_chances_are_told_as_they_are(chance: float) -> None:
    assert SHARP.final(chance) == chance


def test_too_modest_chances_are_fitted_to_the_share_that_is_right() -> None:
    rng = np.random.default_rng(6)
    truth = rng.uniform(0.86, 0.998, 2_000)
    modest = Sureness(0.85, 2.0, 0.9985)
    known = [(modest.worked_out(float(p)), bool(rng.random() < p)) for p in truth]
    before, after = (np.mean([chance for chance, _ in told(known, by)]) for by in (AS_IT_IS, fitted(known)))
    share = np.mean([right for _, right in known])
    assert abs(before - share) > 0.02
    assert after == pytest.approx(share, abs=0.006)
