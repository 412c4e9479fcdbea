"""A referee's oracle for the pyramid family: games played, looked at and judged by rules written anew.

Nothing here is taken from the packages that are judged, but the two calls at the border in ``judge``.
"""
