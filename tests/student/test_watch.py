"""``watch`` beside an editor: a save is answered, with the first failure on the screen."""

import os
import queue
import re
import signal
import subprocess
import sys
import threading
from functools import partial

import pytest

from course.student.core.catalog import find_lab
from tests.copies import copy_course

LAB = find_lab(3)
WAIT_S = 60


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C cannot be sent to one process there")
def test_a_save_is_answered_and_ctrl_c_ends_it(tmp_path):
    copy = copy_course(tmp_path / "copy", "requirements.txt", "requirements", "constraints.txt")
    starter = copy / LAB.path / "starter.py"
    text, lines = starter.read_text(encoding="utf-8"), queue.Queue()
    environment = os.environ | {"COURSE_VENV": "none", "COLUMNS": "100", "LINES": "18", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "course", "watch", "03"]
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a shell's background jobs ignore Ctrl-C otherwise
    watching = subprocess.Popen(
        command, cwd=copy, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8", preexec_fn=heard
    )
    threading.Thread(target=lambda: [*map(lines.put, watching.stdout)], daemon=True).start()

    def screen():
        said = [lines.get(timeout=WAIT_S)]
        while "on every save again" not in said[-1]:
            said.append(lines.get(timeout=WAIT_S))
        assert len(said) <= 18
        return "".join(said)

    def saved(content):
        starter.write_text(content, encoding="utf-8")
        return screen()

    try:
        assert re.search(r"TODO 1(.|\n)*lab 03 · graded starter\.py .* 0 passed, 0 wrong, ", screen())
        wrong = saved(text.replace('raise NotImplementedError("lab 03, TODO 1', 'return (state,)  # ("lab 03, TODO 1'))
        assert "yours    (0,)" in wrong and re.search(r"more lines: python3 -m course test 03\n.*edited", wrong)
        assert "SyntaxError" in saved(text + "def f(:\n")
    finally:
        watching.send_signal(signal.SIGINT)
    assert watching.wait(WAIT_S) == 0
