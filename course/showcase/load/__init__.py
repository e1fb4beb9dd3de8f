"""``python3 -m course load``: many clients at once, of all manners, against a server; every answer is checked."""
