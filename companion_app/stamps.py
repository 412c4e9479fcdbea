"""Stamps by which a page, or a question, knows whether what it shows is what there is; and names of tables."""

import secrets
from zlib import crc32


def stamp_of(content: bytes) -> str:
    """Tells contents apart."""
    return f"{crc32(content):08x}"


def new_id() -> str:
    """The name of a new table or match, twelve characters; none begins with a dash, which a command takes for an option
    of its own."""
    while (made := secrets.token_urlsafe(9)).startswith("-"):
        pass
    return made
