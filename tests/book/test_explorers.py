"""The book's explorers: their data against plain code. ``browser_*.py`` have them in a browser."""

import gzip
import json
import re
import subprocess
import sys

from course.play.__main__ import MADE
from course.student.core.catalog import ROOT

NEEDS_REFERENCES = {11}


def data_of(file):
    """What a fragment's first explorer holds."""
    text = file.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', text, re.S)[1])


def test_fragments_are_small_and_ask_nobody(made):
    assert set(made) == {*MADE} == set(range(1, 16))
    for file in made.values():
        text = file.read_text(encoding="utf-8")
        assert len(gzip.compress(text.encode())) < 150_000 and len(text.encode()) < 250_000, file.name
        assert not re.search(
            r"(src|href)=|@import|url\((?!#)|fetch\(", re.sub(r"<script type.*?</script>", "", text, flags=re.S)
        )


def test_a_schema_to_start_from_is_json(made):
    for source, text in data_of(made[8])["examples"]:
        schema = json.loads(source)
        assert next(iter(schema["properties"])) in text and {*schema["required"]} < {*schema["properties"]} | {""}


def test_a_copy_without_references_lacks_only_what_they_make(tmp_path):
    """Students' copies have no solution.py: one fragment is missing, and the command says why."""
    code = """
import builtins, sys
real = builtins.__import__
def without(name, *rest, **more):
    if name.startswith("labs.") and name.endswith(".solution"):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return real(name, *rest, **more)
builtins.__import__ = without
from pathlib import Path
from course.play.__main__ import write_all
from course.play.opening import write_page
print([int(file.stem[-2:]) for file in write_all(Path(sys.argv[1]))])
try:
    write_page(11, Path(sys.argv[1]))
except ValueError as refused:
    print(refused)
"""
    done = subprocess.run([sys.executable, "-c", code, tmp_path], cwd=ROOT, capture_output=True, text=True, check=True)
    written, said = done.stdout.splitlines()
    assert json.loads(written) == [n for n in MADE if n not in NEEDS_REFERENCES]
    assert re.fullmatch(r"lab 11's explorer is made by labs\.\w+\.solution, which this copy lacks", said)
