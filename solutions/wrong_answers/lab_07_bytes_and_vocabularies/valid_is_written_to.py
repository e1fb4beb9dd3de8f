"""The excluded tokens are taken out of the row of all tokens itself, for good."""

TODO = 9
HINT = 1


def pure_tokens(valid, has, excluded):
    for byte in excluded:
        valid &= ~has[byte]
    return valid
