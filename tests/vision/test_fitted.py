"""Fitted weights that are not those of the features they are for are refused, by name."""

from __future__ import annotations

from types import ModuleType

import pytest

from vision.advice import quality
from vision.layout import hypotheses
from vision.nets import session
from vision.nets.session import ModelError
from vision.posterior import calibration


@pytest.mark.parametrize(
    ("module", "name"),
    [(quality, "advice"), (hypotheses, "placing"), (calibration, "sureness")],
    ids=["advice", "placing", "sureness"],
)
@pytest.mark.parametrize("kept", [{}, {"pyramid": {}, "dark": {}, "sharp": {"bend": 0.5}}], ids=["none", "others"])
def test_weights_of_other_features_are_refused(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, kept: dict[str, dict[str, float]]
) -> None:
    monkeypatch.setattr(session, "weights", lambda _: kept)
    with pytest.raises(ModelError, match=name):
        module.load.__wrapped__()


@pytest.mark.parametrize("name", ["advice", "placing", "sureness"])
def test_weights_that_were_changed_since_they_were_fitted_are_refused(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(session, "digest", lambda _: "another")
    with pytest.raises(ModelError, match=name):
        session.weights(name)
