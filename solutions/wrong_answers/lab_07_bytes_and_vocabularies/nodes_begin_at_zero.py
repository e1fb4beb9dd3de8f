"""The nodes below the root are numbered from 0, so a step to the first of them looks dead."""

TODO = 3
HINT = 2


def byte_dfa(dfa):
    numbers = {}

    def row_of(tree):
        row = np.zeros(BYTES, np.int32)
        for (first, last), below in tree.items():
            leaf = isinstance(below, int)
            row[first : last + 1] = -1 - below if leaf else numbers.setdefault(row_of(below), len(numbers))
        return row.tobytes()

    rows = [row_of(utf8_tree(dfa)), *numbers]
    return ByteDfa(dfa, np.frombuffer(b"".join(rows), np.int32).reshape(-1, BYTES))
