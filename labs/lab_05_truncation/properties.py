"""Lab 05, the other way round: the code is given, and you write the tests.

Each function gets ``lab``, an implementation of this lab: ``lab.budget_row``, ``lab.generate_within`` and all the
others. It must return if the implementation is right, and raise an AssertionError if it is not. To grade your
properties, against the reference and against wrong answers that people really give: ``python -m course properties 05``.
"""

from typing import Any

import numpy as np

from labkit.automata import Fsm
from labkit.checking import check_equal
from labkit.vocabulary import Vocabulary

TOKENS = Vocabulary([b"7", b"</s>", b".", b".7"], eos_id=1)
FRACTION = Fsm(({"7": 1}, {"7": 1, ".": 2}, {"7": 3}, {"7": 3}), initial=0, accepting=frozenset({3}))
TABLE = ({0: 1}, {0: 1, 2: 2, 3: 3}, {0: 3}, {0: 3})
"""To begin with: `7+[.]7+` over four tokens, of which id 1 is EOS. Other automata may show other mistakes."""


def check_a_greedy_model_ends_in_time(lab: Any) -> None:
    """An example: a model that loves the digit writes as much as fits, and then a whole match."""
    row = np.array([9.0, 1.0, 2.0, 3.0])
    for budget in (3, 4, 7):
        ids = lab.generate_within(lambda ids: row, FRACTION, TABLE, TOKENS, budget)
        check_equal(ids, [0] * (budget - 2) + [3, 1], f"with a budget of {budget} tokens")


def check_reasons_and_numbers(lab: Any) -> None:
    """Why an answer ended, and whether it is read (``finish_reason``, ``read_number``)."""
    raise NotImplementedError("lab 05, properties: which ids stop, which reasons are read, what is an error")


def check_distances(lab: Any) -> None:
    """The table turned round, and how far each state is from a match (``predecessors``, ``tokens_to_accept``)."""
    raise NotImplementedError("lab 05, properties: loops, ends, detours, traps, a long automaton")


def check_budget_rows(lab: Any) -> None:
    """Which tokens a budget leaves (``budget_row``)."""
    raise NotImplementedError("lab 05, properties: what is taken away, what stays, what is never given back")


def check_generation(lab: Any) -> None:
    """How a generation begins, samples and ends, and which budgets are refused (``generate_within``)."""
    raise NotImplementedError("lab 05, properties: the ids, the calls of the model, and the error")
