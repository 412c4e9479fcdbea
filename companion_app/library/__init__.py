"""Games that are kept: the file, what stands in it, and figures of it."""
