"""Pictures of tables to try the program on, each with a truth file beside it (see README.md)."""
