"""The unknown keys are given as they were asked for, many times over and in no order."""

TODO = 7
HINT = 1


def fresh_keys(after, keys):
    return keys[after[keys] == UNKNOWN]
