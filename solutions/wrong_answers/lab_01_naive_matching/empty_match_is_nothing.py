"""The matched text is tested for truth, so an empty match counts as no match."""

TODO = 1
HINT = 2


def find_answer(pattern, answer):
    match = re.search(pattern, answer)
    return (match and match.group()) or None
