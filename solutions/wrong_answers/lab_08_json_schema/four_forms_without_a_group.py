"""The four forms are joined without a group, so a quantifier after them counts the last one only."""

TODO = 1
HINT = 1


def character_regex():
    basic = rf"\\u(?:[0-9a-cA-CefEF]{HEX}|[dD][0-7]){HEX}{{2}}"
    pair = rf"\\u[dD][89abAB]{HEX}{{2}}\\u[dD][c-fC-F]{HEX}{{2}}"
    return rf'[^"\\\x00-\x1f\ud800-\udfff]|\\["\\/bfnrt]|{basic}|{pair}'
