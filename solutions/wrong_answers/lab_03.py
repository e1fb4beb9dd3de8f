"""Wrong answers of lab 03: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("partial_match", hint=2)
def leaves_out_the_first_state(fsm, state, token):
    """Only the states after each character are returned, without the one that the token starts from."""
    states = []
    for char in token:
        if char not in fsm.transitions[state]:
            return None
        state = fsm.transitions[state][char]
        states.append(state)
    return tuple(states)


@mistake("partial_match", hint=2)
def returns_the_part_before_death(fsm, state, token):
    """A token that dies halfway returns the states before its death instead of None."""
    states = [state]
    for char in token:
        target = fsm.transitions[states[-1]].get(char)
        if target is None:
            break
        states.append(target)
    return tuple(states)


@mistake("partial_match", hint=3)
def state_fixed_within_a_token(fsm, state, token):
    """Every character is looked up in the state that the token starts from, not in the state reached."""
    states = [state]
    for char in token:
        target = fsm.transitions[state].get(char)
        if target is None:
            return None
        states.append(target)
    return tuple(states)


@mistake("partial_match", hint=3)
def the_empty_token_has_no_path(fsm, state, token):
    """A token without characters counts as dead, although it traverses the state that it starts from."""
    if not token:
        return None
    states = [state]
    for char in token:
        target = fsm.transitions[states[-1]].get(char)
        if target is None:
            return None
        states.append(target)
    return tuple(states)


@mistake("allowed_tokens", hint=2)
def first_state_for_the_last(fsm, state, texts):
    """Each token is entered with the state that it starts from, so generation never moves."""
    matches = {i: partial_match(fsm, state, text) for i, text in enumerate(texts) if text}
    return {i: states[0] for i, states in matches.items() if states}


@mistake("allowed_tokens", hint=3)
def the_empty_token_is_alive(fsm, state, texts):
    """Only None is left out, so the empty text, which always survives, is allowed everywhere."""
    found = {}
    for token_id, text in enumerate(texts):
        states = partial_match(fsm, state, text) if text is not None else None
        if states:
            found[token_id] = states[-1]
    return found


@mistake("allowed_tokens", hint=2)
def the_first_id_of_a_text(fsm, state, texts):
    """The id is looked up by the text, so of two ids with one text the second is lost."""
    row = {}
    for text in texts:
        if text and (states := partial_match(fsm, state, text)) is not None:
            row[texts.index(text)] = states[-1]
    return row


@mistake("states_to_vocab", hint=2)
def empty_rows_left_out(fsm, texts):
    """A state that allows nothing gets no row, so every row after it moves up."""
    rows = (allowed_tokens(fsm, state, texts) for state in range(len(fsm)))
    return tuple(row for row in rows if row)


@mistake("states_to_vocab", hint=1)
def every_row_from_the_start(fsm, texts):
    """Each row is computed from the automaton's initial state, whatever its number."""
    return tuple(allowed_tokens(fsm, fsm.initial, texts) for _ in range(len(fsm)))


@mistake("build_trie", hint=1)
def a_node_for_each_character(texts):
    """A new node is made for each character even if the child exists, so earlier tokens are lost."""
    trie = Trie()
    for token_id, text in enumerate(texts):
        node = 0
        for char in text or "":
            trie.children[node][char] = trie.add_node()
            node = trie.children[node][char]
        if text:
            trie.ids[node].append(token_id)
    return trie


@mistake("build_trie", hint=3)
def empty_text_ends_at_the_root(texts):
    """The id of a token without text is entered at the root, so it is allowed in every state."""
    trie = Trie()
    for token_id, text in enumerate(texts):
        node = 0
        for char in text or "":
            if char not in trie.children[node]:
                trie.children[node][char] = trie.add_node()
            node = trie.children[node][char]
        trie.ids[node].append(token_id)
    return trie


@mistake("build_trie", hint=2)
def ids_along_the_way(texts):
    """The id is entered at every node on the path, so every prefix of a token counts as the token."""
    trie = Trie()
    for token_id, text in enumerate(texts):
        node = 0
        for char in text or "":
            if char not in trie.children[node]:
                trie.children[node][char] = trie.add_node()
            node = trie.children[node][char]
            trie.ids[node].append(token_id)
    return trie


