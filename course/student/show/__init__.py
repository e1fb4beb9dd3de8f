"""``python3 -m course show 04``: watch a mask at work, step by step, by keys on the whole screen or printed."""

import json
import linecache
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.control import Control
from rich.text import Text

from course.student.core.catalog import Lab, all_labs, settings
from course.student.core.implementation import Implementation, UsageError, resolve
from course.student.core.rooms import without_echo
from course.student.core.submission import Loader
from course.student.core.trace import faults_named
from course.student.show.ending import Own, end_show
from course.student.show.frames import ScreenFrame, Show, Stopped, StudentFile
from course.student.show.renderer import WIDTH, Renderer
from course.student.show.traces import trace as record
from course.student.show.traces import whole_page
from labkit.scenes import Scene
from labkit.scenes.endings import MAX_TOKENS
from labs.own_files import InPlace, is_chosen, report_at_exit

KEYS_LINE = "right/space next   left/b back   r again, from your file   ? help   q quit"

HELP = """\
The loop of constrained generation, a step at a time, with your own functions.

the model wants   its favourite tokens, with their probabilities
the mask leaves   the same tokens under your mask, and the favourites among what
                  is left; "struck" where your mask forbids a token
word 0            the bitmask, in labs that pack it: lowest bit right, a dot
                  where there is no token; below it the tokens whose bits are 1
EOS               whether your mask lets the generation stop here
chosen            the token that was emitted, marked by > in the table, and the
                  random number u that decided
wrong             the chosen token is not legal, and where the text dies

right, space, enter   next step           left, b   back
r   load your file again, from step 1     q, Esc    quit
Any key closes this page."""

_KEYS = {
    **dict.fromkeys((" ", "\r", "\n", "n", "l", "\x1b[C", "\x1bOC", "\xe0M", "\x00M"), "next"),
    **dict.fromkeys(("b", "h", "\x7f", "\b", "\x1b[D", "\x1bOD", "\xe0K", "\x00K"), "back"),
    **dict.fromkeys(("q", "Q", "\x1b"), "quit"),
    "r": "restart",
    "?": "help",
}
"""What terminals send for a key. The arrow keys are escape sequences, which Windows spells differently."""

_ONE_KEY = re.compile(r"\x1b(?:O.|\[[^@-~]*[@-~]?)?|[\x00\xe0].|.", re.S)


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
    plain: bool = False,
    keys: Iterable[str] | None = None,
    picture: Path | None = None,
    trace: Path | None = None,
    html: Path | None = None,
    **choices: Any,
) -> int:
    """Play it.

    Args:
        mine: the block in which the student's files are in place of the references, if they are.
        keys: the names of keys, for a test; else they come from the terminal.
        trace, html: files for what the run did, as JSON and as a page that replays it; then nothing is played, and the
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

    has_screen = console.is_terminal and not console.is_dumb_terminal
    has_keys = keys is not None or (has_screen and sys.stdin is not None and sys.stdin.isatty())
    try:
        if trace or html:
            write_trace(record(scene, lab.label, file.name, start()), trace, html, console)
        elif plain or not has_keys:
            print_all(start(), renderer, console)
        else:
            on_screen(start, renderer, console, keys)
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


def terminal_keys(read: Callable[[], str] = typer.getchar) -> Iterator[str]:
    """Yield the names of the keys that are pressed, until the input ends.

    Args:
        read: returns what the terminal sent: one key, or several that were pressed quickly.

    >>> sent = iter(["\\x1b[C", "zb", "q"])
    >>> list(terminal_keys(lambda: next(sent)))
    ['next', 'other', 'back', 'quit']
    """
    while True:
        try:
            sent = read()
        except EOFError:
            sent = ""
        for key in _ONE_KEY.findall(sent) or ["q"]:
            name = _KEYS.get(re.sub(r"\[[\d;]+", "[", key), "other")  # an arrow with Ctrl is ESC [ 1 ; 5 C
            yield name
            if name == "quit":
                return


def print_all(frames: Iterator[ScreenFrame], renderer: Renderer, console: Console) -> None:
    """Print every frame as plain text, with an empty line between two."""
    for frame in frames:
        for line in [Text(), *renderer.lines(frame)][frame.number == 1 :]:
            console.print(Text(line.plain), soft_wrap=True)


def on_screen(
    start: Callable[[], Iterator[ScreenFrame]], renderer: Renderer, console: Console, keys: Iterable[str] | None
) -> None:
    """Play full screen, driven by keys. The terminal gets its own screen back, whatever happens."""
    with without_echo() if keys is None else nullcontext(), console.screen() as screen:

        def draw(lines: list[Text]) -> None:
            """Fill the whole height, the keys last: in a low window first the empty lines go."""
            room = max(console.height, 2) - 1
            if len(lines) > room:
                lines = [line for line in lines if line.plain]
            whole = [*lines[:room], *[Text()] * (room - len(lines)), Text(KEYS_LINE[:WIDTH], "reverse")]
            console.control(Control.home())  # each picture would push the one before up, line by line, otherwise
            screen.update(Text("\n", no_wrap=True, overflow="crop").join(whole))

        def render(frame: ScreenFrame) -> list[Text]:
            return renderer.lines(frame, console.height - 1)

        play(start, terminal_keys() if keys is None else keys, render, draw)


def play(
    start: Callable[[], Iterator[ScreenFrame]],
    keys: Iterable[str],
    render: Callable[[ScreenFrame], list[Text]],
    draw: Callable[[list[Text]], None],
) -> None:
    """Show a frame for every key, until there are no more keys or one of them quits.

    Args:
        start: starts the show, from the student's file as it is then.
        keys: ``next``, ``back``, ``restart``, ``help``, ``quit`` or anything else.
        draw: shows lines in place of those before.
    """
    coming, seen, at, helping = start(), list[ScreenFrame](), 0, False
    for key in chain(["first"], keys):
        if key == "quit":
            return
        if helping or key == "help":  # any key closes the help, and does nothing else
            helping = not helping
        elif key == "restart":
            coming, seen, at = start(), [], 0
        else:
            at = max(0, at + {"next": 1, "back": -1}.get(key, 0))
        while len(seen) <= at and (frame := next(coming, None)):
            seen.append(frame)
        at = min(at, len(seen) - 1)
        draw([Text(line) for line in HELP.splitlines()] if helping else render(seen[at]))
