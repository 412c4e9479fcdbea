"""The desk: which tables are open, what is done at one, and what can be taken back."""
