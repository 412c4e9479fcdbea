"""A game followed from look to look: what is believed of it, and what each look says to that."""
