"""The last id is compared with `is`, which fails for two equal ids that are different objects."""

TODO = 1
HINT = 3


def finish_reason(ids, eos_id):
    return "stop" if ids and ids[-1] is eos_id else "length"
