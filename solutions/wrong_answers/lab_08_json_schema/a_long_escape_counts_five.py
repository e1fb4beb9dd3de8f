r"""The `u` is treated as a short escape, so `\u00e9` counts as five characters."""

TODO = 2
HINT = 1


def string_regex(least=0, most=None):
    if most is not None and most < least:
        return NOTHING
    return rf'"(?:[^"\\\x00-\x1f\ud800-\udfff]|\\["\\/bfnrtu]){count_regex(least, most)}"'
