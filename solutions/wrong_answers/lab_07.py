"""Wrong answers of lab 07: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("end_of_run", hint=2)
def ascii_has_blocks_too(start, end):
    """ASCII is cut at multiples of 64 like everything else, although it has no continuation bytes."""
    size = 1
    while start % (size * 64) == 0 and start + size * 64 - 1 <= end:
        size *= 64
    last_of_parent = start | (size * 64 - 1)
    return min(last_of_parent, start + (end - start + 1) // size * size - 1)


@mistake("end_of_run", hint=2)
def one_block_per_run(start, end):
    """One block is taken for a whole run, although the blocks after it fit into the same box."""
    if end < 0x80:
        return end
    size = 1
    while start % (size * 64) == 0 and start + size * 64 - 1 <= end:
        size *= 64
    return start + size - 1


@mistake("end_of_run", hint=2)
def run_crosses_its_block(start, end):
    """A run continues past the end of the larger block in which it begins."""
    if end < 0x80:
        return end
    size = 1
    while start % (size * 64) == 0 and start + size * 64 - 1 <= end:
        size *= 64
    return start + (end - start + 1) // size * size - 1


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


@mistake("build_byte_trie", hint=1)
def spaces_stripped_from_tokens(token_bytes):
    """Spaces around a token are removed, so a token that begins with one ends at another's node."""
    tokens = [token and (token.strip() or token) for token in token_bytes]
    prefixes = {token[:n] for token in tokens if token for n in range(1, len(token) + 1)}
    paths = [b"", *sorted(prefixes, key=lambda path: (len(path), path))]
    numbers = {path: number for number, path in enumerate(paths)}
    parent = [NO_NODE, *(numbers[path[:-1]] for path in paths[1:])]
    byte = [0, *(path[-1] for path in paths[1:])]
    ends = [numbers[token] if token else NO_NODE for token in tokens]
    return ByteTrie(np.array(parent), np.array(byte), np.array(ends, dtype=np.intp))


@mistake("text_bytes", hint=2)
def decoded_one_by_one(vocabulary):
    """Each id is decoded alone and encoded again, so half a character turns into a replacement character."""
    return tuple(vocabulary.decode([token_id]).encode() or None for token_id in range(len(vocabulary)))


@mistake("text_bytes", hint=2)
def empty_token_is_text(vocabulary):
    """A token without bytes is kept as the empty text."""
    special = vocabulary.special_ids
    return tuple(None if token_id in special else token for token_id, token in enumerate(vocabulary.token_bytes))


@mistake("text_bytes", hint=1)
def only_eos_is_special(vocabulary):
    """Of the special tokens only EOS is left out, so the names of the others count as text."""
    tokens = enumerate(vocabulary.token_bytes)
    return tuple(None if token_id == vocabulary.eos_id or not token else token for token_id, token in tokens)


@mistake("text_bytes", hint=2)
def only_whole_characters(vocabulary):
    """A token that is no whole text is called no text at all, so characters of several tokens cannot be written."""
    return tuple(text.encode() if text else None for text in vocabulary.texts())


@mistake("text_bytes", hint=1)
def special_by_its_brackets(vocabulary):
    """A token is called special if its bytes are in angle brackets, whatever the vocabulary says."""
    names = {token for token in vocabulary.token_bytes if token[:1] == b"<" and token[-1:] == b">"}
    return tuple(None if token in names or not token else token for token in vocabulary.token_bytes)


@mistake("text_bytes", hint=1)
def white_space_is_no_text(vocabulary):
    """A token of white space alone is taken for empty."""
    special = vocabulary.special_ids
    tokens = enumerate(vocabulary.token_bytes)
    return tuple(None if token_id in special or not token.strip() else token for token_id, token in tokens)


