"""The three ways to a mask, of labs 01, 02 and 03: that they agree, and what each costs."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from course.showcase.demo.patterns import patterns
from course.showcase.demo.results import Cost, Pattern
from course.showcase.timing import seconds
from labkit.automata.tries import Trie
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching import solution as naive
from labs.lab_02_atom_fsm import solution as machine
from labs.lab_03_token_lifting import solution as lifting


def all_agreements(vocabulary: Vocabulary, trie: Trie) -> Iterator[Callable[[], bool]]:
    """Whether the masks of labs 01, 02 and 03 are the same bit for bit, behind each beginning of each pattern."""
    for pattern in patterns():
        for prefix in pattern.prefixes:
            yield partial(_agree, vocabulary.texts(), trie, pattern, prefix)


def _agree(texts: Sequence[str | None], trie: Trie, pattern: Pattern, prefix: str) -> bool:
    state = state_behind(pattern, prefix)
    tried = naive.build_mask(texts, prefix, partial(naive.could_match, pattern.source))
    walked = machine.token_mask(pattern.fsm, state, texts)
    looked_up = lifting.row_mask(lifting.walk_trie(pattern.fsm, state, trie), len(texts))
    return bool((tried == walked).all() and (walked == looked_up).all())


def all_costs(vocabulary: Vocabulary, pattern: Pattern, prefix: str) -> Iterator[Callable[[], Cost]]:
    """One mask behind ``prefix``, at growing sizes of the vocabulary, as things still to be done."""
    texts = vocabulary.texts()
    rng = np.random.default_rng(0)
    sizes = [size for size in (1_000, 16_000) if size < len(texts)]
    for size in sizes:
        some = [texts[i] for i in rng.choice(len(texts), size, replace=False)]
        yield partial(_cost, some, pattern, prefix)
    yield partial(_cost, texts, pattern, prefix)


def _cost(texts: Sequence[str | None], pattern: Pattern, prefix: str) -> Cost:
    state = state_behind(pattern, prefix)
    viable = partial(naive.could_match, pattern.source)
    row = lifting.allowed_tokens(pattern.fsm, state, texts)
    return Cost(
        len(texts),
        naive=seconds(lambda: naive.build_mask(texts, prefix, viable)),
        machine=seconds(lambda: machine.token_mask(pattern.fsm, state, texts)),
        table=seconds(lambda: lifting.row_mask(row, len(texts)), times=9),
    )


def state_behind(pattern: Pattern, prefix: str) -> int:
    """The state of a pattern's machine behind a beginning that is alive."""
    state = machine.advance(pattern.fsm, pattern.fsm.initial, prefix)
    assert state is not None
    return state
