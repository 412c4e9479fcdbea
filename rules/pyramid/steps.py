"""The legal moves that could have been made between two looks: only such as empty places the later look shows empty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from rules.cards import Card
from rules.layouts import STOCK, TURNED, WASTE
from rules.pyramid.pairing import leaves_alone, pairs_up
from rules.pyramid.scene import HELD_TOKEN, PLACES, WASTE_TOKEN, Face, Scene, Table


@dataclass(frozen=True, slots=True)
class Step:
    """A move with tokens for cards not known; ``cards`` and ``places`` as in ``Move``."""

    kind: str
    cards: tuple[Face, ...]
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A card that could be taken: ``cell`` is its place's bit number, -1 for a pile."""

    face: Face
    place: str
    cell: int = -1


def legal_steps(scene: Scene, table: Table) -> Iterator[tuple[Step, Table]]:
    """Each legal move towards the later look, with the state after it."""
    sources = [*free_cells(scene, table, scene.target), *piles(scene, table)]
    for source in sources:
        if may_leave(scene, source.face):
            yield removal(table, source)
    for first, second in combinations(sources, 2):
        if may_pair(scene, first.face, second.face):
            yield removal(table, first, second)
    if scene.options.overlap:
        for first, second in overlapping(scene, table, scene.target):
            if may_pair(scene, first.face, second.face):
                yield removal(table, first, second)
    if scene.options.turn_when == "stuck" and something_to_remove(scene, table):
        return
    yield from turns(scene, table)
    if may_redeal(scene, table):
        yield redeal(scene, table)


def free_cells(scene: Scene, table: Table, among: int) -> list[Source]:
    """The free cards of the pyramid among those places."""
    return [
        Source(face, PLACES[cell], cell)
        for cell, face in enumerate(scene.faces)
        if among >> cell & 1 and not table.gone >> cell & 1 and not scene.covers[cell] & ~table.gone
    ]


def piles(scene: Scene, table: Table) -> list[Source]:
    """The held card and the waste top, where there is one or may be one."""
    found: list[Source] = []
    if table.turned is not None and scene.options.turned == "held":
        found.append(Source(table.turned, TURNED))
    if table.waste:
        found.append(Source(table.waste[-1], WASTE))
    elif table.below:
        found.append(Source(WASTE_TOKEN - table.dug - 1, WASTE))
    return found


def overlapping(scene: Scene, table: Table, among: int) -> Iterator[tuple[Source, Source]]:
    """Cards among those places with the single free card, also among them, that still lies on each."""
    left = among & ~table.gone
    for cell, face in enumerate(scene.faces):
        on_top = scene.covers[cell] & ~table.gone
        if left >> cell & 1 and on_top and not on_top & (on_top - 1) and on_top & left:
            upper = on_top.bit_length() - 1
            if not scene.covers[upper] & ~table.gone:
                yield Source(face, PLACES[cell], cell), Source(scene.faces[upper], PLACES[upper], upper)


def may_leave(scene: Scene, face: Face) -> bool:
    """Whether the card equals the total, or, not known, may be one that does."""
    if isinstance(face, Card):
        return leaves_alone(face, scene.options)
    return scene.pool[scene.options.total] > 0


def may_pair(scene: Scene, first: Face, second: Face) -> bool:
    """Whether two cards make the total, or may, as far as they are known."""
    options = scene.options
    if isinstance(first, Card) and isinstance(second, Card):
        return pairs_up(first, second, options)
    known = first if isinstance(first, Card) else second
    if not isinstance(known, Card):
        return True
    if known.is_joker:
        return True
    if leaves_alone(known, options):
        return False
    return scene.pool[options.total - known.worth] > 0 or scene.pool[0] > 0


def removal(table: Table, *sources: Source) -> tuple[Step, Table]:
    """The step that takes these cards away, and the state after it."""
    step = Step(
        "pair" if len(sources) == 2 else "single",
        tuple(source.face for source in sources),
        tuple(source.place for source in sources),
    )
    return step, without(table, *sources)


def without(table: Table, *sources: Source) -> Table:
    """The state with these cards taken away."""
    if any(source.place in (TURNED, WASTE) for source in sources):
        table = table._replace(played=True)
    for source in sources:
        if source.cell >= 0:
            table = table._replace(gone=table.gone | 1 << source.cell)
        elif source.place == TURNED:
            table = table._replace(turned=None)
        elif source.place == STOCK:
            table = table._replace(stock=tuple(card for card in table.stock if card != source.face))
        elif not table.waste:
            table = table._replace(dug=table.dug + 1)
        else:
            last = len(table.waste) - 1 - table.waste[::-1].index(source.face)
            table = table._replace(waste=table.waste[:last] + table.waste[last + 1 :])
    return table


