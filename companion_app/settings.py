"""Settings of the companion: flag, then environment (`CARDTABLE_…`), then the user's file, then the default."""

import os
import tomllib
from pathlib import Path
from typing import Literal

from platformdirs import user_cache_path, user_config_path, user_data_path
from pydantic import Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

MEBIBYTE = 1024 * 1024


def settings_file() -> Path:
    """Where the user's own settings are looked for; the file need not exist."""
    return user_config_path("cardtable", appauthor=False) / "settings.toml"


def cache_folder() -> Path:
    """The folder for what can be made again at any time (compiled search code)."""
    return user_cache_path("cardtable", appauthor=False)


def decks_folder() -> Path:
    """The folder of the decks that the user taught."""
    return user_data_path("cardtable", appauthor=False) / "decks"


class Settings(BaseSettings):
    """Every setting with its default; frozen, so that a running server cannot drift."""

    model_config = SettingsConfigDict(env_prefix="CARDTABLE_", frozen=True, extra="ignore")

    host: str = Field("127.0.0.1", description="address the page is served at")
    port: int = Field(8765, ge=0, le=65535, description="port of the page; 0 takes any free one")
    language: Literal["en", "fi", "pl", "nb"] = Field("en", description="language of the command line")
    browser: bool = Field(True, description="open the page in the browser when the server starts")
    deck: str = Field("auto", description="deck to read with: auto, none, or the name of one that was taught")
    hint_seconds: float = Field(2.0, gt=0, le=600, description="time a hint may take")
    page_hint_seconds: float = Field(8.0, gt=0, le=60, description="time the page may think about a hint in all")
    solve_seconds: float = Field(60.0, gt=0, description="time one deal of `solve` may take")
    max_bytes: int = Field(40 * MEBIBYTE, gt=0, description="largest picture the page accepts, in bytes")
    max_tables: int = Field(24, ge=1, description="tables the server keeps in memory; the oldest goes first")

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


def wrong_settings() -> tuple[str, ...]:
    """What is wrong with the settings of the environment and of the user's file, a line each."""
    try:
        Settings()
    except ValidationError as error:
        return tuple(_wrong_setting(str(found["loc"][0]), found["msg"]) for found in error.errors())
    except (SettingsError, tomllib.TOMLDecodeError, OSError) as error:
        return (f"{settings_file()}: {error}",)
    return ()


def _wrong_setting(name: str, why: str) -> str:
    variable = f"{Settings.model_config.get('env_prefix')}{name.upper()}"
    return f"{variable if variable in os.environ else f'{settings_file()}: {name}'}: {why}"
