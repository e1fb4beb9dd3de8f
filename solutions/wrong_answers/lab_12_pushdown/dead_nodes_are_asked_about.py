"""The walk is asked about every node, dead parents or not."""

from itertools import pairwise

TODO = 9
HINT = 2


def number_nodes(trie, walk, byte_classes):
    numbers = np.zeros(len(trie) + 1, np.intp)
    numbers[0] = 1
    for start, end in pairwise(trie.levels[1:]):
        keys = numbers[trie.parent[start:end]] * walk.n_classes + byte_classes[trie.byte[start:end]]
        numbers[start:end] = walk.after(keys)
    return numbers
