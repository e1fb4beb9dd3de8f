"""Two states are called equal if they lead to the same blocks, no matter on which classes."""

TODO = 11
HINT = 1


def equal_states(dfa, states):
    block_of = {state: int(dfa.accepting[state]) for state in states} | {DEAD: DEAD}
    while True:
        signs = {}
        for state in states:
            targets = frozenset(block_of.get(target, DEAD) for target in dfa.transitions[state].tolist())
            signs[state] = (block_of[state], targets)
        numbers = {sign: number for number, sign in enumerate(dict.fromkeys(signs.values()))}
        if len(numbers) == len(set(block_of.values()) - {DEAD}):
            break
        block_of = {state: numbers[sign] for state, sign in signs.items()} | {DEAD: DEAD}
    blocks = defaultdict(set)
    for state in states:
        blocks[block_of[state]].add(state)
    return list(blocks.values())
