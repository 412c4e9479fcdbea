"""Hints, and what is thought about beside the server."""
