"""Only a tail that was cut is known to hold a stop string, so one at its very end is missed."""

TODO = 10
HINT = 3


def append_tail(stream, tail, logprob, tokens):
    text = tokens.bytes_of(stream.ids)
    kept = before_stop(text, [tokens.bytes_of([token_id]) for token_id in tail], stream.params.stop)
    stopped = kept < len(tail)
    kept = min(kept, stream.remaining)
    stream.ids += tail[:kept]
    stream.logprobs += [logprob, *[None] * (kept - 1)]
    if stopped or is_finished(stream.state, stream.remaining or None):
        stream.finish_reason = "stop"
    elif not stream.remaining:
        stream.finish_reason = "length"
