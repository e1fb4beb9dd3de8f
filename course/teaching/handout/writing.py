"""Writing a handout all at once: a run that breaks off leaves no half of one."""

import os
import shutil
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

from course.student.core.catalog import ROOT


def check_target(out: Path, root: Path = ROOT) -> Path:
    """The folder that a handout may be written to, as an absolute path.

    Raises:
        ValueError: if it lies in the course, or is there already and not an empty folder.
    """
    full = out.expanduser().resolve()
    if full == root or full.is_relative_to(root):
        raise ValueError(f"{out} lies inside the course itself, {root}; name a folder elsewhere")
    if full.exists() and not full.is_dir():
        raise ValueError(f"{out} is a file; name a folder that is not there yet")
    if full.is_dir() and any(full.iterdir()):
        raise ValueError(f"{out} is not empty; name a folder that is not there yet, or an empty one")
    return full


def write(files: Mapping[str, bytes], out: Path) -> None:
    """Make a folder beside the target, fill it, and give it the target's name."""
    out.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        for name, content in files.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        draft.chmod(stat.S_IMODE(out.stat().st_mode) if out.exists() else 0o777 & ~_umask())
        if out.exists():
            out.rmdir()  # it is empty, or this refuses
        draft.rename(out)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _umask() -> int:
    """The process's mask for new files, which can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
