"""The nets, loaded and checked."""
