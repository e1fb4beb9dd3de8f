"""On each level one step is taken for each class of bytes, whatever was read before."""

TODO = 8
HINT = 1


def lift(trie, machine, states):
    groups = Groups(states, machine.n_byte_classes)
    group = np.zeros(len(trie) + 1, np.intp)
    group[0] = IDENTITY
    live = np.array([0])
    while len(live):
        nodes = trie.children(live)
        classes = machine.byte_classes[trie.byte[nodes]]
        _, one, which = np.unique(classes, return_index=True, return_inverse=True)
        keys = group[trie.parent[nodes]][one][which] * machine.n_byte_classes + classes
        fresh = fresh_keys(groups.after, keys)
        parents, byte_classes = np.divmod(fresh, machine.n_byte_classes)
        groups.after[fresh] = groups.add(follow(machine, groups.arrows, parents, byte_classes))
        group[nodes] = groups.after.take(keys)
        live = chosen(nodes, group[nodes] != NOWHERE)
    return Lifted(group[trie.node_of_token], groups.arrows)
