"""Wrong answers of lab 03: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("partial_match", hint=3)
def a_list_for_a_tuple(fsm, state, token):
    """The states are returned as the list in which they were collected."""
    states = [state]
    for char in token:
        target = fsm.transitions[states[-1]].get(char)
        if target is None:
            return None
        states.append(target)
    return states


@mistake("partial_match", hint=1)
def every_path_from_the_start(fsm, state, token):
    """Every path starts in the automaton's initial state, whatever state is given."""
    states = [fsm.initial]
    for char in token:
        target = fsm.transitions[states[-1]].get(char)
        if target is None:
            return None
        states.append(target)
    return tuple(states)


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


@mistake("partial_match", hint=1)
def paths_kept_by_state_and_token(fsm, state, token, kept={}):
    """Paths are kept by state and token, so another automaton gets the paths of the first."""
    if (state, token) not in kept:
        states = [state]
        for char in token:
            target = fsm.transitions[states[-1]].get(char)
            if target is None:
                break
            states.append(target)
        kept[state, token] = tuple(states) if len(states) > len(token) else None
    return kept[state, token]


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


@mistake("partial_match", hint=2)
def state_zero_is_dead(fsm, state, token):
    """A transition to state 0 counts as missing, because 0 is false."""
    states = [state]
    for char in token:
        target = fsm.transitions[states[-1]].get(char)
        if not target:
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


@mistake("partial_match", hint=1)
def the_last_state_alone(fsm, state, token):
    """Only the state after the token is returned, as by lab 02's `advance`, without the states before it."""
    for char in token:
        if char not in fsm.transitions[state]:
            return None
        state = fsm.transitions[state][char]
    return state


@mistake("allowed_tokens", hint=3)
def a_token_that_ends_in_state_zero(fsm, state, texts):
    """The state after the token is tested for truth, and state 0 is false."""
    row = {}
    for token_id, text in enumerate(texts):
        states = partial_match(fsm, state, text) if text else None
        if states and states[-1]:
            row[token_id] = states[-1]
    return row


@mistake("allowed_tokens", hint=2)
def counts_only_texts(fsm, state, texts):
    """Tokens without text are dropped before the ids are counted, so the ids after them are wrong."""
    found = {}
    for token_id, text in enumerate(text for text in texts if text):
        states = partial_match(fsm, state, text)
        if states:
            found[token_id] = states[-1]
    return found


@mistake("allowed_tokens", hint=2)
def first_state_for_the_last(fsm, state, texts):
    """Each token is entered with the state that it starts from, so generation never moves."""
    matches = {i: partial_match(fsm, state, text) for i, text in enumerate(texts) if text}
    return {i: states[0] for i, states in matches.items() if states}


@mistake("allowed_tokens", hint=2)
def ids_without_next_states(fsm, state, texts):
    """The allowed ids are collected in a set, so the state after each of them is lost."""
    return {i for i, text in enumerate(texts) if text and partial_match(fsm, state, text)}


@mistake("allowed_tokens", hint=1)
def rows_kept_by_state(fsm, state, texts, kept={}):
    """Rows are kept by state and sizes, so another automaton or vocabulary of the same sizes gets the first one's."""
    key = (int(state), len(fsm), len(texts))
    if key not in kept:
        kept[key] = {}
        for token_id, text in enumerate(texts):
            if text and (states := partial_match(fsm, state, text)) is not None:
                kept[key][token_id] = states[-1]
    return dict(kept[key])


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


@mistake("allowed_tokens", hint=1)
def wants_an_accepting_state(fsm, state, texts):
    """A token is allowed only if it completes a match, so no number can be started."""
    found = {}
    for token_id, text in enumerate(texts):
        states = partial_match(fsm, state, text) if text else None
        if states and states[-1] in fsm.accepting:
            found[token_id] = states[-1]
    return found


