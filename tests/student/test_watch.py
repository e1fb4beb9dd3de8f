"""``watch`` in a terminal of its own: a save is answered, and keys do what the last line says."""

import os
import re
import select
import sys
import time

import pytest

from course.student.core.catalog import find_lab
from tests.copies import copy_course

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="watch needs fork")
LAB = find_lab(3)
WAIT_S = 60


class Terminal:
    """``watch 03`` in a pseudo-terminal, in a copy of the course."""

    def __init__(self, copy):
        import pty

        self.starter = copy / LAB.path / "starter.py"
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.chdir(copy)
            environment = os.environ | {"TERM": "xterm", "COURSE_VENV": "none", "COLUMNS": "100", "LINES": "40"}
            os.execve(sys.executable, [sys.executable, "-m", "course", "watch", "03"], environment)

    def until(self, pattern):
        """Return what is printed up to and with the pattern."""
        seen, end = "", time.monotonic() + WAIT_S
        while time.monotonic() < end:
            if select.select([self.descriptor], [], [], 0.2)[0]:
                seen += os.read(self.descriptor, 65536).decode("utf-8", "replace")
                if re.search(pattern, re.sub(r"\x1b\[[0-9;]*[a-zA-Z]", "", seen)):
                    return seen
        raise AssertionError(f"{pattern!r} did not come: {seen[-2000:]!r}")

    def key(self, char):
        """Press a key."""
        os.write(self.descriptor, char.encode())


@pytest.fixture
def terminal(tmp_path):
    """The terminal, ended afterwards."""
    made = Terminal(copy_course(tmp_path / "copy", "requirements.txt", "requirements", "constraints.txt"))
    yield made
    made.key("q")
    _, status = os.waitpid(made.pid, 0)
    os.close(made.descriptor)
    assert os.waitstatus_to_exitcode(status) == 0


def test_a_save_is_answered_and_keys_are_heard(terminal):
    terminal.until(r"TODO 1, partial_match[\s\S]*\d\.\d s\b")
    text = terminal.starter.read_text(encoding="utf-8")
    wrong = text.replace('raise NotImplementedError("lab 03, TODO 1', 'return (state,)  # ("lab 03, TODO 1')
    terminal.starter.write_text(wrong, encoding="utf-8")
    said = terminal.until(r"1 ✗[\s\S]*yours    \(0,\)")
    assert "edited" in said
    terminal.until(r"\d\.\d s\b")
    terminal.key("h")
    terminal.until("hint 1 of 3")
    terminal.key("n")
    terminal.until("TODO 2, allowed_tokens")
    terminal.starter.write_text(text + "def f(:\n", encoding="utf-8")
    broken = terminal.until(r"SyntaxError[\s\S]*quit")
    assert "starter.py does not load" in broken and "TODO 1" not in broken.partition("does not load")[2]
    terminal.starter.write_text("import os\nos._exit(3)\n", encoding="utf-8")
    terminal.until("No test ran")
    terminal.starter.write_text(text, encoding="utf-8")
    terminal.until(r"1 ·")
