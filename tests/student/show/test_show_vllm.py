"""``show vllm`` up to vLLM's own environment; what happens in there is tested in there (``tests/bridges``)."""

import sys

import pytest

from course.student.show import vllm

SAYS_WHAT_IT_GOT = """#!{python}
import os, sys
print(os.environ["LAB_CHAIN"], *sys.argv[1:], file=open({file!r}, "w"))
"""
FAILS = """#!{python}
import sys
print("INFO starting", file=sys.stderr)
sys.exit("error: ValueError: at position 0 of '['")
"""


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """Puts a script in the place of vLLM's Python, and returns what it was called with."""

    def install(text):
        script, file = tmp_path / "env" / "bin" / "python", tmp_path / "got"
        script.parent.mkdir(parents=True)
        script.write_text(text.format(python=sys.executable, file=str(file)), encoding="utf-8")
        script.chmod(0o755)
        monkeypatch.setattr(vllm, "PYTHON", script)
        return file

    return install


@pytest.mark.skipif(sys.platform == "win32", reason="vLLM doesn't run on Windows, and the script is for a shell")
@pytest.mark.parametrize(("impl", "chain"), [("starter", "mine"), ("solution", "reference")])
def test_it_runs_in_its_own_environment_with_whose_files_are_meant(course, installed, impl, chain):
    file = installed(SAYS_WHAT_IT_GOT)
    status, out, _ = course("show", "vllm", "--impl", impl, "--pattern", "-?[0-9]+", "--max-tokens", "9")
    assert (status, out) == (0, "")
    assert file.read_text("utf-8").split() == [
        chain, "-W", "ignore", "-m", "bridges.vllm.show", "--pattern=-?[0-9]+", "--max-tokens=9",
    ]  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="vLLM doesn't run on Windows, and the script is for a shell")
def test_what_fails_in_there_is_said_here(course, installed):
    installed(FAILS)
    status, out, err = course("show", "vllm", "--impl", "solution")
    assert status == 2 and "at position 0 of '['" in err and "INFO" not in out + err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "bridges/vllm/README.md says how to install vLLM there"),
        (("--impl", "mine.py"), "takes --impl starter or solution"),
        (("--picture", "a.svg"), "takes --impl, --pattern, --prompt and --max-tokens alone"),
    ],
)
def test_what_it_needs_and_takes(course, monkeypatch, tmp_path, options, said):
    monkeypatch.setattr(vllm, "PYTHON", tmp_path / ".venv-vllm" / "bin" / "python")
    status, _, err = course("show", "vllm", *options)
    assert status == 2 and said in " ".join(err.split())
