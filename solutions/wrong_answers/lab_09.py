"""Wrong answers of lab 09: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("advance_state", hint=2)
def a_refusal_is_swallowed(state, token_id):
    """A token that the guide refuses is ignored, so that a fault of the mask stays hidden."""
    import contextlib

    with contextlib.suppress(ValueError):
        state.current = state.guide.advance(state.current, token_id)


@mistake("advance_state", hint=3)
def starts_again_at_each_token(state, token_id):
    """Each token is taken from the guide's initial state and not from where the request is."""
    state.current = state.guide.advance(state.guide.initial, token_id)


@mistake("advance_state", hint=1)
def state_kept_in_the_guide(state, token_id):
    """The state of a request is written into the guide, which all requests share."""
    state.guide.initial = state.current = state.guide.advance(state.current, token_id)


@mistake("is_finished", hint=3)
def counts_words(state, remaining=None):
    """The words of the bitmask that are not 0 are counted in place of its bits, so two tokens of one word pass for
    EOS.
    """
    words = state.guide.mask(state.current, remaining)
    return state.is_terminal() and int(np.count_nonzero(words)) <= 1


@mistake("is_finished", hint=2)
def a_forced_token_is_the_end(state, remaining=None):
    """An answer ends where a single token is allowed, even if that's a forced one in the middle of a match."""
    return len(state.allowed_tokens(remaining)) <= 1


@mistake("is_finished", hint=1)
def eos_by_a_pass(state, remaining=None):
    """An answer ends only once EOS was written, which costs a pass that can have one result."""
    return not state.allowed_tokens(remaining)


@mistake("is_finished", hint=1)
def stops_where_the_guide_accepts(state, remaining=None):
    """An answer ends as soon as it is a match, even where more could follow."""
    return state.is_terminal()


@mistake("apply_structured_output_mask", hint=2)
def a_set_bit_is_above_zero(logits, state, remaining=None):
    """A bit is taken to be set if its value is above 0, but the value of bit 31 is below."""
    words = state.guide.mask(state.current, remaining)
    bits = (words[:, None] & (np.int32(1) << np.arange(32, dtype=np.int32)) > 0).reshape(-1)[: len(logits)]
    masked = logits.copy()
    masked[~bits] = -np.inf
    return masked


@mistake("apply_structured_output_mask", hint=2)
def masks_the_models_own_logits(logits, state, remaining=None):
    """The caller's array is changed."""
    logits[~allowed(state.guide.mask(state.current, remaining), len(logits))] = -np.inf
    return logits


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


@mistake("sample_token", hint=1)
def mask_after_top_k(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    """Top-k chooses among all tokens, and the mask comes after it."""
    if params.top_k:
        logits = np.where(logits < np.sort(logits)[-params.top_k], np.float32(-np.inf), logits)
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state, remaining)
    return engine_parts.sample_token(logits, context_token_ids, replace(params, top_k=0), generator)


@mistake("sample_token", hint=3)
def sampling_moves_the_state(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    """The state moves over the token here, and once more when the engine advances it."""
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state, remaining)
    token = engine_parts.sample_token(logits, context_token_ids, params, generator)
    if structured_state is not None:
        structured_state.advance(token)
    return token


@mistake("mask_batch", hint=2)
def budgets_of_the_first_rows(states, logits, remaining=None):
    """The budgets don't follow their rows: each guide gets those of the first rows of the batch."""
    rows_of = defaultdict(list)
    for row, state in enumerate(states):
        if state is not None:
            rows_of[state.guide].append(row)
    for guide, rows in rows_of.items():
        bitmask = np.zeros((len(rows), -(-logits.shape[1] // 32)), np.int32)
        budgets = None if remaining is None else list(remaining[: len(rows)])
        guide.fill([states[row].current for row in rows], bitmask, budgets)
        forbid(logits, rows, bitmask)


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


@mistake("evict", hint=2)
def compiles_are_evicted(cache):
    """The oldest entries go, also those whose compile is under way."""
    too_many = max(0, len(cache.entries) - cache.max_guides)
    compiled = [key for key, future in cache.entries.items()]
    for key in compiled[:too_many]:
        del cache.entries[key]


@mistake("evict", hint=1)
def the_newest_go(cache):
    """The entries that were used last are evicted."""
    too_many = max(0, len(cache.entries) - cache.max_guides)
    compiled = [key for key, future in cache.entries.items() if future.done()]
    for key in compiled[len(compiled) - too_many :]:
        del cache.entries[key]


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
def cancels_while_others_wait(cache, key):
    """A request that leaves cancels the compile that another one waits for."""
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
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


@mistake("give_back", hint=2)
def waits_for_the_compile(cache, key):
    """The exception is asked for before the compile is done, which waits forever."""
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


@mistake("is_ready", hint=3)
def a_failure_is_never_ready(manager, request):
    """A compile that failed leaves its request waiting forever."""
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
