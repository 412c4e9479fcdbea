"""The documents against the program: everything it can do and say is told, and every example is true."""

import importlib.util
import re
import shlex
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from companion_app.cli import app
from companion_app.commands.base import Status
from companion_app.errors import UnreadableTrouble, http_status
from companion_app.languages import CODES
from companion_app.settings import Settings
from companion_app.views.samples import find_sample
from rules.catalogue import GAMES
from rules.fault import FaultKind
from rules.options import OPTION_VALUES
from rules.rows.options import ROW_OPTION_VALUES
from vision.errors import MESSAGES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = ("README.md", "models/README.md", "CHANGELOG.md", "sample_images/README.md")
ROOMS = ("rules", "vision", "companion_app", "models", "tests", "sample_images")
MADE_WHEN_TRAINING = "models/training/made"
PICTURE_BYTES = 300_000
OMITTED = "…"


@dataclass(slots=True)
class Example:
    """A command of a console block with the output and the exit status the document promises."""

    command: str
    output: list[str]
    status: int = 0


def document(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str, kind: str) -> list[str]:
    """The fenced blocks of a kind, without their indent."""
    found = re.findall(rf"^([ ]*)```{kind}\n(.*?)^\1```", text, re.DOTALL | re.MULTILINE)
    return ["\n".join(line.removeprefix(indent) for line in body.splitlines()) for indent, body in found]


def examples() -> Iterator[Example]:
    """Every example of the README; `$ echo $?` and its answer tell the status of the command before."""
    for block in blocks(README, "console"):
        latest: Example | None = None
        told: list[Example] = []
        for line in block.splitlines():
            if line == "$ echo $?":
                assert latest is not None
                latest = Example("", [])
            elif line.startswith("$ "):
                latest = Example(line[2:], [])
                told.append(latest)
            elif latest is not None and not latest.command:
                told[-1].status = int(line)
            elif latest is not None:
                latest.output.append(line)
        yield from told


def run(command: str) -> tuple[int, list[str]]:
    """Exit status and lines of a command as the README writes it, an `echo … |` before it included."""
    before, _, after = command.rpartition(" | ")
    sent = shlex.split(before)[1] if before else None
    program, *arguments = shlex.split(after)
    assert program == "cardtable"
    done = CliRunner().invoke(app, arguments, input=sent)
    return done.exit_code, [line.rstrip() for line in done.stdout.splitlines() if line.strip()]


def masked(line: str) -> str:
    """A line without what differs from run to run and from machine to machine: times, shares, hashes, sizes."""
    line = re.sub(r"\b[0-9a-f]{16}\b", "#", line.rstrip())
    return re.sub(r"[\d.,]+(?= (ms|B)\b|%)|(?<=: )[\d.]+$", "#", line)


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a plain terminal of 100 columns in the project's folder, without settings of one's own."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    for name in Settings.model_fields:
        monkeypatch.delenv(f"CARDTABLE_{name.upper()}", raising=False)


@pytest.mark.parametrize("example", list(examples()), ids=lambda example: example.command[:60])
def test_an_example_prints_what_the_readme_says(example: Example, at_home: None) -> None:
    status, printed = run(example.command)
    assert status == example.status
    told = [masked(line) for line in example.output if line.strip()]
    seen = [masked(line) for line in printed]
    if told[-1] == OMITTED:
        told = told[:-1]
        seen = seen[: len(told)]
    if " hint " in f" {example.command} ":
        # How two moves compare rests on the samples drawn in the time there was; which moves there are does not.
        told, seen = ([line for line in lines if re.match(r"\d+\. ", line)] for lines in (told, seen))
        told, seen = (sorted(line.partition(" ")[2] for line in lines) for lines in (told, seen))
    assert told
    assert seen == told


def test_the_examples_cover_every_command_that_prints_and_ends() -> None:
    shown = " ".join(example.command for example in examples())
    for name in set(verbs()) - {"serve", "watch", "settings show", "decks teach", "decks forget", "report", "stats"}:
        assert f"cardtable {name}" in shown


