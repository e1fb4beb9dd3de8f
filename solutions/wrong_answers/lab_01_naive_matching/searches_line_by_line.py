"""Each line is searched alone, so a match over two lines is never found."""

TODO = 1
HINT = 1


def find_answer(pattern, answer):
    for line in answer.splitlines():
        match = re.search(pattern, line)
        if match:
            return match.group()
    return None
