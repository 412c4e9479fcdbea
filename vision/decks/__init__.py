"""Decks that a user has taught: photographed, learnt, recognised."""
