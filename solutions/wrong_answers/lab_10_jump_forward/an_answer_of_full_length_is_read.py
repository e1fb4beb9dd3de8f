"""Only who has stopped is left out of a step, so one that ended by length reads its last token."""

TODO = 14
HINT = 3


def batch_step(streams, model, cache, jumper, limit):
    waiting = [[] if stream.finish_reason == "stop" else stream.pending for stream in streams]
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
