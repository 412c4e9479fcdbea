"""Folders named where a picture could be: every picture in them, by name."""

from collections.abc import Iterable
from pathlib import Path

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif", ".gif", ".bmp", ".tif", ".tiff")
"""How names of pictures end, of those too that are then told to be of another format."""


def with_folders(names: Iterable[str], *, recursive: bool = False) -> list[str]:
    """The names with every folder replaced by the pictures in it, sorted by name, with `recursive` those in its folders
    too. A folder without any stays: it cannot be read, and that is told. Hidden files are left out."""
    return [found for name in names for found in (_pictures_in(name, recursive=recursive) or [name])]


def _pictures_in(name: str, *, recursive: bool) -> list[str]:
    folder = Path(name)
    try:
        if not folder.is_dir():
            return []
        found = folder.rglob("*") if recursive else folder.iterdir()
        return sorted(str(path) for path in found if _is_picture(path.relative_to(folder), path))
    except (OSError, ValueError):  # what cannot be listed, or be a name at all, is told when it is read
        return []


def _is_picture(inside: Path, path: Path) -> bool:
    hidden = any(part.startswith(".") for part in inside.parts)
    return not hidden and path.suffix.lower() in PICTURES and path.is_file()
