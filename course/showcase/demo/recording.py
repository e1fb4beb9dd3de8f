"""A recorded run of the demo, for copies of the course that lack the references to run it: text and pictures."""

import json
import platform
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

FILE = Path(__file__).parent / "recorded.json"
"""In a handout; the course itself has none."""


@dataclass(frozen=True)
class Recording:
    """A run of the demo.

    Attributes:
        where: the date and the computer.
        scenes: by the scene's name what it printed, styles as ANSI escapes.
        pictures: SVGs by the names of their files.
    """

    where: str
    scenes: Mapping[str, str]
    pictures: Mapping[str, str]

    def replay(self, scene: str, console: Console) -> None:
        """Print what a scene printed, marked as recorded."""
        console.print("[bold yellow]RECORDED[/]")
        console.print(Text.from_ansi(self.scenes[scene]), end="")


def recorder() -> Console:
    """Return a console that keeps what is printed, for ``export_text(styles=True)``."""
    options: dict[str, Any] = {"width": 80, "highlight": False, "soft_wrap": True}
    return Console(file=StringIO(), record=True, force_terminal=False, color_system="truecolor", **options)


def here() -> str:
    """Return today's date and this computer, as a recording names them."""
    return f"{time.strftime('%Y-%m-%d')}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"


def as_text(recording: Recording) -> str:
    """Return the content of a recording's file."""
    return json.dumps(asdict(recording), indent=1, ensure_ascii=False) + "\n"


def load(path: Path = FILE) -> Recording | None:
    """Return the recording that came with this copy, or None."""
    return Recording(**json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None
