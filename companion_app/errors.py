"""What can go wrong in the companion.

    Trouble                 has a code, a message, an exit status and an HTTP status
    ├── UsageTrouble        the command or form was used wrongly          exit 2, HTTP 400
    ├── UnreadableTrouble   something given cannot be read                exit 3, HTTP 413, 415 or 422
    ├── ChangedTrouble      a change rests on a table that is no longer so      exit 3, HTTP 409
    ├── MissingTrouble      the page asks for a table that is not there   exit 3, HTTP 404
    └── BusyTrouble         too many pictures are being read just now     exit 3, HTTP 503

`as_trouble` turns the errors of the other rooms into these, in the language of the person.
"""

from companion_app.languages import Language

HTTP_OF_CODE = dict.fromkeys(("not-a-picture", "heic", "avif", "other-format", "moving"), 415) | {"too-large": 413}
READABLE = 422


class Trouble(Exception):  # noqa: N818 - what the person meets is a trouble
    """Base of all troubles: `code` for programs, `message` for the person. Raised without a message where no language
    is at hand: `as_trouble` then says it, with the `values` given."""

    exit_status = 3
    http_status = READABLE

    def __init__(self, code: str, message: str = "", **values: object) -> None:
        super().__init__(message or code)
        self.code = code
        self.message = message
        self.values = values


class UsageTrouble(Trouble):
    """The command or the form was used wrongly."""

    exit_status = 2
    http_status = 400


class UnreadableTrouble(Trouble):
    """Something given (picture, position, deal) cannot be read."""

    @property
    def http(self) -> int:
        """The HTTP status that says most precisely what is wrong with what was sent."""
        return HTTP_OF_CODE.get(self.code, READABLE)


class MissingTrouble(Trouble):
    """A table or a sample that is not there (any more)."""

    http_status = 404


class ChangedTrouble(Trouble):
    """A change that rests on a look at a table that is not the newest any more."""

    http_status = 409


class BusyTrouble(Trouble):
    """More is asked than can be done at a time: to be asked again a little later."""

    http_status = 503


def http_status(trouble: Trouble) -> int:
    """The HTTP status of a trouble."""
    return trouble.http if isinstance(trouble, UnreadableTrouble) else trouble.http_status


def unreadable(code: str, language: Language, fallback: str = "") -> UnreadableTrouble:
    """A trouble with the message the language has for its code, else the given one."""
    key = f"error.{code}"
    return UnreadableTrouble(code, language.say(key) if key in language else fallback or code)
