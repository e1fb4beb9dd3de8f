"""White space around the match is removed, although the pattern asked for it."""

TODO = 1
HINT = 3


def find_answer(pattern, answer):
    match = re.search(pattern, answer)
    return match.group().strip() if match else None
