"""What several of these tests use."""

import re

import pytest

from tests.runs import run_course

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def course(monkeypatch, capsys):
    """Run one command in this process; give its status, what it printed, and its error messages."""

    def run(*arguments):
        code, out, err = run_course(monkeypatch, capsys, *arguments)
        return code, COLOUR.sub("", out), COLOUR.sub("", err)

    monkeypatch.setenv("COLUMNS", "100")
    return run
