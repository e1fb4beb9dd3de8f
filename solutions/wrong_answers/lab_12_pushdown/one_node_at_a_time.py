"""The walk is asked about each node by itself."""

TODO = 9
HINT = 2


def number_nodes(trie, walk, byte_classes):
    numbers = np.zeros(len(trie) + 1, np.intp)
    numbers[0] = 1
    for node in range(1, len(trie)):
        if before := numbers[trie.parent[node]]:
            numbers[node] = walk.after(np.array([before * walk.n_classes + byte_classes[trie.byte[node]]]))[0]
    return numbers
