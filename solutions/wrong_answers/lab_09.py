"""Wrong answers of lab 09: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("advance_state", hint=2)
def a_refusal_is_swallowed(state, token_id):
    """A token that the guide refuses is ignored, so that a fault of the mask stays hidden."""
    import contextlib

    with contextlib.suppress(ValueError):
        state.current = state.guide.advance(state.current, token_id)


@mistake("advance_state", hint=2)
def advanced_twice(state, token_id):
    """The guide is asked for each token twice, as if streaming were a second reader."""
    state.guide.advance(state.current, token_id)
    state.current = state.guide.advance(state.current, token_id)


@mistake("advance_state", hint=2)
def moves_on_after_a_refusal(state, token_id):
    """A refused token brings the state back to the start of the guide."""
    state.current, before = state.guide.initial, state.current
    state.current = state.guide.advance(before, token_id)


@mistake("advance_state", hint=3)
def returns_the_new_state(state, token_id):
    """The new state is returned besides being stored."""
    state.current = state.guide.advance(state.current, token_id)
    return state.current


@mistake("advance_state", hint=3)
def starts_again_at_each_token(state, token_id):
    """Each token is taken from the guide's initial state and not from where the request is."""
    state.current = state.guide.advance(state.guide.initial, token_id)


@mistake("advance_state", hint=1)
def state_kept_in_the_guide(state, token_id):
    """The state of a request is written into the guide, which all requests share."""
    state.guide.initial = state.current = state.guide.advance(state.current, token_id)


@mistake("tokens_of", hint=3)
def a_list_of_ids(bitmask):
    """The ids come as a list."""
    return np.flatnonzero(allowed(bitmask, 32 * len(bitmask))).tolist()