@mistake("allowed_tokens", hint=3)
def white_space_is_no_text(fsm, state, texts):
    """A token of white space alone counts as a token without text."""
    row = {}
    for token_id, text in enumerate(texts):
        if text and text.strip():
            states = partial_match(fsm, state, text)
            if states is not None:
                row[token_id] = states[-1]
    return row


@mistake("states_to_vocab", hint=3)
def a_dictionary_of_rows(fsm, texts):
    """The rows are in a dictionary by state instead of a tuple."""
    return {state: allowed_tokens(fsm, state, texts) for state in range(len(fsm))}


@mistake("states_to_vocab", hint=2)
def empty_rows_left_out(fsm, texts):
    """A state that allows nothing gets no row, so every row after it moves up."""
    rows = (allowed_tokens(fsm, state, texts) for state in range(len(fsm)))
    return tuple(row for row in rows if row)


@mistake("states_to_vocab", hint=1)
def equal_rows_are_one_object(fsm, texts):
    """States with equal transitions share one dictionary, so a change of one row changes the other."""
    rows, known = [], {}
    for state in range(len(fsm)):
        key = tuple(sorted(fsm.transitions[state].items()))
        if key not in known:
            known[key] = allowed_tokens(fsm, state, texts)
        rows.append(known[key])
    return tuple(rows)


@mistake("states_to_vocab", hint=1)
def every_row_from_the_start(fsm, texts):
    """Each row is computed from the automaton's initial state, whatever its number."""
    return tuple(allowed_tokens(fsm, fsm.initial, texts) for _ in range(len(fsm)))


@mistake("states_to_vocab", hint=1)
def rows_from_the_initial_state_on(fsm, texts):
    """The rows start at the initial state, so row s belongs to another state than s."""
    return tuple(allowed_tokens(fsm, state, texts) for state in range(fsm.initial, len(fsm)))


@mistake("states_to_vocab", hint=2)
def rows_of_reached_states_only(fsm, texts):
    """Only states that a token reaches from the initial one get their row, so the others seem to allow nothing."""
    rows, waiting = {}, [fsm.initial]
    while waiting:
        state = waiting.pop()
        if state not in rows:
            rows[state] = allowed_tokens(fsm, state, texts)
            waiting += rows[state].values()
    return tuple(rows.get(state, {}) for state in range(len(fsm)))


@mistake("states_to_vocab", hint=1)
def tables_kept_by_vocabulary(fsm, texts, kept={}):
    """Tables are kept by the texts and the number of states, so another automaton of that size gets the first one's."""
    key = (len(fsm), *texts)
    if key not in kept:
        kept[key] = [allowed_tokens(fsm, state, texts) for state in range(len(fsm))]
    return tuple(dict(row) for row in kept[key])


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


@mistake("build_trie", hint=3)
def goes_on_from_the_last_token(texts):
    """The insertion does not return to the root, so each token continues below the one before it."""
    trie = Trie()
    node = 0
    for token_id, text in enumerate(texts):
        for char in text or "":
            if char not in trie.children[node]:
                trie.children[node][char] = trie.add_node()
            node = trie.children[node][char]
        if text:
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


@mistake("build_trie", hint=3)
def texts_are_stripped(texts):
    """White space around a text is removed, and a token of white space alone is left out."""
    trie = Trie()
    for token_id, text in enumerate(texts):
        node, text = 0, (text or "").strip()
        for char in text:
            if char not in trie.children[node]:
                trie.children[node][char] = trie.add_node()
            node = trie.children[node][char]
        if text:
            trie.ids[node].append(token_id)
    return trie


@mistake("build_trie", hint=3)
def the_newest_id_comes_first(texts):
    """An id is put before the others at its node, so they descend."""
    trie = Trie()
    for token_id, text in enumerate(texts):
        node = 0
        for char in text or "":
            if char not in trie.children[node]:
                trie.children[node][char] = trie.add_node()
            node = trie.children[node][char]
        if text:
            trie.ids[node].insert(0, token_id)
    return trie


