"""What the games are: cards, layouts, the catalogue, legality, faults, the referee, search and hints.

Knows no picture, no file and no clock.
"""
