"""``grade --self-test``: do the sandboxes of this machine hold the attacks in ``solutions/hostile``?"""

import os

from rich.console import Console
from rich.text import Text

from course.isolation import sandbox
from course.student.run.batch import GRADER, run_pytest
from course.teaching.grading.local import cores

ALL = "COURSE_ATTACKS"
"""The environment variable that has the tests try every attack, in every sandbox: ``all``."""


def self_test(console: Console, name: str | None = None, *, verbose: bool = False) -> int:
    """Run the attacks in every sandbox of this machine, or in the one of that name.

    Args:
        verbose: whether each run gets a line; otherwise only those that went wrong.

    Returns:
        0 if every attack is held; 1 otherwise, or if there is no sandbox at all.

    Raises:
        ValueError: for a name that no sandbox has.
    """
    for backend in sandbox.backends():
        console.print(Text(f"{backend.name}: {backend.why_not or backend.describe()}"))
    try:
        sandbox.choose(name)
    except sandbox.NoSandbox as error:
        console.print(Text(f"Nothing was tried. {error}"))
        return 1
    os.environ[ALL] = "all"
    only = ["-k", f"test_an_attack_is_held and {name}"] if name else []
    together = ["-n", str(cores()), "--dist=worksteal"]
    return run_pytest([f"{GRADER}/test_attacks.py", "-v" if verbose else "-q", *together, *only])