@mistake("tokens_of", hint=1)
def bits_from_the_top(bitmask):
    """Bit 0 is taken for the highest bit of a word."""
    return {32 * (i // 32) + 31 - i % 32 for i in np.flatnonzero(allowed(bitmask, 32 * len(bitmask))).tolist()}


@mistake("tokens_of", hint=1)
def first_word_alone(bitmask):
    """Only the first 32 tokens are looked at."""
    return set(np.flatnonzero(allowed(bitmask[:1], 32)).tolist()) if len(bitmask) else set()


@mistake("tokens_of", hint=2)
def ids_are_numpys(bitmask):
    """The ids stay NumPy's integers."""
    return set(np.flatnonzero(allowed(bitmask, 32 * len(bitmask))))


@mistake("tokens_of", hint=2)
def sign_bit_forgotten(bitmask):
    """Words are read as numbers of 31 bits, so every token at a sign bit is missing."""
    words = bitmask.tolist()
    return {32 * place + bit for place, word in enumerate(words) for bit in range(31) if word >> bit & 1}


@mistake("tokens_of", hint=2)
def the_last_token_is_lost(bitmask):
    """The last bit of the last word is taken for padding."""
    return set(np.flatnonzero(allowed(bitmask, max(32 * len(bitmask) - 1, 0))).tolist())


@mistake("is_finished", hint=3)
def counts_words(state, remaining=None):
    """The words of the bitmask that are not 0 are counted in place of its bits, so two tokens of one word pass for
    EOS.
    """
    words = state.guide.mask(state.current, remaining)
    return state.is_terminal() and int(np.count_nonzero(words)) <= 1


@mistake("is_finished", hint=1)
def eos_by_a_pass(state, remaining=None):
    """An answer ends only once EOS was written, which costs a pass that can have one result."""
    return not state.allowed_tokens(remaining)


@mistake("is_finished", hint=2)
def exactly_eos_must_be_allowed(state, remaining=None):
    """After EOS no token is allowed, and that is not counted as finished."""
    return state.is_terminal() and len(state.allowed_tokens(remaining)) == 1


@mistake("is_finished", hint=3)
def finished_moves_the_state(state, remaining=None):
    """To see whether EOS may come it is written into the state, which then has ended."""
    ids = state.allowed_tokens(remaining)
    if not state.is_terminal() or len(ids) > 1:
        return False
    for token_id in ids:
        state.advance(token_id)
    return True


@mistake("is_finished", hint=2)
def negative_words_are_empty(state, remaining=None):
    """A word counts only if it is above 0, and one that allows token 31 is below."""
    words = state.guide.mask(state.current, remaining)
    return state.is_terminal() and int(np.bitwise_count(words[words > 0]).sum()) <= 1


@mistake("is_finished", hint=2)
def one_forced_token_is_the_end(state, remaining=None):
    """A single allowed token is taken for EOS, also in the middle of a match."""
    return len(state.allowed_tokens(remaining)) <= 1


@mistake("is_finished", hint=3)
def signed_bits_are_counted(state, remaining=None):
    """Bits are counted in signed words, so tokens 30 and 31 of a word count as one."""
    words = state.guide.mask(state.current, remaining)
    return state.is_terminal() and int(np.bitwise_count(words).sum()) <= 1


@mistake("is_finished", hint=1)
def stops_where_the_guide_accepts(state, remaining=None):
    """An answer ends as soon as it is a match, even where more could follow."""
    return state.is_terminal()


@mistake("is_finished", hint=3)
def the_budget_is_ignored(state, remaining=None):
    """What may follow is asked without the budget, so a pass is spent where only EOS is left."""
    return state.is_terminal() and len(state.allowed_tokens()) <= 1


@mistake("apply_structured_output_mask", hint=2)
def a_finite_minimum_is_minus_infinity(logits, state, remaining=None):
    """Forbidden logits become the smallest number of the dtype, which can still be drawn where nothing is allowed."""
    masked = logits.copy()
    masked[~allowed(state.guide.mask(state.current, remaining), len(logits))] = np.finfo(logits.dtype).min
    return masked


@mistake("apply_structured_output_mask", hint=2)
def a_set_bit_is_above_zero(logits, state, remaining=None):
    """A bit is taken to be set if its value is above 0, but the value of bit 31 is below."""
    words = state.guide.mask(state.current, remaining)
    bits = (words[:, None] & (np.int32(1) << np.arange(32, dtype=np.int32)) > 0).reshape(-1)[: len(logits)]
    masked = logits.copy()
    masked[~bits] = -np.inf
    return masked


@mistake("apply_structured_output_mask", hint=2)
def adds_a_large_negative_number(logits, state, remaining=None):
    """Forbidden logits are lowered by a large number, which leaves infinite ones and NaN as they are."""
    bits = allowed(state.guide.mask(state.current, remaining), len(logits))
    return (logits + np.where(bits, 0, -np.inf)).astype(logits.dtype)


@mistake("apply_structured_output_mask", hint=2)
def always_float64(logits, state, remaining=None):
    """The result has NumPy's default type whatever the type of the logits is."""
    bits = allowed(state.guide.mask(state.current, remaining), len(logits))
    return np.where(bits, logits.astype(np.float64), -np.inf)


@mistake("apply_structured_output_mask", hint=1)
def an_empty_mask_is_no_mask(logits, state, remaining=None):
    """Where no token is allowed the logits stay as they are."""
    bits = allowed(state.guide.mask(state.current, remaining), len(logits))
    return np.where(bits, logits, -np.inf).astype(logits.dtype) if bits.any() else logits.copy()


@mistake("apply_structured_output_mask", hint=3)
def forbids_the_allowed(logits, state, remaining=None):
    """The bits are read the wrong way round."""
    masked = logits.copy()
    masked[allowed(state.guide.mask(state.current, remaining), len(logits))] = -np.inf
    return masked


@mistake("apply_structured_output_mask", hint=2)
def masks_the_models_own_logits(logits, state, remaining=None):
    """The caller's array is changed."""
    logits[~allowed(state.guide.mask(state.current, remaining), len(logits))] = -np.inf
    return logits


@mistake("apply_structured_output_mask", hint=3)
def no_budget_in_the_mask(logits, state, remaining=None):
    """The budget is not handed on to the guide."""
    masked = logits.copy()
    masked[~allowed(state.guide.mask(state.current), len(logits))] = -np.inf
    return masked


@mistake("apply_structured_output_mask", hint=3)
def the_initial_mask_for_ever(logits, state, remaining=None):
    """The mask is always that of the guide's initial state."""
    masked = logits.copy()
    masked[~allowed(state.guide.mask(state.guide.initial, remaining), len(logits))] = -np.inf
    return masked


@mistake("sample_token", hint=3)
def a_generator_for_each_token(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    """Every token is drawn with a new generator of seed 0, so each step has the same random number."""
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state, remaining)
    return engine_parts.sample_token(logits, context_token_ids, params, np.random.default_rng(0))


@mistake("sample_token", hint=2)
def draws_again_without_the_illegal(
    logits, context_token_ids, params, generator, structured_state=None, remaining=None
):
    """An illegal token is struck out after it was drawn, so top-k has counted it and a random number is used up."""
    context_token_ids = list(context_token_ids)
    if structured_state is None:
        return engine_parts.sample_token(logits, context_token_ids, params, generator)
    legal = structured_state.allowed_tokens(remaining)
    logits = logits.copy()
    while True:
        token = engine_parts.sample_token(logits, context_token_ids, params, generator)
        if token in legal:
            return token
        logits[token] = -np.inf


@mistake("sample_token", hint=2)
def draws_until_it_is_legal(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    """Tokens are drawn until one is legal, which uses up random numbers and changes the odds of top-k."""
    legal = None if structured_state is None else structured_state.allowed_tokens(remaining)
    for _ in range(40):
        token_id = engine_parts.sample_token(logits, context_token_ids, params, generator)
        if legal is None or token_id in legal:
            return token_id
    raise ValueError("no token may come next")


@mistake("sample_token", hint=2)
def free_requests_lose_their_top_k(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    """Without a state top-k is left out, as if only constrained requests had parameters."""
    if structured_state is None:
        return engine_parts.sample_token(logits, context_token_ids, replace(params, top_k=0), generator)
    logits = apply_structured_output_mask(logits, structured_state, remaining)
    return engine_parts.sample_token(logits, context_token_ids, params, generator)


@mistake("sample_token", hint=2)
def illegal_where_nothing_is_legal(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    """Where the mask leaves nothing, a token is drawn from the unmasked logits."""
    if structured_state is not None:
        masked = apply_structured_output_mask(logits, structured_state, remaining)
        logits = masked if (masked > -np.inf).any() else logits
    return engine_parts.sample_token(logits, context_token_ids, params, generator)


@mistake("sample_token", hint=1)
def mask_after_top_k(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    """Top-k chooses among all tokens, and the mask comes after it."""
    if params.top_k:
        logits = np.where(logits < np.sort(logits)[-params.top_k], np.float32(-np.inf), logits)
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state, remaining)
    return engine_parts.sample_token(logits, context_token_ids, replace(params, top_k=0), generator)


@mistake("sample_token", hint=1)
def mask_after_top_p(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    """The nucleus of top-p is that of all tokens, and the mask comes after it."""
    if structured_state is not None and params.top_p < 1:
        order = np.argsort(-logits)
        odds = np.exp(logits[order].astype(float))
        late = order[1:][(odds.cumsum() - odds)[1:] >= params.top_p * odds.sum()]
        logits = logits.copy()
        logits[late] = -1e9
        params = replace(params, top_p=1.0)
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state, remaining)
    return engine_parts.sample_token(logits, context_token_ids, params, generator)


@mistake("sample_token", hint=3)
def sampling_moves_the_state(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    """The state moves over the token here, and once more when the engine advances it."""
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state, remaining)
    token = engine_parts.sample_token(logits, context_token_ids, params, generator)
    if structured_state is not None:
        structured_state.advance(token)
    return token


@mistake("sample_token", hint=3)
def the_budget_is_dropped(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    """The budget does not reach the mask."""
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state)
    return engine_parts.sample_token(logits, context_token_ids, params, generator)


@mistake("sample_token", hint=3)
def the_context_is_dropped(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    """The tokens so far do not reach the sampler, so the repetition penalty has no effect."""
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state, remaining)
    return engine_parts.sample_token(logits, [], params, generator)


@mistake("mask_batch", hint=2)
def budgets_of_the_first_rows(states, logits, remaining=None):
    """The budgets are taken from the top of the list and not from the rows of the guide."""
    rows_of = defaultdict(list)
    for row, state in enumerate(states):
        if state is not None:
            rows_of[state.guide].append(row)
    for guide, rows in rows_of.items():
        bitmask = np.zeros((len(rows), -(-logits.shape[1] // 32)), np.int32)
        budgets = None if remaining is None else remaining[: len(rows)]
        guide.fill([states[row].current for row in rows], bitmask, budgets)
        for row, bits in zip(rows, allowed(bitmask, logits.shape[1]), strict=True):
            logits[row, ~bits] = -np.inf


@mistake("mask_batch", hint=3)
def free_rows_are_allowed_everything(states, logits, remaining=None):
    """A row without a constraint is written too, through a mask in which every token is allowed."""
    guides = {state.guide for state in states if state is not None}
    for guide in guides:
        rows = [row for row, state in enumerate(states) if state is not None and state.guide is guide]
        bitmask = np.zeros((len(rows), -(-logits.shape[1] // 32)), np.int32)
        budgets = None if remaining is None else [remaining[row] for row in rows]
        guide.fill([states[row].current for row in rows], bitmask, budgets)
        for row, bits in zip(rows, allowed(bitmask, logits.shape[1]), strict=True):
            logits[row, ~bits] = -np.inf
    logits[:] = np.nan_to_num(logits, nan=-np.inf, posinf=np.inf, neginf=-np.inf)


@mistake("mask_batch", hint=3)
def masks_a_copy_of_the_rows(states, logits, remaining=None):
    """An index by a list of rows makes a copy, so the assignment never reaches the logits."""
    rows_of = defaultdict(list)
    for row, state in enumerate(states):
        if state is not None:
            rows_of[state.guide].append(row)
    vocab_size = logits.shape[1]
    for guide, rows in rows_of.items():
        bitmask = np.zeros((len(rows), -(-vocab_size // 32)), np.int32)
        budgets = None if remaining is None else [remaining[row] for row in rows]
        guide.fill([states[row].current for row in rows], bitmask, budgets)
        logits[rows][~allowed(bitmask, vocab_size)] = -np.inf


@mistake("mask_batch", hint=3)
def masks_kept_by_state(states, logits, remaining=None):
    """Rows with equal states share a mask, whatever guide they belong to."""
    kept = {}
    for guide in {state.guide: None for state in states if state is not None}:
        rows = [row for row, state in enumerate(states) if state is not None and state.guide is guide]
        bitmask = np.zeros((len(rows), -(-logits.shape[1] // 32)), np.int32)
        budgets = [None if remaining is None else remaining[row] for row in rows]
        guide.fill([states[row].current for row in rows], bitmask, budgets)
        for row, budget, bits in zip(rows, budgets, allowed(bitmask, logits.shape[1]), strict=True):
            logits[row, ~kept.setdefault((states[row].current, budget), bits)] = -np.inf


@mistake("mask_batch", hint=2)
def no_budgets_in_a_batch(states, logits, remaining=None):
    """The budgets are ignored."""
    rows_of = defaultdict(list)
    for row, state in enumerate(states):
        if state is not None:
            rows_of[state.guide].append(row)
    for guide, rows in rows_of.items():
        bitmask = np.zeros((len(rows), -(-logits.shape[1] // 32)), np.int32)
        budgets = None
        guide.fill([states[row].current for row in rows], bitmask, budgets)
        for row, bits in zip(rows, allowed(bitmask, logits.shape[1]), strict=True):
            logits[row, ~bits] = -np.inf


@mistake("mask_batch", hint=2)
def no_limit_for_each_row(states, logits, remaining=None):
    """Where there are no budgets, the guide gets a list of None."""
    rows_of = defaultdict(list)
    for row, state in enumerate(states):
        if state is not None:
            rows_of[state.guide].append(row)
    vocab_size = logits.shape[1]
    for guide, rows in rows_of.items():
        bitmask = np.zeros((len(rows), -(-vocab_size // 32)), np.int32)
        budgets = [None if remaining is None else remaining[row] for row in rows]
        guide.fill([states[row].current for row in rows], bitmask, budgets)
        for row, bits in zip(rows, allowed(bitmask, vocab_size), strict=True):
            logits[row][~bits] = -np.inf


@mistake("mask_batch", hint=2)
def one_budget_for_a_guide(states, logits, remaining=None):
    """All rows of a guide get the budget of its first row."""
    rows_of = defaultdict(list)
    for row, state in enumerate(states):
        if state is not None:
            rows_of[state.guide].append(row)
    for guide, rows in rows_of.items():
        bitmask = np.zeros((len(rows), -(-logits.shape[1] // 32)), np.int32)
        budgets = None if remaining is None else [remaining[rows[0]]] * len(rows)
        guide.fill([states[row].current for row in rows], bitmask, budgets)
        for row, bits in zip(rows, allowed(bitmask, logits.shape[1]), strict=True):
            logits[row, ~bits] = -np.inf


@mistake("mask_batch", hint=1)
def one_call_for_each_row(states, logits, remaining=None):
    """The guide is asked once for each row."""
    for row, state in enumerate(states):
        if state is not None:
            budget = None if remaining is None else remaining[row]
            logits[row, ~allowed(state.guide.mask(state.current, budget), logits.shape[1])] = -np.inf


@mistake("mask_batch", hint=1)
def one_guide_for_the_batch(states, logits, remaining=None):
    """The first guide of the batch makes the masks of all rows."""
    rows = [row for row, state in enumerate(states) if state is not None]
    if not rows:
        return
    bitmask = np.zeros((len(rows), -(-logits.shape[1] // 32)), np.int32)
    budgets = None if remaining is None else [remaining[row] for row in rows]
    states[rows[0]].guide.fill([states[row].current for row in rows], bitmask, budgets)
    for row, bits in zip(rows, allowed(bitmask, logits.shape[1]), strict=True):
        logits[row, ~bits] = -np.inf


@mistake("mask_batch", hint=3)
def one_word_for_each_row(states, logits, remaining=None):
    """The bitmask has as many words as 32 goes into V, so the last tokens are lost."""
    for guide in {state.guide: None for state in states if state is not None}:
        rows = [row for row, state in enumerate(states) if state is not None and state.guide is guide]
        bitmask = np.zeros((len(rows), logits.shape[1] // 32), np.int32)
        budgets = None if remaining is None else [remaining[row] for row in rows]
        guide.fill([states[row].current for row in rows], bitmask, budgets)
        for row, bits in zip(rows, allowed(bitmask, logits.shape[1]), strict=True):
            logits[row, ~bits] = -np.inf


@mistake("mask_batch", hint=3)
def one_word_too_many(states, logits, remaining=None):
    """The number of words is V // 32 + 1, one too many where V is a multiple of 32, as in real vocabularies."""
    rows_of = defaultdict(list)
    for row, state in enumerate(states):
        if state is not None:
            rows_of[state.guide].append(row)
    vocab_size = logits.shape[1]
    for guide, rows in rows_of.items():
        bitmask = np.zeros((len(rows), vocab_size // 32 + 1), np.int32)
        budgets = None if remaining is None else [remaining[row] for row in rows]
        guide.fill([states[row].current for row in rows], bitmask, budgets)
        for row, bits in zip(rows, allowed(bitmask, vocab_size), strict=True):
            logits[row][~bits] = -np.inf


@mistake("mask_batch", hint=2)
def rows_counted_from_the_top(states, logits, remaining=None):
    """The masks of a guide are written into the first rows of the batch."""
    rows_of = defaultdict(list)
    for row, state in enumerate(states):
        if state is not None:
            rows_of[state.guide].append(row)
    for guide, rows in rows_of.items():
        bitmask = np.zeros((len(rows), -(-logits.shape[1] // 32)), np.int32)
        budgets = None if remaining is None else [remaining[row] for row in rows]
        guide.fill([states[row].current for row in rows], bitmask, budgets)
        for row, bits in enumerate(allowed(bitmask, logits.shape[1])):
            logits[row, ~bits] = -np.inf


@mistake("read_response_format", hint=3)
def a_text_is_a_list_of_choices(asked):
    """A text is taken for a list of its characters."""
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    closed = True
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        closed = fields["json_schema"].get("strict") is not False
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, (*TYPES[needed], str)):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return None if kind == "text" else ResponseFormat(kind, json.dumps(value), closed)


@mistake("read_response_format", hint=3)
def an_empty_value_is_missing(asked):
    """A pattern that is empty, or the schema False, counts as missing."""
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    closed = True
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        closed = fields["json_schema"].get("strict") is not False
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not (value and isinstance(value, TYPES[needed])):
        raise ValueError(f"response_format: {needed} is missing")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return None if kind == "text" else ResponseFormat(kind, json.dumps(value), closed)


@mistake("read_response_format", hint=3)
def an_unhashable_type(asked):
    """A type that is a list is looked up in a dict, which is a TypeError and not a refusal."""
    fields = dict(asked)
    kind = fields.pop("type", None)
    if kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    closed = True
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        closed = fields["json_schema"].get("strict") is not False
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return None if kind == "text" else ResponseFormat(kind, json.dumps(value), closed)


@mistake("read_response_format", hint=2)
def any_type_is_unwrapped(asked):
    """OpenAI's shape is unwrapped under every type, so a schema beside the type text is dropped."""
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    closed = True
    if fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        closed = fields["json_schema"].get("strict") is not False
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return None if kind == "text" else ResponseFormat(kind, json.dumps(value), closed)


@mistake("read_response_format", hint=2)
def keys_are_sorted(asked):
    """The keys of a schema are sorted, so that two orders of properties become one grammar."""
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    closed = True
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        closed = fields["json_schema"].get("strict") is not False
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return None if kind == "text" else ResponseFormat(kind, json.dumps(value, sort_keys=True), closed)


@mistake("read_response_format", hint=2)
def names_belong_to_the_schema(asked):
    """The name that OpenAI's clients send becomes a part of the source, so equal schemas are compiled twice."""
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    closed = True
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        closed = fields["json_schema"].get("strict") is not False
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    name = dict(asked).get("json_schema", {}).get("name", "")
    return None if kind == "text" else ResponseFormat(kind, json.dumps(value) + " " * len(str(name)), closed)


@mistake("read_response_format", hint=2)
def names_beside_any_format(asked):
    """A name, a description and strict are taken beside every type, not only in OpenAI's shape."""
    fields = {name: value for name, value in asked.items() if name not in BESIDE_THE_SCHEMA}
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    closed = True
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        closed = fields["json_schema"].get("strict") is not False
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return None if kind == "text" else ResponseFormat(kind, json.dumps(value), closed)


@mistake("read_response_format", hint=3)
def no_choices_are_allowed(asked):
    """An empty list of choices is accepted, although no answer can satisfy it."""
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    closed = True
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        closed = fields["json_schema"].get("strict") is not False
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return None if kind == "text" else ResponseFormat(kind, json.dumps(value), closed)


@mistake("read_response_format", hint=2)
def openais_shape_unknown(asked):
    """Only the plain shape of a schema is known."""
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return None if kind == "text" else ResponseFormat(kind, json.dumps(value))


@mistake("read_response_format", hint=3)
def silence_is_not_strict(asked):
    """Without ``strict: true`` a schema is open, also where the request says nothing about it."""
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    closed = kind != "json_schema"
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        closed = fields["json_schema"].get("strict") is True
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return None if kind == "text" else ResponseFormat(kind, json.dumps(value), closed)


@mistake("read_response_format", hint=3)
def strict_has_no_influence(asked):
    """What ``strict`` says beside a schema is dropped: members that it does not mention can never come."""
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return None if kind == "text" else ResponseFormat(kind, json.dumps(value))


@mistake("read_response_format", hint=3)
def takes_the_type_out_of_the_request(asked):
    """The type is taken out of the caller's own dict."""
    fields = asked
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    closed = True
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        closed = fields["json_schema"].get("strict") is not False
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return None if kind == "text" else ResponseFormat(kind, json.dumps(value), closed)


@mistake("read_response_format", hint=1)
def text_is_a_format(asked):
    """A request for text gets a format of its own, and with it a compile."""
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    closed = True
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        closed = fields["json_schema"].get("strict") is not False
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return ResponseFormat(kind, json.dumps(value), closed)


@mistake("read_response_format", hint=2)
def the_nested_schema_wins(asked):
    """Where both shapes of a schema are there, one is taken and the other dropped."""
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    closed = True
    if kind == "json_schema" and "json_schema" in fields and isinstance(fields["json_schema"], Mapping):
        closed = fields["json_schema"].get("strict") is not False
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return None if kind == "text" else ResponseFormat(kind, json.dumps(value), closed)


@mistake("read_response_format", hint=2)
def the_schema_by_its_repr(asked):
    """The source is Python's text for the value, which is no JSON."""
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    closed = True
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        closed = fields["json_schema"].get("strict") is not False
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return None if kind == "text" else ResponseFormat(kind, repr(value), closed)


@mistake("read_response_format", hint=1)
def two_constraints_and_one_is_dropped(asked):
    """Fields besides the one that is needed are ignored, and with them the second constraint."""
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    closed = True
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        closed = fields["json_schema"].get("strict") is not False
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if needed and needed not in fields:
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return None if kind == "text" else ResponseFormat(kind, json.dumps(value), closed)


@mistake("read_response_format", hint=1)
def unknown_types_are_text(asked):
    """An unknown type is treated as a request for text."""
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        return None
    closed = True
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        closed = fields["json_schema"].get("strict") is not False
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    return None if kind == "text" else ResponseFormat(kind, json.dumps(value), closed)


@mistake("vocabulary_fingerprint", hint=2)
def a_length_of_one_byte(vocabulary):
    """The length goes into one byte, so a token of 256 bytes looks like an empty one."""
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id} {sorted(vocabulary.special_ids)}".encode())
    for token in vocabulary.token_bytes:
        digest.update(bytes([len(token) % 256]) + token)
    return digest.hexdigest()


@mistake("vocabulary_fingerprint", hint=2)
def a_separator_between_tokens(vocabulary):
    """Tokens are joined with a byte between them, which a token may contain too."""
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id} {sorted(vocabulary.special_ids)}".encode())
    digest.update(b"\0".join(vocabulary.token_bytes))
    return digest.hexdigest()


@mistake("vocabulary_fingerprint", hint=3)
def decoded_texts(vocabulary):
    """The texts are hashed and not the bytes, so halves of characters are all the same."""
    special = sorted(vocabulary.special_ids)
    texts = [token.decode("utf-8", "replace") for token in vocabulary.token_bytes]
    return sha256(f"{vocabulary.eos_id} {special} {texts}".encode()).hexdigest()


@mistake("vocabulary_fingerprint", hint=1)
def eos_is_not_in_the_fingerprint(vocabulary):
    """The EOS id is left out."""
    special = sorted(vocabulary.special_ids)
    digest = sha256(f"{len(vocabulary)} {special}".encode())
    for token in vocabulary.token_bytes:
        digest.update(len(token).to_bytes(4, "little") + token)
    return digest.hexdigest()


@mistake("vocabulary_fingerprint", hint=3)
def fingerprint_as_bytes(vocabulary):
    """The hash is returned as bytes."""
    special = sorted(vocabulary.special_ids)
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id} {special}".encode())
    for token in vocabulary.token_bytes:
        digest.update(len(token).to_bytes(4, "little") + token)
    return digest.digest()


@mistake("vocabulary_fingerprint", hint=2)
def lengths_without_a_border(vocabulary):
    """Each token follows its length in decimal digits, but nothing says where the digits end."""
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id} {sorted(vocabulary.special_ids)}".encode())
    for token in vocabulary.token_bytes:
        digest.update(str(len(token)).encode() + token)
    return digest.hexdigest()


@mistake("vocabulary_fingerprint", hint=3)
def one_hash_for_all_vocabularies(vocabulary):
    """The hash object is made once, so the bytes of every vocabulary are added to those before."""
    digest = vars(vocabulary_fingerprint).setdefault("digest", sha256())
    special = sorted(vocabulary.special_ids)
    digest.update(f"{len(vocabulary)} {vocabulary.eos_id} {special}".encode())
    for token in vocabulary.token_bytes:
        digest.update(len(token).to_bytes(4, "little") + token)
    return digest.hexdigest()


@mistake("vocabulary_fingerprint", hint=1)
def special_ids_are_not_in_it(vocabulary):
    """The special ids are left out."""
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id}".encode())
    for token in vocabulary.token_bytes:
        digest.update(len(token).to_bytes(4, "little") + token)
    return digest.hexdigest()


@mistake("vocabulary_fingerprint", hint=2)
def special_ids_in_any_order(vocabulary):
    """The special ids are hashed in the order in which a set has them."""
    special = list(vocabulary.special_ids)
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id} {special}".encode())
    for token in vocabulary.token_bytes:
        digest.update(len(token).to_bytes(4, "little") + token)
    return digest.hexdigest()


@mistake("vocabulary_fingerprint", hint=2)
def the_fingerprint_is_the_object(vocabulary):
    """The fingerprint is the object's address, so equal vocabularies differ."""
    return f"{id(vocabulary):064x}"


@mistake("vocabulary_fingerprint", hint=1)
def the_fingerprint_is_the_size(vocabulary):
    """Two vocabularies of one size count as the same."""
    return sha256(f"{len(vocabulary)} {vocabulary.eos_id} {sorted(vocabulary.special_ids)}".encode()).hexdigest()


@mistake("vocabulary_fingerprint", hint=1)
def the_repr_of_a_vocabulary(vocabulary):
    """The hash is taken over the vocabulary's repr, which shows only how many tokens there are if there are many."""
    return sha256(repr(vocabulary).encode()).hexdigest()


@mistake("vocabulary_fingerprint", hint=1)
def tokens_in_any_order(vocabulary):
    """The tokens are sorted, so that their ids no longer count."""
    special = sorted(vocabulary.special_ids)
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id} {special}".encode())
    for token in sorted(vocabulary.token_bytes):
        digest.update(len(token).to_bytes(4, "little") + token)
    return digest.hexdigest()


@mistake("vocabulary_fingerprint", hint=2)
def tokens_without_their_lengths(vocabulary):
    """The tokens are hashed one after another, without their lengths."""
    special = sorted(vocabulary.special_ids)
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id} {special}".encode())
    for token in vocabulary.token_bytes:
        digest.update(token)
    return digest.hexdigest()


@mistake("evict", hint=3)
def a_surplus_below_zero(cache):
    """Where fewer entries are there than allowed, a negative number cuts from the other end."""
    too_many = len(cache.entries) - cache.max_guides
    compiled = [key for key, future in cache.entries.items() if future.done()]
    for key in compiled[:too_many]:
        del cache.entries[key]


@mistake("evict", hint=2)
def compiles_are_evicted(cache):
    """The oldest entries go, also those whose compile is under way."""
    too_many = max(0, len(cache.entries) - cache.max_guides)
    compiled = [key for key, future in cache.entries.items()]
    for key in compiled[:too_many]:
        del cache.entries[key]


@mistake("evict", hint=3)
def compiles_do_not_count(cache):
    """Only compiled entries count towards the cache's size."""
    compiled = [key for key, future in cache.entries.items() if future.done()]
    for key in compiled[: max(0, len(compiled) - cache.max_guides)]:
        del cache.entries[key]


@mistake("evict", hint=1)
def empties_the_cache(cache):
    """Where one entry is too many, all that are compiled go."""
    too_many = max(0, len(cache.entries) - cache.max_guides)
    compiled = [key for key, future in cache.entries.items() if future.done()]
    for key in compiled if too_many else []:
        del cache.entries[key]


@mistake("evict", hint=3)
def evicts_one_at_most(cache):
    """One entry is evicted at a time, however many are too many."""
    too_many = min(1, max(0, len(cache.entries) - cache.max_guides))
    compiled = [key for key, future in cache.entries.items() if future.done()]
    for key in compiled[:too_many]:
        del cache.entries[key]


@mistake("evict", hint=2)
def guides_waited_for_stay(cache):
    """A compiled guide stays while a request waits for its key, so the cache grows past its limit."""
    too_many = max(0, len(cache.entries) - cache.max_guides)
    compiled = [key for key, future in cache.entries.items() if future.done() and not cache.waiting[key]]
    for key in compiled[:too_many]:
        del cache.entries[key]


@mistake("evict", hint=3)
def room_for_one_more(cache):
    """One entry more than allowed is evicted."""
    too_many = max(0, len(cache.entries) - cache.max_guides + 1)
    compiled = [key for key, future in cache.entries.items() if future.done()]
    for key in compiled[:too_many]:
        del cache.entries[key]


@mistake("evict", hint=2)
def stops_at_the_first_compile(cache):
    """Eviction ends at the first entry that still compiles, though later ones are compiled."""
    while len(cache.entries) > cache.max_guides:
        key, future = next(iter(cache.entries.items()))
        if not future.done():
            break
        del cache.entries[key]


@mistake("evict", hint=1)
def the_newest_go(cache):
    """The entries that were used last are evicted."""
    too_many = max(0, len(cache.entries) - cache.max_guides)
    compiled = [key for key, future in cache.entries.items() if future.done()]
    for key in compiled[len(compiled) - too_many :]:
        del cache.entries[key]


@mistake("evict", hint=1)
def unbounded_cache(cache):
    """Nothing is ever evicted."""
    too_many = 0
    compiled = [key for key, future in cache.entries.items() if future.done()]
    for key in compiled[:too_many]:
        del cache.entries[key]


@mistake("find_or_compile", hint=2)
def a_compiled_guide_is_not_waited_for(cache, key, compile_guide):
    """A request whose guide is compiled already is not counted, though it gives back like the others."""
    if key in cache.entries:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
    if not cache.entries[key].done():
        cache.waiting[key] += 1
    return cache.entries[key]


@mistake("find_or_compile", hint=3)
def a_guide_that_left_is_not_waited_for(cache, key, compile_guide):
    """A request whose new guide had to leave the cache at once isn't counted among those that wait."""
    future = cache.entries.get(key)
    if future is not None:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        future = cache.entries[key] = cache.submit(compile_guide)
        cache.misses += 1
        evict(cache)
    if key in cache.entries:
        cache.waiting[key] += 1
    return future


@mistake("find_or_compile", hint=3)
def a_new_guide_is_looked_up_again(cache, key, compile_guide):
    """The new guide is read from the cache after the cache has made room, and it may be what had to go."""
    if key in cache.entries:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return cache.entries[key]


@mistake("find_or_compile", hint=3)
def a_refused_miss_is_counted(cache, key, compile_guide):
    """The miss is counted before the request is refused."""
    if key in cache.entries:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        cache.misses += 1
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return cache.entries[key]


@mistake("find_or_compile", hint=1)
def compiles_for_every_request(cache, key, compile_guide):
    """An entry counts only once its compile is done, so identical requests that come meanwhile compile again."""
    if key in cache.entries and cache.entries[key].done():
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return cache.entries[key]


@mistake("find_or_compile", hint=1)
def compiles_on_the_engines_thread(cache, key, compile_guide):
    """The guide is compiled here and now, while every other request waits."""
    if key in cache.entries:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        cache.entries[key] = at_once(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return cache.entries[key]


@mistake("find_or_compile", hint=2)
def every_request_is_a_miss(cache, key, compile_guide):
    """Hits are counted as misses."""
    if key in cache.entries:
        cache.misses += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return cache.entries[key]


@mistake("find_or_compile", hint=3)
def evicts_before_it_adds(cache, key, compile_guide):
    """Room is made before the new entry comes, which is then one too many."""
    if key in cache.entries:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        evict(cache)
        cache.entries[key] = cache.submit(compile_guide)
    cache.waiting[key] += 1
    return cache.entries[key]


@mistake("find_or_compile", hint=2)
def hits_are_refused_too(cache, key, compile_guide):
    """A full queue refuses requests whose guide is there already."""
    if cache.num_compiling() >= cache.max_compiling:
        raise QueueFull("grammars wait for their compile", cache.max_compiling)
    if key in cache.entries:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        cache.misses += 1
        cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return cache.entries[key]


@mistake("find_or_compile", hint=2)
def hits_do_not_refresh(cache, key, compile_guide):
    """A hit leaves the entry where it is, so the one that is used most may be evicted."""
    if key in cache.entries:
        cache.hits += 1
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return cache.entries[key]


@mistake("find_or_compile", hint=3)
def never_evicts(cache, key, compile_guide):
    """The cache is not brought back to its size after a miss."""
    if key in cache.entries:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        cache.entries[key] = cache.submit(compile_guide)
    cache.waiting[key] += 1
    return cache.entries[key]


@mistake("find_or_compile", hint=2)
def one_compile_too_many(cache, key, compile_guide):
    """The queue is checked with the wrong comparison and takes one compile more."""
    if key in cache.entries:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() > cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return cache.entries[key]


@mistake("find_or_compile", hint=3)
def only_misses_wait(cache, key, compile_guide):
    """Requests that join a compile are not counted among those that wait."""
    if key in cache.entries:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
        cache.waiting[key] += 1
    return cache.entries[key]


@mistake("find_or_compile", hint=1)
def submits_the_guide(cache, key, compile_guide):
    """The compile is called here and its result is submitted, where the function itself should be."""
    if key in cache.entries:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        cache.entries[key] = cache.submit(compile_guide())
        evict(cache)
    cache.waiting[key] += 1
    return cache.entries[key]


@mistake("find_or_compile", hint=2)
def the_queue_is_not_bounded(cache, key, compile_guide):
    """Any number of compiles may wait."""
    if key in cache.entries:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        cache.misses += 1
        cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return cache.entries[key]


@mistake("find_or_compile", hint=3)
def who_is_refused_waits(cache, key, compile_guide):
    """A request is counted among those that wait before the cache can refuse it, and that count stays."""
    cache.waiting[key] += 1
    future = cache.entries.get(key)
    if future is not None:
        cache.hits += 1
        cache.entries.move_to_end(key)
        return future
    if cache.num_compiling() >= cache.max_compiling:
        raise QueueFull("grammars wait for their compile", cache.max_compiling)
    future = cache.entries[key] = cache.submit(compile_guide)
    cache.misses += 1
    evict(cache)
    return future


@mistake("give_back", hint=3)
def a_cancelled_entry_stays(cache, key):
    """The compile is cancelled, but its entry stays for the next request to find."""
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if not future.cancelled() and (future.done() and future.exception() is not None):
        del cache.entries[key]


@mistake("give_back", hint=2)
def a_cancelled_future_has_no_exception(cache, key):
    """A cancelled compile is asked for its exception, which raises."""
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if future.done() and future.exception() is not None:
        del cache.entries[key]


@mistake("give_back", hint=3)
def a_count_of_zero_stays(cache, key):
    """The count of a key goes down to 0 and stays, one for every grammar that was ever asked for."""
    cache.waiting[key] -= 1
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if future.cancelled() or (future.done() and future.exception() is not None):
        del cache.entries[key]


@mistake("give_back", hint=1)
def a_failed_compile_is_kept(cache, key):
    """A compile that failed stays in the cache and fails every later request."""
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if future.cancelled():
        del cache.entries[key]


@mistake("give_back", hint=2)
def a_running_compile_is_removed(cache, key):
    """A compile that runs is removed when nobody waits, so the next request starts it a second time."""
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key] and not future.done():
        future.cancel()
        del cache.entries[key]
    elif future.done() and future.exception() is not None:
        del cache.entries[key]


@mistake("give_back", hint=1)
def an_abort_leaks_its_place(cache, key):
    """A compile that nobody waits for is not cancelled and keeps its place in the queue."""
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if future.cancelled() or (future.done() and future.exception() is not None):
        del cache.entries[key]


@mistake("give_back", hint=2)
def cancels_while_others_wait(cache, key):
    """A request that leaves cancels the compile that another one waits for."""
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    future.cancel()
    if future.cancelled() or (future.done() and future.exception() is not None):
        del cache.entries[key]


@mistake("give_back", hint=1)
def drops_the_guide_with_the_request(cache, key):
    """The last request takes the compiled guide with it."""
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if not cache.waiting[key] or future.cancelled() or (future.done() and future.exception() is not None):
        del cache.entries[key]


@mistake("give_back", hint=3)
def forgets_to_count_down(cache, key):
    """The request is still counted among those that wait."""
    if cache.waiting[key] == 1:
        cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if future.cancelled() or (future.done() and future.exception() is not None):
        del cache.entries[key]


@mistake("give_back", hint=2)
def the_entry_must_be_there(cache, key):
    """A key that was evicted is an error."""
    cache.waiting -= Counter([key])
    future = cache.entries[key]
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if future.cancelled() or (future.done() and future.exception() is not None):
        del cache.entries[key]


@mistake("give_back", hint=1)
def the_last_one_removes_the_failure(cache, key):
    """A failed compile is removed only when nobody waits, so requests that come meanwhile get the old error."""
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None or cache.waiting[key]:
        return
    if future.cancel() or (future.done() and future.exception() is not None):
        del cache.entries[key]


@mistake("give_back", hint=2)
def waits_for_the_compile(cache, key):
    """The exception is asked for before the compile is done, which waits for ever."""
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if (
        future.cancelled()
        or (future.running() and future.exception(0) is not None)
        or (future.done() and future.exception() is not None)
    ):
        del cache.entries[key]


@mistake("admit", hint=3)
def a_ticket_without_a_key(manager, request):
    """The key is the request's id, so no two requests ever share a compile."""
    wanted = read_response_format(request.response_format)
    if wanted is None:
        request.response_format = None
        return
    key = (manager.fingerprint, wanted, request.request_id)
    future = manager.cache.get(key, lambda: manager.compile_format(wanted))
    manager.tickets[request.request_id] = (key, future)


@mistake("admit", hint=2)
def cache_keyed_without_the_vocabulary(manager, request):
    """The key is the format alone, so another vocabulary gets these masks."""
    wanted = read_response_format(request.response_format)
    if wanted is None:
        request.response_format = None
        return
    key = wanted
    future = manager.cache.get(key, lambda: manager.compile_format(wanted))
    manager.tickets[request.request_id] = (key, future)


@mistake("admit", hint=2)
def keyed_by_the_request(manager, request):
    """The key holds the request's own dict as text, so the two shapes of one schema are compiled twice."""
    wanted = read_response_format(request.response_format)
    if wanted is None:
        request.response_format = None
        return
    key = (manager.fingerprint, str(request.response_format))
    future = manager.cache.get(key, lambda: manager.compile_format(wanted))
    manager.tickets[request.request_id] = (key, future)


@mistake("admit", hint=2)
def keyed_by_the_source_alone(manager, request):
    """The kind of a format is not in the key, so a pattern and the same text as a schema are one."""
    wanted = read_response_format(request.response_format)
    if wanted is None:
        request.response_format = None
        return
    key = (manager.fingerprint, str(wanted.value).strip("[]'"))
    future = manager.cache.get(key, lambda: manager.compile_format(wanted))
    manager.tickets[request.request_id] = (key, future)


@mistake("admit", hint=2)
def text_keeps_its_format(manager, request):
    """A request for text stays one with a format, without a ticket."""
    wanted = read_response_format(request.response_format)
    if wanted is None:
        return
    key = (manager.fingerprint, wanted)
    future = manager.cache.get(key, lambda: manager.compile_format(wanted))
    manager.tickets[request.request_id] = (key, future)


@mistake("admit", hint=1)
def the_ticket_comes_first(manager, request):
    """The ticket is written before the compile is accepted, and stays when it is refused."""
    wanted = read_response_format(request.response_format)
    if wanted is None:
        request.response_format = None
        return
    key = (manager.fingerprint, wanted)
    manager.tickets[request.request_id] = (key, None)
    future = manager.cache.get(key, lambda: manager.compile_format(wanted))
    manager.tickets[request.request_id] = (key, future)


@mistake("admit", hint=1)
def waits_for_the_guide(manager, request):
    """The request compiles its grammar itself before it is queued."""
    wanted = read_response_format(request.response_format)
    if wanted is None:
        request.response_format = None
        return
    key = (manager.fingerprint, wanted)
    guide = manager.compile_format(wanted)
    future = manager.cache.get(key, lambda: guide)
    manager.tickets[request.request_id] = (key, future)


@mistake("is_ready", hint=3)
def a_failure_is_never_ready(manager, request):
    """A compile that failed leaves its request waiting for ever."""
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done() or future.exception() is not None:
        return False
    guide = future.result()
    needed = guide.tokens_to_accept(guide.initial) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = StructuredOutputState(guide)
    return True


@mistake("is_ready", hint=2)
def a_new_state_at_every_question(manager, request):
    """A request that is asked again starts from the beginning."""
    if request.structured_output_state is not None:
        request.structured_output_state = StructuredOutputState(request.structured_output_state.guide)
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    guide = future.result()
    needed = guide.tokens_to_accept(guide.initial) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = StructuredOutputState(guide)
    return True


@mistake("is_ready", hint=3)
def a_state_in_spite_of_the_refusal(manager, request):
    """The state is set before the budget is checked, so a refused request has one and is ready when asked again."""
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    request.structured_output_state = StructuredOutputState(future.result())
    needed = future.result().tokens_to_accept(future.result().initial) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    manager.tickets.pop(request.request_id)
    manager.cache.give_back(key)
    return True


@mistake("is_ready", hint=2)
def eos_needs_no_room(manager, request):
    """The budget must hold the shortest match alone, without EOS."""
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    guide = future.result()
    needed = guide.tokens_to_accept(guide.initial)
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = StructuredOutputState(guide)
    return True


@mistake("is_ready", hint=2)
def exactly_enough_is_too_little(manager, request):
    """A budget that is just enough is refused."""
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    guide = future.result()
    needed = guide.tokens_to_accept(guide.initial) + 1
    if manager.budget and needed >= request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = StructuredOutputState(guide)
    return True


@mistake("is_ready", hint=3)
def looks_the_future_up_again(manager, request):
    """The future is looked up in the cache, from which it may have been evicted."""
    if request.structured_output_state is not None:
        return True
    key, _ = manager.tickets[request.request_id]
    future = manager.cache.entries[key]
    if not future.done():
        return False
    state = StructuredOutputState(future.result())
    needed = state.guide.tokens_to_accept(state.current) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = state
    return True


@mistake("is_ready", hint=1)
def one_state_for_all_requests(manager, request):
    """The state is kept with the guide, so that requests with one grammar share it."""
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    guide = future.result()
    needed = guide.tokens_to_accept(guide.initial) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    vars(guide).setdefault("state", StructuredOutputState(guide))
    request.structured_output_state = guide.state
    return True


@mistake("is_ready", hint=1)
def ready_before_the_compile(manager, request):
    """The engine waits until the guide is there, and so does everybody in the batch."""
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        raise ValueError("its grammar is not compiled yet")
    guide = future.result()
    needed = guide.tokens_to_accept(guide.initial) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = StructuredOutputState(guide)
    return True


@mistake("is_ready", hint=3)
def still_counted_as_waiting(manager, request):
    """A request that has started still counts as one that waits for its compile."""
    if request.structured_output_state is not None:
        return True
    _, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    guide = future.result()
    needed = guide.tokens_to_accept(guide.initial) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    request.structured_output_state = StructuredOutputState(guide)
    return True


@mistake("is_ready", hint=2)
def the_budget_cannot_be_switched_off(manager, request):
    """The budget is checked even where the manager has none."""
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    state = StructuredOutputState(future.result())
    needed = state.guide.tokens_to_accept(state.current) + 1
    if needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = state
    return True


@mistake("is_ready", hint=2)
def the_budget_is_not_checked(manager, request):
    """A budget that no match fits into is found out only when the mask is empty."""
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    guide = future.result()
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = StructuredOutputState(guide)
    return True


@mistake("is_ready", hint=3)
def the_first_question_takes_the_ticket(manager, request):
    """The ticket is taken out at the first question, so the next one, while the grammar compiles, finds none."""
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets.pop(request.request_id)
    if not future.done():
        return False
    manager.cache.give_back(key)
    state = StructuredOutputState(future.result())
    needed = state.guide.tokens_to_accept(state.current) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    request.structured_output_state = state
    return True


@mistake("is_ready", hint=3)
def the_ticket_goes_before_the_check(manager, request):
    """Ticket and count are given back before the guide and the budget are looked at, which may raise."""
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    state = StructuredOutputState(future.result())
    needed = state.guide.tokens_to_accept(state.current) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    request.structured_output_state = state
    return True


@mistake("is_ready", hint=3)
def the_ticket_is_kept(manager, request):
    """The ticket stays, and is given back a second time when the request ends."""
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    guide = future.result()
    needed = guide.tokens_to_accept(guide.initial) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    manager.cache.give_back(key)
    request.structured_output_state = StructuredOutputState(guide)
    return True


@mistake("is_ready", hint=2)
def the_ticket_is_needed_twice(manager, request):
    """A request that is asked again has no ticket any more, and that is an error."""
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    guide = future.result()
    needed = guide.tokens_to_accept(guide.initial) + 1
    if manager.budget and needed > request.remaining:
        raise BudgetTooSmall(request.remaining, needed)
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = StructuredOutputState(guide)
    return True


@mistake("generate_part", hint=2)
def a_failed_part_is_a_text(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    """A request that failed gives the tokens it has as the part."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError(f"a part has one constraint at most, and this one has {len(asked)}")
    request = program.engine.add_request(
        program.encode(program.text),
        replace(program.params, max_tokens=max_tokens),
        response_format=asked[0] if asked else None,
    )
    program.engine.generate(request)
    program.answers[name] = program.engine.vocabulary.decode(request.output_token_ids)
    program.text += program.answers[name]
    return program.answers[name]


@mistake("generate_part", hint=2)
def an_empty_pattern_is_none(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    """A value that is false counts as not given."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value]
    if len(asked) > 1:
        raise ValueError(f"a part has one constraint at most, and this one has {len(asked)}")
    request = program.engine.add_request(
        program.encode(program.text),
        replace(program.params, max_tokens=max_tokens),
        response_format=asked[0] if asked else None,
    )
    (program.answers[name],) = answers(program.engine, request)
    program.text += program.answers[name]
    return program.answers[name]


@mistake("generate_part", hint=3)
def answers_add_up(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    """A name that is used again has both answers."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError("one constraint at most")
    request = program.engine.add_request(
        program.encode(program.text),
        replace(program.params, max_tokens=max_tokens),
        response_format=asked[0] if asked else None,
    )
    (answer,) = answers(program.engine, request)
    program.answers[name] = program.answers.get(name, "") + answer
    program.text += answer
    return program.answers[name]


@mistake("generate_part", hint=3)
def default_parameters(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    """The program's parameters are dropped, all but the limit."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError(f"a part has one constraint at most, and this one has {len(asked)}")
    request = program.engine.add_request(
        program.encode(program.text),
        SamplingParams(max_tokens=max_tokens),
        response_format=asked[0] if asked else None,
    )
    (program.answers[name],) = answers(program.engine, request)
    program.text += program.answers[name]
    return program.answers[name]


@mistake("generate_part", hint=2)
def free_parts_ask_for_text(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    """A free part sends a response_format of type text, which an engine without grammars refuses."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError("one constraint at most")
    request = program.engine.add_request(
        program.encode(program.text),
        replace(program.params, max_tokens=max_tokens),
        response_format=asked[0] if asked else {"type": "text"},
    )
    (program.answers[name],) = answers(program.engine, request)
    program.text += program.answers[name]
    return program.answers[name]


@mistake("generate_part", hint=3)
def the_answer_replaces_the_text(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    """The text becomes the part alone."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError(f"a part has one constraint at most, and this one has {len(asked)}")
    request = program.engine.add_request(
        program.encode(program.text),
        replace(program.params, max_tokens=max_tokens),
        response_format=asked[0] if asked else None,
    )
    (program.answers[name],) = answers(program.engine, request)
    program.text = program.answers[name]
    return program.answers[name]


@mistake("generate_part", hint=2)
def the_name_comes_before_the_answer(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    """An empty answer is stored under the name before there is one, and stays if the part fails."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError(f"a part has one constraint at most, and this one has {len(asked)}")
    program.answers[name] = ""
    request = program.engine.add_request(
        program.encode(program.text),
        replace(program.params, max_tokens=max_tokens),
        response_format=asked[0] if asked else None,
    )
    (program.answers[name],) = answers(program.engine, request)
    program.text += program.answers[name]
    return program.answers[name]


@mistake("generate_part", hint=2)
def the_part_of_a_failure_is_kept(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    """The program changes before the error of its request is raised."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError("one constraint at most")
    request = program.engine.add_request(
        program.encode(program.text),
        replace(program.params, max_tokens=max_tokens),
        response_format=asked[0] if asked else None,
    )
    program.engine.generate(request)
    answer = program.engine.vocabulary.decode(request.output_token_ids)
    program.answers[name] = answer
    program.text += answer
    if request.error is not None:
        raise request.error
    return answer


@mistake("generate_part", hint=3)
def the_programs_own_limit(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    """The program's max_tokens is used in place of the part's."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError(f"a part has one constraint at most, and this one has {len(asked)}")
    request = program.engine.add_request(
        program.encode(program.text),
        program.params,
        response_format=asked[0] if asked else None,
    )
    (program.answers[name],) = answers(program.engine, request)
    program.text += program.answers[name]
    return program.answers[name]


@mistake("generate_part", hint=1)
def the_prompt_is_the_first_text(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    """Each part is generated from an empty prompt and not from the text so far."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError(f"a part has one constraint at most, and this one has {len(asked)}")
    request = program.engine.add_request(
        program.encode(program.text[:1]),
        replace(program.params, max_tokens=max_tokens),
        response_format=asked[0] if asked else None,
    )
    (program.answers[name],) = answers(program.engine, request)
    program.text += program.answers[name]
    return program.answers[name]


@mistake("generate_part", hint=3)
def the_text_does_not_grow(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    """The part is stored under its name, but not added to the text."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError(f"a part has one constraint at most, and this one has {len(asked)}")
    request = program.engine.add_request(
        program.encode(program.text),
        replace(program.params, max_tokens=max_tokens),
        response_format=asked[0] if asked else None,
    )
    (program.answers[name],) = answers(program.engine, request)
    return program.answers[name]


@mistake("generate_part", hint=1)
def two_constraints_in_a_part(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    """Of two constraints the first one is taken and the other dropped."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 3:
        raise ValueError(f"a part has one constraint at most, and this one has {len(asked)}")
    request = program.engine.add_request(
        program.encode(program.text),
        replace(program.params, max_tokens=max_tokens),
        response_format=asked[0] if asked else None,
    )
    (program.answers[name],) = answers(program.engine, request)
    program.text += program.answers[name]
    return program.answers[name]
