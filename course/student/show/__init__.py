"""``python -m course show 04``: watch a mask at work, step by step."""

import linecache
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console

from course.student.core.catalog import Lab, all_labs
from course.student.core.edition import chain_setting
from course.student.core.implementation import UsageError, choose_chain, resolve
from course.student.core.submission import Loader
from course.student.show.frames import Frame, Show, StudentFile
from course.student.show.renderer import Renderer
from course.student.show.screen import on_screen, print_all
from labkit.scenes import Scene


def run_show(
    lab: Lab,
    console: Console,
    impl: str = "starter",
    *,
    plain: bool = False,
    keys: Iterable[str] | None = None,
    **choices: Any,
) -> int:
    """Play a lab's scene with the functions of the file under test; what is wrong in them is part of the show.

    Args:
        keys: the names of keys, for a test; else they come from the terminal.
        choices: fields of the scene, such as ``grammar`` or ``seed``, in place of the lab's own; None leaves one.

    Returns:
        0, or 130 if it was interrupted.

    Raises:
        ValueError: for a lab without a scene, and a file, model or grammar that is refused.
    """
    scene, implementation = scene_of(lab, **choices), resolve(impl, "--impl", Path.cwd())
    if problem := implementation.what_is_missing(lab):
        raise UsageError(problem)
    file = implementation.file_of(lab)
    assert file is not None
    chain = choose_chain(os.environ, chain_setting()) and implementation.kind != "solution"
    files = implementation.chain_files(lab) if chain else {lab.number: file}
    renderer = Renderer(scene, lab.label, file.name, unicode=not console.options.ascii_only)

    def start() -> Iterator[Frame]:
        linecache.checkcache()  # an edited file's faults would show its old lines otherwise
        return Show(scene, StudentFile(lab, Loader(files, chain=chain))).frames()

    has_screen = console.is_terminal and not console.is_dumb_terminal
    has_keys = keys is not None or (has_screen and sys.stdin is not None and sys.stdin.isatty())
    try:
        if plain or not has_keys:
            print_all(start(), renderer, console)
        else:
            on_screen(start, renderer, console, keys)
    except KeyboardInterrupt:
        return 130
    return 0


def scene_of(lab: Lab, **choices: Any) -> Scene:
    """Return the scene in a lab's ``scene.py``, with what the command line asks for.

    Raises:
        ValueError: if the lab has none.
    """
    having = [other for other in all_labs() if (other.folder / "scene.py").is_file()]
    if lab not in having:
        numbers = ", ".join(f"{other.number:02}" for other in having)
        raise ValueError(f"{lab.label} has no show; the labs with one are {numbers}")
    scene: Scene = import_module(f"labs.{lab.name}.scene").SCENE
    return replace(scene, **{name: value for name, value in choices.items() if value is not None})
