"""Measures how well the reader reads: ``python -m models.measure`` makes every accuracy table of the model card."""
