"""The page's server: tables, corrections, two pictures in a row, bad input, and who may use it."""

import html
import json
import re
import struct
import zlib
from collections.abc import Callable
from tempfile import SpooledTemporaryFile

import cv2
import httpx
import numpy as np
import pytest

from tests.companion_app.fakes import ROWS, FakeEyes, picture_bytes, reading

Serve = Callable[..., httpx.Client]
AFTER = (*ROWS[:6], "10H JC -- 10C 8D AS JS")


def upload(client: httpx.Client, content: bytes | None = None, path: str = "/tables", **fields: str) -> httpx.Response:
    """Send a picture."""
    picture = picture_bytes() if content is None else content
    return client.post(path, data=fields, files={"picture": ("table.jpg", picture, "image/jpeg")})


def table_path(answer: httpx.Response) -> str:
    """The path of the table an answer shows."""
    assert answer.status_code == 200, answer.text
    return answer.url.path


def test_a_picture_becomes_a_table_with_overlay_board_and_game(serve: Serve) -> None:
    client = serve()
    page = upload(client)
    path = table_path(page)
    assert page.text.count('role="gridcell"') == 28 + 3
    assert page.text.count('class="inner"') == 28 + 2
    assert "Relaxed Pyramid" in page.text
    assert 'aria-label="king of spades; row 1, place 1; under: 6 of diamonds, 6 of hearts"' in page.text
    photo = client.get(f"{path}/picture.jpg")
    assert photo.content[:2] == b"\xff\xd8"
    assert b"Exif" not in photo.content
    assert client.get(f"{path}/position.svg").headers["content-type"].startswith("image/svg")


def test_hints_come_in_steps(serve: Serve) -> None:
    client = serve()
    path = table_path(upload(client))
    first = client.post(f"{path}/hint", data={"step": "1"}).text
    assert "cards can leave the table" in first
    assert "is-a" not in first
    assert "is-area" in client.post(f"{path}/hint", data={"step": "2"}).text
    third = client.post(f"{path}/hint", data={"step": "3"}).text
    assert len(re.findall(r'class="cell[^"]* is-a[ "]', third)) == 1
    assert 'class="why"' in client.post(f"{path}/hint", data={"step": "4"}).text


def test_a_doubtful_card_is_asked_settled_and_pinned(serve: Serve) -> None:
    client = serve(FakeEyes(reading(doubts=("pyramid 7 3", "pyramid 4 2"))))
    page = upload(client)
    assert page.text.count('class="question cut-out"') == 1
    assert "1 more card is in doubt" in page.text
    settled = client.post(f"{table_path(page)}/settle", data={"place": "pyramid 7 3", "card": "8C"})
    assert 'class="question' not in settled.text
    assert "8 of clubs; row 7, place 3; free; settled by you" in settled.text
    again = client.post(f"{table_path(page)}/settle", data={"place": "pyramid 7 3", "card": ""})
    assert "9 of clubs; row 7, place 3; free; in doubt" in again.text


def test_the_chooser_offers_any_card(serve: Serve) -> None:
    client = serve()
    path = table_path(upload(client))
    assert client.get(path, params={"place": "pyramid 1 1"}).text.count('class="pick') == 13 + 4
    assert 'class="pick' not in client.get(path, params={"place": "pyramid 9 9"}).text


def test_two_pictures_in_a_row_show_the_move(serve: Serve) -> None:
    client = serve(FakeEyes(reading(), reading(AFTER, {"waste": None, "foundation": "4C"})))
    path = table_path(upload(client, game="relaxed-pyramid"))
    page = upload(client, path=f"{path}/next")
    assert "Moves made" in page.text
    assert "Pair: 9 of clubs + 4 of clubs" in page.text or "Pair: 4 of clubs + 9 of clubs" in page.text


def test_a_breach_is_named_and_can_be_allowed_or_put_back(serve: Serve) -> None:
    client = serve(FakeEyes(reading(), reading(AFTER)))
    path = table_path(upload(client, game="relaxed-pyramid"))
    assert "What happened?" in upload(client, path=f"{path}/next").text
    page = upload(client, path=f"{path}/next")
    assert "A look at the rules" in page.text
    assert "9 of clubs" in re.search(r'class="breach".*?</div>', page.text, re.S).group()  # type: ignore[union-attr]
    back = client.post(f"{path}/back")
    assert "9 of clubs; row 7, place 3" in back.text and "A look at the rules" not in back.text
    for _ in range(2):
        upload(client, path=f"{path}/next")
    allowed = client.post(f"{path}/allow")
    assert "Allowed by your house rule" in allowed.text
    assert "A look at the rules" not in allowed.text


