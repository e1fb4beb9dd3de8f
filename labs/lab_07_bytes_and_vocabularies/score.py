"""What ``python3 -m course score 07`` counts: masks over the small model's vocabulary that ``regex`` agrees with."""

from collections.abc import Iterator
from typing import Any

import regex

from labkit.scores import Count
from labkit.vocabulary import Vocabulary

TEXTS = {
    r"[0-9]+(\.[0-9]{1,2})?": "1234.5",
    r"(true|false|null)": "fals",
    r'"[^"\\]{0,40}"': '"a key, perhaps',
    r"\{\"n\": -?[0-9]+\}": '{"n": -1',
    r"[a-z]+@[a-z]+\.(com|org)": "ada@lab.o",
    r"(é|è|ê)+!?": "éè",
}
"""Patterns, each with a text that some match begins with: a mask is asked for after each of its prefixes."""


def counts(lab: Any) -> Iterator[Count]:
    """Yield, for each pattern, how many masks allow just the tokens that ``regex`` finds a continuation for.

    >>> from labs.lab_07_bytes_and_vocabularies import solution
    >>> [count.yours == count.other for count in counts(solution)]
    [True, True, True, True, True, True]
    """
    vocabulary = Vocabulary.small()
    texts = vocabulary.texts()
    index = lab.TokenVocabularyIndex(vocabulary)
    for pattern, text in TEXTS.items():
        fsm, oracle, right = lab.compile_token_fsm(pattern, index), regex.compile(pattern), 0
        for end in range(len(text) + 1):
            state = fsm.initial_state
            for byte in text[:end].encode():
                state = fsm.bytes_from(state)[byte]
            allowed = {i for i in fsm.allowed_tokens(state) if texts[i] is not None}
            right += allowed == {
                i for i, token in enumerate(texts) if token and oracle.fullmatch(text[:end] + token, partial=True)
            }
        yield Count(f"masks of {pattern} that regex agrees with", right, len(text) + 1, "masks in all")
