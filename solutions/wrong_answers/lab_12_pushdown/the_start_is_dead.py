"""A node with the number of the start counts as dead."""

TODO = 9
HINT = 3


def number_nodes(trie, walk, byte_classes):
    numbers = np.zeros(len(trie) + 1, np.intp)
    numbers[0] = 1
    live = np.array([0])
    while len(live):
        nodes = trie.children(live)
        keys = numbers.take(trie.parent[nodes]) * walk.n_classes + byte_classes.take(trie.byte[nodes])
        numbers[nodes] = walk.after(keys)
        live = chosen(nodes, numbers[nodes] > 1)
    return numbers
