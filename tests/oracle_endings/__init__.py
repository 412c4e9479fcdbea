"""An oracle for endings with unseen cards: every way they may lie is laid out and played by brute force.

It shares no code with the rules. What "wins whatever the unseen cards are" means here: a *world* is one way in which
the cards nobody has seen may lie, gone ones included; a player does not know the world, but sees every card that is
turned, every card on which nothing lies any more, the top of the waste, whether the stock still holds cards, and knows
the pass. A move wins whatever they are if after it there is a way to play, each decision resting on what was
seen so far, that ends with a win in every world. It loses whatever they are if in no world any play wins after it, not
even that of somebody who looks under the cards.
"""
