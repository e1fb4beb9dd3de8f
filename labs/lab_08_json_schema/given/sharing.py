"""A text that several automata match: ``product``'s loop once more, but it stops at the first pair that accepts."""

from collections.abc import Sequence

from labkit.automata.dfa import DEAD, Dfa


def shared_text(automata: Sequence[Dfa]) -> str | None:
    """Return a shortest text that all automata match; None if there is none.

    If there's none, the demands on a value exclude each other. It's better to say so when the request arrives than to
    let a model run into an empty mask.

    Args:
        automata: over code points. If the list is empty, every text will do. Where there's no transition, their tables
            have ``DEAD``, which is -1.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> shared_text([compile_dfa("a*b"), compile_dfa("(..)+")]), shared_text([compile_dfa("a+"), compile_dfa("b*")])
    ('ab', None)
    """
    # Characters of the same classes lead to the same states, so one of them is enough.
    symbols: dict[tuple[int, ...], int] = {}
    for symbol in sorted({int(bound) for dfa in automata for bound in dfa.bounds}):
        symbols.setdefault(tuple(dfa.class_of(symbol) for dfa in automata), symbol)
    tables = [dfa.transitions.tolist() for dfa in automata]
    texts = {tuple(dfa.initial for dfa in automata): ""}
    waiting = list(texts)
    for states in waiting:  # the list grows meanwhile: short texts come first
        if all(dfa.accepting[state] for dfa, state in zip(automata, states, strict=True)):
            return texts[states]
        for classes, symbol in symbols.items():
            # subtle: class -1 is dead everywhere; as an index it would find the last class.
            if DEAD not in classes:
                target = tuple(table[state][c] for table, state, c in zip(tables, states, classes, strict=True))
                if DEAD not in target and target not in texts:
                    texts[target] = texts[states] + chr(symbol)
                    waiting.append(target)
    return None
