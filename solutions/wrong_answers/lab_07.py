"""Wrong answers of lab 07: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("next_state", hint=1)
def a_token_without_bytes_stays(automaton, token_bytes, state, token_id):
    """You let a token that isn't text stay where it was. It has nothing to read, but it isn't allowed either."""
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
    """You return the dead state like any other, and leave it to your caller to notice. Raise an error instead."""
    token = token_bytes[token_id] if 0 <= token_id < len(token_bytes) else None
    after = state if token else DEAD
    for byte in token or b"":
        after = automaton.step(after, byte)
    return after


@mistake("next_state", hint=2)
def negative_ids_from_the_end(automaton, token_bytes, state, token_id):
    """You don't check the id. Python takes token_bytes[-1] for the last token, and an id of V is an IndexError."""
    token = token_bytes[token_id]
    after = state if token else DEAD
    for byte in token or b"":
        after = automaton.step(after, byte)
    if after == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    return after


@mistake("next_state", hint=2)
def minus_one_is_the_last_token(automaton, token_bytes, state, token_id):
    """You only check that the id is below V, but a negative one isn't allowed either. To Python, -1 is the last."""
    token = token_bytes[token_id] if token_id < len(token_bytes) else None
    after = state if token else DEAD
    for byte in token or b"":
        after = automaton.step(after, byte)
    if after == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    return after


@mistake("next_state", hint=1)
def state_0_is_dead(automaton, token_bytes, state, token_id):
    """You take state 0 for dead, but it's a state like any other. Only DEAD, which is -1, is dead."""
    token = token_bytes[token_id] if 0 <= token_id < len(token_bytes) else None
    after = state if token else DEAD
    for byte in token or b"":
        after = automaton.step(after, byte)
    if after <= 0:
        raise TokenNotAllowed(token_id, f"state {state}")
    return after


@mistake("next_state", hint=1)
def stops_at_the_last_living_state(automaton, token_bytes, state, token_id):
    """When a token dies halfway, you return the last living state. A token that dies is not allowed at all."""
    token = token_bytes[token_id] if 0 <= token_id < len(token_bytes) else None
    if not token or automaton.step(state, token[0]) == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    for byte in token:
        after = automaton.step(state, byte)
        if after == DEAD:
            break
        state = after
    return state


