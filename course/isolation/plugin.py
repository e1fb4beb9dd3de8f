"""A pytest plugin: ``--pipe`` runs the file under test in a worker process; ``--as-graded`` in a sandbox as well."""

import os

import pytest

from course.isolation.piped import Piped


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    group = parser.getgroup("mask the logits")
    group.addoption("--pipe", action="store_true", help="run the file under test in a process of its own")
    group.addoption("--as-graded", action="store_true", help="run it as the grader would, in a sandbox if there is one")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin of this run if an option asks for it."""
    if config.getoption("as_graded"):
        if not hasattr(os, "fork"):
            raise pytest.UsageError("--as-graded needs Linux or macOS; on Windows use it inside WSL2 (wsl --install)")
        from course.isolation.graded import AsGraded

        config.pluginmanager.register(AsGraded())
    elif config.getoption("pipe"):
        config.pluginmanager.register(Piped())
