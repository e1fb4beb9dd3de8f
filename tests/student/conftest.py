"""What several of these tests use."""

import re
import sys

import pytest

from course import cli

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def course(monkeypatch, capsys):
    """Run one command in this process; give its status, what it printed, and its error messages."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["course", *arguments])
        try:
            code = cli.main()
        except SystemExit as exit_:
            code = exit_.code
        printed = capsys.readouterr()
        return code, COLOUR.sub("", printed.out), COLOUR.sub("", printed.err)

    monkeypatch.setenv("COLUMNS", "100")
    return run
