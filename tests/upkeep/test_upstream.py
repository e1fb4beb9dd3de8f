"""Citations of the upstream notes, checked in a clone: what is wrong, what has moved, and which clone it is."""

import io
import re
import subprocess

import pytest
from rich.console import Console

from course.upkeep.upstream import NOTES, check, citations


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A repository of two commits, whose second one moves a function and a file; returns it and the first commit."""
    folder = tmp_path / "engine"
    (folder / "src").mkdir(parents=True)
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "a")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "a@example.org")

    def git(*arguments):
        command = ["git", "-C", str(folder), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "-q")
    (folder / "src" / "a.py").write_text("class Guide:\n    def advance(self): ...\ndef stays(): ...\n")
    (folder / "src" / "b.py").write_text("def whole(): ...\n")
    git("add", "."), git("commit", "-qm", "one")
    first = git("rev-parse", "HEAD")
    (folder / "src" / "a.py").write_text("def stays(): ...\n")
    (folder / "src" / "new.py").write_text("class Guide:\n    def advance(self): ...\n")
    git("mv", "src/b.py", "b.py"), git("add", "."), git("commit", "-qm", "two")
    return folder, first


def checked(clone, text):
    folder, first = clone
    notes = folder.parent / "notes"
    notes.mkdir()
    (notes / "lab.md").write_text(text.replace("FIRST", f"https://github.com/o/engine/blob/{first}"))
    out = io.StringIO()
    return check(folder, Console(file=out, width=200, soft_wrap=True), notes), out.getvalue()


def test_what_holds_what_has_moved_and_what_is_not_here(clone):
    """A commit that is not in the clone is compared with HEAD, and another repository is none of its business."""
    later, other = (f"https://github.com/{name}/blob/{n * 40}" for name, n in (("o/engine", "1"), ("p/other", "0")))
    holds = "[`a.py`](FIRST/src/a.py) `Guide.advance`, `stays`; [`b.py`](FIRST/src/b.py) `whole`."
    status, text = checked(
        clone, f"{holds} [`new.py`]({later}/src/new.py) `Guide`, `nowhere`, [`x`]({other}/x.py) `gone`"
    )
    assert status == 0 and "wrong: 0" in text and "moved since: 2" in text and "not so at HEAD: 1" in text
    assert "src/a.py: Guide.advance, now src/new.py" in text and "src/b.py: src/b.py, now b.py" in text
    assert "nowhere, now gone" in text and "1" * 12 in text


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("[`a.py`](FIRST/src/a.py) `advances`", "lacks advances"),
        ("[`a.py`](FIRST/src/a.py) `stays`,\n`Guide.mask`", "lacks Guide.mask"),
        ("[`c.py`](FIRST/src/c.py)", "lacks src/c.py"),
    ],
)
def test_a_wrong_citation_is_named(clone, text, lacks):
    status, said = checked(clone, text)
    assert status == 1 and lacks in said and "wrong: 1" in said and "moved since: 0" in said


def test_a_clone_of_something_else_is_refused(clone, tmp_path):
    with pytest.raises(ValueError, match="none of the commits"):
        checked(clone, f"[`x`](https://github.com/p/other/blob/{'0' * 40}/x.py)")
    with pytest.raises(ValueError, match="no git checkout"):
        check(tmp_path / "nothing", Console(file=io.StringIO()))


def test_every_link_names_a_commit_of_the_table():
    """And its repository: the table in the README says what was read."""
    read = set(re.findall(r"^\| (\S+) \| `([0-9a-f]{40})` \|", (NOTES / "README.md").read_text("utf-8"), re.M))
    cited = [each for page in NOTES.glob("*.md") for each in citations(page.name, page.read_text("utf-8"))]
    assert len(cited) > 200 and {(each.repository, each.commit) for each in cited} <= read
