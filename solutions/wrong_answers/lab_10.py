"""Wrong answers of lab 10: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("forced_byte", hint=3)
def a_byte_as_bytes(guide, state):
    """You return the forced byte as a bytes object of length one, not as a number."""
    following = guide.next_bytes(state)
    if len(following) != 1 or guide.is_accepting(state):
        return None
    return following


@mistake("forced_byte", hint=1)
def the_first_of_several_bytes(guide, state):
    """When several bytes may come, you call the first of them forced, but then there's a choice."""
    following = guide.next_bytes(state)
    if not following or guide.is_accepting(state):
        return None
    return following[0]


@mistake("forced_byte", hint=2)
def to_end_is_no_choice(guide, state):
    """You force a text to go on although it may end. Ending is a choice, too."""
    following = guide.next_bytes(state)
    if len(following) != 1:
        return None
    return following[0]


@mistake("forced_run", hint=2)
def a_run_splits_a_character(guide, state, limit):
    """You end the run where the choice begins, even in the middle of a character. Cut it after the last whole one."""
    run = bytearray()
    while len(run) < limit:
        byte = forced_byte(guide, state)
        if byte is None:
            break
        run.append(byte)
        state = guide.after_byte(state, byte)
    return bytes(run)


@mistake("forced_run", hint=1)
def past_the_end_of_a_word(guide, state, limit):
    """You only look at the number of bytes, so your run goes on past a match."""
    run, whole = bytearray(), 0
    while len(run) < limit and len(guide.next_bytes(state)) == 1:
        run += guide.next_bytes(state)
        state = guide.after_byte(state, run[-1])
        if guide.is_whole(state):
            whole = len(run)
    return bytes(run[:whole])


@mistake("forced_run", hint=3)
def the_byte_0_ends_the_run(guide, state, limit):
    """You test the forced byte for truth, and the byte 0 is false. Stop only where it's None."""
    run, whole = bytearray(), 0
    while len(run) < limit and (byte := forced_byte(guide, state)):
        run.append(byte)
        state = guide.after_byte(state, byte)
        if guide.is_whole(state):
            whole = len(run)
    return bytes(run[:whole])


@mistake("retokenized", hint=1)
def the_run_alone_is_encoded(last, run, tokens):
    """You encode the run without the token before it, so you leave the seam as it was."""
    text = run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:  # the last token ends, or begins, inside a character
        ids = []
    return [*last, *ids] if tokens.bytes_of(ids) == text else [*last, *longest_tokens(run, tokens)]


@mistake("retokenized", hint=2)
def the_tokenizer_is_trusted(last, run, tokens):
    """You take what the tokenizer writes, even if it's another text."""
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:  # the last token ends, or begins, inside a character
        ids = []
    return ids if ids else [*last, *longest_tokens(run, tokens)]


@mistake("retokenized", hint=2)
def only_bytes_are_compared(last, run, tokens):
    """You compare bytes alone, so you don't notice a token that has none, such as a BOS."""
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:
        ids = []
    return ids if ids and tokens.bytes_of(ids) == text else [*last, *longest_tokens(run, tokens)]


@mistake("certain_tokens", hint=1)
def everything_is_certain(guide, before, tail, tokens):
    """You keep the whole tail, even where a longer token is legal and the model might prefer it."""
    return len(tail)


@mistake("certain_tokens", hint=2)
def longer_than_the_token(guide, before, tail, tokens):
    """You compare a legal token's length with the tail's own token. Compare it with all the rest of the tail."""
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if state is not None and tokens.longest_of(guide.mask(state)) > len(token):
            return place
    return len(tail)


@mistake("certain_tokens", hint=2)
def nothing_is_known_is_a_state(guide, before, tail, tokens):
    """You pass None to the guide as if it were a state. Keep that token, and go on to the next one."""
    left = sum(map(len, tail))
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if tokens.longest_of(guide.mask(state)) > left:
            return place
        left -= len(token)
    return len(tail)


@mistake("certain_tokens", hint=3)
def none_is_left_to_the_model(guide, before, tail, tokens):
    """You stop where the state is None. But that token begins inside the old last one, so keep it and go on."""
    left = sum(map(len, tail))
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if state is None or tokens.longest_of(guide.mask(state)) > left:
            return place
        left -= len(token)
    return len(tail)


@mistake("certain_tokens", hint=3)
def none_is_skipped_with_its_bytes(guide, before, tail, tokens):
    """Where the state is None, you skip the token without taking its bytes off what's left."""
    left = sum(map(len, tail))
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if state is None:
            continue
        if tokens.longest_of(guide.mask(state)) > left:
            return place
        left -= len(token)
    return len(tail)


@mistake("certain_tokens", hint=3)
def all_is_certain_after_none(guide, before, tail, tokens):
    """You stop looking at the first state that's None, so you never check the tokens after it."""
    left = sum(map(len, tail))
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if state is None:
            break
        if tokens.longest_of(guide.mask(state)) > left:
            return place
        left -= len(token)
    return len(tail)


@mistake("certain_tokens", hint=2)
def up_to_the_end_crosses(guide, before, tail, tokens):
    """You think that a token which ends exactly where the tail ends crosses the end. It doesn't."""
    left = sum(map(len, tail))
    for place, (state, token) in enumerate(zip(before, tail, strict=True)):
        if state is not None and tokens.longest_of(guide.mask(state)) >= left:
            return place
        left -= len(token)
    return len(tail)


