"""``python -m course show 04``: watch a mask at work, step by step."""

import linecache
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console

from course.student.core.catalog import Lab, all_labs
from course.student.core.edition import chain_setting, why_no_reference
from course.student.core.implementation import Implementation, UsageError, choose_chain, resolve
from course.student.core.submission import Loader
from course.student.show.frames import Frame, Show
from course.student.show.glyphs import Glyphs
from course.student.show.renderer import Renderer
from course.student.show.screen import has_keys, on_screen, print_all
from course.student.show.student_file import StudentFile
from labkit.scenes import Scene


@dataclass(frozen=True)
class Choices:
    """What the command line says; None leaves it to the lab."""

    impl: str = "starter"
    pattern: str | None = None
    model: str | None = None
    seed: int = 0
    max_tokens: int | None = None


def run_show(
    lab: Lab, console: Console, choices: Choices, *, plain: bool = False, keys: Iterable[str] | None = None
) -> int:
    """Play a lab's scene with the functions of the file under test; what is wrong in them is part of the show.

    Args:
        keys: the names of keys, for a test; else they come from the terminal.

    Returns:
        0, or 130 if it was interrupted.

    Raises:
        ValueError: for a lab without a scene, and a file, model or pattern that is refused.
    """
    scene = scene_of(lab, choices)
    files, chain = _files(lab, resolve(choices.impl, "--impl", Path.cwd()))
    renderer = Renderer(scene, lab.label, files[lab.number].name, Glyphs.of(console))

    def start() -> Iterator[Frame]:
        linecache.checkcache()  # an edited file's faults would show its old lines otherwise
        return Show(scene, StudentFile(lab, Loader(files, chain=chain))).frames()

    try:
        if plain or (keys is None and not has_keys(console)):
            print_all(start(), renderer, console)
        else:
            on_screen(start, renderer, console, keys)
    except KeyboardInterrupt:
        return 130
    return 0


def scene_of(lab: Lab, choices: Choices) -> Scene:
    """Return the scene in a lab's ``scene.py``, with what the command line asks for.

    Raises:
        ValueError: if the lab has none.
    """
    if not _has_scene(lab):
        numbers = ", ".join(f"{other.number:02}" for other in all_labs() if _has_scene(other))
        raise ValueError(f"{lab.label} has no show; the labs with one are {numbers}")
    scene: Scene = import_module(f"labs.{lab.name}.scene").SCENE
    asked: dict[str, Any] = {
        "grammar": choices.pattern,
        "model_name": choices.model,
        "seed": choices.seed,
        "max_tokens": choices.max_tokens,
    }
    return replace(scene, **{name: value for name, value in asked.items() if value is not None})


def _has_scene(lab: Lab) -> bool:
    return (lab.folder / "scene.py").is_file()


def _files(lab: Lab, implementation: Implementation) -> tuple[dict[int, Path], bool]:
    """Return the files to load, and whether earlier labs are the student's own as well.

    Raises:
        UsageError: if there is no file for this lab.
    """
    file = implementation.file_of(lab)
    if file is None:
        raise UsageError(f"{implementation.path} holds no file for {lab.label}")
    if implementation.kind == "solution" and not lab.has_reference:
        raise UsageError(why_no_reference(lab))
    if not file.is_file():
        raise UsageError(f"{lab.path}/{file.name} is missing. To bring it back: python -m course reset {lab.number:02}")
    if choose_chain(os.environ, chain_setting()) and implementation.kind != "solution":
        return implementation.chain_files(lab), True
    return {lab.number: file}, False
