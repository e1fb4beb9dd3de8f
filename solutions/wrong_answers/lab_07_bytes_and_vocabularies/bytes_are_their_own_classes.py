"""The automaton is given bytes where it asks for the classes of bytes."""

TODO = 7
HINT = 2


def walk(trie, automaton, nodes, states, few=0):
    levels = [(nodes, states)]
    n_classes = automaton.byte_classes.max() + 1
    while len(nodes) > few:
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), trie.byte.take(below) % n_classes)
        alive = (after != DEAD).nonzero()[0]
        nodes, states = below.take(alive), after.take(alive)
        levels.append((nodes, states))
    return levels
