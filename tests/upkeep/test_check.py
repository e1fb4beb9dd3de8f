"""``python3 -m course check``: each step in a process, what it says is shown, one failure is enough."""

import pytest
from rich.console import Console

from course.upkeep import check


def test_a_step_that_passes_and_one_that_breaks(monkeypatch):
    monkeypatch.setattr(check, "steps", lambda whole: {"lint and format": "", "no such step": ""})
    console = Console(width=200, color_system=None)
    with console.capture() as said:
        assert check.check("", console) == 1
    assert "lint and format: ok" in said.get() and "no such step: FAILED" in said.get()
    assert "KeyError: 'no such step'" in said.get() and said.get().endswith("1 passed, 1 failed\n")


def test_only_the_steps_with_a_word(monkeypatch):
    monkeypatch.setattr(check, "steps", lambda whole: {"types": "", "no such step": ""})
    monkeypatch.setattr(check, "__name__", "platform")  # a module that runs, whatever its arguments
    console = Console(width=200, color_system=None)
    with console.capture() as said:
        assert check.check("type", console) == 0
    assert said.get().endswith("1 passed, 0 failed\n")
    with pytest.raises(ValueError, match=r"^no step has 'tpyes' in its name; the steps are: types, no such step$"):
        check.check("tpyes", console)
