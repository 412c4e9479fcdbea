"""The desk: opens tables, keeps the last few in memory, and does what a person asks of one.

A change is a function of the newest state of a table, applied only if nobody was quicker, else once more: what a person
settles while a picture is read is never lost. A change may name the look (the picture) that the person had before
their eyes; one at the look before is merged where that can be done, else refused with a word.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count
from typing import TypeVar

from companion_app.desk.helping import Helper, Improve, helped, still_helped
from companion_app.desk.history import History, last_look
from companion_app.desk.shelf import Kept, Shelf
from companion_app.desk.turns import Readings
from companion_app.desk.watched import Insight, looked_into, read_frame
from companion_app.desk.watching import Watching
from companion_app.drawing.photo import upright_jpeg
from companion_app.errors import ChangedTrouble, MissingTrouble, Trouble, UnreadableTrouble, UsageTrouble, unreadable
from companion_app.hints.advise import improve, refuse_impossible
from companion_app.hints.preparing import Preparation
from companion_app.languages import Language
from companion_app.library.store import KeptGame, Store, StoreTrouble
from companion_app.settings import Settings
from companion_app.sources import parse_positions
from companion_app.stamps import new_id
from companion_app.tables.changes import MOST_QUOTED, Look, count_of, followed, settled, whole
from companion_app.tables.compose import AUTO, Eyes
from companion_app.tables.game_so_far import MISREAD, NONE, story_key
from companion_app.tables.games import plain_game, under_rules
from companion_app.tables.kept_table import table_of
from companion_app.tables.laying import first_reading, laid_as, read_in_play
from companion_app.tables.pointed_corners import Corners, game_laid, laid_anew, read_anew
from companion_app.tables.pointed_piles import Point, pointed, read_as_pointed
from companion_app.tables.proposal import asked_again
from companion_app.tables.row_table import How, directed
from companion_app.tables.spread_table import Spread
from companion_app.tables.table import Table, Way, lasting_pins
from companion_app.troubles import as_trouble
from rules.catalogue import GAMES, Game
from rules.errors import RulesError
from rules.fault import Stage
from rules.looks import any_from_json, check_fits, layout_of, layouts_of
from rules.rows.moves import DIRECTIONS
from vision.reading import TableReading

_K = TypeVar("_K", Table, Spread)

MOST_PASSES = 99


class Desk:
    """Tables by id, the last few of them, and what cameras see of them. Safe to use from several threads."""

    def __init__(
        self,
        eyes: Eyes,
        settings: Settings,
        preparation: Preparation,
        improve: Improve = improve,
        store: Store | None = None,
    ) -> None:
        self._eyes = eyes
        self._shelf = Shelf(settings.max_tables)
        self._store = store
        self._history = History(store, settings.max_tables, self._laid_again)
        self._looks = count(1 + last_look(store))
        self._readings, self.watching = Readings(), Watching()
        self.rest = self._readings.rest
        self._helper = Helper(preparation, improve, settings.page_hint_seconds, self.rest)

    def find(self, table_id: str, language: Language) -> Kept:
        """The table of an id; raises MissingTrouble."""
        table = self._shelf.find(table_id) or self._kept(table_id)
        if table is None:
            raise MissingTrouble("no-table", language.say("error.no-table"))
        if isinstance(table, Spread):
            return table
        undo, redo = self._history.reach(table_id)
        watched = self.watching.view(table_id).reading
        return replace(table.looked_up(), can_undo=undo, can_redo=redo, watched=watched)

    def _kept(self, table_id: str) -> Table | None:
        """A game that was kept, laid on the desk again. Raises StoreTrouble where it cannot be read."""
        with self._history.turn:
            found = self._shelf.find(table_id)
            table = self._laid_again(table_id) if found is None else None
            if table is not None:
                self._history.reopened(table_id)
                self._shelf.put(table)
            return table or (found if isinstance(found, Table) else None)

    def _laid_again(self, table_id: str, state: str = "") -> Table | None:
        """The table of a state of a game, the newest by itself; None where it is not kept. Raises StoreTrouble."""
        kept = self._store.newest(table_id) if self._store else None
        if kept is None:
            return None
        try:
            return whole(table_of(table_id, state or kept.state, kept.looks))
        except (KeyError, TypeError, ValueError, RulesError) as error:
            raise StoreTrouble("store-damaged", why=error) from error

    @property
    def unkept(self) -> Trouble | None:
        """Why the last change of a game was not kept."""
        return self._history.trouble

    def games(self, most: int) -> list[KeptGame]:
        """The games kept, the one played last first. Raises StoreTrouble."""
        return self._store.games(most) if self._store else []

    def picture(self, table_id: str, look: int) -> bytes | None:
        """The picture of an earlier look at a game, where it is kept. Raises StoreTrouble."""
        return self._store.picture(table_id, look) if self._store else None

    def delete(self, table_id: str) -> None:
        """Delete a game: nothing of it is kept any more. Raises StoreTrouble."""
        with self._history.turn:
            if self._store:
                self._store.delete(table_id)
            self._shelf.drop(table_id)
            self._history.forget(table_id)

    def undo(self, table: Table) -> Table:
        """The table before its last change."""
        return self._turned(table, self._history.back)

    def redo(self, table: Table) -> Table:
        """The table with the change that was taken back last."""
        return self._turned(table, self._history.again)

    def helped(self, table: Table, language: Language) -> tuple[Table, str]:
        """The table with the hint that is wanted from move to move, and why there is none."""
        if not self._helper.is_due(table):
            return table, ""
        try:
            self.hint(table, None, "", language)
        except (UnreadableTrouble, RulesError) as trouble:
            return table, as_trouble(trouble, language).message
        found = self.find(table.id, language)
        return (found if isinstance(found, Table) else table), ""

    def sight(self, table_id: str) -> tuple[object, ...]:
        """What a page of a table follows from: two sights that are not the same, part by part, show something else."""
        table = self._shelf.find(table_id)
        thought = table.thought.so_far if isinstance(table, Table) and table.thought else None
        return table, thought, self._helper.compiling

    def _turned(self, table: Table, turn: Callable[[Table], Table]) -> Table:
        with self._history.turn:
            now = self._shelf.find(table.id) or self._kept(table.id)
            if not isinstance(now, Table):
                raise MissingTrouble("no-table")
            later = still_helped(turn(now), now)
            self._shelf.swap(now, later)
            return later

    def _keep(self, table: Table) -> Table:
        """Keep a new table. Raises what is wrong with its position before anything is kept."""
        table = whole(table)
        with self._history.turn:
            self._shelf.put(table)
            self._history.opened(table)
        return table

    def _change(self, table: _K, change: Callable[[_K], _K], look: str = "", kind: str = "shown") -> _K:
        """Keep what a change makes of the newest state of a table: nothing done meanwhile is lost. kind: what the
        change is called where games are kept. Raises what is wrong with the position then, ChangedTrouble where the
        change rests on another look than the newest, and MissingTrouble."""
        while True:
            now = self._shelf.find(table.id) or self._kept(table.id)
            if not isinstance(now, type(table)):
                raise MissingTrouble("no-table")
            if look and isinstance(now, Table) and look != str(now.look):
                raise ChangedTrouble("table-changed")
            later = change(now)
            if isinstance(now, Table) and isinstance(later, Table):
                later = asked_again(now, whole(later))
            with self._history.turn:
                if self._shelf.swap(now, later):
                    if isinstance(now, Table) and isinstance(later, Table):
                        self._history.changed(now, later, kind)
                    return later

    def open_picture(
        self,
        picture: bytes,
        name: str,
        game_id: str,
        language: Language,
        stage: Stage = "play",
        way: Way = "play",
        corners: Corners | None = None,
    ) -> Table:
        """Read a picture and lay it on the desk, for a game or for one of those that fit, to be asked about."""
        chosen = game_laid(GAMES.get(game_id), corners)
        with self._readings.picture():
            reading = first_reading(self._eyes, picture, chosen, language, corners)
        game = chosen or plain_game(str(reading.layout))
        jpeg = upright_jpeg(picture)
        table = Table(new_id(), name, game, reading=reading, picture=jpeg, stage=stage, way=way)
        return self._opened(table, chosen)

    def _opened(self, table: Table, chosen: Game | None) -> Table:
        """Keep a new table: as the game chosen, or as the likeliest, to be asked about where others are as likely."""
        found = table.recognised()
        return self._keep(replace(replace(table, fits=found.fits) if chosen else found, look=next(self._looks)))

    def open_spread(self, picture: bytes, name: str, language: Language) -> Spread:
        """Read a picture of cards without a layout and lay it on the desk."""
        with self._readings.picture():
            reading = self._eyes.read(picture, layout=None)
        if not reading.cards:
            raise unreadable("no-cards", language)
        spread = Spread(new_id(), name, reading, upright_jpeg(picture))
        self._shelf.put(spread)
        return spread

    def change(self, kept: _K, change: Callable[[_K], _K], kind: str = "shown") -> _K:
        """Change what a person alone says: of the cards of a spread, of sums practised at a table, or of its score."""
        return self._change(kept, change, kind=kind)

    def open_text(self, text: str, game_id: str, language: Language, rules: Mapping[str, str] | None = None) -> Table:
        """Lay a position given as a text on the desk; of a game named, under the house rules among `rules`."""
        position = any_from_json(parse_positions(text, language)[0])
        chosen = laid_as(under_rules(game_id, rules or {}), layouts_of(position)) if game_id in GAMES else None
        game = chosen or plain_game(layout_of(position))
        if chosen:
            check_fits(position, chosen)
        return self._opened(Table(new_id(), "", game, text=position), chosen)

    def next_picture(
        self, table: Table, picture: bytes, name: str, language: Language, corners: Corners | None = None
    ) -> Table:
        """The picture after some moves: the table goes on from the one before, about which no more is thought."""
        if table.thought is not None:
            table.thought.stop()
        with self._readings.picture(table.id):
            reading = read_in_play(self._eyes, picture, table, language, corners)
        return self._change(table, self._follower(reading, picture, name), kind="picture")

    def _follower(self, reading: TableReading, picture: bytes, name: str) -> Callable[[Table], Table]:
        """Takes a table on to its next look; what is slow about that is done already."""
        look = Look(next(self._looks), name, reading, upright_jpeg(picture))
        return lambda now: followed(now, look)

    def look_into(self, frame: bytes, table: Table | None, layout: str = AUTO) -> Insight:
        """What a frame tells while none can be read. Raises BusyTrouble."""
        with self._readings.frame(table.id if table else ""):
            insight = looked_into(self._eyes, frame, table, layout)
        if table is not None:
            self.watching.looked_into(table.id, insight.advice, bare=insight.is_bare)
        return insight

    def watched(self, table: Table, picture: bytes, name: str, language: Language) -> Table:
        """The table after the camera saw that it changed; the one kept where it shows the same cards.

        Of a look at which something is in the way nothing is taken; while it is open what happened the next still frame
        is read as well. Raises BusyTrouble where there is no room for a frame; it counts as not seen then; and as
        ``read_frame``.
        """
        with self._readings.frame(table.id):
            reading = read_frame(self._eyes, self.watching, (table, picture), language)
        follow, looks = self._follower(reading, picture, name), [table]

        def seen(now: Table) -> Table:
            looks.append(follow(now))
            return looks[-1] if looks[-1].has_news(now) else now

        found = self._change(table, seen, kind="watched")
        self.watching.read(table.id, reading, hidden=looks[-1].is_hidden, again=found.wants_look)
        return found

    def settle(self, table: Table, place: str, code: str, look: str = "", how: How = "") -> Table:
        """Take a person's word for what lies at a place, or `how` beside it; an empty code trusts the picture again.
        Said at the look before the newest it holds for that one, and for the newest as far as such words last."""

        def said(now: Table) -> Table:
            before = now.before
            if not look or look == str(now.look):
                return settled(now, place, code, how)
            if before is None or look != str(before.look):
                raise ChangedTrouble("table-changed")
            before = settled(before, place, code, how)
            word = {place: before.pins[place]} if place in before.pins else {}
            lasting = lasting_pins(word, before.reading, now.reading) if now.reading else {}
            return now.changed(before=before, pins={**lasting, **now.pins})

        return self._change(table, said, kind="settled")

    def choose_game(self, table: Table, game_id: str, rules: Mapping[str, str]) -> Table:
        """Play the table as another game, or under other house rules: those named, as far as the game has not got them
        itself. Raises RuleError where they do not go with it."""
        game = under_rules(game_id, rules)

        def played(now: Table) -> Table:
            chosen = laid_as(game, now.layouts())
            passes = chosen.options.passes if chosen.family == "pyramid" else None
            number = now.pass_number if passes is None or (now.pass_number or 1) <= passes else None
            return now.changed(asked=(), pass_number=number).as_game(chosen)

        return self._change(table, played, kind="game")

    def tell_piles(self, table: Table, stock: str, number: str, look: str = "") -> Table:
        """Note what a picture cannot show: cards in the stock and the pass; an empty text is not known."""

        def told(now: Table) -> Table:
            options = now.game.options
            most = options.passes or MOST_PASSES
            return now.changed(
                stock_count=count_of(stock, 0, options.stock_size), pass_number=count_of(number, 1, most)
            )

        return self._change(table, told, look, "told")

    def point(self, table: Table, at: Mapping[str, Point] | Corners, look: str = "") -> Table:
        """Read the last picture where a person points at: the piles, on later pictures too, or the outer cards of the
        layout. Raises as ``read_as_pointed`` and ``read_anew``."""
        if look and look != str(table.look):
            raise ChangedTrouble("table-changed")
        with self._readings.picture(table.id):
            if isinstance(at, Corners):
                reading, changed = read_anew(self._eyes, table, at), laid_anew
            else:
                reading, changed = read_as_pointed(self._eyes, table, at), pointed
        return self._change(table, lambda now: changed(now, reading), str(table.look), "pointed")

    def tell_choices(self, table: Table, direction: str, turned: str, look: str = "") -> Table:
        """Note in which direction the foundations of a row game are built, and whether its columns have been reversed
        by now (yes or no); an empty text is not known."""
        way = next((way for way in DIRECTIONS if way == direction), None)
        told = {"yes": True, "no": False}.get(turned)
        return self._change(table, lambda now: directed(replace(now, reversed=told), way), look, "told")

    def choose_stage(self, table: Table, stage: Stage) -> Table:
        """Check the table as a fresh deal, or as a game under way."""
        return self._change(table, lambda now: now.changed(stage=stage), kind="stage")

    def hint(self, table: Table, step: int | None, move: str, language: Language) -> Table:
        """Show a step of a hint, None for the one that is wanted by then, of the best move or of one chosen by its key.
        Each state of the table is thought about once: the first answer is waited for, better ones come by and by.
        Raises UnreadableTrouble where cards lie there twice or are of another deck."""
        if table.thought is None and step != 0:
            refuse_impossible(table.position(), table.game, language)
            self._helper.wait()
            with self._helper.turn:
                self._change(table, self._helper.thought_about)
        return self._history.hinted(self._change(table, lambda now: helped(now, step, move)))

    def allow(self, table: Table, look: str = "") -> Table:
        """Go on from what the picture shows: a house rule allows what was called a breach."""
        return self._change(table, lambda now: now.changed(allowed=True), look, "allowed")

    def answer(self, table: Table, option: str, look: str = "") -> Table:
        """Take a person's word for what happened: the number of one of the ways the page offers, from 0, `misread` or
        `none` of them. Raises UsageTrouble where there is no such way."""

        def said(now: Table) -> Table:
            if option == MISREAD or (option == NONE and now.ways()):
                return now.changed(answer=option)
            ways = now.ways()
            if not option.isdecimal() or int(option) >= len(ways):
                raise UsageTrouble("place", place=option[:MOST_QUOTED])
            return now.changed(answer=story_key(ways[int(option)]))

        return self._change(table, said, look, "answered")

    def change_text(self, table: Table, text: str, language: Language) -> Table:
        """Go on from a position text instead of the picture."""
        position = any_from_json(parse_positions(text, language)[0])

        def changed(now: Table) -> Table:
            game = laid_as(now.game, layouts_of(position))
            if not now.asked:
                check_fits(position, game)
            fresh = Table(now.id, now.name, game, text=position, look=next(self._looks))
            fresh = replace(fresh, stage=now.stage, allowed=now.allowed, fits=now.fits, asked=now.asked, way=now.way)
            return still_helped(fresh, now)

        return self._change(table, changed, kind="text")

    def put_back(self, table: Table, look: str = "") -> Table:
        """The table before the last picture, or before a rule was broken: for a move that was taken back, or another
        table."""

        def back(now: Table) -> Table:
            before = now.before
            while now.is_broken and before is not None and before.is_broken:
                before = before.before
            if before is None:
                return now
            story = before.story if before.before else None
            return still_helped(before.changed(pins=before.settled, hindsight={}, story=story), now)

        return self._change(table, back, look, "back")

    def begin_anew(self, table: Table, look: str = "") -> Table:
        """Go on with what the picture shows as a game of its own."""
        return self._change(table, lambda now: now.changed(before=None, story=None, belief=None), look, "anew")
