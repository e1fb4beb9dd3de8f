"""Wrong answers of lab 07: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("end_of_run", hint=2)
def run_crosses_its_block(start, end):
    """A run continues past the end of the larger block in which it begins."""
    if end < 0x80:
        return end
    size = 1
    while start % (size * 64) == 0 and start + size * 64 - 1 <= end:
        size *= 64
    return start + (end - start + 1) // size * size - 1


@mistake("end_of_run", hint=2)
def ascii_has_blocks_too(start, end):
    """ASCII is cut into blocks of 64 as well, although it has no continuation bytes."""
    size = 1
    while start % (size * 64) == 0 and start + size * 64 - 1 <= end:
        size *= 64
    return min(start | (size * 64 - 1), start + (end - start + 1) // size * size - 1)


@mistake("utf8_sequences", hint=1)
def overlong_forms_allowed(first, last):
    """Each encoded length is taken for all code points that fit into its bits, so that a slash may also be C0 AF."""

    def encoded(point, n):
        lead = (0, 0x00, 0xC0, 0xE0, 0xF0)[n] + (point >> 6 * (n - 1))
        return (lead, *(0x80 + (point >> 6 * place) % 64 for place in reversed(range(n - 1))))

    sequences = []
    lengths = ((1, 0, 0x7F), (2, 0, 0x7FF), (3, 0, 0xD7FF), (3, 0xE000, 0xFFFF), (4, 0, 0x10FFFF))
    for n, low, high in lengths:
        start, end = max(first, low), min(last, high)
        while start <= end:
            stop = end_of_run(start, end)
            sequences.append(tuple(zip(encoded(start, n), encoded(stop, n), strict=True)))
            start = stop + 1
    return sequences


@mistake("utf8_sequences", hint=1)
def surrogates_are_characters(first, last):
    """The three bytes of a surrogate are taken for UTF-8 too, so the range above U+07FF has no gap."""
    sequences = []
    for low, high in ((0, 0x7F), (0x80, 0x7FF), (0x800, 0xFFFF), (0x10000, 0x10FFFF)):
        start, end = max(first, low), min(last, high)
        while start <= end:
            stop = end_of_run(start, end)
            ends = (chr(point).encode("utf-8", "surrogatepass") for point in (start, stop))
            sequences.append(tuple(zip(*ends, strict=True)))
            start = stop + 1
    return sequences


@mistake("byte_dfa", hint=1)
def equal_subtrees_not_shared(dfa):
    """Every subtree becomes a node of its own; equal ones are not looked for."""
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


@mistake("byte_dfa", hint=2)
def nodes_begin_at_zero(dfa):
    """The nodes below the root are numbered from 0, so a step to the first of them looks dead."""
    numbers = {}

    def row_of(tree):
        row = np.zeros(BYTES, np.int32)
        for (first, last), below in tree.items():
            leaf = isinstance(below, int)
            row[first : last + 1] = -1 - below if leaf else numbers.setdefault(row_of(below), len(numbers))
        return row.tobytes()

    rows = [row_of(utf8_tree(dfa)), *numbers]
    return ByteDfa(dfa, np.frombuffer(b"".join(rows), np.int32).reshape(-1, BYTES))


@mistake("build_byte_trie", hint=2)
def nodes_numbered_by_token(token_bytes):
    """The nodes are numbered token by token, as in lab 03, and not level by level."""
    number, parent, byte = {b"": 0}, [NO_NODE], [0]
    for token in token_bytes:
        for n in range(1, len(token or b"") + 1):
            if token[:n] not in number:
                number[token[:n]] = len(number)
                parent.append(number[token[: n - 1]])
                byte.append(token[n - 1])
    return ByteTrie(parent, byte, [number[token] if token else NO_NODE for token in token_bytes])


@mistake("build_byte_trie", hint=1)
def one_id_for_equal_bytes(token_bytes):
    """Tokens are kept in a dictionary by their bytes, so of two ids with the same bytes only the later is found."""
    id_of = {token: token_id for token_id, token in enumerate(token_bytes) if token}
    prefixes = {token[:n] for token in id_of for n in range(len(token) + 1)} | {b""}
    paths = sorted(prefixes, key=lambda path: (len(path), path))
    number = {path: node for node, path in enumerate(paths)}
    node = np.full(len(token_bytes), NO_NODE)
    for token, token_id in id_of.items():
        node[token_id] = number[token]
    parent = [NO_NODE, *(number[path[:-1]] for path in paths[1:])]
    return ByteTrie(parent, [0, *(path[-1] for path in paths[1:])], node)


@mistake("walk", hint=1)
def dead_nodes_are_walked_on(trie, automaton, nodes, states, few=0):
    """Dead nodes stay in the level, and everything below them is walked too."""
    levels = [(nodes, states)]
    while len(nodes) > few:
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), automaton.byte_classes.take(trie.byte.take(below)))
        alive = np.arange(len(after))
        nodes, states = below.take(alive), after.take(alive)
        levels.append((nodes, states))
    return levels


@mistake("walk", hint=1)
def one_automaton_step_per_node(trie, automaton, nodes, states, few=0):
    """Each node's children are stepped in a call of their own: right, and as slow as before."""
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


@mistake("walk", hint=2)
def states_of_the_wrong_parents(trie, automaton, nodes, states, few=0):
    """The states are repeated as a whole row, not each as often as its node has children."""
    levels = [(nodes, states)]
    while len(nodes) > few:
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(np.resize(states, len(below)), automaton.byte_classes.take(trie.byte.take(below)))
        alive = (after != DEAD).nonzero()[0]
        nodes, states = below.take(alive), after.take(alive)
        levels.append((nodes, states))
    return levels


