"""A page as a screen reader is given it: the browser's accessibility tree, and the keyboard. No element is looked up by
anything else than its role and its name."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

PATIENCE = 60.0
PAUSE_MILLISECONDS = 30
REGIONS = ("form", "region", "group", "dialog", "navigation")
"""What is told on the way to a control."""
CONTROLS = ("button", "link", "combobox", "textbox", "checkbox", "radio", "slider", "spinbutton", "gridcell", "option")
CONTROLS_TOO = ("DisclosureTriangle", "DisclosureTriangleGrouped", "searchbox", "switch", "menuitem", "tab")


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of one element. ``around``: the names of what it stands in, from the outside; ``node``: tells
    elements apart for as long as they are in the page."""

    role: str
    name: str
    description: str = ""
    states: dict[str, Any] = field(default_factory=dict)
    around: tuple[str, ...] = ()
    node: int = 0


class Ears:
    """Hears a page in a browser."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)

    def tree(self) -> Iterator[Told]:
        """Everything that is told of the page, in the order in which it is read."""
        nodes = self._session.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}
        yield from _told(nodes[0], by_id, ())

    def here(self) -> Told:
        """What has the focus; the page itself where nothing has."""
        focused = [told for told in self.tree() if told.states.get("focused")]
        return focused[-1] if focused else Told("", "")

    def go(self, role: str, name: str, key: str = "Tab", limit: int = 90) -> Told:
        """Press a key until something of a role has the focus whose name begins so."""
        for _ in range(limit):
            now = self.here()
            if now.role == role and now.name.startswith(name):
                return now
            self._page.keyboard.press(key)
        raise AssertionError(f"{key} does not lead to the {role} {name!r}; it ends at {self.here()}")

    def press(self, *keys: str) -> Told:
        """Press keys; what has the focus then."""
        for key in keys:
            self._page.keyboard.press(key)
        return self.here()

    def choose(self, role: str, name: str, file: Path) -> None:
        """Go to a button for files and choose one; the list that it shows is no part of the page."""
        node = self.go(role, name).node
        self._session.send("DOM.setFileInputFiles", {"files": [str(file)], "backendNodeId": node})

    def said(self, kind: str = "status") -> str:
        """What a live region holds now: ``status``, or ``alert`` for what interrupts."""
        lives = {"status": "polite", "alert": "assertive"}
        inside = [told for told in self.tree() if told.around and told.around[0] == f"live {lives[kind]}"]
        return " ".join(told.name for told in inside if told.role == "StaticText")

    def hears(self, words: str, kind: str = "status") -> str:
        """Wait until a live region says words; all that it says then."""
        return self._soon(lambda: text if re.search(words, text := self.said(kind)) else "", f"{words}, {kind}")

    def arrives(self, role: str, name: str, **states: str) -> Told:
        """Wait until something of a role and in some states has the focus whose name begins so."""

        def found() -> Told | None:
            now = self.here()
            is_it = now.role == role and now.name.startswith(name) and states.items() <= now.states.items()
            return now if is_it else None

        return self._soon(found, f"{role} {name} {states}")

    def _soon(self, look: Any, what: str) -> Any:
        until = time.monotonic() + PATIENCE
        while not (found := look()):
            assert time.monotonic() < until, f"not heard: {what}; but {self.said()!r}, {self.said('alert')!r}; at {self.here()}"
            self._page.wait_for_timeout(PAUSE_MILLISECONDS)
        return found


def _told(node: dict[str, Any], by_id: dict[str, dict[str, Any]], around: tuple[str, ...]) -> Iterator[Told]:
    role, name = node.get("role", {}).get("value", ""), node.get("name", {}).get("value", "")
    states = {each["name"]: each["value"].get("value") for each in node.get("properties", ())}
    if not node.get("ignored"):
        yield Told(role, name, node.get("description", {}).get("value", ""), states, around, node.get("backendDOMNodeId", 0))
        if states.get("live") in ("polite", "assertive"):
            around = (f"live {states['live']}", *around)
        elif role in REGIONS and name:
            around = (*around, name)
    for child in node.get("childIds", ()):
        if child in by_id:
            yield from _told(by_id[child], by_id, around)