def test_the_python_of_the_readme_runs(at_home: None, capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = blocks(README, "python")
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("pyramid-6 [")


def verbs() -> dict[str, typing.Any]:
    """Every command by its whole name."""
    found = {}
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        found |= {f"{name} {verb}": made for verb, made in inner.items()} if inner else {name: command}
    return found


def test_every_command_and_every_flag_is_in_the_readme() -> None:
    assert len(verbs()) >= 10
    for name, command in verbs().items():
        assert f"cardtable {name}" in README
        for parameter in command.params:
            flags = [*parameter.opts, *parameter.secondary_opts]
            if flags[0].startswith("--") and flags[0] != "--help":
                assert any(re.search(rf"{flag}(?![\w-])", README) for flag in flags), f"{name} {flags}"


def test_every_setting_is_in_the_readme_with_its_default() -> None:
    for name, field in Settings.model_fields.items():
        default = str(field.default).lower() if isinstance(field.default, bool) else str(field.default)
        assert f"| `CARDTABLE_{name.upper()}` | `{default}` |" in README


def test_every_language_is_in_the_readme() -> None:
    assert all(f"`{code}`" in README for code in CODES)


def test_every_game_is_in_the_readme() -> None:
    assert len(GAMES) == 16
    assert all(f"| `{name}` |" in README for name in GAMES)


OPTIONS = {**OPTION_VALUES, **ROW_OPTION_VALUES}


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_is_in_the_readme_with_its_values(option: str) -> None:
    (row,) = re.findall(rf"^\| `{option}` \| (.*?) \|", README, re.MULTILINE)
    values = list(OPTIONS[option])
    told = re.findall(r"`([^`]+)`", row)
    assert told == ([values[0], values[-1]] if OMITTED in row else values)


def test_every_kind_of_fault_is_in_the_readme() -> None:
    kinds = typing.get_args(FaultKind)
    assert len(kinds) >= 9
    assert all(f"`{kind}`" in README for kind in kinds)


def breaches() -> set[str]:
    """The breaches that the rules can name, from their source."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "rules").rglob("*.py"))
    calls = re.findall(r"Violation\(\s*((?:\"[a-z-]+\"[^,\"]*)+),", source)
    return {name for call in calls for name in re.findall(r"\"([a-z-]+)\"", call)}


def test_every_breach_is_in_the_readme() -> None:
    found = breaches()
    assert found >= {"covered", "wrong-total", "not-in-play", "card-appeared", "card-vanished", "card-changed"}
    assert found >= {"no-pass-left", "pair-available"}
    assert all(f"`{breach}`" in README for breach in found)


def test_every_exit_status_is_in_the_readme() -> None:
    assert all(f"\n| {status.value} | " in README for status in Status)


@pytest.mark.parametrize("code", MESSAGES)
def test_every_useless_picture_is_in_the_readme_with_its_http_status(code: str) -> None:
    rows = [line for line in README.splitlines() if line.startswith("|") and f"`{code}`" in line]
    assert any(row.endswith(f"| {http_status(UnreadableTrouble(code))} |") for row in rows)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_and_pictures_of_a_document_are_there(name: str) -> None:
    text, folder = document(name), (ROOT / name).parent
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    for link in links:
        if "://" not in link and not link.startswith("#"):
            assert (folder / link.partition("#")[0]).exists(), link
    for path in re.findall(rf"`((?:{'|'.join(ROOMS)})/[\w./-]*)`", text):
        assert path.startswith(MADE_WHEN_TRAINING) or (ROOT / path).exists(), path


def test_the_picture_of_the_page_is_a_picture_and_no_sample() -> None:
    (name,) = re.findall(r"!\[[^\]]{20,}\]\(([^)]+)\)", README)
    data = (ROOT / name).read_bytes()
    assert len(data) < PICTURE_BYTES
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None and image.shape[1] >= 1000
    assert find_sample(Path(name).name) is None


def test_the_first_command_installs_what_the_second_needs_and_starts_the_page() -> None:
    start, tests = blocks(README, "sh")
    environment, install, serve = start.split(" && ")
    assert (environment, install) == ("python3 -m venv .venv", '.venv/bin/pip install ".[test]"')
    assert shlex.split(serve) == [".venv/bin/cardtable", "serve"]
    assert tests.startswith(".venv/bin/python -m pytest")


def test_the_gate_runs_the_test_command_of_the_readme() -> None:
    _, tests = blocks(README, "sh")
    lines = [line for line in document(".ci/run").splitlines() if line.strip() and not line.startswith("#")]
    assert lines[-1] == tests
    assert "python3 -m venv .venv" in lines
    assert any(re.fullmatch(r'\.venv/bin/pip install (-q )?"\.\[test\]"', line) for line in lines)


def source_of(path: Path, package: str) -> str:
    """A module's text, and that of the modules of the same folder that it takes in: options may be declared there."""
    source = path.read_text(encoding="utf-8")
    for names in re.findall(rf"^from {package} import ([\w, ]+)$", source, re.MULTILINE):
        neighbours = (path.with_name(f"{each}.py") for each in names.split(", "))
        source += "".join(source_of(each, package) for each in neighbours if each.exists())
    return source


@pytest.mark.parametrize("name", DOCUMENTS)
def test_modules_that_a_document_runs_are_there_with_the_flags_it_gives(name: str) -> None:
    # The oracles make their flags from a table.
    commands = r"python -m ((?:rules|models|companion_app|tests(?!\.oracle))[\w.]*)([^`\n]*)"
    for module, rest in re.findall(commands, document(name)):
        found = importlib.util.find_spec(module)
        if found is not None and found.submodule_search_locations:
            found = importlib.util.find_spec(f"{module}.__main__")
        assert found is not None and found.origin, module
        source = source_of(Path(found.origin), found.name.rpartition(".")[0])
        for flag in re.findall(r"--[a-z][a-z-]*", rest):
            assert f'"{flag}"' in source, f"{module} {flag}"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_names_no_folder_of_one_machine(name: str) -> None:
    assert not re.findall(r"(?<![\w.$~])/(?:home|root|tmp|work|Users)/", document(name))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_figure_is_left_to_be_filled_in(name: str) -> None:
    waiting = [line for line in document(name).splitlines() if "FIGURE" in line]
    assert waiting == []


def test_the_security_section_says_what_is_promised_what_is_not_and_how_it_was_tried() -> None:
    section = README.split("\n## Security and limits\n")[1].split("\n## ")[0]
    said = [section.index(part) for part in ("**Promised.**", "**Not promised.**", "**How it was tried**", "```text")]
    assert said == sorted(said)
    assert len(set(re.findall(r"python -m tests[\w.]*", section))) >= 5
