"""A table as a value: what its pictures showed, what persons said, and what follows from both."""
