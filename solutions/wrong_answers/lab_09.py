"""Wrong answers of lab 09: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("advance_state", hint=2)
def a_refusal_is_swallowed(state, token_id):
    """You ignore a token that the guide refuses, so you'd never see that a mask is wrong."""
    import contextlib

    with contextlib.suppress(ValueError):
        state.current = state.guide.advance(state.current, token_id)


@mistake("advance_state", hint=3)
def starts_again_at_each_token(state, token_id):
    """You take each token from the guide's initial state, not from where the request is."""
    state.current = state.guide.advance(state.guide.initial, token_id)


@mistake("advance_state", hint=1)
def state_kept_in_the_guide(state, token_id):
    """You write a request's state into the guide, but all requests share the guide."""
    state.guide.initial = state.current = state.guide.advance(state.current, token_id)


@mistake("is_finished", hint=3)
def counts_words(state, remaining=None):
    """You count the words that aren't 0, not the bits. Two tokens in one word then pass for EOS alone."""
    words = state.guide.mask(state.current, remaining)
    return state.is_terminal() and int(np.count_nonzero(words)) <= 1


@mistake("is_finished", hint=2)
def a_forced_token_is_the_end(state, remaining=None):
    """You end an answer when a single token is allowed, but that may be a forced one in the middle of a match."""
    return len(state.allowed_tokens(remaining)) <= 1


@mistake("is_finished", hint=1)
def eos_by_a_pass(state, remaining=None):
    """You wait until EOS has been written. If only EOS is left, you know the result, so save the pass."""
    return not state.allowed_tokens(remaining)


@mistake("is_finished", hint=1)
def stops_where_the_guide_accepts(state, remaining=None):
    """You end an answer as soon as it's a match, even if more could follow."""
    return state.is_terminal()


@mistake("sample_token", hint=3)
def a_generator_for_each_token(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    """You make a new generator for every token, so you draw the same number each time."""
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state, remaining)
    return engine_parts.sample_token(logits, context_token_ids, params, np.random.default_rng(0))


@mistake("sample_token", hint=2)
def draws_again_without_the_illegal(
    logits, context_token_ids, params, generator, structured_state=None, remaining=None
):
    """You strike an illegal token out after you've drawn it. By then, top-k has counted it and used up a number."""
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
    """You let top-k choose among all tokens and mask what's left. Mask first, or nothing may be left."""
    if params.top_k:
        logits = np.where(logits < np.sort(logits)[-params.top_k], np.float32(-np.inf), logits)
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state, remaining)
    return engine_parts.sample_token(logits, context_token_ids, replace(params, top_k=0), generator)


@mistake("sample_token", hint=3)
def sampling_moves_the_state(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    """You advance the state here, and the engine advances it again, so each token counts twice."""
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state, remaining)
    token = engine_parts.sample_token(logits, context_token_ids, params, generator)
    if structured_state is not None:
        structured_state.advance(token)
    return token


@mistake("mask_batch", hint=2)
def budgets_of_the_first_rows(states, logits, remaining=None):
    """You give each guide the budgets of the batch's first rows. Each budget belongs to its own row."""
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
    """You write to a row without a constraint too, through a mask that allows everything. Leave that row alone."""
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
    """You index with a list of rows, and that makes a copy, so your assignment never gets to the logits."""
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
    """You ask the guide once for each row, but one call can do all its rows."""
    for row, state in enumerate(states):
        if state is not None:
            budget = None if remaining is None else remaining[row]
            logits[row, ~allowed(state.guide.mask(state.current, budget), logits.shape[1])] = -np.inf


