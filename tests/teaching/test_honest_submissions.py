"""Honest submissions that do what right code may do, and what their author's own computer allows: all score in full.

Each is graded from the files that a student hands in, once for each kind of isolation that this machine offers.
"""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from course.isolation import sandbox
from course.student.core.catalog import find_lab
from course.teaching.grading import intake
from course.teaching.grading.job import UNSAFE, GradingRules, Job, Record
from course.teaching.grading.local import Local

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the grader forks")

LAB = find_lab(3)
WAYS = [*(backend.name for backend in sandbox.available()), UNSAFE]
WRAP = "\n\nplain = generate\n\n\ndef generate(*args):\n"
HONEST = {
    "logging": "import logging\nlogging.basicConfig(filename='debug.log')\nlogging.error('this far')\n",
    "a file of notes": "open('notes.txt', 'w').write('x' * 100_000)\nassert len(open('notes.txt').read()) == 100_000\n",
    "tempfile": """import tempfile
with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile(dir=folder) as file, tempfile.TemporaryFile():
    file.write(bytes(1 << 20))
""",
    "asyncio": f"""import asyncio{WRAP}    async def run():
        return await asyncio.to_thread(plain, *args)

    return asyncio.run(run())
""",
    "a thread pool": f"""from concurrent.futures import ThreadPoolExecutor{WRAP}    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(abs, range(100))) == 4950
        return pool.submit(plain, *args).result()
""",
    "an earlier starter": "from labs.lab_01_naive_matching.starter import apply_mask, sample, softmax\n",
    "an earlier starter, another form": "import labs.lab_01_naive_matching.starter as one\nsoftmax = one.softmax\n",
}


@pytest.fixture(scope="module")
def executor() -> Iterator[Local]:
    with closing(Local(2)) as local:
        yield local


def graded(executor: Local, folder: Path, files: dict[str, bytes], way: str) -> Record:
    """Grade what a student hands in, as ``grade`` reads it."""
    (folder / "student").mkdir()
    for name, content in files.items():
        (folder / "student" / name).write_bytes(content)
    (one,) = intake.read(folder, lab=LAB).submissions
    assert one.text is not None, one.problem
    return next(executor.run([Job(GradingRules(LAB.number, way, 60.0, 600.0), one.text, one.beside)]))[1]


def failures(record: Record) -> dict[str, str]:
    wrong = {test: found["message"] for test, found in record["tests"].items() if found["verdict"] != "pass"}
    return wrong or ({} if record["tests"] and not record["ended"] else {"": record["ended"]})


REFERENCE = LAB.solution.read_text(encoding="utf-8")


# Without a sandbox there's no copy of the course, and it's the starter that is there.
ASKED = [(name, way) for name in HONEST for way in WAYS if way != UNSAFE or "earlier starter" not in name]


@pytest.mark.parametrize(("name", "way"), ASKED)
def test_what_honest_code_does_costs_nothing(tmp_path: Path, executor: Local, name: str, way: str) -> None:
    text = f"{REFERENCE}\n\n{HONEST[name]}"
    assert failures(graded(executor, tmp_path, {"starter.py": text.encode()}, way)) == {}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("module", [".helper", f"labs.{LAB.name}.helper"])
def test_files_beside_the_starter_come_along(tmp_path: Path, executor: Local, module: str, way: str) -> None:
    """Those that it imports, and those that they import."""
    helper = "from . import more\n\n\ndef partial_match(*args):\n    return more.partial_match(*args)\n"
    starter = f"{REFERENCE}\n\nfrom {module} import partial_match\n"
    files = {"starter.py": starter, "helper.py": helper, "more.py": REFERENCE, "other.py": "1 / 0\n"}
    record = graded(executor, tmp_path, {name: text.encode() for name, text in files.items()}, way)
    assert failures(record) == {}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("codec", ["cp1252", "utf-8-sig", "utf-8"])
def test_how_an_editor_saves_costs_nothing(tmp_path: Path, executor: Local, codec: str, way: str) -> None:
    text = f"# Größe: 5 \u20ac\r\n{REFERENCE}"
    assert failures(graded(executor, tmp_path, {"starter.py": text.encode(codec)}, way)) == {}


REFUSED = {
    "import helper": "write `from .helper import …`, and hand it in in one folder with starter.py",
    "from .absent import f": "if absent.py is yours",
    "import course.cli": "paste what you use of it into your file",
    "open('/data/vocabulary.json')": "Data that it needs must be in the code",
    "open('large', 'wb').write(bytes(17 << 20))": "a file may write 16 MiB",
    "import os, time; os.fork(); time.sleep(9)": "it started another process, which no submission may",
    "import socket; socket.create_connection(('127.0.0.1', 1))": "connects to nothing",
    "import threading as t, time; [t.Thread(target=time.sleep, args=(9,)).start() for _ in range(99)]": "64 threads",
    "for i in range(40): open(str(i), 'wb').write(bytes(1 << 20))\nwhile True: pass": "more than 16 MiB, or 1000 files",
}


@pytest.mark.skipif(not sandbox.available(), reason="needs a sandbox")
@pytest.mark.parametrize("way", WAYS[:-1])
@pytest.mark.parametrize("line", REFUSED)
def test_what_a_rule_refuses_says_what_to_do(tmp_path: Path, executor: Local, line: str, way: str) -> None:
    record = graded(executor, tmp_path, {"starter.py": f"{line}\n\n{REFERENCE}".encode()}, way)
    assert all(REFUSED[line] in message for message in failures(record).values()) and failures(record), failures(record)
