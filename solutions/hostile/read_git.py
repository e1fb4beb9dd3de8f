"""Looks for the answers in the repository's history."""
# lab: 01, todo: 1

from pathlib import Path

for name in (".git/HEAD", ".git/packed-refs", ".git/logs/HEAD"):
    try:
        raise RuntimeError("@token@ read the history: " + (Path("@repository@") / name).read_text()[:100])
    except OSError:
        continue
