"""The walk goes on to the end, whatever number of nodes the caller wants to walk itself."""

TODO = 7
HINT = 3


def walk(trie, automaton, nodes, states, few=0):
    levels = [(nodes, states)]
    while len(nodes):
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), automaton.byte_classes.take(trie.byte.take(below)))
        alive = (after != DEAD).nonzero()[0]
        nodes, states = below.take(alive), after.take(alive)
        levels.append((nodes, states))
    return levels