@mistake("mask_batch", hint=1)
def one_guide_for_the_batch(states, logits, remaining=None):
    """You let the first guide of the batch make the masks for every row, even for those of other guides."""
    rows = [row for row, state in enumerate(states) if state is not None]
    if not rows:
        return
    bitmask = np.zeros((len(rows), -(-logits.shape[1] // 32)), np.int32)
    budgets = None if remaining is None else [remaining[row] for row in rows]
    states[rows[0]].guide.fill([states[row].current for row in rows], bitmask, budgets)
    for row, bits in zip(rows, allowed(bitmask, logits.shape[1]), strict=True):
        logits[row, ~bits] = -np.inf


@mistake("find_or_compile", hint=1)
def compiles_for_every_request(cache, key, compile_guide):
    """You count an entry only once its compile is done, so identical requests compile again in the meantime."""
    future = cache.entries.get(key)
    if future is not None and future.done():
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        future = cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return future


@mistake("find_or_compile", hint=1)
def compiles_on_the_engines_thread(cache, key, compile_guide):
    """You compile the guide here and now, and every other request has to wait for you."""
    future = cache.entries.get(key)
    if future is not None:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        future = cache.entries[key] = at_once(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return future


@mistake("find_or_compile", hint=2)
def hits_do_not_refresh(cache, key, compile_guide):
    """You leave an entry where it is when it's hit, so you may evict the one that's used most. Move it to the end."""
    future = cache.entries.get(key)
    if future is not None:
        cache.hits += 1
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        future = cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return future


@mistake("find_or_compile", hint=3)
def only_misses_wait(cache, key, compile_guide):
    """You don't count requests that join a compile among those that wait."""
    future = cache.entries.get(key)
    if future is not None:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        cache.misses += 1
        future = cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
        cache.waiting[key] += 1
    return future


@mistake("find_or_compile", hint=2)
def the_queue_is_not_bounded(cache, key, compile_guide):
    """You let any number of compiles wait. With `max_compiling` of them, raise QueueFull."""
    future = cache.entries.get(key)
    if future is not None:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        cache.misses += 1
        future = cache.entries[key] = cache.submit(compile_guide)
        evict(cache)
    cache.waiting[key] += 1
    return future


@mistake("find_or_compile", hint=3)
def looked_up_after_the_eviction(cache, key, compile_guide):
    """You look the future up after `evict`, and a guide that was compiled at once may be gone by then. Keep it."""
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


@mistake("give_back", hint=1)
def a_failed_compile_is_kept(cache, key):
    """You keep a compile that failed, and it fails every later request."""
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
    """When a request leaves, you cancel its compile, although another request may be waiting for it."""
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    future.cancel()
    if future.cancelled() or (future.done() and future.exception() is not None):
        del cache.entries[key]


@mistake("give_back", hint=2)
def the_entry_must_be_there(cache, key):
    """You fail on a key that was evicted. Its entry may well be gone by now, and that's fine."""
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
    """You ask for the exception before the compile is done, and that waits for it, maybe forever."""
    cache.waiting -= Counter([key])
    future = cache.entries.get(key)
    if future is None:
        return
    if not cache.waiting[key]:
        future.cancel()
    if future.cancelled() or ((future.running() or future.done()) and future.exception(0) is not None):
        del cache.entries[key]


@mistake("is_ready", hint=3)
def a_failure_is_never_ready(manager, request):
    """When a compile fails, you leave its request waiting forever."""
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
    """You look the future up in the cache, but it may have been evicted by now. The ticket still has it."""
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


@mistake("is_ready", hint=2)
def the_ticket_is_gone_when_asked_again(manager, request):
    """You look for a ticket that an earlier True has removed. A request that has its state is ready."""
    key, future = manager.tickets[request.request_id]
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
    """You keep the state with the guide, so requests with the same grammar share it."""
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
    """While the grammar compiles, you wait for it or raise an error. Just return False, and you'll be asked again."""
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
    """You test a value for truth, so you take an empty value for none at all."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value]
    if len(asked) > 1:
        raise ValueError(f"a part has one constraint at most, and this one has {len(asked)}")
    params, form = replace(program.params, max_tokens=max_tokens), asked[0] if asked else None
    request = program.engine.add_request(program.encode(program.text), params, response_format=form)
    (program.answers[name],) = answers(program.engine, request)
    program.text += program.answers[name]
    return program.answers[name]


@mistake("generate_part", hint=2)
def the_part_of_a_failure_is_kept(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    """You change the program before you raise its request's error, so it keeps a part that failed."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError("one constraint at most")
    params, form = replace(program.params, max_tokens=max_tokens), asked[0] if asked else None
    request = program.engine.add_request(program.encode(program.text), params, response_format=form)
    program.engine.generate(request)
    answer = program.engine.vocabulary.decode(request.output_token_ids)
    program.answers[name] = answer
    program.text += answer
    if request.error is not None:
        raise request.error
    return answer


@mistake("generate_part", hint=3)
def the_programs_own_limit(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    """You use the program's max_tokens, but the part has one of its own."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError(f"a part has one constraint at most, and this one has {len(asked)}")
    form = asked[0] if asked else None
    request = program.engine.add_request(program.encode(program.text), program.params, response_format=form)
    (program.answers[name],) = answers(program.engine, request)
    program.text += program.answers[name]
    return program.answers[name]


@mistake("generate_part", hint=3)
def the_text_does_not_grow(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    """You store the part under its name but don't add it to the text."""
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError(f"a part has one constraint at most, and this one has {len(asked)}")
    params, form = replace(program.params, max_tokens=max_tokens), asked[0] if asked else None
    request = program.engine.add_request(program.encode(program.text), params, response_format=form)
    (program.answers[name],) = answers(program.engine, request)
    return program.answers[name]
