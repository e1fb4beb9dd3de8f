"""The last id is removed from the caller's list in order to look at it."""

TODO = 1
HINT = 2


def finish_reason(ids, eos_id):
    if not ids:
        return "length"
    last = ids[-1]
    if isinstance(ids, list):
        ids.pop()
    return "stop" if last == eos_id else "length"
