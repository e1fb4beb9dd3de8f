"""The matched text is tested for truth, and an empty match is taken for none."""

TODO = 1
HINT = 2


def find_answer(pattern, answer):
    match = re.search(pattern, answer)
    return (match and match.group()) or None
