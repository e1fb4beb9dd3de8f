"""Lab 05's exercise in testing: the code is given, and you write the tests.

Each function gets ``lab``, an implementation of this lab: ``lab.budget_row``, ``lab.generate_within`` and all the
others. It must return if the implementation is right, and raise an AssertionError if it is not. To grade your
properties, against the reference and against typical wrong answers: ``python3 -m course properties 05``.
"""

from typing import Any

import numpy as np

from labkit.automata import Fsm
from labkit.checking import check_equal
from labkit.vocabulary import Vocabulary

TOKENS = Vocabulary([b"7", b"</s>", b".", b".7"], eos_id=1)
FRACTION = Fsm(({"7": 1}, {"7": 1, ".": 2}, {"7": 3}, {"7": 3}), initial=0, accepting=frozenset({3}))
TABLE = ({0: 1}, {0: 1, 2: 2, 3: 3}, {0: 3}, {0: 3})
"""`7+[.]7+` over four tokens, of which id 1 is EOS, to start with. Other automata may show other mistakes."""


def check_a_greedy_model_ends_in_time(lab: Any) -> None:
    """Check that a model that loves the digit writes as much as fits, and a whole match. An example."""
    row = np.array([9.0, 1.0, 2.0, 3.0])
    for budget in (3, 4, 7):
        ids = lab.generate_within(lambda ids: row, FRACTION, TABLE, TOKENS, budget)
        check_equal(ids, [0] * (budget - 2) + [3, 1], f"with a budget of {budget} tokens")


def check_reasons_and_numbers(lab: Any) -> None:
    """Check why an answer ended, and whether it is read (``finish_reason``, ``read_number``)."""
    raise NotImplementedError("lab 05, properties: which ids stop, which reasons are read, what is an error")


def check_distances(lab: Any) -> None:
    """Check the reversed table and the distances to a match (``predecessors``, ``tokens_to_accept``)."""
    raise NotImplementedError("lab 05, properties: loops, ends, detours, traps, a long automaton")


def check_budget_rows(lab: Any) -> None:
    """Check which tokens a budget allows (``budget_row``)."""
    raise NotImplementedError("lab 05, properties: what is removed, what stays, what is never added")


def check_generation(lab: Any) -> None:
    """Check how a generation starts, samples and ends, and which budgets are refused (``generate_within``)."""
    raise NotImplementedError("lab 05, properties: the ids, the model calls, and the error")
