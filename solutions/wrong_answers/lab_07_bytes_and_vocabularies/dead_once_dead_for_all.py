"""A node is given up as soon as it is dead in one of the states, although it is alive in others."""

TODO = 12
HINT = 3


def lift(trie, automaton, states):
    groups = Groups(states, automaton.n_byte_classes)
    group = np.zeros(len(trie) + 1, np.intp)
    group[0] = IDENTITY
    live = np.array([0])
    while len(live):
        nodes = trie.children(live)
        keys = group.take(trie.parent[nodes]) * automaton.n_byte_classes + automaton.byte_classes.take(trie.byte[nodes])
        fresh = groups.fresh(keys)
        parents, byte_classes = np.divmod(fresh, automaton.n_byte_classes)
        groups.after[fresh] = groups.add(groups.follow(automaton, parents, byte_classes))
        group[nodes] = groups.after.take(keys)
        in_all = np.diff(groups.transitions.first) == len(states)
        live = chosen(nodes, in_all[group[nodes]])
    return Lifted(group[trie.node_of_token], groups.transitions)
