"""The last match is returned, as if it were the final answer, instead of the first."""

TODO = 1
HINT = 3


def find_answer(pattern, answer):
    matches = [match.group() for match in re.finditer(pattern, answer)]
    return matches[-1] if matches else None
