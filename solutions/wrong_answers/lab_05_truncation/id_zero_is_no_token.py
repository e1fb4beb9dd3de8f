"""The last id is tested for truth, and the id 0 is false."""

TODO = 1
HINT = 3


def finish_reason(ids, eos_id):
    last = ids[-1] if ids else None
    return "stop" if last and last == eos_id else "length"
