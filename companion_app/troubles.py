"""Turns the errors of the other rooms into troubles with a message in the language of the person."""

import logging

from companion_app.errors import Trouble, UnreadableTrouble, UsageTrouble, unreadable
from companion_app.languages import Language

log = logging.getLogger(__name__)


def as_trouble(error: Exception, language: Language) -> Trouble:
    """The trouble of any error; one that nobody foresaw is logged and becomes `internal`."""
    from rules.errors import CardError, PositionError, RuleError, RulesError, UnknownGameError
    from vision.errors import PictureError
    from vision.profile import ProfileError

    if isinstance(error, Trouble):
        return error
    if isinstance(error, PictureError):
        return unreadable(error.code, language, error.message)
    if isinstance(error, ProfileError):
        return UnreadableTrouble(error.code, language.say(f"error.{error.code}", why=error.detail))
    if isinstance(error, UnknownGameError | RuleError):
        return UsageTrouble("game", language.say("error.game", why=error))
    if isinstance(error, CardError):
        return UnreadableTrouble("card", language.say("error.card", why=error))
    if isinstance(error, PositionError):
        return UnreadableTrouble("position", language.say("error.position", why=error))
    if isinstance(error, RulesError):
        return UnreadableTrouble("rules", str(error))
    log.error("unforeseen error", exc_info=error)
    return UnreadableTrouble("internal", language.say("error.internal"))
