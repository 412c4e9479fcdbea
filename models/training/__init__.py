"""How the nets were made: drawn decks and tables, training, export. Needs the extra ``train``; never imported at
run time.
"""
