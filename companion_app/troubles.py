"""Turns the errors of the other rooms into troubles with a message in the language of the person."""

import logging
from typing import TYPE_CHECKING

from companion_app.errors import Trouble, UnreadableTrouble, UsageTrouble
from companion_app.languages import Language

if TYPE_CHECKING:
    from rules.errors import RulesError

log = logging.getLogger(__name__)


MOST_QUOTED = 200
MOST_SAID = 1000
"""Characters of a message: what was given may be quoted in it, and may be long."""


def as_trouble(error: Exception, language: Language) -> Trouble:
    """The trouble of any error; one that nobody foresaw is logged and becomes `internal`."""
    trouble = _trouble(error, language)
    if len(trouble.message) > MOST_SAID:
        trouble.message = trouble.message[:MOST_SAID] + " …"
    return trouble


def explained(error: Exception, language: Language) -> Trouble:
    """The same for a command: of what nobody foresaw it says the reason."""
    trouble = as_trouble(error, language)
    if trouble.code == "internal":
        why = " ".join(f"{type(error).__name__}: {error}".split())[:MOST_QUOTED]
        trouble.message = language.say("error.unforeseen", why=why)
    return trouble


def _trouble(error: Exception, language: Language) -> Trouble:
    from rules.errors import CardError, PositionError, RuleError, RulesError, UnknownGameError
    from vision.decks.profile import ProfileError
    from vision.errors import PictureError

    if isinstance(error, Trouble):
        error.message = error.message or language.say(f"error.{error.code}", **error.values)
        return error
    if isinstance(error, PictureError):
        key = f"error.{error.code}"
        message = language.say(key, detail=error.detail) if key in language else error.message
        return UnreadableTrouble(error.code, message)
    if isinstance(error, ProfileError):
        return UnreadableTrouble(error.code, language.say(f"error.{error.code}", why=error.detail))
    if isinstance(error, UnknownGameError | RuleError):
        return UsageTrouble("game", _told(error, language, "game"))
    if isinstance(error, CardError):
        return UnreadableTrouble("card", _told(error, language, "card"))
    if isinstance(error, PositionError):
        return UnreadableTrouble("position", _told(error, language, "position"))
    if isinstance(error, RulesError):
        return UnreadableTrouble("rules", _told(error, language, "rules"))
    if isinstance(error, RecursionError):
        return UnreadableTrouble("position", language.say("error.nested"))
    log.error("unforeseen error", exc_info=error)
    return UnreadableTrouble("internal", language.say("error.internal"))


def _told(error: "RulesError", language: Language, kind: str) -> str:
    """What is wrong in the language's own sentence; where it has none, its sentence for the kind of error, with what
    the rules say in English as a detail."""
    if error.code and f"error.{error.code}" in language:
        return language.say(f"error.{error.code}", **error.values)
    return language.say(f"error.{kind}", why=error)
