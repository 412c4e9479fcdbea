"""The pyramid family: positions, moves, legality, faults, referee, search and hints."""
