"""Results are noted in the array that `add` has just replaced, and so they are lost."""

TODO = 12
HINT = 3


def lift(trie, automaton, states):
    groups = Groups(states, automaton.n_byte_classes)
    group = np.zeros(len(trie) + 1, np.intp)
    group[0] = IDENTITY
    live = np.array([0])
    while len(live):
        nodes, after = trie.children(live), groups.after
        keys = group.take(trie.parent[nodes]) * automaton.n_byte_classes + automaton.byte_classes.take(trie.byte[nodes])
        fresh = groups.fresh(keys)
        parents, byte_classes = np.divmod(fresh, automaton.n_byte_classes)
        after[fresh] = groups.add(groups.follow(automaton, parents, byte_classes))
        group[nodes] = after.take(keys)
        live = chosen(nodes, group[nodes] != NOWHERE)
    return Lifted(group[trie.node_of_token], groups.transitions)
