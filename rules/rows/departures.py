"""Compiled: what can be done for good from the arrangements of a component.

A dealt card leaves its place (LEAVE), a card is put into the locked cellar (PUT), or it becomes a base (BASE).
"""

from __future__ import annotations

from typing import Final

from rules.compiled import compiled
from rules.rows.components import (
    COUNT,
    FIRST,
    LEAST,
    NO_ROOM,
    OPTION_COUNT,
    OPTION_FIRST,
    OPTIONS_USED,
    REP,
    find_component,
)
from rules.rows.suits import (
    ANCHOR,
    BOTTOM,
    CELLAR,
    DONE,
    IN_CELLAR,
    RANKS,
    Array,
    count_of,
    exposed_cards,
    landings,
    targets_of,
    with_field,
)

# Kinds of what is done for good.
LEAVE: Final = 0
PUT: Final = 1
BASE: Final = 2

# Places in a row of ``options`` (int64).
WHAT: Final = 0  # kind << 8 | rank of the card
BEFORE: Final = 1  # the arrangement in which it is done
AFTER: Final = 2  # the arrangement right after it
REACHED: Final = 3  # the member that stands for the component reached
REPEATED: Final = 4  # 1 where an option before it does the same and reaches the same
OPTION_SIZE: Final = 5


@compiled
def list_options(
    record: int,
    suit: int,
    cap: int,
    cellar: int,
    rules: Array,
    closed: Array,
    keys: Array,
    values: Array,
    records: Array,
    members: Array,
    options: Array,
    kids: Array,
    kids_after: Array,
    tally: Array,
) -> int:
    """Works out what can be done for good from a component; 0, or NO_ROOM.

    Options that reach one component are listed once, but where they take room away, for then how it is done matters."""
    ranks = rules[RANKS]
    first = tally[OPTIONS_USED]
    end = first
    for at in range(records[record, FIRST], records[record, FIRST] + records[record, COUNT]):
        code = members[at]
        exposed = exposed_cards(code, ranks)
        targets = targets_of(code, exposed, closed[suit], ranks)
        bottoms = count_of(code, BOTTOM, ranks)
        no_cellar = count_of(code, IN_CELLAR, ranks) == 0
        based = count_of(code, DONE, ranks) > 0
        for rank in range(ranks):
            field = (code >> (3 * rank)) & 7
            playable = (exposed >> rank) & 1 == 1 or (field == IN_CELLAR and cellar == 1)
            if not playable:
                continue
            size = 0
            if field == ANCHOR:
                size = landings(code, rank, targets, bottoms, cap, cellar == 1 and no_cellar, rules, kids, 0)
            leaving = size
            if rules[CELLAR] == 1 and cellar == 0 and no_cellar:
                kids[size] = with_field(code, rank, IN_CELLAR)
                size += 1
            putting = size
            if not based:
                kids[size] = with_field(code, rank, DONE)
                size += 1
            for i in range(size):
                kind = LEAVE if i < leaving else PUT if i < putting else BASE
                what = (kind << 8) | rank
                if end >= options.shape[0]:
                    return NO_ROOM
                reached = find_component(
                    suit, kids[i], cap, cellar, rules, closed, keys, values, records, members, kids_after, tally
                )
                if reached < 0:
                    return NO_ROOM
                rep = records[reached, REP]
                known = False
                for j in range(first, end):
                    if options[j, WHAT] == what and options[j, REACHED] == rep:
                        known = True
                        break
                if not known or records[reached, LEAST] > records[record, LEAST]:
                    options[end, WHAT] = what
                    options[end, BEFORE] = code
                    options[end, AFTER] = kids[i]
                    options[end, REACHED] = rep
                    options[end, REPEATED] = known
                    end += 1
    tally[OPTIONS_USED] = end
    records[record, OPTION_FIRST] = first
    records[record, OPTION_COUNT] = end - first
    return 0
