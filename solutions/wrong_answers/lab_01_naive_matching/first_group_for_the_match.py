"""`re.findall` returns the groups of the pattern, if it has any, not the text of the whole match."""

TODO = 1
HINT = 3


def find_answer(pattern, answer):
    found = re.findall(pattern, answer)
    return found[0] if found else None
