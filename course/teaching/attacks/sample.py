"""The part of the self-test that every change to the course must pass, in well under a minute."""

from pathlib import Path
from tempfile import TemporaryDirectory

from course.isolation import sandbox
from course.teaching.attacks.bank import Submission, hostile
from course.teaching.attacks.runs import Line, Runs

NAMES = (
    "change_files",
    "daemon",
    "equal_to_everything",
    "exit_zero",
    "expected_failures",
    "forged_frames",
    "forged_report",
    "kill_neighbour",
    "lying_worker",
    "network_datagrams",
    "poisoned_modules",
    "proc_tricks",
    "read_other_submission",
    "read_solution",
    "unix_sockets",
)
"""One of each kind, none of which takes long by design."""


def sample() -> list[Submission]:
    """The submissions of ``NAMES``.

    >>> len(sample()) == len(NAMES)
    True
    """
    return [submission for submission in hostile() if submission.name in NAMES]


def problems() -> str:
    """What did not hold in the strongest sandbox of this machine; empty if all did, or if there is no sandbox."""
    offered = sandbox.available()
    if not offered:
        return ""
    with TemporaryDirectory(prefix="course-selftest-") as folder:
        return "\n".join(_told(line) for line in Runs(sample(), Path(folder)).of(offered[0]) if not line.fine)


def _told(line: Line) -> str:
    found = [*line.unearned, *line.harm, *line.survivors, *filter(None, [line.lacks])]
    return f"{line.backend}, {line.name}: {'; '.join(found)}"
