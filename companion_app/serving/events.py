"""What the server tells a page that is open: that something it shows has changed."""

import asyncio
from collections.abc import AsyncIterator, Callable

from fastapi.sse import ServerSentEvent

LOOK_SECONDS = 0.15
"""So often it is looked whether a page on show is still the newest: who waits does not feel that."""


async def told(sight: Callable[[], tuple[object, ...]], admitted: Callable[[], bool]) -> AsyncIterator[ServerSentEvent]:
    """An event at once, and one each time that what a page follows from is, part by part, not the same any more. To who
    is not `admitted` any more there is a last one: what is asked for then is refused with a word."""
    seen: tuple[object, ...] = ()
    while admitted():
        now = sight()
        if len(now) != len(seen) or any(one is not other for one, other in zip(now, seen, strict=True)):
            yield ServerSentEvent(raw_data="changed")
            seen = now
        await asyncio.sleep(LOOK_SECONDS)
    yield ServerSentEvent(raw_data="changed")
