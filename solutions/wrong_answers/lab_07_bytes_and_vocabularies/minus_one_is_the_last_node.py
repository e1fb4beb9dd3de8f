"""There is no entry for tokens without a node, so the index -1 finds the last node."""

TODO = 12
HINT = 2


def lift(trie, automaton, states):
    groups = Groups(states, automaton.n_byte_classes)
    group = np.zeros(len(trie), np.intp)
    group[0] = IDENTITY
    live = np.array([0])
    while len(live):
        nodes = trie.children(live)
        keys = group.take(trie.parent[nodes]) * automaton.n_byte_classes + automaton.byte_classes.take(trie.byte[nodes])
        fresh = groups.fresh(keys)
        parents, byte_classes = np.divmod(fresh, automaton.n_byte_classes)
        groups.after[fresh] = groups.add(groups.follow(automaton, parents, byte_classes))
        group[nodes] = groups.after.take(keys)
        live = chosen(nodes, group[nodes] != NOWHERE)
    return Lifted(group[trie.node_of_token], groups.transitions)
