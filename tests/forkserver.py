"""Runs pytest in forked children of a process that has the libraries imported: a second less for each run.

Reads jobs, one JSON object a line, from standard input; answers each with its exit status on a line.
"""

import gc
import json
import os
import sys
from typing import Any


def child(job: dict[str, Any]) -> int:
    """One run of pytest: its own folder, environment and files in place of the standard streams."""
    os.chdir(job["cwd"])
    os.environ.clear()
    os.environ.update(job["environment"])
    sys.path[0] = job["cwd"]
    os.dup2(os.open(job["stdin"], os.O_RDONLY), 0)
    out = os.open(job["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(out, 1)
    os.dup2(out, 2)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.__stdout__ = open(1, "w", encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(2, "w", encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    import pytest

    status = int(pytest.main(job["arguments"]))
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def main() -> None:
    """Import what every run imports of other people's, let hypothesis make its tables, and serve until input ends."""
    import hypothesis
    import numpy  # noqa: F401
    import pytest  # noqa: F401
    import regex  # noqa: F401
    import rich.console  # noqa: F401
    from _pytest.config import get_config

    once = hypothesis.settings(max_examples=1, database=None)
    hypothesis.given(hypothesis.strategies.text())(once(lambda text: None))()
    get_config()  # imports pytest's own plugins
    gc.freeze()  # each run collects garbage, and what is imported so far stays anyway
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            status = 70
            try:
                status = child(json.loads(line))
            finally:
                os._exit(status)
        _, state = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(state), file=answers, flush=True)


if __name__ == "__main__":
    main()
