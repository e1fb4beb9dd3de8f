"""The engine around your functions of lab 07. It makes states and masks when somebody first asks for them.

``alphabet`` knows which bytes make up the characters of an automaton, and ``walker`` numbers the states over bytes as
they turn up. ``rows`` has what we can know about a vocabulary before there's a pattern, and ``strings`` finds out which
states are inside a string. From all of these, ``masks`` makes the mask of a state, and ``fsm`` keeps it. ``endings``
counts how many tokens a text still needs, and ``disk`` saves a vocabulary for the next process. They call your
functions through ``given/functions.py``.
"""
