"""The catalogues: every language says everything that the program asks for, and nothing that it does not."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from itertools import product
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

from companion_app.languages import CODES, DEFAULT, catalogue, language
from tests.companion_app.keys import FAMILIES, asked, members

TRANSLATED = [code for code in CODES if code != DEFAULT]
FIELD = re.compile(r"{(\w*)[^}]*}")
ROOT = Path(__file__).parent.parent.parent


@cache
def read(code: str) -> Catalog:
    return catalogue(code)


def messages(code: str) -> Iterator[Message]:
    return (message for message in read(code) if message.context)


def keys(code: str) -> list[str]:
    return [str(message.context) for message in messages(code)]


def texts(message: Message) -> tuple[list[str], list[str]]:
    """What a message says, in English and translated: one text, or one for each form."""
    english, said = ([told] if isinstance(told, str) else list(told or ()) for told in (message.id, message.string))
    return english, said


def fields(texts: list[str]) -> set[str]:
    return {field for text in texts for field in FIELD.findall(text)}


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_translation_has_the_messages_of_the_template(code: str) -> None:
    english = {message.context: message.id for message in messages(DEFAULT)}
    assert {message.context: message.id for message in messages(code)} == english


@pytest.mark.parametrize("code", CODES)
def test_a_key_stands_once(code: str) -> None:
    assert sorted(set(keys(code))) == sorted(keys(code))


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_message_is_translated_in_all_its_forms_and_looked_at(code: str) -> None:
    forms = read(code).num_plurals
    for message in messages(code):
        english, said = texts(message)
        assert len(english) == (2 if message.pluralizable else 1), message.context
        assert len(said) == (forms if message.pluralizable else 1), message.context
        assert all(text.strip() for text in said) and not message.fuzzy, message.context
    assert not read(code).obsolete


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_translation_names_the_fields_of_the_english_text(code: str) -> None:
    for message in messages(code):
        english, said = texts(message)
        assert fields(english) == fields(said), message.context
        # Tools take "95 % in" for a directive that translations lack: an unbroken space ("%\u00a0in") mends it.
        assert message.flags == ({"python-brace-format"} if fields(english) else set()), message.context


@pytest.mark.parametrize("code", CODES)
def test_a_form_for_several_numbers_names_all_that_is_counted(code: str) -> None:
    spoken = language(code)
    covered = Counter(spoken.form_of(number) for number in range(130))
    for key, forms in spoken.plurals.items():
        for form, text in enumerate(forms):
            # "One card is missing" says its number in words.
            assert covered[form] == 1 or fields([text]) == fields(list(forms)), key


@pytest.mark.parametrize("code", CODES)
def test_every_text_can_be_filled_in(code: str) -> None:
    for text in language(code).texts:
        given = dict.fromkeys(FIELD.findall(text), "x")
        assert "" not in given and not set("{}") & set(text.format(**given))


def test_whatever_the_program_puts_together_is_a_family() -> None:
    found = {each.key: each.where for each in asked() if "*" in each.key}
    assert {pattern: where for pattern, where in found.items() if pattern not in FAMILIES} == {}
    assert set(FAMILIES) - set(found) == set()
    assert all(FAMILIES.values())


def test_every_key_that_the_program_asks_for_is_in_the_catalogue() -> None:
    known = set(keys(DEFAULT))
    wanted = {key: each.where for each in asked() for key in (members(each.key) if "*" in each.key else [each.key])}
    assert {key: where for key, where in wanted.items() if key not in known} == {}


def test_the_program_asks_for_every_key_of_the_catalogue() -> None:
    wanted = {key for each in asked() for key in (members(each.key) if "*" in each.key else [each.key])}
    assert set(keys(DEFAULT)) - wanted == set()


def test_what_is_counted_has_forms_and_what_is_said_has_none() -> None:
    english = language(DEFAULT)
    known = {"say": english.messages, "count": english.plurals}
    at_once = [each for each in asked() if each.by in known]
    assert {each.by for each in at_once} == set(known)
    for each in at_once:
        names = members(each.key) if "*" in each.key else {each.key}
        assert names <= set(known[each.by]), each.where


def test_a_message_is_given_the_fields_that_it_names() -> None:
    english = language(DEFAULT)
    checked = 0
    for each in asked():
        if each.fields is None or "*" in each.key or each.by not in ("say", "count"):
            continue
        said = [english.messages[each.key]] if each.by == "say" else english.plurals[each.key]
        wanted = {field for text in said for field in FIELD.findall(text)} - ({"n"} if each.by == "count" else set())
        assert wanted <= each.fields, f"{each.where}: {each.key}"
        checked += bool(wanted)
    assert checked > 40


@pytest.mark.parametrize("code", CODES)
def test_gettext_itself_picks_the_same_form_for_every_number(code: str) -> None:
    compiled = BytesIO()
    write_mo(compiled, read(code))
    compiled.seek(0)
    known = Translations(compiled)
    spoken, plurals = language(code), [message for message in messages(code) if message.pluralizable]
    assert len(plurals) == len(spoken.plurals)
    for message, number in product(plurals, range(130)):
        text = known.npgettext(str(message.context), *message.id, number)
        values = dict.fromkeys(FIELD.findall(text), "x") | {"n": number}
        assert spoken.count(str(message.context), number, **values) == text.format(**values)


def test_what_is_not_translated_yet_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, done = Catalog(locale="pl"), {"place.stock": "stos", "place.waste": "odpad"}
    for message in messages(DEFAULT):
        key = str(message.context)
        begun.add(message.id, done.get(key), context=key, flags=["fuzzy"] if key == "place.waste" else ())
    monkeypatch.setattr("companion_app.languages.catalogue", lambda code: begun)
    polish = language.__wrapped__("pl")
    assert [polish.place(pile) for pile in ("stock", "waste", "foundation")] == ["stos", "waste", "foundation"]
    assert [polish.count("table.read", n) for n in (1, 3, 5)] == ["1 card read", "3 cards read", "5 cards read"]


def test_a_new_language_is_begun_with_the_tool_of_babel_as_the_readme_says(tmp_path: Path) -> None:
    (command,) = re.findall(r"`(pybabel init [^`]+)`", " ".join((ROOT / "README.md").read_text("utf-8").split()))
    arguments = command.replace("companion_app/languages -l", f"{tmp_path} -l").split()
    subprocess.run([Path(sys.executable).parent / arguments[0], *arguments[1:]], cwd=ROOT, check=True)
    (made,) = tmp_path.rglob("*.po")
    assert made.relative_to(tmp_path).parts[1:] == ("LC_MESSAGES", "cardtable.po")
    with made.open("rb") as file:
        begun = read_po(file)
    assert {message.context for message in begun if message.context} == set(keys(DEFAULT))


@pytest.mark.parametrize(
    ("code", "moment", "time"),
    [
        ("en", "4 Mar 2026, 15:06", "15:06"),
        ("fi", "4.3.2026 15.06", "15.06"),
        ("pl", "4 mar 2026, 15:06", "15:06"),
        ("nb", "4. mars 2026, 15:06", "15:06"),
    ],
)
def test_times_are_written_as_the_language_does(code: str, moment: str, time: str) -> None:
    at = datetime(2026, 3, 4, 15, 6, 30, tzinfo=UTC)
    assert language(code).moment(at).replace(" klo ", " ") == moment
    assert language(code).time(at) == time
