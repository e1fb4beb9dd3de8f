"""The states are repeated as a whole row, not each as often as its node has children."""

TODO = 7
HINT = 2


def walk(trie, automaton, nodes, states, few=0):
    levels = [(nodes, states)]
    while len(nodes) > few:
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(np.resize(states, len(below)), automaton.byte_classes.take(trie.byte.take(below)))
        alive = (after != DEAD).nonzero()[0]
        nodes, states = below.take(alive), after.take(alive)
        levels.append((nodes, states))
    return levels
