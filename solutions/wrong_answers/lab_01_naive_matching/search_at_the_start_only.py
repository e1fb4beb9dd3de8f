"""`re.match` looks only at the start of the answer, so a number in its middle is not found."""

TODO = 1
HINT = 1


def find_answer(pattern, answer):
    match = re.match(pattern, answer)
    return match.group() if match else None
