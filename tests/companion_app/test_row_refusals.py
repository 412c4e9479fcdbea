"""What is refused of row games, each with a message of its own, and what is not."""

import json
from pathlib import Path

import pytest

from companion_app import wiring
from rules.cards import GONE, JOKER
from tests.companion_app.fakes import FakeEyes, picture_bytes, reading
from tests.companion_app.row_tables import PICTURE, Serve, after, deal, opened, seen, shown
from tests.companion_app.test_cli import answers, run
from vision.errors import PictureError
from vision.layout.in_place import Asked
from vision.reading import TableReading


def test_a_hint_is_refused_with_the_reason_where_a_card_lies_there_twice(serve: Serve) -> None:
    dealt = deal("arcydzielo")
    twice = dealt.with_seen({"left 1 1": dealt.left[1][0]})
    client = serve(FakeEyes(seen(twice, "arcydzielo")))
    path, page = opened(client, game="arcydzielo")
    assert "The same card twice" in page
    refused = client.post(f"{path}/hint", data={"step": "1"})
    assert (refused.status_code, refused.json()["code"]) == (422, "impossible")
    assert "The same card twice" in refused.json()["detail"]


def test_a_card_of_another_deck_keeps_no_next_picture_out(serve: Serve) -> None:
    dealt = deal("wiezniowie")
    strange = dealt.with_seen({"left 1 2": JOKER})
    client = serve(FakeEyes(seen(strange, "wiezniowie"), seen(after(strange, "wiezniowie", "build"), "wiezniowie")))
    path, page = opened(client, game="wiezniowie")
    assert "Does not belong to this deck" in page
    story = shown(client, path, "next")
    assert "Moves made" in story and 'class="breach"' not in story


def test_a_base_that_is_not_seen_leaves_no_hint_but_a_word(serve: Serve) -> None:
    bare = deal("wiezniowie").with_seen({"base 2": GONE})
    path, _ = opened(client := serve(FakeEyes(seen(bare, "wiezniowie"))), game="wiezniowie")
    assert "No move is left." in shown(client, path, "hint", step="1")


class Layouts(FakeEyes):
    """Reads what it was given where that is asked for or nothing is; else sees another layout."""

    def read(self, data: bytes, *, layout: Asked = "auto") -> TableReading:
        found = super().read(data, layout=layout)
        if layout not in ("auto", found.layout):
            raise PictureError("no-layout")
        return found


def test_a_row_layout_with_a_pyramid_game_asked_for_and_the_reverse_have_their_own_messages(serve: Serve) -> None:
    rows = serve(Layouts(seen(deal("piwnica"), "piwnica")))
    refused = rows.post("/tables", data={"game": "easy-pyramid"}, files=PICTURE)
    assert (refused.status_code, refused.json()["code"]) == (422, "rows-laid")
    assert "not as a pyramid" in refused.json()["detail"]
    pyramid = serve(Layouts(reading()))
    refused = pyramid.post("/tables", data={"game": "piwnica"}, files=PICTURE)
    assert (refused.status_code, refused.json()["code"]) == (422, "pyramid-laid")
    assert "lie as a pyramid" in refused.json()["detail"]
    other = rows.post("/tables", data={"game": "wiezniowie-12"}, files=PICTURE)
    assert (other.status_code, other.json()["code"]) == (422, "no-layout")


def test_a_pyramid_put_upon_half_rows_is_refused_though_the_reader_found_one(serve: Serve) -> None:
    class Obliging(FakeEyes):
        def read(self, data: bytes, *, layout: Asked = "auto") -> TableReading:
            doubts = tuple(f"pyramid 7 {n}" for n in range(1, 8)) + tuple(f"pyramid 6 {n}" for n in range(1, 7))
            found = seen(deal("piwnica"), "piwnica") if layout == "auto" else reading(doubts=(*doubts, *more))
            self.asked.append(layout)
            return found

    more: tuple[str, ...] = ("pyramid 5 1",)
    eyes = Obliging()
    client = serve(eyes)
    assert client.post("/tables", data={"game": "easy-pyramid"}, files=PICTURE).status_code == 200
    more = ("pyramid 5 1", "pyramid 5 2")
    refused = client.post("/tables", data={"game": "easy-pyramid"}, files=PICTURE)
    assert refused.json()["code"] == "rows-laid"
    assert eyes.asked == ["pyramid-7", "pyramid-7", "auto"]


