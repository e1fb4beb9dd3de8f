"""Answers are kept by their pattern, so another answer gets the match of the first."""

TODO = 1
HINT = 2


def find_answer(pattern, answer, kept={}):
    if pattern not in kept:
        match = re.search(pattern, answer)
        kept[pattern] = match.group() if match else None
    return kept[pattern]
