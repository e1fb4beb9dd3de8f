"""Which files are under test: what ``LAB_IMPL`` and its like may say, and what it means."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from course.student.core.catalog import Lab, all_labs

FORMS = """\
  starter           the file that you edit in each lab's folder
  solution          the reference (also when nothing is chosen)
  PATH/file.py      one submission, for a run of one lab
  PATH/folder       submissions named lab_NN*.py, or folders lab_NN* with a starter.py, one for each lab"""


class UsageError(ValueError):
    """Something was chosen that is not to be had; the message names the forms that are."""


@dataclass(frozen=True)
class Implementation:
    """The files under test.

    ``kind`` is ``starter``, ``solution``, ``file`` or ``folder``, or ``notebook``, whose functions are in ``module``
    and in no file; ``chosen_by`` names who said so (``--impl``, ``LAB_IMPL``, ``lab_impl``), empty where nobody did.
    """

    kind: str
    chosen_by: str
    path: Path | None = None
    module: ModuleType | None = None

    def file_of(self, lab: Lab) -> Path | None:
        """The file under test for this lab, or None where a folder of submissions has none."""
        if self.kind == "solution":
            return lab.solution
        if self.kind == "starter":
            return lab.starter
        if self.kind == "notebook":
            return None
        assert self.path is not None
        return self.path if self.kind == "file" else _find_in(self.path, lab)

    def chain_files(self, lab: Lab) -> dict[int, Path]:
        """The student's file of this lab and of every earlier lab that has one, for ``LAB_CHAIN=mine``."""
        own = self.file_of(lab)
        found = {} if own is None else {lab.number: own}
        for earlier in all_labs():
            if earlier.number < lab.number:
                file = earlier.starter if self.kind == "file" else self.file_of(earlier)
                found |= {} if file is None or not file.is_file() else {earlier.number: file}
        return found


def choose(option: str | None, environ: Mapping[str, str], ini: str) -> tuple[str, str]:
    """Who decides, and what they say: the option, then ``LAB_IMPL``, then the ini setting, then the reference.

    >>> choose(None, {"LAB_IMPL": "starter"}, ini="solution")
    ('starter', 'LAB_IMPL')
    >>> choose(None, {}, ini="")
    ('solution', '')
    """
    if option is not None:
        return option, "--impl"
    if "LAB_IMPL" in environ:
        return environ["LAB_IMPL"], "LAB_IMPL"
    return (ini, "lab_impl") if ini else ("solution", "")


def resolve(value: str, chosen_by: str, folder: Path) -> Implementation:
    """What a chosen value means; paths are relative to ``folder``.

    Raises:
        UsageError: for anything that is none of the forms. A typo never falls back on something else.

    >>> resolve("starter", "LAB_IMPL", Path()).kind
    'starter'
    >>> resolve("solutoin", "LAB_IMPL", Path())  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    course...implementation.UsageError: LAB_IMPL='solutoin' is not one of these, and no such file or folder exists:
      starter ...
    """
    if value in ("starter", "solution"):
        return Implementation(value, chosen_by)
    said = f"{chosen_by}={value!r}"
    if not value.strip():
        raise UsageError(f"{said} is empty. It must be one of these:\n{FORMS}")
    path = (folder / Path(value).expanduser()).resolve()
    if path.is_dir():
        found = [_find_in(path, lab) for lab in all_labs()]  # of every lab, for any may be there twice
        if not any(found):
            raise UsageError(f"{said} is a folder without any lab_NN* file. It must be one of these:\n{FORMS}")
        return Implementation("folder", chosen_by, path)
    if path.is_file() and path.suffix == ".py":
        return Implementation("file", chosen_by, path)
    problem = "is no Python file" if path.is_file() else "is not one of these, and no such file or folder exists"
    raise UsageError(f"{said} {problem}:\n{FORMS}")


def choose_chain(environ: Mapping[str, str], ini: str) -> bool:
    """Whether earlier labs are the student's own: ``LAB_CHAIN=mine``, or ``lab_chain`` in the ini file.

    Raises:
        UsageError: for anything but ``mine`` and ``reference``.

    >>> choose_chain({"LAB_CHAIN": "mine"}, ini=""), choose_chain({}, ini="")
    (True, False)
    """
    value, said = (environ["LAB_CHAIN"], "LAB_CHAIN") if "LAB_CHAIN" in environ else (ini or "reference", "lab_chain")
    if value not in ("mine", "reference"):
        raise UsageError(f"{said}={value!r} must be 'mine' (your own earlier labs) or 'reference' (the default)")
    return value == "mine"


def _find_in(folder: Path, lab: Lab) -> Path | None:
    """The one file of this lab in a folder of submissions.

    Raises:
        UsageError: if there are several.
    """
    named = re.compile(rf"lab_{lab.number:02}(?!\d)")
    entries = [entry for entry in sorted(folder.iterdir()) if named.match(entry.name)]
    files = [entry for entry in entries if entry.is_file() and entry.suffix == ".py"]
    files += [entry / "starter.py" for entry in entries if (entry / "starter.py").is_file()]
    if len(files) > 1:
        raise UsageError(f"{folder} holds several files for {lab.label}: {', '.join(file.name for file in files)}")
    return files[0] if files else None
