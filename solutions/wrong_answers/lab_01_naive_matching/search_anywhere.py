"""`search` finds the start of a match anywhere in the text, and the end of any text can be one."""

TODO = 2
HINT = 2


def could_match(pattern, text):
    return regex.search(pattern, text, partial=True) is not None