@mistake("mask_row", hint=1)
def eos_by_its_group(eos_id, row, accepting):
    """You set the EOS bit where the state accepts, but elsewhere you leave it as the row has it. Clear it there."""
    mask = row.copy()
    words, bit = mask.view(np.uint32), np.uint32(1 << eos_id % 32)
    if accepting:
        words[eos_id // 32] |= bit
    return mask


@mistake("mask_row", hint=1)
def the_shared_row_is_changed(eos_id, row, accepting):
    """You write EOS into the row itself. Other states share that row, so you change their masks as well."""
    words, bit = row.view(np.uint32), np.uint32(1 << eos_id % 32)
    words[eos_id // 32] &= ~bit
    if accepting:
        words[eos_id // 32] |= bit
    return row


@mistake("mask_row", hint=2)
def bit_31_in_signed_words(eos_id, row, accepting):
    """You shift 1 by 31 for an int32, and it doesn't fit: bit 31 is the sign. Write into an unsigned view."""
    mask = row.copy()
    if accepting:
        mask[eos_id // 32] |= 1 << eos_id % 32
    else:
        mask[eos_id // 32] &= ~(1 << eos_id % 32)
    return mask


@mistake("mask_row", hint=1)
def eos_where_nothing_else_is_left(eos_id, row, accepting):
    """You also set EOS where no token is alive, so a dead end passes for a finished text."""
    mask = row.copy()
    words, bit = mask.view(np.uint32), np.uint32(1 << eos_id % 32)
    words[eos_id // 32] &= ~bit
    if accepting or not words.any():
        words[eos_id // 32] |= bit
    return mask


@mistake("end_of_run", hint=2)
def run_crosses_its_block(start, end):
    """You let a run cross the end of the next larger block. The byte before changes there, so a new box begins."""
    if end < 0x80:
        return end
    size = 1
    while start % (size * 64) == 0 and start + size * 64 - 1 <= end:
        size *= 64
    return start + (end - start + 1) // size * size - 1


@mistake("end_of_run", hint=2)
def ascii_has_blocks_too(start, end):
    """You cut ASCII into blocks of 64 too. It has no continuation bytes, so there's nothing to cut."""
    size = 1
    while start % (size * 64) == 0 and start + size * 64 - 1 <= end:
        size *= 64
    return min(start | (size * 64 - 1), start + (end - start + 1) // size * size - 1)


@mistake("end_of_run", hint=1)
def only_the_last_byte_varies(start, end):
    """You stop at the last byte's BF. But if all 64 come after a byte, the next value of that byte may join the box."""
    return end if end < 0x80 else min(start | 63, end)


@mistake("byte_dfa", hint=1)
def equal_subtrees_not_shared(dfa):
    """You make a new node for every subtree, but equal subtrees must share one."""
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
    """You number the nodes below the root from 0. But 0 means dead here, so a step to the first of them looks dead."""
    numbers = {}

    def row_of(tree):
        row = np.zeros(BYTES, np.int32)
        for (first, last), below in tree.items():
            leaf = isinstance(below, int)
            row[first : last + 1] = -1 - below if leaf else numbers.setdefault(row_of(below), len(numbers))
        return row.tobytes()

    rows = [row_of(utf8_tree(dfa)), *numbers]
    return ByteDfa(dfa, np.frombuffer(b"".join(rows), np.int32).reshape(-1, BYTES))


@mistake("byte_dfa", hint=2)
def equal_ranges_share_a_node(dfa):
    """Your key says which bytes may follow, but not where they lead. So two different subtrees share a node."""
    rows, numbers = [np.zeros(BYTES, np.int32)], {}

    def row_of(tree):
        row = np.zeros(BYTES, np.int32)
        for (first, last), below in tree.items():
            if isinstance(below, int):
                row[first : last + 1] = -1 - below
                continue
            inner = row_of(below)
            key = np.maximum(inner, -1).tobytes()
            if key not in numbers:
                numbers[key] = len(rows)
                rows.append(inner)
            row[first : last + 1] = numbers[key]
        return row

    rows[0] = row_of(utf8_tree(dfa))
    return ByteDfa(dfa, np.array(rows))


@mistake("byte_dfa", hint=2)
def last_byte_left_out(dfa):
    """You leave out the last byte of each range. A ByteRange includes its last byte, and a Python slice doesn't."""
    numbers = {}

    def row_of(tree):
        row = np.zeros(BYTES, np.int32)
        for (first, last), below in tree.items():
            leaf = isinstance(below, int)
            row[first:last] = -1 - below if leaf else numbers.setdefault(row_of(below), len(numbers) + 1)
        return row.tobytes()

    rows = [row_of(utf8_tree(dfa)), *numbers]
    return ByteDfa(dfa, np.frombuffer(b"".join(rows), np.int32).reshape(-1, BYTES))


@mistake("walk", hint=1)
def state_0_is_dropped(trie, automaton, nodes, states, few=0):
    """You drop nodes in state 0, but it's a state like any other. Only DEAD, which is -1, is dead."""
    levels = [(nodes, states)]
    while len(nodes) > few:
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), automaton.byte_classes.take(trie.byte.take(below)))
        nodes, states = below[after > 0], after[after > 0]
        levels.append((nodes, states))
    return levels


@mistake("walk", hint=1)
def dead_nodes_are_walked_on(trie, automaton, nodes, states, few=0):
    """You leave dead nodes in the level, so you walk everything below them too."""
    levels = [(nodes, states)]
    while len(nodes) > few:
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), automaton.byte_classes.take(trie.byte.take(below)))
        nodes, states = below, after
        levels.append((nodes, states))
    return levels


@mistake("walk", hint=1)
def one_automaton_step_per_node(trie, automaton, nodes, states, few=0):
    """You step the automaton for one child at a time. That's right, but slow: one call can do the whole level."""
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
    """You repeat the array of states as a whole. Repeat each state as often as its node has children."""
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
    """You pass bytes to `successors`, but it takes the classes of bytes."""
    levels = [(nodes, states)]
    while len(nodes) > few:
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), trie.byte.take(below))
        alive = (after != DEAD).nonzero()[0]
        nodes, states = below.take(alive), after.take(alive)
        levels.append((nodes, states))
    return levels


@mistake("pure_tokens", hint=1)
def and_instead_of_or(valid, has, excluded):
    """You only take out tokens that have all of the excluded bytes. One is enough to exclude a token."""
    return valid & ~np.bitwise_and.reduce(has[list(excluded)], axis=0)


@mistake("pure_tokens", hint=1)
def half_characters_are_pure(valid, has, excluded):
    """You forget `valid`, so you keep every token without the excluded bytes, even the second half of a character."""
    return ~np.bitwise_or.reduce(has[list(excluded)], axis=0)


@mistake("pure_tokens", hint=3)
def bytes_as_an_index(valid, has, excluded):
    """You use `excluded` itself as the index. NumPy picks rows by a list of ints, not by bytes or a tuple."""
    return valid & ~np.bitwise_or.reduce(has[excluded], axis=0)


@mistake("lift", hint=3)
def dead_once_dead_for_all(trie, automaton, states):
    """You give a node up as soon as it's dead in one of the states, although it may be alive in another."""
    groups, n_classes = Groups(states, automaton.n_byte_classes), automaton.n_byte_classes
    group = np.zeros(len(trie) + 1, np.intp)
    group[0], live = IDENTITY, np.array([0])
    while len(live):
        nodes = trie.children(live)
        keys = group.take(trie.parent[nodes]) * n_classes + automaton.byte_classes.take(trie.byte[nodes])
        group[nodes] = groups.look_up(automaton, keys)
        in_all = np.diff(groups.transitions.first) == len(states)
        live = chosen(nodes, in_all[group[nodes]])
    return Lifted(group[trie.node_of_token], groups.transitions)


@mistake("lift", hint=2)
def minus_one_is_the_last_node(trie, automaton, states):
    """Your index -1 finds the last node. Give tokens without a node group 0."""
    groups, n_classes = Groups(states, automaton.n_byte_classes), automaton.n_byte_classes
    group = np.zeros(len(trie), np.intp)
    group[0], live = IDENTITY, np.array([0])
    while len(live):
        nodes = trie.children(live)
        keys = group.take(trie.parent[nodes]) * n_classes + automaton.byte_classes.take(trie.byte[nodes])
        group[nodes] = groups.look_up(automaton, keys)
        live = chosen(nodes, group[nodes] != NOWHERE)
    return Lifted(group[trie.node_of_token], groups.transitions)


@mistake("lift", hint=2)
def bytes_in_keys(trie, automaton, states):
    """You put the byte itself into the key, but it takes the class of the byte, automaton.byte_classes[byte]."""
    groups, n_classes = Groups(states, automaton.n_byte_classes), automaton.n_byte_classes
    group = np.zeros(len(trie) + 1, np.intp)
    group[0], live = IDENTITY, np.array([0])
    while len(live):
        nodes = trie.children(live)
        group[nodes] = groups.look_up(automaton, group.take(trie.parent[nodes]) * n_classes + trie.byte[nodes])
        live = chosen(nodes, group[nodes] != NOWHERE)
    return Lifted(group[trie.node_of_token], groups.transitions)


@mistake("lift", hint=1)
def the_root_is_nowhere(trie, automaton, states):
    """You give the root group 0, so everything below it is dead. The root's group is IDENTITY."""
    groups, n_classes = Groups(states, automaton.n_byte_classes), automaton.n_byte_classes
    group = np.zeros(len(trie) + 1, np.intp)
    group[0], live = NOWHERE, np.array([0])
    while len(live):
        nodes = trie.children(live)
        keys = group.take(trie.parent[nodes]) * n_classes + automaton.byte_classes.take(trie.byte[nodes])
        group[nodes] = groups.look_up(automaton, keys)
        live = chosen(nodes, group[nodes] != NOWHERE)
    return Lifted(group[trie.node_of_token], groups.transitions)


@mistake("lift", hint=2)
def class_times_c_plus_group(trie, automaton, states):
    """Your key multiplies the class by C. Multiply the group by C, and add the class."""
    groups, n_classes = Groups(states, automaton.n_byte_classes), automaton.n_byte_classes
    group = np.zeros(len(trie) + 1, np.intp)
    group[0], live = IDENTITY, np.array([0])
    while len(live):
        nodes = trie.children(live)
        keys = automaton.byte_classes.take(trie.byte[nodes]) * n_classes + group.take(trie.parent[nodes])
        group[nodes] = groups.look_up(automaton, keys)
        live = chosen(nodes, group[nodes] != NOWHERE)
    return Lifted(group[trie.node_of_token], groups.transitions)


@mistake("lift", hint=2)
def groups_times_256(trie, automaton, states):
    """You multiply the group by 256. There are only C classes of bytes, so multiply it by C."""
    groups = Groups(states, automaton.n_byte_classes)
    group = np.zeros(len(trie) + 1, np.intp)
    group[0], live = IDENTITY, np.array([0])
    while len(live):
        nodes = trie.children(live)
        keys = group.take(trie.parent[nodes]) * BYTES + automaton.byte_classes.take(trie.byte[nodes])
        group[nodes] = groups.look_up(automaton, keys)
        live = chosen(nodes, group[nodes] != NOWHERE)
    return Lifted(group[trie.node_of_token], groups.transitions)


@mistake("lift", hint=3)
def groups_of_their_own_on_each_level(trie, automaton, states):
    """You make new Groups on each level, and they know nothing of the level above. Make them once, before the loop."""
    groups, n_classes = Groups(states, automaton.n_byte_classes), automaton.n_byte_classes
    group = np.zeros(len(trie) + 1, np.intp)
    group[0], live = IDENTITY, np.array([0])
    while len(live):
        groups = Groups(states, n_classes)
        nodes = trie.children(live)
        keys = group.take(trie.parent[nodes]) * n_classes + automaton.byte_classes.take(trie.byte[nodes])
        group[nodes] = groups.look_up(automaton, keys)
        live = chosen(nodes, group[nodes] != NOWHERE)
    return Lifted(group[trie.node_of_token], groups.transitions)


@mistake("lift", hint=2)
def group_plus_class(trie, automaton, states):
    """Your key is group + class, so different pairs get the same key. Multiply the group by C first."""
    groups = Groups(states, automaton.n_byte_classes)
    group = np.zeros(len(trie) + 1, np.intp)
    group[0], live = IDENTITY, np.array([0])
    while len(live):
        nodes = trie.children(live)
        keys = group.take(trie.parent[nodes]) + automaton.byte_classes.take(trie.byte[nodes])
        group[nodes] = groups.look_up(automaton, keys)
        live = chosen(nodes, group[nodes] != NOWHERE)
    return Lifted(group[trie.node_of_token], groups.transitions)