@mistake("build_trie", hint=1)
def the_trie_grows_with_every_call(texts, kept=[]):
    """The trie is a default argument, which is made once, so it still holds the tokens of earlier calls."""
    if not kept:
        kept.append(Trie())
    trie = kept[0]
    for token_id, text in enumerate(texts):
        node = 0
        for char in text or "":
            if char not in trie.children[node]:
                trie.children[node][char] = trie.add_node()
            node = trie.children[node][char]
        if text:
            trie.ids[node].append(token_id)
    return trie


@mistake("walk_trie", hint=2)
def leaves_only(fsm, state, trie):
    """Tokens are looked for only at the leaves, so a token that is a prefix of another is never found."""
    found, waiting = {}, [(0, state)]
    while waiting:
        node, here = waiting.pop()
        if not trie.children[node]:
            found |= dict.fromkeys(trie.ids[node], here)
        row = fsm.transitions[here]
        waiting += [(below, row[char]) for char, below in trie.children[node].items() if char in row]
    return found


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


@mistake("walk_trie", hint=1)
def nodes_in_the_order_of_numbers(fsm, state, trie):
    """Nodes are visited by number, which loses tokens where a child has a smaller number than its parent."""
    states, found = {0: state}, {}
    for node in range(len(trie)):
        if node in states:
            row = fsm.transitions[states[node]]
            found |= dict.fromkeys(trie.ids[node], states[node])
            states |= {below: row[char] for char, below in trie.children[node].items() if char in row}
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


@mistake("walk_trie", hint=2)
def one_id_at_a_node(fsm, state, trie):
    """Only the first id at a node is entered, so of two ids with one text the second is lost."""
    found, waiting = {}, [(0, state)]
    while waiting:
        node, here = waiting.pop()
        if trie.ids[node]:
            found[trie.ids[node][0]] = here
        for char, below in trie.children[node].items():
            if char in fsm.transitions[here]:
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


@mistake("walk_trie", hint=2)
def takes_the_ids_out_of_the_trie(fsm, state, trie):
    """The ids are removed from the caller's trie as they are found, so the next state finds none."""
    found, waiting = {}, [(0, state)]
    while waiting:
        node, here = waiting.pop()
        while trie.ids[node]:
            found[trie.ids[node].pop()] = here
        for char, below in trie.children[node].items():
            if char in fsm.transitions[here]:
                waiting.append((below, fsm.transitions[here][char]))
    return found


@mistake("walk_trie", hint=1)
def walks_kept_by_state(fsm, state, trie, kept={}):
    """Rows are kept by state and sizes, so another automaton or trie of the same sizes gets the first one's."""
    key, found, waiting = (int(state), len(fsm), len(trie)), {}, [(0, state)]
    while waiting and key not in kept:
        node, here = waiting.pop()
        found |= dict.fromkeys(trie.ids[node], here)
        for char, below in trie.children[node].items():
            if char in fsm.transitions[here]:
                waiting.append((below, fsm.transitions[here][char]))
    return dict(kept.setdefault(key, found))


@mistake("lift", hint=1)
def every_walk_from_the_start(fsm, trie):
    """Every row is walked from the automaton's initial state."""
    return tuple(walk_trie(fsm, fsm.initial, trie) for _ in range(len(fsm)))


@mistake("lift", hint=1)
def lifts_only_what_is_reached(fsm, trie):
    """Only states that a token reaches from the initial one get their row, so the others seem to allow nothing."""
    rows, waiting = {}, [fsm.initial]
    while waiting:
        state = waiting.pop()
        if state not in rows:
            rows[state] = walk_trie(fsm, state, trie)
            waiting += rows[state].values()
    return tuple(rows.get(state, {}) for state in range(len(fsm)))


@mistake("lift", hint=1)
def one_row_for_all_that_allow_nothing(fsm, trie):
    """States that allow nothing share one empty dictionary, so a change of one row changes the others."""
    nothing = {}
    return tuple(walk_trie(fsm, state, trie) or nothing for state in range(len(fsm)))