@mistake("build_trie", hint=2)
def one_id_for_a_text(texts):
    """The later of two ids with the same text replaces the earlier one."""
    trie = Trie()
    for token_id, text in enumerate(texts):
        node = 0
        for char in text or "":
            if char not in trie.children[node]:
                trie.children[node][char] = trie.add_node()
            node = trie.children[node][char]
        if text:
            trie.ids[node] = [token_id]
    return trie


@mistake("walk_trie", hint=2)
def no_way_back_to_state_zero(fsm, state, trie):
    """A transition is tested for truth, and one to state 0 is false."""
    found, waiting = {}, [(0, state)]
    while waiting:
        node, here = waiting.pop()
        for token_id in trie.ids[node]:
            found[token_id] = here
        for char, below in trie.children[node].items():
            if target := fsm.transitions[here].get(char):
                waiting.append((below, target))
    return found


@mistake("walk_trie", hint=2)
def one_dead_child_ends_all(fsm, state, trie):
    """The first child without a transition ends the loop, so its siblings are lost too."""
    found, waiting = {}, [(0, state)]
    while waiting:
        node, here = waiting.pop()
        found |= dict.fromkeys(trie.ids[node], here)
        for char, below in trie.children[node].items():
            if char not in fsm.transitions[here]:
                break
            waiting.append((below, fsm.transitions[here][char]))
    return found


@mistake("walk_trie", hint=1)
def one_state_for_all_branches(fsm, state, trie):
    """One variable holds the state, so each branch continues from where the last one ended."""
    found, waiting = {}, [0]
    while waiting:
        node = waiting.pop()
        found |= dict.fromkeys(trie.ids[node], state)
        for char, below in trie.children[node].items():
            if char in fsm.transitions[state]:
                state = fsm.transitions[state][char]
                waiting.append(below)
    return found


@mistake("walk_trie", hint=1)
def recursion_runs_out(fsm, state, trie):
    """The walk calls itself for every child, so a long token is deeper than Python's stack."""
    found = dict.fromkeys(trie.ids[0], state)

    def below(node, here):
        for token_id in trie.ids[node]:
            found[token_id] = here
        for char, child in trie.children[node].items():
            if char in fsm.transitions[here]:
                below(child, fsm.transitions[here][char])

    below(0, state)
    return found


@mistake("walk_trie", hint=2)
def stops_where_a_token_ends(fsm, state, trie):
    """The walk turns back where a token ends, so longer tokens below it are lost."""
    found, waiting = {}, [(0, state)]
    while waiting:
        node, here = waiting.pop()
        if trie.ids[node]:
            found |= dict.fromkeys(trie.ids[node], here)
            continue
        row = fsm.transitions[here]
        waiting += [(below, row[char]) for char, below in trie.children[node].items() if char in row]
    return found


@mistake("lift", hint=1)
def every_walk_from_the_start(fsm, trie):
    """Every row is walked from the automaton's initial state."""
    return tuple(walk_trie(fsm, fsm.initial, trie) for _ in range(len(fsm)))


@mistake("lift", hint=1)
def one_row_for_all_that_allow_nothing(fsm, trie):
    """States that allow nothing share one empty dictionary, so a change of one row changes the others."""
    nothing = {}
    return tuple(walk_trie(fsm, state, trie) or nothing for state in range(len(fsm)))


@mistake("generate", hint=3)
def empty_row_not_checked(model, table, initial, us):
    """Nothing checks whether the row is empty, so softmax gets only minus infinities."""
    ids, state = [], initial
    for u in us:
        row, logits = table[state], model(ids)
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
        state = row[ids[-1]]
    return ids


@mistake("generate", hint=2)
def never_leaves_the_first_row(model, table, initial, us):
    """The row is looked up once, before the loop, so the state never changes."""
    ids, row = [], table[initial]
    for u in us:
        if not row:
            break
        logits = model(ids)
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
    return ids


@mistake("generate", hint=2)
def starts_in_state_zero(model, table, initial, us):
    """Generation starts in state 0, whatever initial state is given."""
    ids, state = [], 0
    for u in us:
        row = table[state]
        if not row:
            break
        logits = model(ids)
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
        state = row[ids[-1]]
    return ids


@mistake("generate", hint=3)
def takes_the_most_probable(model, table, initial, us):
    """The largest masked logit is chosen, whatever u is."""
    ids, state = [], initial
    for _ in us:
        row = table[state]
        if not row:
            break
        logits = model(ids)
        ids.append(int(apply_mask(logits, row_mask(row, len(logits))).argmax()))
        state = row[ids[-1]]
    return ids