def test_game_and_house_rules_are_chosen_and_shown(serve: Serve) -> None:
    client = serve()
    path = table_path(upload(client))
    other = client.post(f"{path}/game", data={"game": "easy-pyramid"})
    assert "Easy Pyramid</h1>" in other.text
    assert "Passes: 2" in other.text
    ruled = client.post(f"{path}/game", data={"game": "easy-pyramid", "passes": "3"})
    assert '<span class="chip strong">Passes: 3</span>' in ruled.text
    wrong = client.post(f"{path}/game", data={"game": "easy-pyramid", "draw": "3", "turned": "held"})
    assert wrong.status_code == 400


def test_stock_count_and_pass_are_told_and_used(serve: Serve) -> None:
    client = serve()
    first = upload(client, game="easy-pyramid")
    path = table_path(first)
    asked = "How many cards does the stock hold"
    assert asked not in first.text and asked in client.post(f"{path}/hint", data={"step": "1"}).text
    page = client.post(f"{path}/piles", data={"stock": "20", "pass": "2"})
    assert '"stock": 20' in page.text.replace("&#34;", '"')
    assert asked not in page.text
    assert '"pass": 2' in page.text.replace("&#34;", '"')
    assert client.post(f"{path}/piles", data={"stock": "many"}).status_code == 400


def test_faults_are_listed(serve: Serve) -> None:
    client = serve(FakeEyes(reading((*ROWS[:6], "10H JC 9C 10C 8D AS 10H"))))
    page = upload(client)
    assert "The same card twice: 10 of hearts" in page.text
    assert page.text.count("is-faulty") >= 2


def test_cards_beside_the_layout_are_outlined_drawn_named_and_can_be_corrected(serve: Serve) -> None:
    client = serve(FakeEyes(reading(beside=("9H", "QS"), doubts=("table 2",))))
    page = upload(client)
    path = table_path(page)
    assert page.text.count('role="gridcell"') == 28 + 3 + 2
    assert page.text.count('class="inner"') == 28 + 2 + 2
    assert 'aria-label="9 of hearts; card 1 on the table"' in page.text
    assert "9 of hearts (card 1 on the table); queen of spades (card 2 on the table)" in page.text
    assert 'class="seen is-doubtful is-faulty" data-place="table 2"' in page.text
    text = re.search(r"<textarea[^>]*>([^<]*)<", page.text)
    assert text is not None
    assert set(json.loads(html.unescape(text[1]))) == {"pyramid", "stock", "waste", "foundation"}
    assert 'data-place="table 2"' in client.get(path, params={"place": "table 2"}).text
    settled = client.post(f"{path}/settle", data={"place": "table 2", "card": "QD"}).text
    assert "queen of diamonds; card 2 on the table; settled by you" in settled
    gone = client.post(f"{path}/settle", data={"place": "table 2", "card": "gone"}).text
    assert gone.count('class="inner"') == 28 + 2 + 1
    assert "Lies where nothing holds it: 9 of hearts (card 1 on the table)" in gone
    assert "is-a" in client.post(f"{path}/hint", data={"step": "3"}).text
    assert client.post(f"{path}/settle", data={"place": "table 3", "card": "QD"}).status_code == 400


def test_a_position_is_pasted_and_changed(serve: Serve) -> None:
    client = serve()
    text = json.dumps({"pyramid": [["KS"], ["6D", "7H"], ["5H", "8S", None]], "stock": 3, "waste": None})
    page = client.post("/tables", data={"position": text})
    path = table_path(page)
    assert "without a picture" in page.text
    later = '{"pyramid": [["KS"], [null, null], [null, null, null]]}'
    assert "king of spades; row 1, place 1; free" in client.post(f"{path}/text", data={"position": later}).text
    assert client.post(f"{path}/text", data={"position": '{"pyramid": [["KS"], [null, null]]}'}).status_code == 400
    assert client.post("/tables", data={"position": "{"}).status_code == 422


def test_the_language_follows_the_browser_until_one_is_chosen(serve: Serve) -> None:
    client = serve()
    assert '<html lang="fi">' in client.get("/", headers={"accept-language": "fi"}).text
    chosen = client.post("/language", data={"language": "pl", "from": "/"})
    assert '<html lang="pl">' in chosen.text
    assert '<html lang="pl">' in client.get("/", headers={"accept-language": "fi"}).text
    assert client.post("/language", data={"language": "pl", "from": "//elsewhere.example"}).url.path == "/"


def png_of(width: int, height: int) -> bytes:
    """A PNG header that promises so many pixels."""
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))