@mistake("walk", hint=2)
def bytes_for_classes(trie, automaton, nodes, states, few=0):
    """The automaton is stepped by bytes, and `successors` takes the classes of bytes."""
    levels = [(nodes, states)]
    while len(nodes) > few:
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), trie.byte.take(below))
        alive = (after != DEAD).nonzero()[0]
        nodes, states = below.take(alive), after.take(alive)
        levels.append((nodes, states))
    return levels


@mistake("mask_row", hint=1)
def eos_by_its_group(eos_id, row, accepting):
    """The EOS bit is set where the state accepts, but elsewhere it is left as the row has it."""
    mask = row.copy()
    words, bit = mask.view(np.uint32), np.uint32(1 << eos_id % 32)
    if accepting:
        words[eos_id // 32] |= bit
    return mask


@mistake("mask_row", hint=1)
def the_shared_row_is_changed(eos_id, row, accepting):
    """EOS is written into the row itself, which other states share."""
    mask = row
    words, bit = mask.view(np.uint32), np.uint32(1 << eos_id % 32)
    words[eos_id // 32] &= ~bit
    if accepting:
        words[eos_id // 32] |= bit
    return mask


@mistake("mask_row", hint=1)
def eos_where_nothing_else_is_left(eos_id, row, accepting):
    """EOS is also set where no token is alive, so that no mask is ever empty."""
    mask = row.copy()
    words, bit = mask.view(np.uint32), np.uint32(1 << eos_id % 32)
    words[eos_id // 32] &= ~bit
    if accepting or not words.any():
        words[eos_id // 32] |= bit
    return mask


@mistake("pure_tokens", hint=1)
def and_instead_of_or(valid, has, excluded):
    """Only the tokens that have all of the excluded bytes leave the string, so one quote is let through."""
    return valid & ~np.bitwise_and.reduce(has[list(excluded)], axis=0) if len(excluded) else valid.copy()


@mistake("pure_tokens", hint=1)
def half_characters_are_pure(valid, has, excluded):
    """Every token without the bytes counts, also one that is not made of whole characters."""
    return ~np.bitwise_or.reduce(has[list(excluded)], axis=0)


@mistake("pure_tokens", hint=3)
def bytes_as_an_index(valid, has, excluded):
    """`excluded` is the index as it is, and NumPy picks rows by a list of ints, not by bytes or a tuple."""
    return valid & ~np.bitwise_or.reduce(has[excluded], axis=0)


@mistake("string_row", hint=2)
def long_prefixes_overflow(staying, nodes, n_before, states, walked):
    """The number of characters is taken as the index, although the last state is for all larger numbers."""
    starts = states.take(n_before)
    alive = (starts != DEAD).nonzero()[0]
    return staying | walked(nodes.take(alive), starts.take(alive))


@mistake("string_row", hint=3)
def only_those_that_leave(staying, nodes, n_before, states, walked):
    """The tokens that stay in the string are forgotten."""
    starts = states.take(np.minimum(n_before, len(states) - 1))
    alive = (starts != DEAD).nonzero()[0]
    return walked(nodes.take(alive), starts.take(alive))


@mistake("next_state", hint=1)
def a_token_without_bytes_stays(automaton, token_bytes, state, token_id):
    """A token that isn't text has nothing to read, so it's allowed and leads to where it was."""
    if not 0 <= token_id < len(token_bytes):
        raise TokenNotAllowed(token_id, f"state {state}")
    after = state
    for byte in token_bytes[token_id] or b"":
        after = automaton.step(after, byte)
    if after == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    return after


@mistake("next_state", hint=1)
def dead_is_a_state(automaton, token_bytes, state, token_id):
    """The dead state is returned like any other, and the caller is left to notice."""
    token = token_bytes[token_id] if 0 <= token_id < len(token_bytes) else None
    after = state if token else DEAD
    for byte in token or b"":
        after = automaton.step(after, byte)
    return after


@mistake("next_state", hint=2)
def negative_ids_from_the_end(automaton, token_bytes, state, token_id):
    """An id below 0 is let through, and Python takes -1 for the last token."""
    token = token_bytes[token_id] if -len(token_bytes) <= token_id < len(token_bytes) else None
    after = state if token else DEAD
    for byte in token or b"":
        after = automaton.step(after, byte)
    if after == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    return after


@mistake("next_state", hint=1)
def stops_at_the_last_living_state(automaton, token_bytes, state, token_id):
    """Where a token dies halfway, the state before is returned."""
    token = token_bytes[token_id] if 0 <= token_id < len(token_bytes) else None
    if not token or automaton.step(state, token[0]) == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    for byte in token:
        after = automaton.step(state, byte)
        if after == DEAD:
            break
        state = after
    return state


@mistake("lift", hint=3)
def dead_once_dead_for_all(trie, automaton, states):
    """A node is given up as soon as it is dead in one of the states, although it is alive in others."""
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


@mistake("lift", hint=2)
def minus_one_is_the_last_node(trie, automaton, states):
    """There is no entry for tokens without a node, so the index -1 finds the last node."""
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


@mistake("lift", hint=3)
def notes_in_the_old_array(trie, automaton, states):
    """Results are noted in the array that `add` has just replaced, and so they are lost."""
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
