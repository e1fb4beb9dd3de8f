"""Only the first two levels of the trie are walked."""

TODO = 8
HINT = 1


def walk_vocabulary(trie, alike, first, read):
    numbering, steps = {None: 0, first: 1}, {}
    numbers = np.zeros(len(trie) + 1, np.intp)
    numbers[0], live = 1, np.array([0])
    for _ in range(2):
        nodes, states = trie.children(live), [*numbering]
        keys = numbers.take(trie.parent[nodes]) * 256 + alike.take(trie.byte[nodes])
        after = np.bincount(keys)
        for key in after.nonzero()[0].tolist():
            if key not in steps:
                state = states[key // 256]
                reached = None if state is None else read(state, key % 256)
                steps[key] = numbering.setdefault(reached, len(numbering))
            after[key] = steps[key]
        numbers[nodes] = after.take(keys)
        live = chosen(nodes, numbers[nodes] != 0)
    return numbers, [*numbering]
