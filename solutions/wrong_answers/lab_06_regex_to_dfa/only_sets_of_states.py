"""The states are subtracted and cut as a set, so a list or a tuple of them ends in an error."""

TODO = 11
HINT = 1


def equal_states(dfa, states):
    ends = {state for state in states if dfa.accepting[state]}
    blocks = [set(block) for block in (ends, states - ends) if block]
    while True:
        finer = []
        for block in blocks:
            parts = defaultdict(set)
            for state in block:
                row = [target if target in states else DEAD for target in dfa.transitions[state].tolist()]
                parts[tuple(next((n for n, b in enumerate(blocks) if t in b), DEAD) for t in row)].add(state)
            finer += parts.values()
        if len(finer) == len(blocks):
            return finer
        blocks = finer
