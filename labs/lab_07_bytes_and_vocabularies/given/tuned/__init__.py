"""The tuned twin of ``TokenFSM``: states and masks made on demand, with the same masks bit for bit.

``alphabet`` says how bytes make up the characters of an automaton, ``walker`` numbers the states over bytes as they are
met, ``rows`` holds what is known of a vocabulary before any pattern, ``masks`` makes a state's mask from the two, and
``fsm`` keeps what was made. ``tests/labs/lab_07/test_tuned.py`` holds it to ``lift`` and ``mask_row``.
"""
