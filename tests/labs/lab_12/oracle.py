"""Earley's recogniser over a grammar as plain data: slow, short, and sharing no code with the lab."""

from collections.abc import Mapping, Sequence

Productions = Mapping[str, Sequence[Sequence[str]]]
"""For each rule its alternatives: names of rules, and single characters for themselves."""


def chart(productions: Productions, text: str) -> list[set[tuple[str, tuple[str, ...], int, int]]]:
    """Return Earley's sets: after each character the items (rule, alternative, place of the dot, where it began)."""
    sets: list[set[tuple[str, tuple[str, ...], int, int]]] = []
    current = {("root", tuple(alternative), 0, 0) for alternative in productions["root"]}
    for at in range(len(text) + 1):
        sets.append(current)
        size = -1
        # Predict and complete until nothing is new; empty rules need no special case then.
        while size != len(current):
            size = len(current)
            for rule, alternative, dot, began in list(current):
                if dot == len(alternative):
                    for parent in list(sets[began]):
                        if parent[2] < len(parent[1]) and parent[1][parent[2]] == rule:
                            current.add((parent[0], parent[1], parent[2] + 1, parent[3]))
                elif alternative[dot] in productions:
                    name = alternative[dot]
                    current |= {(name, tuple(each), 0, at) for each in productions[name]}
        if at < len(text):
            current = {
                (rule, alternative, dot + 1, began)
                for rule, alternative, dot, began in current
                if dot < len(alternative) and alternative[dot] == text[at]
            }
    return sets


def viable(productions: Productions, text: str) -> bool:
    """Return whether some text of the grammar begins so; every rule must have a text."""
    return bool(chart(productions, text)[-1])


def accepts(productions: Productions, text: str) -> bool:
    """Return whether the grammar has this text."""
    return any(
        rule == "root" and dot == len(alternative) and began == 0
        for rule, alternative, dot, began in chart(productions, text)[-1]
    )


def gbnf(productions: Productions) -> str:
    """Write a grammar in GBNF."""
    rules = []
    for name, alternatives in productions.items():
        texts = [" ".join(p if p in productions else f'"{p}"' for p in parts) or '""' for parts in alternatives]
        rules.append(f"{name} ::= {' | '.join(texts)}")
    return "\n".join(rules)
