"""`re.findall` gives the pattern's groups, where it has some, and not the text that the whole pattern covers."""

TODO = 1
HINT = 3


def find_answer(pattern, answer):
    found = re.findall(pattern, answer)
    return found[0] if found else None
