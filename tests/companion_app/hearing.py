"""A page as a screen reader is given it: the browser's accessibility tree, and the keyboard. No element is looked up by
anything else than its role and its name."""

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Page

PATIENCE = 60.0
PAUSE_MILLISECONDS = 30
REGIONS = ("form", "region", "group", "dialog", "navigation")
"""What is told on the way to a control."""
CONTROLS = ("button", "link", "combobox", "textbox", "checkbox", "radio", "slider", "spinbutton", "gridcell", "option")
CONTROLS_TOO = ("DisclosureTriangle", "DisclosureTriangleGrouped", "searchbox", "switch", "menuitem", "tab")
LISTEN = """
window.heard = [];
new MutationObserver((changes) => {
    const elements = changes.map(({ target }) => target.closest ? target : target.parentElement);
    for (const live of new Set(elements.map((each) => each?.closest("[role=status], [role=alert]")))) {
        if (live?.textContent.trim()) window.heard.push([live.getAttribute("role"), live.textContent]);
    }
}).observe(document, { subtree: true, childList: true, characterData: true });
"""


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
    """Hears what is loaded in a page of a browser from now on."""

    def __init__(self, page: Page) -> None:
        page.add_init_script(LISTEN)
        self._page = page
        self._session = page.context.new_cdp_session(page)
        self._heard: list[tuple[str, str]] = []

    def tree(self) -> Iterator[Told]:
        """Everything that is told of the page, in the order in which it is read."""
        nodes = self._session.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}
        yield from _all_told(nodes[0], by_id, ())

    def here(self) -> Told:
        """What has the focus, and what it stands in; the page itself where nothing has."""
        found = self._session.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]
        near = self._session.send("Accessibility.getPartialAXTree", {"objectId": found["objectId"]})["nodes"]
        (here, *_), by_id = near, {node["nodeId"]: node for node in near}
        around: list[str] = []
        above = by_id.get(here.get("parentId", ""))
        while above:
            around = [*_around(above), *around]
            above = by_id.get(above.get("parentId", ""))
        return _told(here, tuple(around))

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
        """Wait until a live region says words; all that it says with them. What was said before them is past then."""

        def found() -> str:
            # Nothing is said in between two pages.
            with suppress(Error):
                self._heard += self._page.evaluate("window.heard.splice(0)")
            for number, (by, text) in enumerate(self._heard):
                if by == kind and re.search(words, text):
                    del self._heard[: number + 1]
                    return text
            return ""

        return str(self._soon(found, f"{words}, {kind}"))

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
            assert time.monotonic() < until, f"not heard: {what}; but {self._heard}; at {self.here()}"
            self._page.wait_for_timeout(PAUSE_MILLISECONDS)
        return found


def _told(node: dict[str, Any], around: tuple[str, ...]) -> Told:
    role, name, description = (node.get(each, {}).get("value", "") for each in ("role", "name", "description"))
    return Told(role, name, description, _states(node), around, node.get("backendDOMNodeId", 0))


def _states(node: dict[str, Any]) -> dict[str, Any]:
    return {each["name"]: each["value"].get("value") for each in node.get("properties", ())}


def _around(node: dict[str, Any]) -> list[str]:
    """What is told on the way into an element."""
    role, name = (node.get(each, {}).get("value", "") for each in ("role", "name"))
    return [name] if role in REGIONS and name and not node.get("ignored") else []


def _all_told(node: dict[str, Any], by_id: dict[str, dict[str, Any]], around: tuple[str, ...]) -> Iterator[Told]:
    if not node.get("ignored"):
        yield _told(node, around)
        live = _states(node).get("live")
        around = (f"live {live}", *around) if live in ("polite", "assertive") else (*around, *_around(node))
    for child in node.get("childIds", ()):
        if child in by_id:
            yield from _all_told(by_id[child], by_id, around)
