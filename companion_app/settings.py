"""Settings of the companion: flag, then environment (`CARDTABLE_…`), then the user's file, then the default."""

import os
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

PREFIX = "CARDTABLE_"
MEBIBYTE = 1024 * 1024
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

    lan: bool = Field(False, description="let devices of your network in, each by a code that it scans once")
    https: bool = Field(False, description="serve the page over https, which browsers want before they use a camera")
    host: str = Field("127.0.0.1", min_length=1, description="address the page is served at")
    port: int = Field(8765, ge=0, le=65535, description="port of the page; 0 takes any free one")
    language: Literal["en", "fi", "pl", "nb"] = Field("en", description="language of the command line")
    browser: bool = Field(True, description="open the page in the browser when the server starts")
    deck: str = Field("auto", description="deck to read with: auto, none, or the name of one that was taught")
    hint_seconds: float = Field(2.0, gt=0, le=600, description="time a hint may take")
    page_hint_seconds: float = Field(8.0, gt=0, le=60, description="time the page may think about a hint in all")
    solve_seconds: float = Field(60.0, gt=0, le=86_400, description="time one deal of `solve` may take")
    keep: bool = Field(True, description="keep games, so that they are there again after the server was ended")
    max_bytes: int = Field(40 * MEBIBYTE, gt=0, le=1024 * MEBIBYTE, description="largest picture taken, in bytes")
    max_tables: int = Field(24, ge=1, le=1000, description="tables the server keeps in memory; the oldest goes first")

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


def wrong_settings(**flags: object) -> tuple[str, ...]:
    """What is wrong with the settings of the flags, the environment and the user's file, a line each."""
    try:
        Settings(**flags)  # type: ignore[arg-type]
    except ValidationError as error:
        return tuple(_wrong_setting(str(found["loc"][0]), found["msg"], flags) for found in error.errors())
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
    line = f"{named}: there is no such setting"
    for meant in get_close_matches(setting, Settings.model_fields, n=1):
        line += f"; did you mean {prefix}{meant.upper() if prefix else meant}?"
    return line


def _wrong_setting(name: str, why: str, flags: Mapping[str, object]) -> str:
    variable = f"{PREFIX}{name.upper()}"
    if name in flags:
        return f"--{name}: {why}"
    return f"{variable if os.environ.get(variable) else f'{settings_file()}: {name}'}: {why}"


def _why_unread(error: Exception) -> str:
    """Why the settings file cannot be read, in plain words."""
    try:
        begins_with_mark = settings_file().read_bytes().startswith(BYTE_ORDER_MARKS)
    except OSError as cause:
        return str(cause.strerror)
    if begins_with_mark or isinstance(error, UnicodeError):
        return "the file is not plain UTF-8; save it as UTF-8 without a byte order mark"
    return str(error)