def turns(scene: Scene, table: Table) -> Iterator[tuple[Step, Table]]:
    """The next cards turned; where the stock's count is not known also the last one or two of it."""
    draw = scene.options.draw
    lying = table.stock[:draw]
    if not table.more:
        if lying:
            yield _turn(scene, table, lying, 0)
        return
    fewest = max(1, len(lying)) if draw > 1 and scene.after.stock is False else draw
    for size in range(draw, fewest - 1, -1):
        unknown = tuple(-1 - table.drawn - number for number in range(size - len(lying)))
        more = table.more if not unknown else (2 if size == draw else 0)
        yield _turn(scene, table._replace(drawn=table.drawn + len(unknown)), lying + unknown, more)


def _turn(scene: Scene, table: Table, cards: tuple[Face, ...], more: int) -> tuple[Step, Table]:
    return turned(scene, table._replace(stock=table.stock[len(cards) :], more=more), cards)


def turned(scene: Scene, after: Table, cards: tuple[Face, ...]) -> tuple[Step, Table]:
    """Cards turned that the stock no longer holds, allowed or not; where there is none, a held card is laid down."""
    held = scene.options.turned == "held"
    step = Step("turn", cards, (STOCK, TURNED if held else WASTE))
    if not held:
        return step, after._replace(waste=after.waste + cards)
    return step, lay_held(after)._replace(turned=cards[-1] if cards else None)


def lay_held(table: Table) -> Table:
    """The held card laid on the waste; if it is not known whether there is one, the waste top is not known either."""
    if table.turned is None:
        return table
    if table.turned == HELD_TOKEN:
        return table._replace(turned=None, waste=(), below=True, dug=table.dug + len(table.waste) + 1)
    return table._replace(turned=None, waste=(*table.waste, table.turned))


def may_redeal(scene: Scene, table: Table) -> bool:
    """Whether the stock may be empty, something lies on the waste, and a pass is left."""
    return can_redeal(table) and pass_left(scene, table)


def can_redeal(table: Table) -> bool:
    """Whether there can be a waste to turn over and no stock."""
    return not table.stock and table.more != 1 and bool(table.waste or table.below or table.turned is not None)


def pass_left(scene: Scene, table: Table) -> bool:
    """Whether the stock may be gone through once more, as far as the pass, and whether it was idle, is known."""
    passes = scene.options.passes
    if scene.idle_ends and table.played is False:
        return False
    return passes is None or (passes > 1 and (table.number is None or table.number < passes))


def redeal(scene: Scene, table: Table) -> tuple[Step, Table]:
    """The waste turned over; of a waste not wholly known only that there is one stays known."""
    number = None if table.number is None else table.number + 1
    table = lay_held(table)
    after = table._replace(number=number, waste=(), below=False, turned=None, played=not scene.idle_ends)
    if table.below:
        return Step("redeal", (), (WASTE, STOCK)), after._replace(stock=(), more=1)
    return Step("redeal", (), (WASTE, STOCK)), after._replace(stock=table.waste, more=0)


def early_redeal(table: Table) -> tuple[Step, Table]:
    """The waste turned over before the stock was gone through; in which order they then lie is not known."""
    laid = lay_held(table)
    number = None if table.number is None else table.number + 1
    after = laid._replace(number=number, waste=(), below=False)
    step = Step("redeal", (), (WASTE, STOCK))
    if laid.below or laid.more:
        return step, after._replace(stock=(), more=1)
    count = len(laid.stock) + len(laid.waste)
    stock = tuple(-1 - laid.drawn - index for index in range(count))
    return step, after._replace(stock=stock, drawn=laid.drawn + count)


def something_to_remove(scene: Scene, table: Table) -> bool:
    """Whether a removal is certain to be possible, wherever it would be."""
    everywhere = (1 << len(scene.faces)) - 1
    free = [*free_cells(scene, table, everywhere), *piles(scene, table)]
    faces = [source.face for source in free if isinstance(source.face, Card)]
    if any(leaves_alone(face, scene.options) for face in faces):
        return True
    pairs = list(combinations(faces, 2))
    if scene.options.overlap:
        pairs += [
            (lower.face, upper.face)
            for lower, upper in overlapping(scene, table, everywhere)
            if isinstance(lower.face, Card) and isinstance(upper.face, Card)
        ]
    return any(pairs_up(first, second, scene.options) for first, second in pairs)
