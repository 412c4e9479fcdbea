"""Whole folders read: in order, into files that a cut off run is gone on with, over all cores and over a cluster."""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion_app import wiring
from companion_app.languages import language
from companion_app.terminal.folders import with_folders
from companion_app.terminal.many_pictures import MOST_ALONE, Asked, photo, read_all
from companion_app.terminal.reading_files import COLUMNS
from companion_app.views.samples import sample_bytes
from tests.companion_app.command_line import answers, run
from tests.companion_app.fakes import FakeEyes, picture_bytes

GAME = ("--game", "relaxed-pyramid")


class Counting(FakeEyes):
    """Eyes that remember how often they looked."""

    looks = 0

    def read(self, *arguments: object, **named: object) -> object:  # type: ignore[override]
        self.looks += 1
        return super().read(*arguments, **named)  # type: ignore[arg-type]


@pytest.fixture
def eyes(monkeypatch: pytest.MonkeyPatch) -> Counting:
    fake = Counting()
    monkeypatch.setattr(wiring, "eyes", lambda: fake)
    return fake


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three pictures, one that is none in between, and what is no picture."""
    made = tmp_path / "tables"
    (made / "more").mkdir(parents=True)
    for number, name in enumerate(("a.jpg", "c.JPG", "d.png", "more/e.jpg", ".hidden.jpg")):
        (made / name).write_bytes(picture_bytes() + bytes(number))
    (made / "b.gif").write_bytes(b"")
    (made / "notes.txt").write_text("no picture")
    return made


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as text:
        return list(csv.DictReader(text))


def test_a_folder_is_its_pictures_by_name(folder: Path, eyes: Counting) -> None:
    told = answers(run("read", "--json", *GAME, str(folder)))
    assert [Path(answer["picture"]["file"]).name for answer in told] == ["a.jpg", "b.gif", "c.JPG", "d.png"]
    one_by_one = answers(run("read", "--json", *GAME, *(answer["picture"]["file"] for answer in told)))
    assert told == one_by_one
    assert [answer.get("error", {}).get("code") for answer in told] == [None, "empty", None, None]
    assert run("read", "--json", *GAME, str(folder)).exit_code == 3
    deep = answers(run("read", "--json", "--recursive", *GAME, str(folder), str(folder / "a.jpg")))
    assert [Path(answer["picture"]["file"]).name for answer in deep][3:] == ["d.png", "e.jpg", "a.jpg"]


def test_check_takes_a_folder_too(folder: Path, eyes: Counting) -> None:
    told = answers(run("check", "--json", *GAME, str(folder)))
    assert ["error" in answer for answer in told] == [False, True, False, False]


def test_a_table_of_cards_tells_what_the_answers_tell(folder: Path, eyes: Counting, tmp_path: Path) -> None:
    told, file = answers(run("read", "--json", *GAME, str(folder))), tmp_path / "cards.csv"
    done = run("read", *GAME, "--out", str(file), str(folder))
    assert done.exit_code == 3 and not done.stdout
    found = rows(file)
    assert tuple(found[0]) == COLUMNS
    expected = [
        (answer["picture"]["file"], card["place"], card["card"] or "", card["probability"], card["doubtful"], "")
        for answer in told
        for card in answer.get("cards", ())
    ]
    seen = [
        (row["file"], row["place"], row["card"], float(row["probability"]), row["doubtful"] == "yes", row["error"])
        for row in found
        if not row["error"]
    ]
    assert seen == expected
    assert [(row["file"], row["error"]) for row in found if row["error"]] == [(str(folder / "b.gif"), "empty")]


def in_full(content: bytes, end: int) -> set[bytes]:
    """The pictures all of whose lines end before there."""
    at, last = 0, dict[bytes, int]()
    for line in content.splitlines(keepends=True):
        at += len(line)
        if found := re.search(rb"[^/]+[.](jpg|JPG|png|gif)", line):
            last[found.group()] = at
    return {name for name, ends in last.items() if ends <= end}


@pytest.mark.parametrize("name", ["cards.csv", "cards.jsonl"])
def test_a_run_that_was_cut_off_anywhere_is_gone_on_with(
    name: str, folder: Path, eyes: Counting, tmp_path: Path
) -> None:
    whole = tmp_path / f"whole-{name}"
    command = ("read", *GAME, "--out")
    run(*command, str(whole), str(folder))
    content, file = whole.read_bytes(), tmp_path / name
    lines = content.splitlines(keepends=True)
    ends = [sum(map(len, lines[:count])) for count in range(0, len(lines) + 1, max(1, len(lines) // 6))]
    for end in {0, 5, *ends, *(max(0, end - 3) for end in ends), *(min(len(content), end + 7) for end in ends)}:
        file.write_bytes(content[:end])
        eyes.looks = 0
        assert run(*command, str(file), str(folder)).exit_code == 3
        assert sorted(file.read_bytes().splitlines()) == sorted(content.splitlines()), end
        assert eyes.looks == 4 - len(in_full(content, end)), end
    eyes.looks = 0
    assert run(*command, str(file), str(folder)).exit_code == 3
    assert eyes.looks == 0 and file.read_bytes() == content


@pytest.mark.parametrize("name", ["cards.csv", "cards.jsonl"])
def test_a_picture_that_changed_or_is_asked_otherwise_is_read_again(
    name: str, folder: Path, eyes: Counting, tmp_path: Path
) -> None:
    file = tmp_path / name
    command = ("--out", str(file), str(folder))
    run("read", *GAME, *command)
    before, eyes.looks = file.read_bytes(), 0
    (folder / "c.JPG").write_bytes(picture_bytes() + b"another")
    (folder / "b.gif").unlink()
    assert run("read", *GAME, *command).exit_code == 0
    after = file.read_bytes()
    assert eyes.looks == 1
    assert after.count(b"c.JPG") == before.count(b"c.JPG") and after.count(b"b.gif") == before.count(b"b.gif")
    run("read", "--game", "easy-pyramid", *command)
    assert eyes.looks == 4


@pytest.mark.parametrize("held", ["mine\n", "file,place\n1,2\n", "[1]\n", '{"a": 1}\n', "\n\n"])
@pytest.mark.parametrize("name", ["cards.csv", "cards.jsonl"])
def test_another_file_is_left_as_it_is(held: str, name: str, folder: Path, eyes: Counting, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(held)
    done = run("read", *GAME, "--out", str(file), str(folder))
    if held.strip():
        assert done.exit_code == 2 and file.read_text() == held and str(file) in done.stderr
    assert eyes.looks == 0 or not held.strip()


def test_names_with_commas_quotes_and_line_ends_keep_their_rows(eyes: Counting, tmp_path: Path) -> None:
    name = tmp_path / 'a,"b"\nc.jpg'
    name.write_bytes(picture_bytes())
    file = tmp_path / "cards.csv"
    for _ in range(2):
        assert run("read", *GAME, "--out", str(file), str(name)).exit_code == 0
    assert {row["file"] for row in rows(file)} == {str(name)} and eyes.looks == 1


@pytest.mark.parametrize(
    ("arguments", "status"), [(("--out", "cards.txt"), 2), (("--out", "no/such/folder/cards.csv"), 3)]
)
def test_a_file_that_cannot_be_is_told(arguments: tuple[str, ...], status: int, folder: Path, eyes: Counting) -> None:
    done = run("read", *arguments, str(folder))
    assert done.exit_code == status and "Traceback" not in done.output and eyes.looks == 0


def test_an_empty_folder_is_told_as_one(tmp_path: Path) -> None:
    assert with_folders([str(tmp_path), "-", "{}", "x" * 5000, "a\0b"])[1:] == ["-", "{}", "x" * 5000, "a\0b"]
    assert answers(run("read", "--json", str(tmp_path)))[0]["error"]["code"] == "folder"


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


def test_all_cores_and_a_cluster_answer_as_one_reader_does(tmp_path: Path, scheduler: str) -> None:
    names = [str(tmp_path / f"{number:02}.jpg") for number in range(MOST_ALONE + 2)]
    for name in names:
        Path(name).write_bytes(b"no picture")
    Path(names[3]).write_bytes(sample_bytes("ten.jpg") or b"")
    spoken, asked = language("fi"), Asked("math-pyramid-ten", {}, auto=False, language="fi")
    photos = [photo(name, spoken) for name in names]
    alone = list(read_all(photos[:MOST_ALONE], asked, MOST_ALONE))
    cores = list(read_all(photos, asked, len(photos)))
    cluster = list(read_all(photos[2:5], asked, 3, scheduler))

    def told(found: list[object]) -> list[str]:
        plain = []
        for each in found:
            data = {"name": each.name, "answer": each.answer, "trouble": each.trouble}  # type: ignore[attr-defined]
            if data["answer"]:
                data["answer"] = {key: value for key, value in data["answer"].items() if key != "milliseconds"}
            plain.append(json.dumps(data))
        return plain

    assert told(cores)[:MOST_ALONE] == told(alone)
    assert [each.name for each in cores] == names
    assert told(cluster) == told(alone)[2:5]
    assert [each.answer is not None for each in alone].count(True) == 1
    assert alone[0].trouble is not None and alone[0].trouble[1] == spoken.say("error.not-a-picture")
