"""Which card it is: by its printed indices, by the whole of it, by the inks of its deck."""
