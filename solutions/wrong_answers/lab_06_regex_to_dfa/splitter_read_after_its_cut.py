"""The sources are looked up class by class, although an earlier class may have cut the splitter itself."""

TODO = 11
HINT = 2


def equal_states(dfa, states):
    before = defaultdict(list)
    for state, symbol_class, target in transitions_of(dfa):
        if state in states and target in states:
            before[symbol_class, target].append(state)
    accepting = {state for state in states if dfa.accepting[state]}
    blocks = [block for block in (accepting, set(states) - accepting) if block]
    waiting = set(range(len(blocks)))
    while waiting:
        splitter = blocks[waiting.pop()]
        for symbol_class in range(dfa.n_classes):
            together = {source for state in splitter for source in before[symbol_class, state]}
            for number, block in enumerate(blocks[:]):
                if block & together and block - together:
                    blocks.append(block & together)
                    blocks[number] -= together
                    new = len(blocks) - 1
                    waiting.add(new if number in waiting else min(number, new, key=lambda b: len(blocks[b])))
    return blocks