@mistake("pack_mask", hint=1)
def bits_from_the_left(allowed):
    """The first token of each eight goes into the highest bit of its byte, which is the default of packbits."""
    words = np.zeros(-(-len(allowed) // 32), "<i4")
    packed = np.packbits(allowed)
    words.view(np.uint8)[: len(packed)] = packed
    return words.astype(np.int32, copy=False)


@mistake("pack_mask", hint=2)
def last_word_dropped(allowed):
    """The number of words is rounded down, and the tokens after the last whole word are lost."""
    whole = allowed[: len(allowed) // 32 * 32]
    return np.packbits(whole, bitorder="little").view("<i4").astype(np.int32, copy=False)


@mistake("pack_mask", hint=2)
def one_word_too_many(allowed):
    """The number of words is V // 32 + 1, one too many where V is a multiple of 32."""
    words = np.zeros(len(allowed) // 32 + 1, "<i4")
    packed = np.packbits(allowed, bitorder="little")
    words.view(np.uint8)[: len(packed)] = packed
    return words.astype(np.int32, copy=False)


@mistake("pack_mask", hint=2)
def sign_bit_dropped(allowed):
    """The sign bit is cleared so that no word is negative, and token 31 of each word is lost."""
    words = np.zeros(-(-len(allowed) // 32), "<i4")
    packed = np.packbits(allowed, bitorder="little")
    words.view(np.uint8)[: len(packed)] = packed
    return words.astype(np.int32) & 0x7FFFFFFF


@mistake("pack_mask", hint=2)
def tail_bits_set(allowed):
    """The last word is filled up with ones, because nothing forbids what comes after the last token."""
    filled = np.concatenate([allowed, np.ones(-len(allowed) % 32, bool)])
    return np.packbits(filled, bitorder="little").view("<i4").astype(np.int32, copy=False)


@mistake("pack_mask", hint=2)
def unsigned_words(allowed):
    """The words are uint32, because bits have no sign."""
    words = np.zeros(-(-len(allowed) // 32), "<u4")
    packed = np.packbits(allowed, bitorder="little")
    words.view(np.uint8)[: len(packed)] = packed
    return words.astype(np.uint32, copy=False)


@mistake("walk", hint=2)
def bytes_are_their_own_classes(trie, automaton, nodes, states, few=0):
    """The automaton is given bytes where it asks for the classes of bytes."""
    levels = [(nodes, states)]
    n_classes = automaton.byte_classes.max() + 1
    while len(nodes) > few:
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), trie.byte.take(below) % n_classes)
        alive = (after != DEAD).nonzero()[0]
        nodes, states = below.take(alive), after.take(alive)
        levels.append((nodes, states))
    return levels


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


@mistake("walk", hint=3)
def few_nodes_are_walked_too(trie, automaton, nodes, states, few=0):
    """The walk goes on to the end, whatever number of nodes the caller wants to walk itself."""
    levels = [(nodes, states)]
    while len(nodes):
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), automaton.byte_classes.take(trie.byte.take(below)))
        alive = (after != DEAD).nonzero()[0]
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


@mistake("walk", hint=3)
def state_zero_is_dead_in_a_walk(trie, automaton, nodes, states, few=0):
    """A step to state 0 is taken for a dead one, because 0 is false."""
    levels = [(nodes, states)]
    while len(nodes) > few:
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), automaton.byte_classes.take(trie.byte.take(below)))
        alive = (after > 0).nonzero()[0]
        nodes, states = below.take(alive), after.take(alive)
        levels.append((nodes, states))
    return levels


@mistake("walk", hint=2)
def states_are_not_cut(trie, automaton, nodes, states, few=0):
    """Dead nodes go, but their states stay, so nodes and states are no longer side by side."""
    levels = [(nodes, states)]
    while len(nodes) > few:
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), automaton.byte_classes.take(trie.byte.take(below)))
        alive = (after != DEAD).nonzero()[0]
        nodes, states = below.take(alive), after
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


@mistake("walk", hint=3)
def stops_one_node_early(trie, automaton, nodes, states, few=0):
    """A level with exactly so many nodes as are few is still walked."""
    levels = [(nodes, states)]
    while len(nodes) >= max(few, 1):
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), automaton.byte_classes.take(trie.byte.take(below)))
        alive = (after != DEAD).nonzero()[0]
        nodes, states = below.take(alive), after.take(alive)
        levels.append((nodes, states))
    return levels


@mistake("walk", hint=3)
def the_last_level_is_left_out(trie, automaton, nodes, states, few=0):
    """The last level is dropped as if it were always empty."""
    levels = [(nodes, states)]
    while len(nodes) > few:
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), automaton.byte_classes.take(trie.byte.take(below)))
        alive = (after != DEAD).nonzero()[0]
        nodes, states = below.take(alive), after.take(alive)
        levels.append((nodes, states))
    return levels[:-1] or levels


