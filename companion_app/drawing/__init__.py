"""A position drawn, and the photograph with its outlines: the same on the page and in documents."""