@pytest.mark.parametrize("command", ["read", "check", "hint"])
def test_the_commands_refuse_the_other_family_with_the_same_message(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(wiring, "eyes", lambda: Layouts(seen(deal("piwnica"), "piwnica")))
    picture = tmp_path / "table.jpg"
    picture.write_bytes(picture_bytes())
    told = run(command, "--json", "--game", "easy-pyramid", str(picture))
    assert (told.exit_code, answers(told)[0]["error"]["code"]) == (3, "rows-laid")
    assert "not as a pyramid" in told.stderr
    fine = run(command, "--json", "--game", "piwnica", str(picture))
    assert fine.exit_code == 0, fine.stderr


def test_a_game_laid_in_another_way_cannot_be_chosen(serve: Serve) -> None:
    client = serve(FakeEyes(seen(deal("piwnica"), "piwnica")))
    path, _ = opened(client)
    for game_id in ("king-tut", "ulubiony", "wiezniowie-12"):
        refused = client.post(f"{path}/game", data={"game": game_id})
        assert (refused.status_code, refused.json()["code"]) == (400, "other-layout")
        assert game_id in refused.json()["detail"]
    text = json.dumps(deal("ulubiony").to_json())
    assert client.post("/tables", data={"position": text, "game": "piwnica"}).json()["code"] == "other-layout"
    pyramid, _ = opened(other := serve())
    assert other.post(f"{pyramid}/game", data={"game": "piwnica"}).json()["code"] == "other-layout"


@pytest.mark.parametrize("code", ["outside", "no-layout"])
def test_half_a_layout_and_two_of_them_stay_the_readers_own_messages(serve: Serve, code: str) -> None:
    class Refusing(FakeEyes):
        def read(self, data: bytes, *, layout: Asked = "auto") -> TableReading:
            raise PictureError(code)

    refused = serve(Refusing()).post("/tables", data={"game": "piwnica"}, files=PICTURE)
    assert refused.json()["code"] == code
    assert "pyramid" not in refused.json()["detail"]


def test_columns_and_cellar_that_a_text_leaves_out_are_not_known(serve: Serve) -> None:
    told = deal("ulubiony").to_json()
    text = json.dumps({key: told[key] for key in ("base", "left", "right")})
    client = serve()
    page = client.post("/tables", data={"position": text, "game": "ulubiony"})
    assert page.status_code == 200 and "The Favourite</h1>" in page.text
    assert "Not all parts of this table are told" in page.text and "cell-left-column" not in page.text
    plain = client.post("/tables", data={"position": text})
    assert "Prisoners, rows of twelve</h1>" in plain.text
    other = client.post(f"{plain.url.path}/game", data={"game": "ulubiony"})
    assert "The Favourite</h1>" in other.text
    path, _ = opened(photographed := serve(FakeEyes(seen(deal("wiezniowie-12"), "wiezniowie-12"))))
    refused = photographed.post(f"{path}/game", data={"game": "ulubiony"})
    assert refused.json()["code"] == "other-layout"


def test_a_position_of_a_shape_that_no_row_game_has_is_refused(serve: Serve) -> None:
    text = json.dumps({"base": [None] * 4, "left": [[]] * 3, "right": [[]] * 3})
    refused = serve().post("/tables", data={"position": text})
    assert (refused.status_code, refused.json()["code"]) == (422, "position")
