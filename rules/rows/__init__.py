"""The row family: positions, moves, legality, faults, referee and search of the six games of the Polish text."""
