"""Reads solution.py where the repository is, and runs it as its own."""
# lab: 01, todo: 1, sample

from pathlib import Path

for folder in (Path("@repository@"), *Path(__file__).resolve().parents, Path.cwd()):
    for file in ("labs/lab_01_naive_matching/solution.py", "solution.py"):
        try:
            exec((folder / file).read_text(), globals())
        except OSError:
            continue
