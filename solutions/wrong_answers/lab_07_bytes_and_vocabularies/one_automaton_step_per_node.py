"""Each node's children are stepped in a call of their own: right, and as slow as before."""

TODO = 7
HINT = 1


def walk(trie, automaton, nodes, states, few=0):
    levels = [(nodes, states)]
    while len(nodes) > few:
        found = []
        for node, state in zip(nodes.tolist(), states.tolist(), strict=True):
            for child in range(trie.first_child[node], trie.first_child[node + 1]):
                after = automaton.step(state, int(trie.byte[child]))
                if after != DEAD:
                    found.append((child, after))
        nodes, states = np.array(found, np.intp).reshape(-1, 2).T
        levels.append((nodes, states))
    return levels
