"""Wrong answers of lab 04: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("mask_row", hint=3)
def eos_is_the_last_id(fsm, table, state, vocabulary):
    """You take the last id for EOS. In the toy vocabulary it is, but a real one can have EOS anywhere."""
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[list(table[state])] = True
    row[-1] = state in fsm.accepting
    return row


@mistake("mask_row", hint=2)
def eos_only_where_nothing_follows(fsm, table, state, vocabulary):
    """You allow EOS only where no token may follow, so a model could never end `[0-9]+`."""
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[list(table[state])] = True
    row[vocabulary.eos_id] = state in fsm.accepting and not table[state]
    return row


@mistake("mask_row", hint=1)
def eos_out_of_a_dead_end(fsm, table, state, vocabulary):
    """You allow EOS wherever no token may follow, so a dead end looks like a finished text."""
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[list(table[state])] = True
    row[vocabulary.eos_id] = state in fsm.accepting or not table[state]
    return row


@mistake("mask_row", hint=3)
def every_special_token_ends(fsm, table, state, vocabulary):
    """You treat every special token as EOS, so you allow padding wherever a text may end."""
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[list(table[state])] = True
    row[list(vocabulary.special_ids)] = state in fsm.accepting
    return row


@mistake("mask_row", hint=1)
def may_always_stop(fsm, table, state, vocabulary):
    """You allow EOS in every state, so a model can stop in the middle of a number."""
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[[*table[state], vocabulary.eos_id]] = True
    return row


@mistake("mask_row", hint=2)
def must_stop_where_it_may(fsm, table, state, vocabulary):
    """You allow nothing but EOS where the automaton accepts, so `[0-9]+` ends after its first token."""
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[[vocabulary.eos_id] if state in fsm.accepting else list(table[state])] = True
    return row


@mistake("mask_row", hint=2)
def rows_kept_by_state(fsm, table, state, vocabulary, kept={}):
    """You keep masks by state and sizes alone, so another automaton of the same sizes gets the first one's masks."""
    key = (state, len(fsm), len(vocabulary))
    if key not in kept:
        kept[key] = np.zeros(len(vocabulary), dtype=np.bool_)
        kept[key][list(table[state])] = True
        kept[key][vocabulary.eos_id] = state in fsm.accepting
    return kept[key].copy()


@mistake("mask_row", hint=2)
def state_zero_is_no_target(fsm, table, state, vocabulary):
    """You test the table's entry for truth, and 0 is false, so you forbid every token that leads to state 0."""
    row = np.array([bool(table[state].get(token_id)) for token_id in range(len(vocabulary))])
    row[vocabulary.eos_id] = state in fsm.accepting
    return row


@mistake("mask_rows", hint=2)
def rows_of_reached_states_only(fsm, table, vocabulary):
    """You leave out the states that nothing leads to, so your later rows move up and belong to the wrong states."""
    reached, waiting = {fsm.initial}, [fsm.initial]
    while waiting:
        new = set(table[waiting.pop()].values()) - reached
        reached |= new
        waiting += new
    return np.stack([mask_row(fsm, table, state, vocabulary) for state in sorted(reached)])


@mistake("mask_rows", hint=3)
def rows_without_eos(fsm, table, vocabulary):
    """You make the rows from the table alone, as in lab 03, and the table knows nothing about EOS."""
    rows = np.zeros((len(fsm), len(vocabulary)), dtype=np.bool_)
    for state, row in enumerate(table):
        rows[state, list(row)] = True
    return rows


@mistake("mask_logits", hint=2)
def adds_the_mask(logits, row):
    """You add 0 or minus infinity to the logits. That looks harmless, but adding 0 turns -0.0 into 0.0."""
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    if not row.any():
        raise ValueError("no token is allowed")
    return logits + np.where(row, 0, -np.inf).astype(logits.dtype)


@mistake("mask_logits", hint=1)
def empty_mask_not_refused(logits, row):
    """You don't check whether any token is allowed, so you may return nothing but minus infinities."""
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    masked = logits.copy()
    masked[~row] = -np.inf
    return masked


@mistake("mask_logits", hint=2)
def masks_in_place(logits, row):
    """You write minus infinity into the model's own array, and it may return the same array at the next step."""
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    if not row.any():
        raise ValueError("no token is allowed")
    logits[~row] = -np.inf
    return logits


@mistake("mask_logits", hint=3)
def multiplies_by_the_mask(logits, row):
    """You multiply the logits by the mask, so a token that isn't allowed gets the logit 0."""
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    if not row.any():
        raise ValueError("no token is allowed")
    return logits * row.astype(logits.dtype)


@mistake("mask_logits", hint=2)
def refuses_what_the_model_rules_out(logits, row):
    """You check whether a logit is finite, so you refuse a good mask if the model itself rules its tokens out."""
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    masked = logits.copy()
    masked[~row] = -np.inf
    if not np.isfinite(masked).any():
        raise ValueError("no token is allowed")
    return masked


@mistake("choose", hint=2)
def an_id_of_numpy(masked, u):
    """You return what argmax gives you, one of NumPy's integers. It isn't an int, and JSON won't take it."""
    return np.argmax(masked) if u is None else sample(softmax(masked), u)


@mistake("choose", hint=1)
def greedy_on_probabilities(masked, u):
    """You compare probabilities, but two logits that differ a little can have the same one. Compare the logits."""
    return int(np.argmax(softmax(masked))) if u is None else sample(softmax(masked), u)


