"""The blocks are cut once, by accepting and not, and the cuts that follow from these are not made."""

TODO = 11
HINT = 1


def equal_states(dfa, states):
    blocks = defaultdict(set)
    kind = {state: bool(dfa.accepting[state]) for state in states}
    for state in states:
        targets = tuple(kind.get(target) for target in dfa.transitions[state].tolist())
        blocks[kind[state], targets].add(state)
    return list(blocks.values())
