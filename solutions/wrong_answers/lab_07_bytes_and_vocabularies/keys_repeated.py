"""The unknown keys are returned as they were asked for: repeated and unsorted."""

TODO = 7
HINT = 1


def fresh_keys(after, keys):
    return keys[after[keys] == UNKNOWN]
