"""Spare users: a grader that is root runs code as a user who owns nothing, another one in each slot."""

import os
from functools import cache

FIRST = 60_600
"""The number of slot 0's user. Distributions use lower ones, and systemd higher ones."""

SLOTS = 400


def spare_uid(slot: int) -> int:
    """Return the user of a slot.

    Raises:
        ValueError: if there is no such slot.

    >>> spare_uid(3)
    60603
    """
    if not 0 <= slot < SLOTS:
        raise ValueError(f"slot {slot}: there are slots 0 to {SLOTS - 1}")
    return FIRST + slot


@cache
def why_not() -> str:
    """Return why this process cannot give code a spare user, or an empty string."""
    if os.getuid() != 0:
        return "only root can change the user"
    import pwd  # not on every system

    child = os.fork()
    if not child:
        _try()
    if os.waitpid(child, 0)[1]:
        return "this root may not change its user (a container without CAP_SETUID, or with one user alone)"
    taken = [entry.pw_name for entry in pwd.getpwall() if FIRST <= entry.pw_uid < FIRST + SLOTS]
    return f"the user numbers from {FIRST} are taken, by {taken[0]}" if taken else ""


def _try() -> None:
    try:
        os.setgroups([])
        os.setresgid(FIRST, FIRST, FIRST)
        os.setresuid(FIRST, FIRST, FIRST)
    except OSError:
        os._exit(1)
    os._exit(0)
