"""Every node of a level is followed by itself; steps that are known are not looked up."""

TODO = 12
HINT = 1


def lift(trie, automaton, states):
    groups = Groups(states, automaton.n_byte_classes)
    group = np.zeros(len(trie) + 1, np.intp)
    group[0] = IDENTITY
    live = np.array([0])
    while len(live):
        nodes = trie.children(live)
        byte_classes = automaton.byte_classes.take(trie.byte[nodes])
        below = groups.add(groups.follow(automaton, group.take(trie.parent[nodes]), byte_classes))
        group[nodes] = below
        live = chosen(nodes, below != NOWHERE)
    return Lifted(group[trie.node_of_token], groups.transitions)
