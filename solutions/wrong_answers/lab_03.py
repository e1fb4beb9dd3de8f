"""Wrong answers of lab 03: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("partial_match", hint=2)
def leaves_out_the_first_state(fsm, state, token):
    """You return the states after each character, but the path begins one earlier, in the state you start from."""
    states = []
    for char in token:
        if char not in fsm.transitions[state]:
            return None
        state = fsm.transitions[state][char]
        states.append(state)
    return tuple(states)


@mistake("partial_match", hint=2)
def returns_the_part_before_death(fsm, state, token):
    """When a token dies halfway, you return the part that it survived. A dead token has no path: return None."""
    states = [state]
    for char in token:
        target = fsm.transitions[states[-1]].get(char)
        if target is None:
            break
        states.append(target)
    return tuple(states)


@mistake("partial_match", hint=3)
def state_fixed_within_a_token(fsm, state, token):
    """You look up every character in the state where the token starts, not in the one you've reached by then."""
    states = [state]
    for char in token:
        target = fsm.transitions[state].get(char)
        if target is None:
            return None
        states.append(target)
    return tuple(states)


@mistake("partial_match", hint=3)
def the_empty_token_has_no_path(fsm, state, token):
    """You treat a token without characters as dead, but it stays where it is, so its path has one state."""
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
    """You write down where each token starts instead of where it ends, so you'd never get anywhere."""
    matches = {i: partial_match(fsm, state, text) for i, text in enumerate(texts) if text}
    return {i: states[0] for i, states in matches.items() if states}


@mistake("allowed_tokens", hint=3)
def the_empty_token_is_alive(fsm, state, texts):
    """You leave out None but not the empty text. It survives everywhere, so a model could write it forever."""
    matches = {i: partial_match(fsm, state, text) for i, text in enumerate(texts) if text is not None}
    return {i: states[-1] for i, states in matches.items() if states}


@mistake("allowed_tokens", hint=2)
def ids_without_the_gaps(fsm, state, texts):
    """You number only the tokens that have text, so every id after a gap is too small."""
    matches = {i: partial_match(fsm, state, text) for i, text in enumerate(filter(None, texts))}
    return {i: states[-1] for i, states in matches.items() if states}


@mistake("allowed_tokens", hint=2)
def the_first_id_of_a_text(fsm, state, texts):
    """You look the id up by the token's text. Here two ids have the same text, and you never find the second."""
    row = {}
    for text in texts:
        if text and (states := partial_match(fsm, state, text)) is not None:
            row[texts.index(text)] = states[-1]
    return row


@mistake("build_trie", hint=1)
def a_node_for_each_character(texts):
    """You make a new node even where the child exists already, and lose all tokens below the old one."""
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
    """You put the id of a token without text at the root. Every walk begins there, so you allow it in every state."""
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
    """You leave the id at every node on the way, so each prefix of a token counts as the token itself."""
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
    """When two ids have the same text, your second replaces the first. They end at the same node, so keep both."""
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
    """You test a transition for truth, and 0 is false, so you never follow one that leads to state 0."""
    found, waiting = {}, [(0, state)]
    while waiting:
        node, here = waiting.pop()
        found |= dict.fromkeys(trie.ids[node], here)
        for char, below in trie.children[node].items():
            if target := fsm.transitions[here].get(char):
                waiting.append((below, target))
    return found


@mistake("walk_trie", hint=2)
def one_dead_child_ends_all(fsm, state, trie):
    """You stop at the first child without a transition, so you never see its siblings, and some of those are alive."""
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
    """You keep one state for the whole walk, so each branch continues where the last one ended. Every place needs its
    own.
    """
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
    """Your walk calls itself for every child, so a long token goes deeper than Python's stack."""
    found = dict.fromkeys(trie.ids[0], state)

    def below(node, here):
        found.update(dict.fromkeys(trie.ids[node], here))
        for char, child in trie.children[node].items():
            if char in fsm.transitions[here]:
                below(child, fsm.transitions[here][char])

    below(0, state)
    return found


@mistake("walk_trie", hint=2)
def stops_where_a_token_ends(fsm, state, trie):
    """You turn back where a token ends, but longer tokens continue below it."""
    found, waiting = {}, [(0, state)]
    while waiting:
        node, here = waiting.pop()
        if trie.ids[node]:
            found |= dict.fromkeys(trie.ids[node], here)
            continue
        row = fsm.transitions[here]
        waiting += [(below, row[char]) for char, below in trie.children[node].items() if char in row]
    return found


@mistake("generate", hint=3)
def empty_row_not_checked(model, table, initial, us):
    """You don't check whether the row is empty. If it is, softmax gets nothing but minus infinities."""
    ids, state = [], initial
    for u in us:
        row, logits = table[state], model(ids)
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
        state = row[ids[-1]]
    return ids


@mistake("generate", hint=2)
def never_leaves_the_first_row(model, table, initial, us):
    """You look up the row once, before the loop, so you stay in your first state forever."""
    ids, row = [], table[initial]
    for u in us:
        if not row:
            break
        logits = model(ids)
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
    return ids


@mistake("generate", hint=2)
def starts_in_state_zero(model, table, initial, us):
    """You start in state 0, but the caller says where to start, and that can be any state."""
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
    """You always take the largest logit, so the numbers u have no say in what you write."""
    ids, state = [], initial
    for _ in us:
        row = table[state]
        if not row:
            break
        logits = model(ids)
        ids.append(int(apply_mask(logits, row_mask(row, len(logits))).argmax()))
        state = row[ids[-1]]
    return ids
