"""The command that installs what is missing: for messages."""

import sys
from collections.abc import Sequence
from importlib.util import find_spec


def install_command(files: Sequence[str], python: str = sys.executable, pip: bool | None = None) -> str:
    """Return the command that installs some requirements files where this Python finds them.

    A bare ``pip`` may belong to another Python, and an environment that uv made has none.

    >>> install_command(["requirements.txt"], "python", pip=True)
    'python -m pip install -r requirements.txt -c constraints.txt'
    >>> install_command(["requirements.txt"], pip=False)
    'uv pip install -r requirements.txt -c constraints.txt'
    """
    has_pip = find_spec("pip") if pip is None else pip  # looked up only now: old Pythons change distutils at that
    program = f"{python} -m pip" if has_pip else "uv pip"
    return f"{program} install {' '.join(f'-r {file}' for file in files)} -c constraints.txt"
