"""Dead nodes stay in the level, and everything below them is walked too."""

TODO = 7
HINT = 1


def walk(trie, automaton, nodes, states, few=0):
    levels = [(nodes, states)]
    while len(nodes) > few:
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), automaton.byte_classes.take(trie.byte.take(below)))
        alive = np.arange(len(after))
        nodes, states = below.take(alive), after.take(alive)
        levels.append((nodes, states))
    return levels
