"""Automata as plain data: the labs build them, walk them and lift them to tokens.

``Fsm`` reads characters (labs 02 to 05), ``Nfa`` and ``Dfa`` read classes of symbols (from lab 06 on).
"""

from labkit.automata.dfa import Dfa, Nfa
from labkit.automata.fsm import MAX_CLASS, Atom, Fsm, decimal_fsm, hex_fsm

__all__ = ["MAX_CLASS", "Atom", "Dfa", "Fsm", "Nfa", "decimal_fsm", "hex_fsm"]
