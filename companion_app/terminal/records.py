"""Records of games among what a command was given."""

from typing import TYPE_CHECKING

from companion_app.errors import UsageTrouble
from companion_app.languages import Language
from companion_app.sources import Source

if TYPE_CHECKING:
    from rules.catalogue import Game
    from rules.record import Replayed


def games_of(source: Source, language: Language, game: "Game | None" = None) -> tuple["Replayed", ...]:
    """Every game of a source, as far as it can be played; raises what is wrong with it, or with its not being of
    ``game``."""
    from rules.record import read_records

    if source.trouble:
        raise source.trouble
    if source.record is None:
        raise UsageTrouble("record", language.say("error.no-record", name=source.name))
    found = read_records(source.record)
    for played in found:
        if game is not None and played.record.game.id != game.id:
            other = played.record.game.id
            raise UsageTrouble("game", language.say("error.other-game", game=other, wanted=game.id))
    return found
