"""How packages are installed: every page and message names the Python that needs them."""

import re
import subprocess

from course.student.core.catalog import ROOT

BARE = re.compile(r"(?<!-m )(?<!uv )\bpip install -r")


def test_no_page_and_no_message_has_a_bare_pip():
    """It may belong to another Python, and then the packages go astray: where uv made the environment, it does."""
    said = subprocess.check_output(["git", "grep", "-nI", "pip install -r"], cwd=ROOT, text=True)
    lines = [line for line in said.splitlines() if not line.startswith("tests/")]
    assert lines and not [line for line in lines if BARE.search(line)]
