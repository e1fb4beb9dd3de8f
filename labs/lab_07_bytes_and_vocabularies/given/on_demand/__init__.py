"""What is around the functions of lab 07 in the engine: states and masks made when they are first asked for, and kept.

``alphabet`` says how bytes make up the characters of an automaton, ``walker`` numbers the states over bytes as they are
met, ``rows`` holds what is known of a vocabulary before any pattern, ``masks`` makes a state's mask from the two, and
``fsm`` keeps what was made. All of them reach the lab's functions by ``given/functions.py``.
"""
