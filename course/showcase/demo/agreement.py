"""The demo's scene of labs 01, 02 and 03: whether their three methods make the same masks."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from course.showcase.demo.costs import Pattern, patterns
from course.showcase.demo.stage import Stage
from labkit.automata.tries import Trie
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching import solution as naive
from labs.lab_02_atom_fsm import solution as walking
from labs.lab_03_token_lifting import solution as lifting


def play(stage: Stage) -> None:
    """Say after how many prefixes the masks of the three labs are the same."""
    agreed = stage.work("comparing masks", agreements(stage.vocabulary, stage.trie))
    stage.console.print(
        f"After {sum(agreed)} of {len(agreed)} prefixes the masks of labs 01, 02 and 03 are the same, bit by bit.\n"
    )


def agreements(vocabulary: Vocabulary, trie: Trie) -> Iterator[Callable[[], bool]]:
    """Yield jobs that compare the three masks bit for bit, one for each prefix of each pattern."""
    for pattern in patterns():
        for prefix in pattern.prefixes:
            yield partial(_agree, vocabulary.texts(), trie, pattern, prefix)


def _agree(texts: Sequence[str | None], trie: Trie, pattern: Pattern, prefix: str) -> bool:
    state = pattern.state_after(prefix)
    tried = naive.build_mask(texts, prefix, partial(naive.could_match, pattern.source))
    walked = walking.token_mask(pattern.fsm, state, texts)
    looked_up = lifting.row_mask(lifting.walk_trie(pattern.fsm, state, trie), len(texts))
    return bool((tried == walked).all() and (walked == looked_up).all())
