"""An oracle for the referee of the row games: the six games written anew from their rules, sharing no code with them.

Cards are texts such as ``10H``; looks are objects of the contract. Only ``border`` knows the program it judges.
"""