@mistake("choose", hint=3)
def samples_the_logits(masked, u):
    """You treat the logits as probabilities, but they don't add up to 1. Softmax makes probabilities of them."""
    return int(np.argmax(masked)) if u is None else sample(np.where(np.isinf(masked), 0.0, masked), u)


@mistake("choose", hint=1)
def softmax_in_the_type_of_the_logits(masked, u):
    """You compute probabilities in the logits' own dtype, which rounds small ones away. Lab 01 widens them first."""
    if u is None:
        return int(np.argmax(masked))
    weights = np.exp(masked - masked.max())
    return sample(weights / weights.sum(), u)


@mistake("choose", hint=2)
def zero_is_no_u(masked, u):
    """You write `if u`, and 0.0 is false, so you're greedy in a step that should draw."""
    return sample(softmax(masked), u) if u else int(np.argmax(masked))


@mistake("constrained_generate", hint=2)
def a_dead_end_ends_quietly(model, fsm, table, vocabulary, max_tokens, us=None):
    """When no token is legal, you stop without an error, as in labs 01 to 03. From this lab on, you say so."""
    ids, state = [], fsm.initial
    for step in range(max_tokens):
        row = mask_row(fsm, table, state, vocabulary)
        if not row.any():
            break
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[step]))
        if ids[-1] == vocabulary.eos_id:
            break
        state = table[state][ids[-1]]
    return ids


@mistake("constrained_generate", hint=2)
def a_single_token_is_not_asked_for(model, fsm, table, vocabulary, max_tokens, us=None):
    """When only one token is legal, you write it without asking the model, but here you ask it for every token."""
    ids, state = [], fsm.initial
    for step in range(max_tokens):
        row = mask_row(fsm, table, state, vocabulary)
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        if row.sum() == 1:
            ids.append(int(row.argmax()))
        else:
            ids.append(choose(mask_logits(model(ids), row), None if us is None else us[step]))
        if ids[-1] == vocabulary.eos_id:
            break
        state = table[state][ids[-1]]
    return ids


@mistake("constrained_generate", hint=2)
def asks_again_with_a_mask(model, fsm, table, vocabulary, max_tokens, us=None):
    """You let the model choose freely first, and ask it again with a mask if its choice isn't legal."""
    ids, state = [], fsm.initial
    for step in range(max_tokens):
        row, u = mask_row(fsm, table, state, vocabulary), None if us is None else us[step]
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        chosen = choose(model(ids), u)
        ids.append(chosen if row[chosen] else choose(mask_logits(model(ids), row), u))
        if ids[-1] == vocabulary.eos_id:
            break
        state = table[state][ids[-1]]
    return ids


@mistake("constrained_generate", hint=1)
def ends_where_the_automaton_accepts(model, fsm, table, vocabulary, max_tokens, us=None):
    """You stop as soon as the text matches, without EOS, although the model might want to go on."""
    ids, state = [], fsm.initial
    for step in range(max_tokens):
        row = mask_row(fsm, table, state, vocabulary)
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[step]))
        if ids[-1] == vocabulary.eos_id or table[state][ids[-1]] in fsm.accepting:
            break
        state = table[state][ids[-1]]
    return ids


@mistake("constrained_generate", hint=2)
def eos_is_not_emitted(model, fsm, table, vocabulary, max_tokens, us=None):
    """You stop at EOS but leave it out of the ids, so your finished text looks like one that was cut."""
    ids, state = [], fsm.initial
    for step in range(max_tokens):
        row = mask_row(fsm, table, state, vocabulary)
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        chosen = choose(mask_logits(model(ids), row), None if us is None else us[step])
        if chosen == vocabulary.eos_id:
            break
        ids.append(chosen)
        state = table[state][chosen]
    return ids


@mistake("constrained_generate", hint=2)
def goes_on_after_eos(model, fsm, table, vocabulary, max_tokens, us=None):
    """You treat EOS like any other token, and go on writing after it."""
    ids, state = [], fsm.initial
    for step in range(max_tokens):
        row = mask_row(fsm, table, state, vocabulary)
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[step]))
        state = table[state].get(ids[-1], state)
    return ids


@mistake("constrained_generate", hint=3)
def ids_of_the_last_call(model, fsm, table, vocabulary, max_tokens, us=None, ids=[]):
    """Your list of ids is a default argument, so each call continues the list of the call before it."""
    state = fsm.initial
    for step in range(max_tokens):
        row = mask_row(fsm, table, state, vocabulary)
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[step]))
        if ids[-1] == vocabulary.eos_id:
            break
        state = table[state][ids[-1]]
    return list(ids)


@mistake("constrained_generate", hint=3)
def starts_in_state_zero(model, fsm, table, vocabulary, max_tokens, us=None):
    """You start in state 0, but an automaton may have another initial state."""
    ids, state = [], 0
    for step in range(max_tokens):
        row = mask_row(fsm, table, state, vocabulary)
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[step]))
        if ids[-1] == vocabulary.eos_id:
            break
        state = table[state][ids[-1]]
    return ids


@mistake("constrained_generate", hint=2)
def the_limit_leaves_room_for_eos(model, fsm, table, vocabulary, max_tokens, us=None):
    """You don't count EOS, so you can write one token more than the limit."""
    ids, state = [], fsm.initial
    for step in range(max_tokens + 1):
        row = mask_row(fsm, table, state, vocabulary)
        if step == max_tokens and not (us is None and row[vocabulary.eos_id]):
            break
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[step]))
        if ids[-1] == vocabulary.eos_id:
            break
        state = table[state][ids[-1]]
    return ids
