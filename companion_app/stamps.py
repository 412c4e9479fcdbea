"""Stamps by which a page, or a question, knows whether what it shows is what there is."""

from zlib import crc32


def stamp_of(content: bytes) -> str:
    """Tells contents apart."""
    return f"{crc32(content):08x}"
