"""`re.search` returns None if there is no match, and None has no `group`."""

TODO = 1
HINT = 3


def find_answer(pattern, answer):
    return re.search(pattern, answer).group()
