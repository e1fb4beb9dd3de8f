"""The empty string stands for "nothing found", so it cannot be told from an empty match."""

TODO = 1
HINT = 2


def find_answer(pattern, answer):
    match = re.search(pattern, answer)
    return match.group() if match else ""
