"""Wrong answers of lab 04: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("mask_row", hint=3)
def eos_is_the_last_id(fsm, table, state, vocabulary):
    """EOS is assumed to be the last id of the vocabulary, as it is in the toy one."""
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[list(table[state])] = True
    row[-1] = state in fsm.accepting
    return row


@mistake("mask_row", hint=2)
def eos_only_where_nothing_follows(fsm, table, state, vocabulary):
    """EOS is legal only where no token is, so no model can ever end `[0-9]+`."""
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[list(table[state])] = True
    row[vocabulary.eos_id] = state in fsm.accepting and not table[state]
    return row


@mistake("mask_row", hint=1)
def eos_out_of_a_dead_end(fsm, table, state, vocabulary):
    """EOS is legal wherever no token is, accepting or not, so a dead end passes for a finished text."""
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[list(table[state])] = True
    row[vocabulary.eos_id] = state in fsm.accepting or not table[state]
    return row


@mistake("mask_row", hint=3)
def every_special_token_ends(fsm, table, state, vocabulary):
    """Each special token counts as EOS, so padding is legal wherever a text may end."""
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[list(table[state])] = True
    row[list(vocabulary.special_ids)] = state in fsm.accepting
    return row


@mistake("mask_row", hint=1)
def may_always_stop(fsm, table, state, vocabulary):
    """EOS is legal in every state, as if a model must be able to stop, so half a number can end."""
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[[*table[state], vocabulary.eos_id]] = True
    return row


@mistake("mask_row", hint=2)
def must_stop_where_it_may(fsm, table, state, vocabulary):
    """An accepting state allows only EOS, so `[0-9]+` ends after its first token."""
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[[vocabulary.eos_id] if state in fsm.accepting else list(table[state])] = True
    return row


@mistake("mask_row", hint=2)
def rows_kept_by_state(fsm, table, state, vocabulary, kept={}):
    """Masks are kept by state and sizes, so another automaton or vocabulary of the same sizes gets the first one's."""
    key = (state, len(fsm), len(vocabulary))
    if key not in kept:
        kept[key] = np.zeros(len(vocabulary), dtype=np.bool_)
        kept[key][list(table[state])] = True
        kept[key][vocabulary.eos_id] = state in fsm.accepting
    return kept[key].copy()


@mistake("mask_row", hint=2)
def state_zero_is_no_target(fsm, table, state, vocabulary):
    """A token is allowed if the table's entry is true, and a target of 0 is false."""
    row = np.array([bool(table[state].get(token_id)) for token_id in range(len(vocabulary))])
    row[vocabulary.eos_id] = state in fsm.accepting
    return row


@mistake("mask_rows", hint=2)
def rows_of_reached_states_only(fsm, table, vocabulary):
    """Only states that the initial one can reach get a row, so the rows move up."""
    reached, waiting = {fsm.initial}, [fsm.initial]
    while waiting:
        new = set(table[waiting.pop()].values()) - reached
        reached |= new
        waiting += new
    return np.stack([mask_row(fsm, table, state, vocabulary) for state in sorted(reached)])


@mistake("mask_rows", hint=3)
def rows_without_eos(fsm, table, vocabulary):
    """The rows are computed from the table alone, as in lab 03, and the table knows nothing of EOS."""
    rows = np.zeros((len(fsm), len(vocabulary)), dtype=np.bool_)
    for state, row in enumerate(table):
        rows[state, list(row)] = True
    return rows


@mistake("mask_logits", hint=2)
def adds_the_mask(logits, row):
    """Zero or minus infinity is added to the logits, which turns -0.0 into 0.0."""
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    if not row.any():
        raise ValueError("no token is allowed")
    return logits + np.where(row, 0, -np.inf).astype(logits.dtype)


@mistake("mask_logits", hint=1)
def empty_mask_not_refused(logits, row):
    """Nothing checks whether any token is allowed, so only minus infinities are returned."""
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    masked = logits.copy()
    masked[~row] = -np.inf
    return masked


@mistake("mask_logits", hint=2)
def masks_in_place(logits, row):
    """Minus infinity is written into the model's own array, which it returns again at the next step."""
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    if not row.any():
        raise ValueError("no token is allowed")
    logits[~row] = -np.inf
    return logits


@mistake("mask_logits", hint=3)
def multiplies_by_the_mask(logits, row):
    """Logits are multiplied by the mask, so a token that is not allowed has logit 0."""
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    if not row.any():
        raise ValueError("no token is allowed")
    return logits * row.astype(logits.dtype)


@mistake("mask_logits", hint=2)
def refuses_what_the_model_rules_out(logits, row):
    """The check asks for a finite logit, so a mask is refused whose only tokens the model itself rules out."""
    if logits.shape != row.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {row.shape}")
    masked = logits.copy()
    masked[~row] = -np.inf
    if not np.isfinite(masked).any():
        raise ValueError("no token is allowed")
    return masked


@mistake("choose", hint=2)
def an_id_of_numpy(masked, u):
    """The result of argmax is a NumPy integer, which neither JSON nor a type check takes for an int."""
    return np.argmax(masked) if u is None else sample(softmax(masked), u)


@mistake("choose", hint=1)
def greedy_on_probabilities(masked, u):
    """The most probable token is taken, but logits that differ a little may have equal probabilities."""
    return int(np.argmax(softmax(masked))) if u is None else sample(softmax(masked), u)


@mistake("choose", hint=3)
def samples_the_logits(masked, u):
    """The logits themselves are taken for probabilities."""
    return int(np.argmax(masked)) if u is None else sample(np.where(np.isinf(masked), 0.0, masked), u)


@mistake("choose", hint=1)
def softmax_in_the_type_of_the_logits(masked, u):
    """The probabilities are computed in the dtype of the logits, which rounds small ones away; lab 01 widens first."""
    if u is None:
        return int(np.argmax(masked))
    weights = np.exp(masked - masked.max())
    return sample(weights / weights.sum(), u)


@mistake("choose", hint=2)
def zero_is_no_u(masked, u):
    """`if u` treats 0.0 as no number, so the step becomes greedy."""
    return sample(softmax(masked), u) if u else int(np.argmax(masked))


@mistake("constrained_generate", hint=2)
def a_dead_end_ends_quietly(model, fsm, table, vocabulary, max_tokens, us=None):
    """Where no token is legal, generation stops without an error, as in labs 01 to 03."""
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
    """Where only one token is legal, it is written without a call of the model, but this loop asks for each token."""
    ids = []
    state = fsm.initial
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
    """The model first chooses freely, and is called again with a mask only if its choice is not legal."""
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
    """Generation stops as soon as the text matches, without EOS and before it can go on."""
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
    """Generation ends when EOS is chosen but leaves it out, so a finished text looks like a cut one."""
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
    """EOS is treated like any other token: it leaves the state unchanged, and generation continues after it."""
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
    """The list of ids is a default argument, so each call continues the last one's list."""
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
    """Generation starts in state 0, whatever the initial state is."""
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
    """EOS is not counted, so a text may have one token more than the limit."""
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
