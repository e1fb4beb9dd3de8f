"""Every subtree becomes a node of its own; equal ones are not looked for."""

TODO = 3
HINT = 1


def byte_dfa(dfa):
    rows = [np.zeros(BYTES, np.int32)]

    def fill(tree, number):
        for (first, last), below in tree.items():
            if isinstance(below, int):
                rows[number][first : last + 1] = -1 - below
            else:
                rows.append(np.zeros(BYTES, np.int32))
                rows[number][first : last + 1] = len(rows) - 1
                fill(below, len(rows) - 1)

    fill(utf8_tree(dfa), 0)
    return ByteDfa(dfa, np.array(rows))
