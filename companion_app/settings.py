"""Settings of the companion: flag, then environment (`CARDTABLE_…`), then the user's file, then the default."""

import os
import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from platformdirs import user_cache_path, user_config_path, user_data_path
from pydantic import Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from companion_app.languages import CODES, DEFAULT, Language, language

PREFIX = "CARDTABLE_"
MEBIBYTE = 1024 * 1024
WRONG = (
    *("literal_error", "bool_parsing", "int_parsing", "float_parsing", "bool_type", "int_type", "float_type"),
    *("string_type", "greater_than", "greater_than_equal", "less_than_equal", "string_too_short", "finite_number"),
)
"""What can be wrong with a value, as pydantic calls it, where there is a message for it."""
BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def settings_file() -> Path:
    """Where the user's own settings are looked for; the file need not exist."""
    return user_config_path("cardtable", appauthor=False) / "settings.toml"


def cache_folder() -> Path:
    """The folder for what can be made again at any time (compiled search code)."""
    return user_cache_path("cardtable", appauthor=False)


def decks_folder() -> Path:
    """The folder of the decks that the user taught."""
    return user_data_path("cardtable", appauthor=False) / "decks"


GAMES_FILE = "games.sqlite3"
"""The file of kept games in their folder."""


def games_folder() -> Path:
    """The folder of the games that are kept."""
    return user_data_path("cardtable", appauthor=False) / "games"


class Settings(BaseSettings):
    """Every setting with its default; frozen, so that a running server cannot drift."""

    # An empty variable counts as not set: an empty host would be every address.
    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore", env_ignore_empty=True)

    lan: bool = Field(False)
    https: bool = Field(False)
    host: str = Field("127.0.0.1", min_length=1)
    port: int = Field(8765, ge=0, le=65535)
    language: Literal["en", "fi", "pl", "nb"] = Field("en")
    browser: bool = Field(True)
    deck: str = Field("auto")
    hint_seconds: float = Field(2.0, gt=0, le=600)
    page_hint_seconds: float = Field(8.0, gt=0, le=60)
    solve_seconds: float = Field(60.0, gt=0, le=86_400)
    keep: bool = Field(True)
    max_bytes: int = Field(40 * MEBIBYTE, gt=0, le=1024 * MEBIBYTE)
    max_tables: int = Field(24, ge=1, le=1000)

    @property
    def served_host(self) -> str:
        """The address to listen at: all of this computer's for devices of the network."""
        return "0.0.0.0" if self.lan else self.host

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags win over the environment, the environment over the user's file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, settings_file())


def told_language() -> str:
    """The code of the language that the settings ask for; also where another of them is wrong."""
    try:
        return Settings().language
    except (ValidationError, SettingsError, ValueError, OSError):
        named = os.environ.get(f"{PREFIX}LANGUAGE") or _held().get("language")
        return next((code for code in CODES if code == named), DEFAULT)


def wrong_settings(**flags: object) -> tuple[str, ...]:
    """What is wrong with the settings of the flags, the environment and the user's file, a line each, in the language
    that they ask for."""
    try:
        Settings(**flags)  # type: ignore[arg-type]
    except ValidationError as error:
        spoken = language(told_language())
        return tuple(_wrong_setting(str(found["loc"][0]), _why(spoken, found), flags) for found in error.errors())
    except (SettingsError, ValueError, OSError) as error:
        return (f"{settings_file()}: {_why_unread(error)}",)
    return ()


def sources() -> dict[str, str]:
    """Where the value of each setting comes from: `environment`, `file` or `default`."""
    held = _held()
    named = {name.upper() for name, value in os.environ.items() if value}

    def source(name: str) -> str:
        return "environment" if f"{PREFIX}{name.upper()}" in named else "file" if name in held else "default"

    return {name: source(name) for name in Settings.model_fields}


def _held() -> dict[str, Any]:
    """What the user's file says; nothing where it cannot be read, for `wrong_settings` says what is wrong with it."""
    try:
        return tomllib.loads(settings_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def strange_settings() -> tuple[str, ...]:
    """Variables and names in the user's file that are no settings, a line each, with the one that may be meant."""
    named = [name for name in os.environ if name.upper().startswith(PREFIX)]
    lines = [_strange(name, name[len(PREFIX) :].lower(), PREFIX) for name in sorted(named)]
    lines += [_strange(f"{settings_file()}: {name}", name, "") for name in _held()]
    return tuple(line for line in lines if line)


def _strange(named: str, setting: str, prefix: str) -> str:
    """The line about a name that is no setting; empty for one that is."""
    if setting in Settings.model_fields:
        return ""
    spoken = language(told_language())
    line = spoken.say("settings.strange", name=named)
    for meant in get_close_matches(setting, Settings.model_fields, n=1):
        line += f"; {spoken.say('settings.meant', name=f'{prefix}{meant.upper() if prefix else meant}')}"
    return line


def _wrong_setting(name: str, why: str, flags: Mapping[str, object]) -> str:
    variable = f"{PREFIX}{name.upper()}"
    if name in flags:
        return f"--{name}: {why}"
    return f"{variable if os.environ.get(variable) else f'{settings_file()}: {name}'}: {why}"


def _why(spoken: Language, found: Mapping[str, Any]) -> str:
    """What is wrong with a value, as pydantic found it."""
    if found["type"] not in WRONG:
        return str(found["msg"])
    bounds = {name: str(value).replace(" or ", ", ") for name, value in found.get("ctx", {}).items()}
    return spoken.say(f"settings.wrong.{found['type']}", **bounds)


def _why_unread(error: Exception) -> str:
    """Why the settings file cannot be read, in plain words."""
    spoken = language(told_language())
    try:
        begins_with_mark = settings_file().read_bytes().startswith(BYTE_ORDER_MARKS)
    except OSError as cause:
        return spoken.reason(cause)
    if begins_with_mark or isinstance(error, UnicodeError):
        return spoken.say("settings.not-utf8")
    at = re.search(r"line (\d+), column (\d+)", str(error))
    return spoken.say("settings.no-toml", line=at[1], column=at[2]) if at else str(error)
