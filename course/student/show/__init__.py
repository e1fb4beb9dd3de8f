"""``python -m course show 04``: watch a mask at work, step by step."""

import linecache
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from course.student.core.catalog import Lab
from course.student.core.edition import chain_setting, why_no_reference
from course.student.core.implementation import Implementation, UsageError, choose_chain, resolve
from course.student.core.submission import Loader
from course.student.show.frames import Frame, Show
from course.student.show.glyphs import Glyphs
from course.student.show.own import Own
from course.student.show.picture import Painter
from course.student.show.programme import PLAYED
from course.student.show.scene import make_scene
from course.student.show.screen import has_keys, on_screen, print_all


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
        keys: in place of a terminal's, for a test.

    Returns:
        0, or 130 if it was interrupted.

    Raises:
        ValueError: for a lab, file, model or pattern that is not to be had.
    """
    if lab.number not in PLAYED:
        raise ValueError(
            f"the theatre plays the labs {', '.join(f'{number:02}' for number in PLAYED)}, not {lab.label}"
        )
    scene = make_scene(lab, choices.pattern, choices.model, choices.seed, choices.max_tokens)
    files, chain = _files(lab, resolve(choices.impl, "--impl", Path.cwd()))
    painter = Painter(scene, files[lab.number].name, Glyphs.of(console))

    def start() -> Iterator[Frame]:
        linecache.checkcache()  # else an edited file's faults would show its old lines
        return Show(scene, Own(lab, Loader(files, chain=chain))).frames()

    try:
        if plain or (keys is None and not has_keys(console)):
            print_all(start(), painter, console)
        else:
            on_screen(start, painter, console, keys)
    except KeyboardInterrupt:
        return 130
    return 0


def _files(lab: Lab, implementation: Implementation) -> tuple[dict[int, Path], bool]:
    """The files to load, and whether earlier labs are the student's own as well.

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
