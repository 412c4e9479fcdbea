"""The keys of messages as the program asks for them: those that are written out in it, and those it puts together.

A key that is put together, such as `f"fault.{kind}"`, stands for a family with the pattern `fault.*`; FAMILIES tells
what the star can be, from where the program has it.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_args

import typer
from jinja2 import Environment, nodes

from companion_app.camera.watcher import Noticed
from companion_app.cli import app
from companion_app.commands.follow import TOLD
from companion_app.commands.models import REASONS
from companion_app.languages import SEEN, SYSTEM_REASONS, catalogue, language
from companion_app.library.outcomes import Ending
from companion_app.library.store import CODE_OF_WORD, OTHER_CODE
from companion_app.settings import WRONG, Settings
from companion_app.tables.pointed_corners import USUAL
from companion_app.tables.table import LAST_STEP, WAYS
from companion_app.tables.trying import Unsure
from companion_app.terminal.play_session import WORDS as PLAY_WORDS
from companion_app.views.counting_view import STATES
from companion_app.views.library_view import WHICH
from companion_app.views.samples import SHOWN
from companion_app.views.statistics_view import BEST
from rules.cards import Card, Rank, Suit
from rules.catalogue import GAMES
from rules.family import Outcome, Verdict
from rules.fault import FaultKind
from rules.hint_parts import Certainty
from rules.layouts import PILES
from rules.options import OPTION_VALUES
from rules.pyramid.moves import MOVE_KINDS
from rules.review import DealVerdict
from rules.rows.moves import DIRECTIONS, ROW_MOVE_KINDS
from rules.rows.options import ROW_OPTION_VALUES, BasesRule
from rules.rows.places import CELLAR, SIDES
from rules.scoring import SCHEMES, points
from rules.story import TableChange
from vision.errors import MESSAGES

ROOT = Path(__file__).parent.parent.parent
KEY = re.compile(r"[a-z][a-z-]*(\.[\w*-]+)+")
WORD = re.compile(r"[A-Za-z_]\w*(-\w+)*")
FILES = (".html", ".js", ".css", ".svg", ".jpg", ".sqlite3", ".toml", ".zip", ".json")
ERRORS: Mapping[str, int] = {
    "UnknownGameError": 1, "RuleError": 1, "CardError": 1, "PositionError": 1, "NotNotedError": 1, "_told": 2,
    "PictureError": 0, "ProfileError": 0, "unreadable": 0, "_no_position": 0, "_check_number": 3,
}  # fmt: skip
"""By whom an error is made: which of its arguments is the code."""
SAYING = ("say", "count")
TROUBLE = "Trouble"
"""The end of the names of those that have a code first, and a message only where that is said already."""

LEFT = {f"left.{part}" for part in ("pyramid", "stock", "waste", "turned", "rows", "columns", CELLAR, "centre")}
"""Where cards that count as left lie, in either family; a test scores every game, and finds no other."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A key, or the pattern of a family, where it stands, and what it is given there if that can be told; `by`: `say`
    or `count`, where it is said at once."""

    key: str
    where: str
    by: str = ""
    fields: frozenset[str] | None = None


def program_files(*rooms: str) -> Iterator[Path]:
    for room in rooms:
        yield from sorted((ROOT / room).rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def words(node: ast.AST) -> set[str]:
    """The words that an expression can be, as far as they are written out in it."""
    if isinstance(node, ast.IfExp):
        return words(node.body) | words(node.orelse)
    text = node.value if isinstance(node, ast.Constant) else None
    return {text} if isinstance(text, str) and WORD.fullmatch(text) else set()


def words_given(names: Mapping[str, int], *rooms: str) -> set[str]:
    """The words given to calls of some names, each as a certain argument."""
    found = set()
    for node in (node for path in program_files(*rooms) for node in ast.walk(tree_of(path))):
        name = name_of(node)
        if isinstance(node, ast.Call) and name in names and len(node.args) > names[name]:
            found |= words(node.args[names[name]])
    return found


def words_in(file: str, function: str) -> set[str]:
    """The words that a function returns, as far as they are written out in it."""
    defined = (node for node in ast.walk(tree_of(ROOT / file)) if isinstance(node, ast.FunctionDef))
    (found,) = (node for node in defined if node.name == function)
    returned = (node for node in ast.walk(found) if isinstance(node, ast.Return) and node.value)
    return {word for node in returned for word in words(node.value or node)}


def codes_of_troubles() -> set[str]:
    """The codes of troubles whose message is looked up by the code."""
    calls = (node for path in program_files("companion_app") for node in ast.walk(tree_of(path)))
    raised = [node for node in calls if isinstance(node, ast.Call) and name_of(node).endswith(TROUBLE)]
    return {word for node in raised if len(node.args) == 1 for word in words(node.args[0])}


def name_of(node: ast.AST) -> str:
    called = node.func if isinstance(node, ast.Call) else None
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""


def values_in_words() -> set[str]:
    """The values of options that are no numbers."""
    values = {value for options in (OPTION_VALUES, ROW_OPTION_VALUES) for told in options.values() for value in told}
    return {value for value in values if not value.isdecimal()}


def help_texts() -> set[str]:
    """Every text of help, as it is written down in English."""
    texts: set[str] = set()
    waiting: list[Any] = [typer.main.get_command(app)]
    while waiting:
        command = waiting.pop()
        waiting += getattr(command, "commands", {}).values()
        shown = command.get_params(command.make_context("cardtable", [], resilient_parsing=True))
        texts |= {" ".join(each.help.split()) for each in (command, *shown) if each.help}
    return texts


def help_names() -> set[str]:
    """The names of the messages whose English is a text of help."""
    texts = help_texts()
    return {key.removeprefix("help.") for key, said in language("en").messages.items() if said in texts}


FAMILIES: Mapping[str, set[str]] = {
    "suit.*": {suit.value for suit in Suit},
    "rank.*": {name for rank in Rank if not (name := str(Card(rank, Suit.SPADES))[:-1]).isdecimal()},
    "seen.*": set(SEEN.values()),
    "place.*": {CELLAR, *PILES, *SIDES},
    "place.*-column": set(SIDES),
    "area.*": set(SIDES),
    "area.*-column": set(SIDES),
    "move.*": {str(kind) for kind in (*MOVE_KINDS, *ROW_MOVE_KINDS) if kind != "direction"},
    "rows.*": set(DIRECTIONS),
    "rows.bases-*": set(get_args(BasesRule)),
    "fault.*": set(get_args(FaultKind)),
    "breach.*": words_given({"Violation": 0}, "rules"),
    "advice.*": words_given({"Advice": 0}, "vision"),
    "reason.*": words_given({"Reason": 0}, "rules"),
    "certainty.*": set(get_args(Certainty)),
    "verdict.*": set(get_args(Verdict)),
    "review.*": set(get_args(DealVerdict)),
    "score.*": {"cards-off", "cards-all", *SCHEMES} - {"par"},
    "score.part.*.*": {f"points.{name}" for name, _ in points((), GAMES["relaxed-pyramid"]).parts} | LEFT,
    "anew.*": set(get_args(TableChange)) - {"same"},
    "follow.*": set(TOLD),
    "watch.*": set(get_args(Noticed)),
    "option.*": {*OPTION_VALUES, *ROW_OPTION_VALUES},
    "value.*": values_in_words(),
    "settings.*": words_in("companion_app/settings.py", "source"),
    "error.*": words_given(ERRORS, "rules", "vision", "companion_app")
    | codes_of_troubles()
    | {*MESSAGES, *CODE_OF_WORD.values(), OTHER_CODE},
    "hint.side.*": words_in("companion_app/languages/phrases.py", "_third"),
    "hint.step.*": {str(step) for step in range(LAST_STEP + 1)},
    "pointing.*": {"across", "down"},
    "way.*": set(WAYS),
    "way.*.how": set(WAYS),
    "sample.*": set(SHOWN),
    "change.*": {"undo", "redo"},
    "play.nothing-to-*": {"undo", "redo"},
    "play.word.*": set(PLAY_WORDS),
    "play.help.*": set(PLAY_WORDS),
    "play.where.*": {"in-play", "covered", "stock", "waste", "gone", "unseen"},
    "corners.*.*": {f"{kind}.{number}" for kind, at in USUAL.items() for number in range(1, len(at) + 1)},
    "counting.*": {*STATES, "face-down", "unread", "stock", "missing", "elsewhere"},
    "ending.*": set(get_args(Ending)),
    "keys.*": set("hgrsuynw"),
    "library.score.*": {*SCHEMES} - {"cards-left"},
    "library.which.*": set(WHICH),
    "match.why.*": words_in("companion_app/library/matches.py", "enter")
    | words_in("companion_app/library/matches.py", "why_not") - {"par-deal"},
    "replay.*": {"first", "back", "next", "last", "told", "later", "corrected"},
    "replay.how.*": {"allowed", "anew", "answered", "back", "game", "open", "picture", "settled", "told", "undone"},
    "stats.*": {
        *("all", "unassisted", "assisted", "games", "won", "lost", "left", "win", "streak", "longest", "mean-left"),
        *("begun-in-the-middle", "in-doubt", "in-play", *(f"best.{scheme}" for scheme in BEST)),
    },
    "sheet.*": {"goal", "laying", "playing", "ending", "scoring"},
    "sheet.source.*": {game.source.split(",")[0] for game in GAMES.values() if "(" not in game.source},
    "sheet.passes.*": {"unlimited", "one", "several"},
    **{f"sheet.{name}.*": set(OPTION_VALUES[name]) for name in ("goal", "face", "draw", "turned", "turn_when")},
    "sheet.won.*": set(OPTION_VALUES["goal"]),
    "sheet.score.left.*": set(OPTION_VALUES["goal"]),
    "sheet.rows.laid.*": {game.layout for game in GAMES.values() if game.family == "rows"},
    "sheet.rows.bases.*": set(get_args(BasesRule)) - {"rank"},
    "sheet.rows.direction.*": set(ROW_OPTION_VALUES["direction_chosen"]),
    "stats.how.*": {"counted", "ended", "help", "interval", "best"},
    "tried.*": {breach for breach in words_given({"Violation": 0}, "rules") if f"tried.{breach}" in language("en")},
    "help.*": help_names(),
    "setting.*": set(Settings.model_fields),
    "settings.wrong.*": set(WRONG),
    "models.why.*": {reason.replace(" ", "-") for reason in REASONS},
    "system.*": set(SYSTEM_REASONS),
    "try.*": ({*get_args(Unsure), *get_args(Outcome)} - {"", "open"}),
}


@cache
def known_starts() -> frozenset[str]:
    """What the keys of the catalogue begin with."""
    return frozenset(str(message.context).partition(".")[0] for message in catalogue("en") if message.context)


def is_key(text: str) -> bool:
    """Whether a text of the program is a key, or the pattern of a family."""
    return bool(KEY.fullmatch(text)) and text.partition(".")[0] in known_starts() and not text.endswith(FILES)


def asked_in_python() -> Iterator[Asked]:
    """The keys in the modules of the program."""
    for path in program_files("companion_app"):
        where = str(path.relative_to(ROOT))
        inner = {part for node in ast.walk(tree_of(path)) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree_of(path)):
            if node not in inner and is_key(text := _python_text(node)):
                yield Asked(text, f"{where}:{getattr(node, 'lineno', 0)}")
            if isinstance(node, ast.Call) and name_of(node) in SAYING and node.args:
                names = [each.arg for each in node.keywords]
                fields = None if None in names else frozenset(name for name in names if name)
                yield Asked(_python_text(node.args[0]), f"{where}:{node.lineno}", name_of(node), fields)


def _python_text(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else "*"
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_python_text, node.values))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _python_text(node.left) + _python_text(node.right)
    return "*"


def asked_in_templates() -> Iterator[Asked]:
    """The keys in the templates of the page."""
    for path in sorted((ROOT / "companion_app/web/templates").glob("*.html")):
        tree = Environment(autoescape=True).parse(path.read_text(encoding="utf-8"))
        for node in tree.find_all((nodes.Const, nodes.Concat)):
            if is_key(text := _template_text(node)):
                yield Asked(text, f"{path.name}:{node.lineno}")
        for call in tree.find_all(nodes.Call):
            name = getattr(call.node, "name", "") or getattr(call.node, "attr", "")
            if name in SAYING:
                fields = frozenset(str(each.key) for each in call.kwargs)
                yield Asked(_template_text(call.args[0]), f"{path.name}:{call.lineno}", name, fields)


def _template_text(node: nodes.Node) -> str:
    if isinstance(node, nodes.Const):
        return node.value if isinstance(node.value, str) else "*"
    return "".join(map(_template_text, node.nodes)) if isinstance(node, nodes.Concat) else "*"


@cache
def asked() -> tuple[Asked, ...]:
    """Every key and every family that the program asks for."""
    found = (*asked_in_python(), *asked_in_templates())
    return tuple(each for each in found if KEY.fullmatch(each.key))


def members(pattern: str) -> set[str]:
    """The keys of a family."""
    return {pattern.partition("*")[0] + name + pattern.rpartition("*")[2] for name in FAMILIES[pattern]}
