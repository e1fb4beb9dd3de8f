"""``python3 -m course show vllm``: a batch under the student's masks in vLLM, which has an environment of its own."""

import os
import subprocess
import sys
from collections.abc import Sequence

from course.student.core.catalog import ROOT
from labs.own_files import report_at_exit

PYTHON = ROOT / ".venv-vllm" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
"""vLLM's own environment."""


def show_vllm(impl: str, options: Sequence[str]) -> int:
    """Print a batch under a file's masks; return 0.

    Args:
        impl: ``starter`` puts the student's files in place of the references, as far as they're begun.
        options: of ``bridges/vllm/show.py``.

    Raises:
        ValueError: if there's no vLLM, or with the words of what failed in it.
    """
    if impl not in ("starter", "solution"):
        raise ValueError("show vllm takes --impl starter or solution: its masks come from many labs")
    if not (ROOT / "bridges" / "vllm").is_dir():
        raise ValueError("this copy of the course has no bridge to vLLM")
    if not PYTHON.is_file():
        raise ValueError(
            f"there is no {PYTHON.parent.parent.name}: bridges/vllm/README.md says how to install vLLM there"
        )
    if impl == "starter":
        report_at_exit()
    chain = {"LAB_CHAIN": "mine" if impl == "starter" else "reference"}
    command = [str(PYTHON), "-W", "ignore", "-m", "bridges.vllm.show", *options]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | chain, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise ValueError(done.stderr.rpartition("error: ")[2].strip() or f"vLLM ended with {done.returncode}")
    return 0
