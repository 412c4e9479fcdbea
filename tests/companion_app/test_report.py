"""A problem report: one file that holds what helps, and of a picture nothing but its pixels."""

import json
from importlib.resources import files
from pathlib import Path
from zipfile import ZipFile

from tests.companion_app.command_line import answers, run

SAMPLE = str(files("sample_images") / "ten.jpg")


def test_a_report_holds_versions_settings_pictures_and_readings(tmp_path: Path) -> None:
    file, broken = tmp_path / "report.zip", tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture")
    result = run("report", SAMPLE, str(broken), "--out", str(file), "--json")
    assert result.exit_code == 0
    (answer,) = answers(result)
    names = ["about.json", "picture-1.jpg", "picture-1.json", "picture-2.json"]
    assert answer["file"] == str(file) and answer["holds"] == names
    with ZipFile(file) as packed:
        about = json.loads(packed.read("about.json"))
        assert about["versions"]["cardtable"] and about["settings"]["language"]
        assert packed.read("picture-1.jpg")[:2] == b"\xff\xd8"
        reading = json.loads(packed.read("picture-1.json"))
        assert reading["layout"] and reading["milliseconds"]["total"] > 0
        assert json.loads(packed.read("picture-2.json"))["error"]["code"]


def test_a_report_never_takes_the_place_of_a_file_that_is_there(tmp_path: Path) -> None:
    file = tmp_path / "mine.zip"
    file.write_text("mine")
    result = run("report", "--out", str(file))
    assert result.exit_code == 2 and "mine.zip" in result.stderr
    assert file.read_text() == "mine"


def test_the_version_is_told() -> None:
    result = run("--version")
    assert result.exit_code == 0 and result.stdout.startswith("cardtable 0.")
