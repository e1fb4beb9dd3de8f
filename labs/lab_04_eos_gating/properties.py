"""Lab 04's exercise in testing: the code is given, and you write the tests.

Each function gets ``lab``, an implementation of this lab: ``lab.mask_row``, ``lab.choose`` and all the others. It must
return if the implementation is right, and raise an AssertionError if it is not. To grade your properties, against the
reference and against typical wrong answers: ``python3 -m course properties 04``.
"""

from typing import Any

import numpy as np

from labkit.automata import Fsm
from labkit.checking import Recorder, check_equal
from labkit.models import seeded_random
from labkit.vocabulary import Vocabulary

TOKENS = Vocabulary([b"7", b"</s>", b"42", b"x"], eos_id=1)
NUMBER = Fsm(({"7": 1, "4": 1, "2": 1}, {"7": 1, "4": 1, "2": 1}), initial=0, accepting=frozenset({1}))
TABLE = ({0: 1, 2: 1}, {0: 1, 2: 1})
"""`[0-9]+` over four tokens, of which id 1 is EOS, to start with. Other automata may show other mistakes."""


def check_a_random_model_writes_numbers(lab: Any) -> None:
    """Check that the text is digits whatever a model prefers, with one call for each token. An example."""
    for seed in range(5):
        model = Recorder(seeded_random(4, seed))
        ids = lab.constrained_generate(model, NUMBER, TABLE, TOKENS, 6, np.random.default_rng(seed).random(6).tolist())
        text = TOKENS.decode(ids)
        assert text.isdigit(), f"model {seed} wrote {text!r}"
        check_equal(len(model.calls), len(ids), f"the number of calls of model {seed} for {len(ids)} tokens")


def check_mask_rows(lab: Any) -> None:
    """Check which tokens may come in each state, and when the text may end (``mask_row``, ``mask_rows``)."""
    raise NotImplementedError("lab 04, properties: which bits of a row are True, in every state")


def check_masking_and_choosing(lab: Any) -> None:
    """Check what a step does with logits, a row and a u (``mask_logits``, ``choose``)."""
    raise NotImplementedError("lab 04, properties: what stays, what changes, what is refused, what is chosen")


def check_generation(lab: Any) -> None:
    """Check how a generation starts, continues and ends, also in a dead end (``constrained_generate``)."""
    raise NotImplementedError("lab 04, properties: the ids, the model calls, and the error")