@mistake("walk", hint=3)
def the_start_is_left_out(trie, automaton, nodes, states, few=0):
    """The levels begin below the given nodes, so a token that ends at one of them is lost."""
    levels = [(nodes, states)]
    while len(nodes) > few:
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), automaton.byte_classes.take(trie.byte.take(below)))
        alive = (after != DEAD).nonzero()[0]
        nodes, states = below.take(alive), after.take(alive)
        levels.append((nodes, states))
    return levels[1:]


@mistake("mask_row", hint=1)
def eos_always_allowed(eos_id, row, accepting):
    """EOS is allowed in every state, because a model must be able to stop."""
    mask = row.copy()
    words, bit = mask.view(np.uint32), np.uint32(1 << eos_id % 32)
    words[eos_id // 32] |= bit
    return mask


@mistake("mask_row", hint=1)
def eos_by_its_group(eos_id, row, accepting):
    """The EOS bit is set where the state accepts, but elsewhere it is left as the row has it."""
    mask = row.copy()
    words, bit = mask.view(np.uint32), np.uint32(1 << eos_id % 32)
    if accepting:
        words[eos_id // 32] |= bit
    return mask


@mistake("mask_row", hint=2)
def eos_is_the_last_id(eos_id, row, accepting):
    """EOS is taken for the last bit of the last word, wherever the vocabulary has it."""
    mask = row.copy()
    words, bit = mask.view(np.uint32), np.uint32(1 << 31)
    words[-1] = words[-1] | bit if accepting else words[-1] & ~bit
    return mask


@mistake("mask_row", hint=1)
def eos_is_toggled(eos_id, row, accepting):
    """The EOS bit is turned over where the state accepts, instead of set."""
    mask = row.copy()
    words, bit = mask.view(np.uint32), np.uint32(1 << eos_id % 32)
    if accepting:
        words[eos_id // 32] ^= bit
    return mask


@mistake("mask_row", hint=1)
def eos_never_allowed(eos_id, row, accepting):
    """EOS is never allowed, because it is no text that the automaton could read."""
    mask = row.copy()
    words, bit = mask.view(np.uint32), np.uint32(1 << eos_id % 32)
    words[eos_id // 32] &= ~bit
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


@mistake("mask_row", hint=2)
def the_sign_bit_overflows(eos_id, row, accepting):
    """EOS is shifted as a signed word, which fails for the last token of a word."""
    mask = row.copy()
    bit = np.int32(1 << eos_id % 32)
    mask[eos_id // 32] &= ~bit
    if accepting:
        mask[eos_id // 32] |= bit
    return mask


@mistake("pure_tokens", hint=1)
def and_instead_of_or(valid, has, excluded):
    """Only the tokens that have all of the excluded bytes leave the string, so one quote is let through."""
    return valid & ~np.bitwise_and.reduce(has[list(excluded)], axis=0) if len(excluded) else valid.copy()


@mistake("pure_tokens", hint=2)
def excluded_must_be_bytes(valid, has, excluded):
    """The excluded bytes are read as text, so a list or a tuple of numbers is refused."""
    leaving = np.bitwise_or.reduce(has[np.frombuffer(excluded, np.uint8)], axis=0)
    return valid & ~leaving


@mistake("pure_tokens", hint=1)
def half_characters_are_pure(valid, has, excluded):
    """Every token without the bytes counts, also one that is not made of whole characters."""
    return ~np.bitwise_or.reduce(has[list(excluded)], axis=0)


@mistake("pure_tokens", hint=1)
def leaving_tokens_are_kept(valid, has, excluded):
    """The rows are put together the right way, and then the tokens that leave are returned."""
    return valid & np.bitwise_or.reduce(has[list(excluded)], axis=0)


@mistake("pure_tokens", hint=2)
def nothing_excluded_nothing_pure(valid, has, excluded):
    """With no byte excluded no token is said to be pure."""
    if not len(excluded):
        return np.zeros_like(valid)
    return valid & ~np.bitwise_or.reduce(has[list(excluded)], axis=0)


@mistake("pure_tokens", hint=1)
def one_excluded_byte_is_enough(valid, has, excluded):
    """Only the first excluded byte is looked at."""
    leaving = has[excluded[0]] if len(excluded) else np.zeros_like(valid)
    return valid & ~leaving


@mistake("pure_tokens", hint=1)
def valid_is_written_to(valid, has, excluded):
    """The excluded tokens are taken out of the row of all tokens itself, for good."""
    for byte in excluded:
        valid &= ~has[byte]
    return valid


@mistake("string_row", hint=3)
def both_at_once(staying, nodes, n_before, states, walked):
    """A token counts only if it stays and leaves, which none does."""
    starts = states.take(np.minimum(n_before, len(states) - 1))
    alive = (starts != DEAD).nonzero()[0]
    return staying & walked(nodes.take(alive), starts.take(alive))


@mistake("string_row", hint=2)
def dead_states_are_walked_from(staying, nodes, n_before, states, walked):
    """Nodes where the string is too long already are walked from too."""
    starts = states.take(np.minimum(n_before, len(states) - 1))
    alive = np.arange(len(starts))
    return staying | walked(nodes.take(alive), starts.take(alive))


@mistake("string_row", hint=2)
def dead_wraps_to_the_last(staying, nodes, n_before, states, walked):
    """Too large numbers go round to the front again instead of staying at the last state."""
    starts = states.take(n_before % len(states))
    alive = (starts != DEAD).nonzero()[0]
    return staying | walked(nodes.take(alive), starts.take(alive))


@mistake("string_row", hint=1)
def everything_leaves_from_the_start(staying, nodes, n_before, states, walked):
    """Every token is walked on from the first state, whatever it has read of the string."""
    starts = states.take(np.zeros_like(n_before))
    alive = (starts != DEAD).nonzero()[0]
    return staying | walked(nodes.take(alive), starts.take(alive))


@mistake("string_row", hint=2)
def long_prefixes_overflow(staying, nodes, n_before, states, walked):
    """The number of characters is taken as the index, although the last state is for all larger numbers."""
    starts = states.take(n_before)
    alive = (starts != DEAD).nonzero()[0]
    return staying | walked(nodes.take(alive), starts.take(alive))


@mistake("string_row", hint=3)
def nodes_and_states_apart(staying, nodes, n_before, states, walked):
    """Dead starts are left out, but their nodes are not."""
    starts = states.take(np.minimum(n_before, len(states) - 1))
    alive = (starts != DEAD).nonzero()[0]
    return staying | walked(nodes[: len(alive)], starts.take(alive))


@mistake("string_row", hint=3)
def only_those_that_leave(staying, nodes, n_before, states, walked):
    """The tokens that stay in the string are forgotten."""
    starts = states.take(np.minimum(n_before, len(states) - 1))
    alive = (starts != DEAD).nonzero()[0]
    return walked(nodes.take(alive), starts.take(alive))


@mistake("string_row", hint=2)
def state_zero_leads_nowhere(staying, nodes, n_before, states, walked):
    """State 0 is taken for a dead one, so nothing leaves the string from there."""
    starts = states.take(np.minimum(n_before, len(states) - 1))
    alive = (starts > 0).nonzero()[0]
    return staying | walked(nodes.take(alive), starts.take(alive))


@mistake("string_row", hint=3)
def staying_is_written_to(staying, nodes, n_before, states, walked):
    """The tokens that leave are written into the row of those that stay, which is kept for other masks."""
    starts = states.take(np.minimum(n_before, len(states) - 1))
    alive = (starts != DEAD).nonzero()[0]
    staying |= walked(nodes.take(alive), starts.take(alive))
    return staying


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


@mistake("next_state", hint=1)
def dead_token_keeps_the_state(automaton, token_bytes, state, token_id):
    """A token that dies leaves the state as it is."""
    token = token_bytes[token_id] if 0 <= token_id < len(token_bytes) else None
    after = state if token else DEAD
    for byte in token or b"":
        after = automaton.step(after, byte)
    return state if after == DEAD else after


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


@mistake("next_state", hint=2)
def numpy_ids_refused(automaton, token_bytes, state, token_id):
    """An id must be Python's int: one that comes from an array is refused as unknown."""
    token = token_bytes[token_id] if isinstance(token_id, int) and 0 <= token_id < len(token_bytes) else None
    after = state if token else DEAD
    for byte in token or b"":
        after = automaton.step(after, byte)
    if after == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    return after


@mistake("next_state", hint=1)
def state_zero_is_dead(automaton, token_bytes, state, token_id):
    """A step to state 0 is taken for a dead one, because 0 is false or small."""
    token = token_bytes[token_id] if 0 <= token_id < len(token_bytes) else None
    after = state if token else DEAD
    for byte in token or b"":
        after = automaton.step(after, byte)
    if after <= 0:
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


@mistake("lift", hint=2)
def dead_byte_skipped(trie, automaton, states):
    """On a dead byte the walk keeps the group that it had and goes on with the next byte."""
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
def key_halves_swapped(trie, automaton, states):
    """The quotient of a key is taken for the class and the remainder for the group."""
    groups = Groups(states, automaton.n_byte_classes)
    group = np.zeros(len(trie) + 1, np.intp)
    group[0] = IDENTITY
    live = np.array([0])
    while len(live):
        nodes = trie.children(live)
        keys = group.take(trie.parent[nodes]) * automaton.n_byte_classes + automaton.byte_classes.take(trie.byte[nodes])
        fresh = groups.fresh(keys)
        byte_classes, parents = np.divmod(fresh, automaton.n_byte_classes)
        groups.after[fresh] = groups.add(groups.follow(automaton, parents, byte_classes))
        group[nodes] = groups.after.take(keys)
        live = chosen(nodes, group[nodes] != NOWHERE)
    return Lifted(group[trie.node_of_token], groups.transitions)


@mistake("lift", hint=1)
def known_steps_followed_again(trie, automaton, states):
    """Every node of a level is followed by itself; steps that are known are not looked up."""
    groups = Groups(states, automaton.n_byte_classes)
    group = np.zeros(len(trie) + 1, np.intp)
    group[0] = IDENTITY
    live = np.array([0])
    while len(live):
        nodes = trie.children(live)
        byte_classes = automaton.byte_classes.take(trie.byte[nodes])
        below = groups.add(groups.follow(automaton, group.take(trie.parent[nodes]), byte_classes))
        group[nodes] = below
        live = chosen(nodes, below != NOWHERE)
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


@mistake("lift", hint=1)
def only_the_last_byte_counts(trie, automaton, states):
    """Every byte is followed from the initial states, as if nothing had been read before it."""
    groups = Groups(states, automaton.n_byte_classes)
    group = np.zeros(len(trie) + 1, np.intp)
    group[0] = IDENTITY
    live = np.array([0])
    while len(live):
        nodes = trie.children(live)
        keys = IDENTITY * automaton.n_byte_classes + automaton.byte_classes.take(trie.byte[nodes])
        fresh = groups.fresh(keys)
        parents, byte_classes = np.divmod(fresh, automaton.n_byte_classes)
        groups.after[fresh] = groups.add(groups.follow(automaton, parents, byte_classes))
        group[nodes] = groups.after.take(keys)
        live = chosen(nodes, group[nodes] != NOWHERE)
    return Lifted(group[trie.node_of_token], groups.transitions)


@mistake("compile_token_fsm", hint=1)
def digits_of_ascii_alone(pattern, index):
    """The pattern is compiled with ASCII's digits and letters, so \\w no longer matches é."""
    return TokenFSM(compile_dfa(pattern, ascii_only=True), index)


@mistake("compile_token_fsm", hint=1)
def kept_by_pattern(pattern, index, known={}):
    """A compiled pattern is kept by its text alone, and given for any vocabulary."""
    if pattern not in known:
        known[pattern] = TokenFSM(compile_dfa(pattern), index)
    return known[pattern]


@mistake("compile_token_fsm", hint=2)
def one_automaton_for_an_index(pattern, index):
    """The automaton is kept with the index, and the second pattern gets that of the first."""
    if not hasattr(index, "automaton"):
        index.automaton = TokenFSM(compile_dfa(pattern), index)
    return index.automaton


@mistake("compile_token_fsm", hint=1)
def the_pattern_as_bytes(pattern, index):
    """The pattern is turned into bytes before it is compiled, although the compiler reads characters."""
    return TokenFSM(compile_dfa(pattern.encode().decode("latin-1")), index)
