"""The tail is appended whatever remains."""

TODO = 10
HINT = 3


def append_tail(stream, tail, logprob, tokens):
    text = tokens.bytes_of(stream.ids)
    kept = before_stop(text, [tokens.bytes_of([token_id]) for token_id in tail], stream.params.stop)
    stream.ids += tail[:kept]
    stream.logprobs += [logprob, *[None] * (kept - 1)]
    stopped = any(each.encode() in tokens.bytes_of(stream.ids) for each in stream.params.stop)
    if stopped or is_finished(stream.state, stream.remaining or None):
        stream.finish_reason = "stop"
    elif stream.remaining <= 0:
        stream.finish_reason = "length"
