"""Every reason other than length counts as whole, so an aborted answer is read."""

TODO = 2
HINT = 3


def read_number(text, reason):
    return None if reason == "length" else float(text)