@mistake("lift", hint=3)
def rows_in_a_list(fsm, trie):
    """The rows are returned as a list."""
    return [walk_trie(fsm, state, trie) for state in range(len(fsm))]


@mistake("lift", hint=1)
def the_initial_row_comes_first(fsm, trie):
    """The initial state's row comes first and the others follow, so row s belongs to another state than s."""
    others = [state for state in range(len(fsm)) if state != fsm.initial]
    return tuple(walk_trie(fsm, state, trie) for state in [fsm.initial, *others])


@mistake("lift", hint=1)
def the_table_of_the_first_automaton(fsm, trie, kept={}):
    """Tables are kept by sizes, so another automaton or trie of the same sizes gets the first one's."""
    key = (len(fsm), len(trie))
    if key not in kept:
        kept[key] = [walk_trie(fsm, state, trie) for state in range(len(fsm))]
    return tuple(dict(row) for row in kept[key])


@mistake("generate", hint=2)
def asks_the_model_too_early(model, table, initial, us):
    """The model is called before the row is checked, so it is called once more than tokens are emitted."""
    ids, state = [], initial
    for u in us:
        logits, row = model(ids), table[state]
        if not row:
            break
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
        state = row[ids[-1]]
    return ids


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
def ends_in_state_zero(model, table, initial, us):
    """The next state is tested for truth, so generation ends in state 0."""
    ids, state = [], initial
    for u in us:
        row = table[state] if state or not ids else {}
        if not row:
            break
        logits = model(ids)
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
        state = row[ids[-1]]
    return ids


@mistake("generate", hint=1)
def forced_tokens_without_the_model(model, table, initial, us):
    """A token that alone is allowed is emitted without a call of the model."""
    ids, state = [], initial
    for u in us:
        row = table[state]
        if not row:
            break
        if len(row) == 1:
            ids += row
        else:
            logits = model(ids)
            ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
        state = row[ids[-1]]
    return ids


@mistake("generate", hint=3)
def masks_the_models_own_logits(model, table, initial, us):
    """Minus infinity is written into the model's own array, which may be the same one at each step."""
    ids, state = [], initial
    for u in us:
        row = table[state]
        if not row:
            break
        logits = model(ids)
        logits[~row_mask(row, len(logits))] = -np.inf
        ids.append(sample(softmax(logits), u))
        state = row[ids[-1]]
    return ids


@mistake("generate", hint=2)
def minus_infinity_becomes_zero(model: Model, table: Table, initial: int, us: Sequence[float]) -> list[int]:
    """A token that the model itself rules out, with minus infinity, gets the logit 0."""
    ids: list[int] = []
    state = initial
    for u in us:
        row = table[state]
        if not row:
            break
        logits = np.nan_to_num(model(ids), neginf=0.0)
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


@mistake("generate", hint=3)
def numbers_tested_for_truth(model, table, initial, us):
    """The numbers u are tested for truth, which an array of them does not have."""
    ids, state = [], initial
    while us and table[state]:
        logits = model(ids)
        ids.append(sample(softmax(apply_mask(logits, row_mask(table[state], len(logits)))), us[0]))
        us, state = us[1:], table[state][ids[-1]]
    return ids


@mistake("generate", hint=2)
def only_the_last_id_for_the_model(model, table, initial, us):
    """The model gets the last id alone, so it cannot know what was written before."""
    ids, state = [], initial
    for u in us:
        row = table[state]
        if not row:
            break
        logits = model(ids[-1:])
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
        state = row[ids[-1]]
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


@mistake("generate", hint=3)
def uses_up_the_numbers(model, table, initial, us):
    """Each step removes its number u from the caller's list."""
    ids, state = [], initial
    while len(us) and table[state]:
        logits = model(ids)
        masked = apply_mask(logits, row_mask(table[state], len(logits)))
        ids.append(sample(softmax(masked), us.pop(0)))
        state = table[state][ids[-1]]
    return ids
