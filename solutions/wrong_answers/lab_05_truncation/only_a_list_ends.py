"""The end of the answer is compared with a list, which a tuple of the same ids never equals."""

TODO = 1
HINT = 3


def finish_reason(ids, eos_id):
    return "stop" if ids[-1:] == [eos_id] else "length"
