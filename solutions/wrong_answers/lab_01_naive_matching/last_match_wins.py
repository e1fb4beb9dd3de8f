"""The last match is taken for the final answer, where the first was asked for."""

TODO = 1
HINT = 3


def find_answer(pattern, answer):
    matches = [match.group() for match in re.finditer(pattern, answer)]
    return matches[-1] if matches else None
