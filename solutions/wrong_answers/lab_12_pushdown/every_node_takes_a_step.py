"""Each node of the trie takes its own step, however many nodes take the same one."""

TODO = 8
HINT = 1


def walk_vocabulary(trie, alike, first, read):
    numbering = {None: 0, first: 1}
    reached = [first]
    numbers = np.zeros(len(trie) + 1, np.intp)
    numbers[0] = 1
    for node in range(1, len(trie)):
        state = reached[trie.parent[node]]
        after = None if state is None else read(state, int(alike[trie.byte[node]]))
        reached.append(after)
        numbers[node] = numbering.setdefault(after, len(numbering))
    return numbers, [*numbering]
