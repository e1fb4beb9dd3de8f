"""Dead nodes go, but their states stay, so nodes and states are no longer side by side."""

TODO = 7
HINT = 2


def walk(trie, automaton, nodes, states, few=0):
    levels = [(nodes, states)]
    while len(nodes) > few:
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), automaton.byte_classes.take(trie.byte.take(below)))
        alive = (after != DEAD).nonzero()[0]
        nodes, states = below.take(alive), after
        levels.append((nodes, states))
    return levels
