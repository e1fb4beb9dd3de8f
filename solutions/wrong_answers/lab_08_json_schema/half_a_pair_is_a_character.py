r"""Any four digits after `\u` are a character, so half a surrogate pair matches, and a whole one counts as two."""

TODO = 1
HINT = 2


def character_regex():
    return rf'(?:[^"\\\x00-\x1f\ud800-\udfff]|\\["\\/bfnrt]|\\u{HEX}{{4}})'
