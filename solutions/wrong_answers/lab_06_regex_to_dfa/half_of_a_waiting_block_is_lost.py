"""When a waiting block is cut, only its smaller half goes on waiting."""

TODO = 11
HINT = 2


def equal_states(dfa, states):
    states = set(states)
    ends = {state for state in states if dfa.accepting[state]}
    blocks = [block for block in (ends, states - ends) if block]
    waiting = list(blocks)
    while waiting:
        splitter = set(waiting.pop())
        for symbol_class in range(dfa.n_classes):
            sources = {s for s in states if dfa.transitions[s, symbol_class] in splitter}
            for block in [b for b in blocks if b & sources and b - sources]:
                halves = sorted((block & sources, block - sources), key=len)
                blocks.remove(block)
                blocks += halves
                waiting = [w for w in waiting if w != block] + halves[:1]
    return blocks
