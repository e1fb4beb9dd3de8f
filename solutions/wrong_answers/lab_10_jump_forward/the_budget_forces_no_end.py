"""The end is asked for without the budget, so a match with room for EOS alone goes on."""

TODO = 10
HINT = 3


def append_tail(stream, tail, logprob, tokens):
    text = tokens.bytes_of(stream.ids)
    kept = before_stop(text, [tokens.bytes_of([token_id]) for token_id in tail], stream.params.stop)
    kept = min(kept, stream.remaining)
    stream.ids += tail[:kept]
    stream.logprobs += [logprob, *[None] * (kept - 1)]
    stopped = any(each.encode() in tokens.bytes_of(stream.ids) for each in stream.params.stop)
    if stopped or is_finished(stream.state):
        stream.finish_reason = "stop"
    elif not stream.remaining:
        stream.finish_reason = "length"
