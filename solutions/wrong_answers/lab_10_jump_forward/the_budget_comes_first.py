"""A whole match that uses the last token ends with length."""

TODO = 10
HINT = 2


def append_tail(stream, tail, logprob, tokens):
    text = tokens.bytes_of(stream.ids)
    kept = before_stop(text, [tokens.bytes_of([token_id]) for token_id in tail], stream.params.stop)
    kept = min(kept, stream.remaining)
    stream.ids += tail[:kept]
    stream.logprobs += [logprob, *[None] * (kept - 1)]
    text = tokens.bytes_of(stream.ids)
    if not stream.remaining:
        stream.finish_reason = "length"
    elif any(each.encode() in text for each in stream.params.stop) or is_finished(stream.state, stream.remaining):
        stream.finish_reason = "stop"
