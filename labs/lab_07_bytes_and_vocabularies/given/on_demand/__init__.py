"""The engine around your functions of lab 07. It makes states and masks when somebody first asks for them.

``alphabet`` knows the bytes of an automaton's characters, ``walker`` numbers its states over bytes, ``rows`` knows the
vocabulary and ``strings`` the strings. ``masks`` makes a mask from these, and ``fsm`` keeps it. ``endings`` counts how
many tokens a text still needs, and ``disk`` saves a vocabulary. They reach your functions by ``given/functions.py``.
"""
