"""Decks that were taught."""
