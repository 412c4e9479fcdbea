"""Video of one table."""
