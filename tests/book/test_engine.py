"""The explorers' logic, which is JavaScript, under node's own test runner.

``engine/NAME.test.mjs`` are the tests. If there is an ``engine/NAME.py``, its ``oracle(folder)`` says what Python would
have computed; the test finds it as ``oracle.json`` in the folder ``$ORACLE``.
"""

import json
import os
import shutil
import subprocess
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from course.play.bundle import bundle
from course.student.core.catalog import ROOT

TESTS = sorted((Path(__file__).parent / "engine").glob("*.test.mjs"))


def node():
    """Return the path of node: Playwright has its own (requirements/check.txt), so that the system needs none."""
    playwright = find_spec("playwright")
    own = playwright and shutil.which("node", path=Path(playwright.origin).with_name("driver"))
    found = own or shutil.which("node")
    if not found:
        pytest.fail("There's no node to run the explorers' logic: install playwright, or Node.js 20.", pytrace=False)
    return found


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.name)
def test_of_the_engine(file, tmp_path):
    name = file.name.removesuffix(".test.mjs")
    if file.with_name(f"{name}.py").is_file():
        expected = import_module(f"tests.book.engine.{name}").oracle(tmp_path)
        (tmp_path / "oracle.json").write_text(json.dumps(expected), encoding="utf-8")
    done = subprocess.run(
        [node(), "--test", str(file)],
        env=os.environ | {"ORACLE": str(tmp_path)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_modules_share_no_name(tmp_path):
    """A bundle puts all of them into one scope; in a module, a name that comes twice is an error."""
    script = tmp_path / "all.mjs"
    script.write_text(bundle(sorted((ROOT / "course/play/engine").rglob("*.js"))), encoding="utf-8")
    done = subprocess.run([node(), "--check", str(script)], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
