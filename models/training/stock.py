"""The rolling stock of decks and table tops that one drawing process paints from."""

from __future__ import annotations

import dataclasses
import os
import pathlib

import numpy as np

from models.training import art, backs, decks, fonts, foreign, printing, scenes, surfaces, wear

LETELE = pathlib.Path(os.environ.get("CARDTABLE_LETELE", "models/training/made/letele"))


class Stock:
    """Real decks of one side of the split, and drawn ones that are replaced as scenes are drawn."""

    def __init__(
        self,
        seed: int,
        *,
        validation: bool = False,
        drawn: int = 40,
        tops: int = 60,
        folder: pathlib.Path = LETELE,
        cluttered: float = 0.0,
    ) -> None:
        """cluttered: share of scenes with things that are no cards, and half as many on boards or tiles."""
        self.rng = np.random.default_rng(seed)
        self.validation, self.drawn = validation, drawn
        names = art.VALIDATION if validation else art.TRAINING
        self.real = [art.load_gnome(name) for name in names]
        if not validation and folder.is_dir():
            self.real.append(art.load_letele(folder))
        self.panels = [panel for deck in self.real if deck.name != "simplistic" for panel in art.panels_of(deck)]
        self.pictures = [panel.picture for panel in self.panels]
        self.files = fonts.chosen(validation)
        self.real += [self._used(deck) for deck in self.real]
        self.decks = [self._deck(k) for k in range(drawn)]
        self.cluttered = cluttered
        self.tops = [self._top() for _ in range(tops)]
        self.count = 0
        self.painter = scenes.Painter([], self.tops, self.rng, files=self.files, cluttered=cluttered)

    def _top(self) -> np.ndarray:
        if self.cluttered and self.rng.random() < self.cluttered / 2:
            return surfaces.draw_floor(self.rng)
        return surfaces.draw_surface(self.rng)

    def _deck(self, number: int) -> decks.Deck:
        odd = printing.USUAL if self.validation else printing.any_oddity(self.rng)
        deck = decks.draw_deck(f"drawn-{number}", self.rng, validation=self.validation, panels=self.panels, odd=odd)
        return dataclasses.replace(deck, foreign=self._foreign())

    def _foreign(self) -> list[np.ndarray]:
        return [foreign.draw_foreign(self.rng, self.files, self.pictures) for _ in range(3)]

    def _used(self, deck: decks.Deck) -> decks.Deck:
        """A real deck after years of play, with a drawn back half of the time."""
        faces = {code: wear.worn(face, self.rng, float(self.rng.uniform(0.2, 1))) for code, face in deck.faces.items()}
        made = deck.backs if self.rng.random() < 0.5 else [backs.draw_back(self.rng, self.pictures)]
        return dataclasses.replace(deck, faces=faces, backs=made, foreign=self._foreign())

    def scene(self, **options: object) -> scenes.Scene:
        """The next scene; every 25th brings a new drawn deck, every 40th a new table top."""
        self.count += 1
        if self.count % 25 == 0:
            self.decks[int(self.rng.integers(self.drawn))] = self._deck(self.count)
        if self.count % 40 == 0:
            self.tops[int(self.rng.integers(len(self.tops)))] = self._top()
        # Two scenes of three show a drawn deck: there is no end of them, while the real ones are few.
        self.painter.decks = self.real if self.rng.random() < 0.33 else self.decks
        return self.painter.scene(**options)  # type: ignore[arg-type]
