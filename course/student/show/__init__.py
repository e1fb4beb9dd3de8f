"""``python3 -m course show 04``: watch a mask at work, step by step, printed or as a page."""

import json
import linecache
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from course.student.core.catalog import Lab, all_labs, settings
from course.student.core.implementation import Implementation, UsageError, resolve
from course.student.core.submission import Loader
from course.student.core.trace import faults_named
from course.student.show.ending import Own, end_show
from course.student.show.frames import ScreenFrame, Show, Stopped, StudentFile
from course.student.show.renderer import Renderer
from course.student.show.traces import trace as record
from course.student.show.traces import whole_page
from labkit.scenes import Scene
from labkit.scenes.endings import MAX_TOKENS
from labs.own_files import InPlace, is_chosen, report_at_exit


def run_show(lab: Lab, console: Console, impl: str = "starter", **options: Any) -> int:
    """Play a lab's scene with the file under test, faults and all; return 0, or 130 if it was interrupted.

    With ``LAB_CHAIN=mine`` the student's other files are in place of the references.

    Args:
        options: see ``play_scene``.

    Raises:
        ValueError: for a lab without a scene, and a file, model or grammar that is refused.
    """
    if options.get("picture") is not None:
        options["model_name"] = options.get("model_name") or "small"
    implementation = resolve(impl, "--impl", Path.cwd())
    if problem := implementation.what_is_missing(lab):
        raise UsageError(problem)
    ini = settings().get("pytest", {}).get("ini_options", {})
    if not is_chosen(ini=ini.get("lab_chain", "")) or implementation.kind == "solution":
        return play_scene(lab, console, implementation, None, **options)
    report_at_exit()
    with InPlace(implementation.in_place([lab])) as mine, faults_named():
        return play_scene(lab, console, implementation, mine, **options)


def play_scene(
    lab: Lab,
    console: Console,
    implementation: Implementation,
    mine: InPlace | None,
    *,
    picture: Path | None = None,
    trace: Path | None = None,
    html: Path | None = None,
    **choices: Any,
) -> int:
    """Play it.

    Args:
        mine: the block in which the student's files are in place of the references, if they are.
        trace, html: files for what the run did, as JSON and as a page that replays it; then nothing is printed, and the
            ending comes only with its picture.
        picture: the file for the ending on the small model.
        choices: fields of the scene, such as ``grammar`` or ``seed``, in place of the lab's own; None leaves one.
    """
    scene, file = scene_of(lab, **choices), implementation.file_of(lab)
    assert file is not None
    renderer = Renderer(scene, lab.label, file.name, unicode=not console.options.ascii_only)

    def file_of(other: Lab) -> StudentFile:
        own = mine.files.get(other.number) if mine else implementation.file_of(other)
        if own is None or not own.is_file() or (other != lab and implementation.kind == "file"):
            raise Stopped("no file of it is under test")
        return StudentFile(other, Loader({other.number: own}, chain=mine is not None))

    def start() -> Iterator[ScreenFrame]:
        linecache.checkcache()  # an edited file's faults would show its old lines otherwise
        if mine:
            mine.forget()
        return Show(scene_of(lab, **choices), file_of(lab), InPlace({}) if mine else None).frames()

    try:
        if trace or html:
            write_trace(record(scene, lab.label, file.name, start()), trace, html, console)
        else:
            print_all(start(), renderer, console)
        own: Own = "prompt" if choices.get("prompt") else "grammar" if choices.get("grammar") is not None else ""
        ends = scene.model_name == "small" or not (own or choices.get("model_name"))
        if picture or (ends and not (trace or html)):
            end_show(scene, lab, file.name, file_of, console, picture, own=own)
    except KeyboardInterrupt:
        return 130
    return 0


def write_trace(data: dict[str, Any], trace: Path | None, html: Path | None, console: Console) -> None:
    """Write a trace as JSON, as a page, or both."""
    for path, written in ((trace, lambda data: json.dumps(data, ensure_ascii=False, indent=1)), (html, whole_page)):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(written(data).rstrip() + "\n", encoding="utf-8", newline="\n")
            console.print(f"{len(data['steps'])} steps: {path}", markup=False, highlight=False)


def scene_of(lab: Lab, **choices: Any) -> Scene:
    """Return the scene in a lab's ``scene.py``, with what the command line asks for."""
    having = [other for other in all_labs() if (other.folder / "scene.py").is_file()]
    if lab not in having:
        numbers = ", ".join(f"{other.number:02}" for other in having)
        raise ValueError(f"{lab.label} has no show; the labs with one are {numbers}")
    try:
        scene: Scene = import_module(f"labs.{lab.name}.scene").SCENE
    except NotImplementedError as error:  # in a copy without references, earlier labs are the student's own
        raise ValueError(f"{lab.label}'s show needs an earlier lab that is not written yet: {error}") from error
    wanted = {name: value for name, value in choices.items() if value is not None}
    if "prompt" in wanted:
        wanted.setdefault("model_name", "small")
    if wanted.get("model_name") == "small":
        grammar, prompt = scene.on_model
        most = scene.max_tokens if scene.eos_note else MAX_TOKENS  # without EOS an answer has no end of its own
        wanted = {"grammar": grammar, "prompt": prompt, "max_tokens": most} | wanted
    return replace(scene, **wanted)


def print_all(frames: Iterator[ScreenFrame], renderer: Renderer, console: Console) -> None:
    """Print every frame, with an empty line between two."""
    for frame in frames:
        for line in [Text(), *renderer.lines(frame)][frame.number == 1 :]:
            console.print(line, soft_wrap=True)
