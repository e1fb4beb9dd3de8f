"""The empty string means "nothing found", so it cannot be distinguished from an empty match."""

TODO = 1
HINT = 2


def find_answer(pattern, answer):
    match = re.search(pattern, answer)
    return match.group() if match else ""