@mistake("jump", hint=2)
def ids_are_compared_and_not_bytes(jumper, state, written, remaining):
    """You compare ids to tell whether there's a jump. A different id with the same bytes isn't a jump."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + len(last))
    if kept == 0 or [*tail[:kept]] == [*last]:
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("jump", hint=2)
def no_room_for_the_token_replaced(jumper, state, written, remaining):
    """You count only what remains, but the tail replaces a token that's been paid for, so there's room for one more."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining)
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("jump", hint=2)
def room_for_a_token_that_is_not_there(jumper, state, written, remaining):
    """You make room for one token more even at the start of an answer, where there's none to replace."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + 1)
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("jump", hint=2)
def the_state_after_the_last_token(jumper, state, written, remaining):
    """You use the current state as the one before the tail, but it comes after the old last token."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + len(last))
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("jump", hint=2)
def nothing_known_at_the_start(jumper, state, written, remaining):
    """You treat the state before the tail as unknown even at the start of an answer, where you know it."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + len(last))
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("jump", hint=1)
def no_budget_for_a_jump(jumper, state, written, remaining):
    """You keep the tail however little remains. A match and EOS must still fit after it."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = len(after)
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("jump", hint=1)
def only_what_is_new(jumper, state, written, remaining):
    """You leave out the last token, but the tail takes its place, so it has to be there."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + len(last))
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[kept - 1]
    return tail[len(last) : kept]


@mistake("jump", hint=3)
def the_state_stays(jumper, state, written, remaining):
    """You return the tokens, but leave the state where it was before them."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, remaining * tokens.longest)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + len(last))
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    return tail[:kept]


@mistake("jump", hint=1)
def the_run_has_no_limit(jumper, state, written, remaining):
    """You follow the run as far as it goes, so you walk to the end of `a{1000000}` even if few tokens remain."""
    guide, tokens, last = state.guide, jumper.tokens, written[-1:]
    if jumper.policy == "single":
        tail = [*last, *single_tokens(guide, state.current, remaining)]
    else:
        run = forced_run(guide, state.current, 1_000_000)
        if not run:
            return []
        tail = retokenized(last, run, tokens) if jumper.policy == "whole" else [*last, *longest_tokens(run, tokens)]
    pieces = [tokens.bytes_of([token_id]) for token_id in tail]
    after = states_along(guide, state.current, tokens.bytes_of(last), pieces)
    if jumper.policy == "whole":
        before = [None if last else state.current, *after[:-1]]
        after = after[: certain_tokens(guide, before, pieces, tokens)]
    kept = within_budget(guide, after, remaining + len(last))
    if sum(map(len, pieces[:kept])) <= len(tokens.bytes_of(last)):
        return []
    state.current = after[kept - 1]
    return tail[:kept]


@mistake("append_to_cache", hint=3)
def one_token_for_each_row(cache, lengths, counts, new):
    """You let each row's length grow by one, however much it has read."""
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    cache[rows, lengths[rows] + places] = new
    return lengths + (counts > 0)


@mistake("append_to_cache", hint=3)
def the_lengths_change_in_place(cache, lengths, counts, new):
    """You change the caller's lengths and return them. Make new ones."""
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    cache[rows, lengths[rows] + places] = new
    lengths += counts
    return lengths


@mistake("batch_step", hint=3)
def a_logprob_under_the_mask(streams, model, cache, jumper, limit):
    """You take the logprob among the legal tokens, so a forced choice always gets 0."""
    waiting = [[] if stream.finish_reason else stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece or stream.pending:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        legal = [*state.allowed_tokens(remaining)]
        token_id = sample_token(row, stream.token_ids, params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, [*stream.ids, token_id], remaining - 1) or [token_id]
        masked = np.full_like(row, -np.inf)
        masked[legal] = row[legal]
        chosen = logprob_of(masked, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("batch_step", hint=2)
def chosen_in_the_middle_of_a_jump(streams, model, cache, jumper, limit):
    """You choose a token after the first piece of a jump, but the rest of the jump comes first."""
    waiting = [[] if stream.finish_reason else stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        token_id = sample_token(row, stream.token_ids, params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, [*stream.ids, token_id], remaining - 1) or [token_id]
        chosen = logprob_of(row, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("batch_step", hint=3)
def finished_requests_are_read(streams, model, cache, jumper, limit):
    """You also read the last token of a request that has finished, and nobody needs that."""
    waiting = [stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece or stream.pending or stream.finish_reason:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        token_id = sample_token(row, stream.token_ids, params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, [*stream.ids, token_id], remaining - 1) or [token_id]
        chosen = logprob_of(row, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)


@mistake("batch_step", hint=2)
def the_penalty_sees_what_was_chosen(streams, model, cache, jumper, limit):
    """Your repetition penalty doesn't see forced tokens, but they're in the text as well."""
    waiting = [[] if stream.finish_reason else stream.pending for stream in streams]
    shares = share_step([len(pending) for pending in waiting], limit)
    pieces = [pending[:share] for pending, share in zip(waiting, shares, strict=True)]
    tokens, lengths = ragged_batch(pieces)
    logits = model.forward(tokens, cache, lengths)
    for stream, piece, row in zip(streams, pieces, logits, strict=True):
        stream.computed += len(piece)
        if not piece or stream.pending:
            continue
        state, params, remaining = stream.state, stream.params, stream.remaining
        seen = [i for i, each in zip(stream.ids, stream.logprobs, strict=True) if each is not None]
        token_id = sample_token(row, [*stream.prompt_ids, *seen], params, stream.generator, state, remaining)
        state.advance(token_id)
        tail = jump(jumper, state, [*stream.ids, token_id], remaining - 1) or [token_id]
        chosen = logprob_of(row, token_id, 0).logprob if tail[0] == token_id else None
        append_tail(stream, tail, chosen, jumper.tokens)
