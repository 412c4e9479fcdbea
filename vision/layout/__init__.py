"""Which layout of `rules.layouts` explains the cards, and where it lies."""
