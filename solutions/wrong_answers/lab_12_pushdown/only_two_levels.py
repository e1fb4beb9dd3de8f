"""Nodes below the second level are not visited."""

TODO = 9
HINT = 2


def number_nodes(trie, walk, byte_classes):
    numbers = np.zeros(len(trie) + 1, np.intp)
    numbers[0] = 1
    live = np.array([0])
    for _ in range(2):
        if not len(live):
            break
        nodes = trie.children(live)
        keys = numbers.take(trie.parent[nodes]) * walk.n_classes + byte_classes.take(trie.byte[nodes])
        numbers[nodes] = walk.after(keys)
        live = chosen(nodes, numbers[nodes] != 0)
    return numbers
