"""On a dead byte the walk keeps the group that it had and goes on with the next byte."""

TODO = 12
HINT = 2


def lift(trie, automaton, states):
    groups = Groups(states, automaton.n_byte_classes)
    group = np.zeros(len(trie) + 1, np.intp)
    group[0] = IDENTITY
    live = np.array([0])
    while len(live):
        nodes = trie.children(live)
        above = group.take(trie.parent[nodes])
        keys = above * automaton.n_byte_classes + automaton.byte_classes.take(trie.byte[nodes])
        fresh = groups.fresh(keys)
        parents, byte_classes = np.divmod(fresh, automaton.n_byte_classes)
        groups.after[fresh] = groups.add(groups.follow(automaton, parents, byte_classes))
        below = groups.after.take(keys)
        group[nodes] = np.where(below == NOWHERE, above, below)
        live = chosen(nodes, group[nodes] != NOWHERE)
    return Lifted(group[trie.node_of_token], groups.transitions)
