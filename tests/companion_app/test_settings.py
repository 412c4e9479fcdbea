"""Settings that are empty, misspelt, or in a file that cannot be read: named, never guessed, never a traceback."""

from pathlib import Path

import pytest

from companion_app import settings
from companion_app.settings import Settings, sources, strange_settings, wrong_settings
from tests.companion_app.command_line import run


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings file of somebody without one."""
    path = tmp_path / "settings.toml"
    monkeypatch.setattr(settings, "settings_file", lambda: path)
    for name in Settings.model_fields:
        monkeypatch.delenv(f"CARDTABLE_{name.upper()}", raising=False)
    return path


def test_an_empty_host_does_not_bind_every_address(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDTABLE_HOST", "")
    assert Settings().host == "127.0.0.1"
    assert wrong_settings() == ()
    file.write_text('host = ""\n')
    assert [line.partition(": ")[2].startswith("host: ") for line in wrong_settings()] == [True]
    assert run("settings", "show").exit_code == 2
    file.unlink()
    refused = run("serve", "--no-browser", "--host", "")
    assert refused.exit_code == 2
    assert "--host" in refused.output


def test_misspelt_variables_and_settings_are_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDTABLE_HOTS", "0.0.0.0")
    monkeypatch.setenv("CARDTABLE_XYZ", "1")
    file.write_text('langage = "fi"\nport = 1\nzzz = 3\n')
    assert strange_settings() == (
        "CARDTABLE_HOTS: there is no such setting; did you mean CARDTABLE_HOST?",
        "CARDTABLE_XYZ: there is no such setting",
        f"{file}: langage: there is no such setting; did you mean language?",
        f"{file}: zzz: there is no such setting",
    )
    shown = run("settings", "show")
    assert shown.exit_code == 0
    assert "CARDTABLE_HOTS" in shown.stderr and "langage" in shown.stderr and "CARDTABLE_HOTS" not in shown.stdout


@pytest.mark.parametrize(
    "content",
    ['language = "fi" # älä'.encode("latin-1"), "port = 1\n".encode("utf-16"), b"\xef\xbb\xbfport = 1\n"],
    ids=["latin-1", "utf-16", "byte order mark"],
)
def test_a_settings_file_in_another_encoding_is_told_in_words(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    done = run("games")
    assert done.exit_code == 2
    assert "save it as UTF-8" in done.stderr and "Traceback" not in done.output


@pytest.mark.parametrize(
    ("name", "value"), [("solve_seconds", "inf"), ("hint_seconds", "nan"), ("max_tables", "10**9")]
)
def test_numbers_of_settings_are_bounded(file: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    variable = f"CARDTABLE_{name.upper()}"
    monkeypatch.setenv(variable, value)
    assert [line.startswith(variable) for line in wrong_settings()] == [True]


def test_where_each_value_comes_from_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('port = 9000\nhost = "127.0.0.1"\n')
    monkeypatch.setenv("CARDTABLE_HOST", "127.0.0.1")
    told = sources()
    assert (told["host"], told["port"], told["language"]) == ("environment", "file", "default")
    assert "port = 9000" in run("settings", "show").stdout and "(from the file)" in run("settings", "show").stdout
