"""Only the quote and the backslash are escaped, so a raw new line is allowed in a string."""

TODO = 1
HINT = 2


def character_regex():
    basic = rf"\\u(?:[0-9a-cA-CefEF]{HEX}|[dD][0-7]){HEX}{{2}}"
    pair = rf"\\u[dD][89abAB]{HEX}{{2}}\\u[dD][c-fC-F]{HEX}{{2}}"
    return rf'(?:[^"\\\ud800-\udfff]|\\["\\/bfnrt]|{basic}|{pair})'
