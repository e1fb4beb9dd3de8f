"""Every step makes a state with a number of its own, also where it leads to a known one."""

TODO = 8
HINT = 2


def walk_vocabulary(trie, alike, first, read):
    states, steps = [None, first], {}
    numbers = np.zeros(len(trie) + 1, np.intp)
    numbers[0], live = 1, np.array([0])
    while len(live):
        nodes = trie.children(live)
        keys = numbers.take(trie.parent[nodes]) * 256 + alike.take(trie.byte[nodes])
        for key in sorted({*keys.tolist()} - steps.keys()):
            state = states[key // 256]
            reached = None if state is None else read(state, key % 256)
            steps[key] = 0 if reached is None else len(states)
            states += [] if reached is None else [reached]
        numbers[nodes] = [steps[key] for key in keys.tolist()]
        live = chosen(nodes, numbers[nodes] != 0)
    return numbers, states
