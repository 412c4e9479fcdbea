"""A problem report: one file that holds what helps, and of a picture nothing but its pixels."""

import json
import re
from collections.abc import Callable
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import httpx

from tests.companion_app.command_line import answers, run
from tests.companion_app.fakes import picture_bytes, reading
from tests.companion_app.test_refused import Unseeing, refusal
from tests.companion_app.test_server import table_path, upload
from tests.companion_app.test_store import AFTER

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
    # The box around it breaks long paths.
    assert result.exit_code == 2 and "mine.zip" in re.sub(r"[\s│]", "", result.stderr)
    assert file.read_text() == "mine"


def test_the_version_is_told() -> None:
    result = run("--version")
    assert result.exit_code == 0 and result.stdout.startswith("cardtable 0.")


def names_in(content: bytes) -> list[str]:
    with ZipFile(BytesIO(content)) as packed:
        return packed.namelist()


def test_the_page_packs_the_report_of_a_table(kept_page: Callable[..., httpx.Client]) -> None:
    client = kept_page(reading(), AFTER)
    path = table_path(upload(client))
    upload(client, picture_bytes(), f"{path}/next")
    report = client.get(f"{path}/report.zip")
    assert report.headers["content-type"] == "application/zip"
    looks = [f"picture-{number}.{kind}" for number in (1, 2) for kind in ("jpg", "json")]
    assert names_in(report.content) == ["about.json", "game.json", *looks]
    with ZipFile(BytesIO(report.content)) as packed:
        assert json.loads(packed.read("game.json"))["record"].startswith("game:")
        assert json.loads(packed.read("picture-2.json"))["milliseconds"]["total"] >= 0
        assert json.loads(packed.read("about.json"))["versions"]["cardtable"]
    assert f'href="{path}/report.zip"' in client.get(path).text


def test_the_page_packs_the_report_of_a_picture_that_could_not_be_read(serve: Callable[..., httpx.Client]) -> None:
    client = serve(Unseeing())
    at = refusal(client)
    assert f'href="{at}/report.zip"' in client.get(at).text
    content = client.get(f"{at}/report.zip").content
    assert names_in(content) == ["about.json", "picture-1.jpg", "picture-1.json"]
    with ZipFile(BytesIO(content)) as packed:
        assert json.loads(packed.read("picture-1.json"))["error"]["code"] == "no-layout"
    assert client.get("/refused/none/report.zip").status_code == 404
