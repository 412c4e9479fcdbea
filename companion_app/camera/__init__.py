"""Cameras and videos of a table."""
