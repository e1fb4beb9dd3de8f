"""``python3 -m course check``: each step in a process, what it says is shown, one failure is enough."""

import pytest
from rich.console import Console

from course.upkeep import check


def test_steps_that_pass_and_one_that_breaks(monkeypatch):
    console = Console(width=200, color_system=None)

    def checked(only):
        with console.capture() as said:
            status = check.check(only, console)
        return status, said.get()

    monkeypatch.setattr(check, "steps", lambda whole: {"types": "", "no such step": ""})
    status, said = checked("such")
    assert status == 1 and "no such step: FAILED" in said and "KeyError: 'no such step'" in said
    monkeypatch.setattr(check, "__name__", "platform")  # a module that runs, whatever its arguments
    for only, count in (("type", 1), ("", 2)):
        status, said = checked(only)
        assert status == 0 and "types: ok" in said and said.endswith(f"{count} passed, 0 failed\n")
    with pytest.raises(ValueError, match=r"^no step has 'tpyes' in its name; the steps are: types, no such step$"):
        checked("tpyes")
