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


def test_a_bundle_runs_like_its_modules(tmp_path):
    """Two modules have names of the same kind; one is imported twice, and runs once."""
    (tmp_path / "low.js").write_text("let n = 0;\nexport const next = () => ++n, most = 7;\n", "utf-8")
    (tmp_path / "high.js").write_text(
        'import { most as n, next } from "./low.js";\nexport const all = () => [n, next()];\n', "utf-8"
    )
    main = tmp_path / "main.js"
    main.write_text(
        'import { all } from "./high.js";\nimport { next } from "./low.js";\nlet n = "mine";\n'
        "console.log(JSON.stringify([next(), ...all(), n]));\n",
        "utf-8",
    )
    (tmp_path / "bundled.js").write_text(bundle([main]), "utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")
    said = [
        subprocess.run([node(), str(tmp_path / name)], capture_output=True, text=True, check=False).stdout
        for name in ("main.js", "bundled.js")
    ]
    assert said == ['[1,7,2,"mine"]\n'] * 2


def test_modules_that_import_each_other_are_refused(tmp_path):
    for one, other in ("ab", "ba"):
        (tmp_path / f"{one}.js").write_text(f'import {{ {other} }} from "./{other}.js";\n', "utf-8")
    with pytest.raises(ValueError, match="imports itself"):
        bundle([tmp_path / "a.js"])
