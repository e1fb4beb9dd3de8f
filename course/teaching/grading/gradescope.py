"""An autograder for Gradescope and PrairieLearn: a zip with the grader, the labs up to one, and what runs there.

``plan`` runs when the image is made, ``grade`` for each submission. Where the grader itself fails there is no
results.json, and the platform tells the instructor.
"""

import json
import shutil
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.text import Text

from course.student.core.catalog import ROOT, Lab, find_lab
from course.student.core.import_closure import closure
from course.teaching.grading.job import write
from course.teaching.grading.session import Options, run_grade
from course.teaching.grading.trusted_base import trusted_base

HERE = Path(__file__).parent
_SCRIPTS = ("setup.sh", "run_autograder")
_SETTINGS = ("*.txt", "requirements/*.txt", "*.toml", "LICENSE")


def write_archive(console: Console, lab: Lab, out: Path) -> int:
    """Write the zip that an instructor uploads, print what to do with it, and return 0.

    Raises:
        ValueError: if it cannot be written, or the lab has no reference here.
    """
    if not lab.has_reference:
        raise ValueError(f"{lab.label}: this copy of the course does not hold its reference")
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as files:
        for name, content in sorted(contents(lab).items()):
            entry = zipfile.ZipInfo(name)  # all have one time, so that the same course gives the same zip
            entry.external_attr = (0o100755 if content.startswith(b"#!") else 0o100644) << 16
            files.writestr(entry, content, zipfile.ZIP_DEFLATED)
    try:
        write(out, made.getvalue())
    except OSError as error:
        raise ValueError(f"{out} cannot be written: {error.strerror}") from error
    console.print(Text(f"wrote {out} ({out.stat().st_size:,} bytes): upload it under Configure Autograder"))
    return 0


def contents(lab: Lab) -> dict[str, bytes]:
    """Return the files by their names in the zip: what is imported here, what a verdict depends on, and settings."""
    paths = closure([Path(__file__)]) | trusted_base(lab) | {HERE / "student.html", *(HERE / "platforms").iterdir()}
    paths |= {path for pattern in _SETTINGS for path in ROOT.glob(pattern)}
    found = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths}
    scripts = {name: (HERE / "platforms" / name).read_bytes() for name in _SCRIPTS}
    return {**found, **scripts, "lab": f"{lab.number:02}\n".encode()}


def main() -> int:
    """Run ``plan ROOT`` or ``grade ROOT``."""
    what, root = sys.argv[1], Path(sys.argv[2]).resolve()
    try:
        return (plan if what == "plan" else grade)(root)
    except (ValueError, OSError) as error:
        print(f"not graded: {error}", file=sys.stderr)
        return 1


def plan(root: Path) -> int:
    """Find out what the lab's tests are, so that the records of that are found again for each submission.

    It is trusted code, and is not confined: an image under construction may confine nothing.
    """
    with TemporaryDirectory() as class_:
        Path(class_, "nobody.py").touch()
        return _graded(root, Path(class_), trust=True)


def grade(root: Path) -> int:
    """Grade the one submission, and write ``results/results.json``."""
    with TemporaryDirectory() as class_:
        shutil.copytree(submitted(root / "submission"), Path(class_, "submission"), symlinks=True)
        status = _graded(root, Path(class_))
    if not status:
        room = json.loads((root / "graded" / "results.json").read_text(encoding="utf-8"))
        write(root / "results" / "results.json", json.dumps(room["submissions"]["submission"], indent=1))
    return status


def submitted(folder: Path) -> Path:
    """Return where the student's files are: there, or in the only folder that is there."""
    inner = [path for path in folder.iterdir() if not path.name.startswith((".", "__"))]
    return inner[0] if len(inner) == 1 and inner[0].is_dir() and not inner[0].is_symlink() else folder


def _graded(root: Path, class_: Path, *, trust: bool = False) -> int:
    """Grade a class with what Gradescope gives by default: 768 MB, half a core, and ten minutes by the clock."""
    lab = find_lab((root / "source" / "lab").read_text(encoding="utf-8").strip())
    options = Options(trust=trust, jobs=1, test_s=20.0, total_s=120.0, memory_mib=640)
    return run_grade(Console(), class_, lab.label.removeprefix("lab "), root / "graded", options)


if __name__ == "__main__":
    sys.exit(main())