HEIC = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + b"\x00" * 64
BAD = [
    (b"hello, I am no picture", 415, "not-a-picture"),
    (HEIC, 415, "heic"),
    (b"", 422, "empty"),
    (picture_bytes()[:900], 422, "truncated"),
    (png_of(10000, 10000), 413, "too-large"),
    (picture_bytes(64, 48), 422, "too-small"),
]


@pytest.mark.parametrize(("content", "status", "code"), BAD, ids=[code for _, _, code in BAD])
def test_bad_pictures_have_a_message_and_status_each_and_the_server_goes_on(
    serve: Serve, content: bytes, status: int, code: str
) -> None:
    client = serve()
    answer = upload(client, content)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert len(answer.json()["detail"]) > 20
    as_page = client.post("/tables", files={"picture": ("x.jpg", content)}, headers={"accept": "text/html"})
    assert as_page.status_code == status
    assert answer.json()["detail"] in as_page.text.replace("&#39;", "'")
    assert upload(client).status_code == 200


def test_too_many_bytes_are_refused_whether_declared_or_not(serve: Serve) -> None:
    client = serve(max_bytes=2000)
    assert upload(client, b"x" * 5000).status_code == 413

    def chunks():  # type: ignore[no-untyped-def]
        yield b'--x\r\nContent-Disposition: form-data; name="picture"; filename="a.jpg"\r\n\r\n'
        yield from (b"x" * 1000 for _ in range(5))
        yield b"\r\n--x--\r\n"

    headers = {"content-type": "multipart/form-data; boundary=x"}
    assert client.post("/tables", content=chunks(), headers=headers).status_code == 413


def test_nothing_unknown_and_broken_forms_are_answered(serve: Serve) -> None:
    client = serve()
    assert client.post("/tables", data={"game": ""}).json()["code"] == "nothing"
    assert client.post("/tables", data={"sample": "../../pyproject.toml"}).status_code == 404
    assert client.get("/tables/nowhere").json()["code"] == "no-table"
    assert client.get("/nowhere").status_code == 404
    path = table_path(upload(client))
    assert client.post(f"{path}/dance").status_code == 404
    assert client.post(f"{path}/settle", data={"place": "moon", "card": "KS"}).status_code == 400
    assert client.post(f"{path}/settle", data={"place": "waste", "card": "ZZ"}).status_code == 422
    broken = client.post("/tables", content=b"rubbish", headers={"content-type": "multipart/form-data; boundary=x"})
    assert broken.status_code in (400, 422)


@pytest.mark.parametrize("place", ["no-layout", "no-cards"])
def test_a_picture_without_a_pyramid_says_so(serve: Serve, place: str) -> None:
    from dataclasses import replace

    seen = replace(reading(), layout=None, places={})
    eyes = FakeEyes(seen if place == "no-layout" else replace(seen, cards=()))
    answer = upload(serve(eyes))
    assert (answer.status_code, answer.json()["code"]) == (422, place)


def test_only_this_machine_and_its_own_pages_may_ask(serve: Serve) -> None:
    client = serve()
    assert client.get("/", headers={"host": "evil.example"}).status_code == 403
    assert (
        client.post("/language", data={"language": "fi"}, headers={"origin": "http://evil.example"}).status_code == 403
    )
    assert (
        client.post("/language", data={"language": "fi"}, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    )
    own = str(client.base_url).rstrip("/")
    assert client.post("/language", data={"language": "fi"}, headers={"origin": own}).status_code == 200
    assert "default-src 'self'" in client.get("/").headers["content-security-policy"]


def test_the_oldest_table_is_forgotten(serve: Serve) -> None:
    client = serve(max_tables=2)
    paths = [table_path(upload(client)) for _ in range(3)]
    assert [client.get(path).status_code for path in paths] == [404, 200, 200]


def test_a_picture_sent_is_never_put_into_a_file(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Starlette would put what is larger than a megabyte into a nameless file of the folder for temporary files."""
    rolled: list[object] = []
    rollover = SpooledTemporaryFile.rollover
    monkeypatch.setattr(SpooledTemporaryFile, "rollover", lambda file: (rolled.append(file), rollover(file)))
    noise = np.random.default_rng(1).integers(0, 256, (1200, 1600, 3), np.uint8)
    large = cv2.imencode(".jpg", noise)[1].tobytes()
    assert len(large) > 1_500_000
    sent = serve().post("/tables", files={"picture": ("large.jpg", large)})
    assert (sent.status_code, sent.url.path.startswith("/tables/")) == (200, True), sent.text[:200]
    assert rolled == []
