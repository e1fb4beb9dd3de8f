"""How ``show`` ends: the lab's idea at work on the real model, by the student's functions, and what a mask costs."""

import textwrap
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.text import Text

from course.student.core.catalog import Lab, all_labs
from course.student.core.submission import quiet
from course.student.show.frames import ScreenFrame, Show, Stopped, StudentFile
from course.student.show.renderer import WIDTH, cut
from course.student.show.traces import token_name
from labkit.pictures import Svg, WrittenToken, captioned, line_chart, tokens_svg
from labkit.scenes import NoOracle, Scene, whole_text
from labkit.scenes.automata import walked_svg
from labkit.scenes.endings import Line
from labkit.scenes.work import GRAMMAR, PREFIX, vocabularies, work_of
from labkit.vocabulary import Vocabulary

FileOf = Callable[[Lab], StudentFile]
"""Gives a lab's file under test; raises ``Stopped`` where there is none."""

Own = Literal["", "grammar", "prompt"]
"""What is one's own: nothing, the grammar alone, or the prompt, and perhaps the grammar too."""

SECONDS = 20.0
"""What an ending may take, the model's passes included."""

_STYLES = {None: "", True: "green", False: "red"}


def end_show(
    scene: Scene, lab: Lab, name: str, file_of: FileOf, console: Console, picture: Path | None, *, own: Own
) -> None:
    """Print what the lab's ending shows, or how the model answers a prompt or grammar of one's `own`; draw it too."""
    file, title = file_of(lab), f"{lab.label}, {name} on a real model"
    if scene.ending and not own:
        title += f": {scene.ending.idea}"
    shown = list[Line | Svg]()
    with console.status("asking the model"):
        try:
            with file.asked("your functions", SECONDS), quiet():
                if own or not scene.ending:
                    shown.extend(_own_answer(scene, file, own))
                else:
                    small, function = Vocabulary.small(), file.function
                    shown.extend(scene.ending.play(lambda grammar: scene.steps(function, grammar, small), function))
        except Stopped as stopped:
            if not own and stopped.hint:
                shown.append(("Not yet: your own functions will do this here, once they are written.", None))
            shown += [(text, None) for text in (stopped.why, stopped.hint) if text]
    lines = [each for each in shown if not isinstance(each, Svg)]
    console.print(f"\n[bold]{title}[/]\n")
    for line, good in lines:
        if console.options.ascii_only:
            line = line.encode("ascii", "backslashreplace").decode()
        for row in textwrap.wrap(line, WIDTH, subsequent_indent="    ", break_on_hyphens=False):
            console.print(Text(row, _STYLES[good]))
    if picture is None:
        return
    ideas = [each for each in shown if isinstance(each, Svg)]
    with console.status("drawing"):
        asked: list[Line] = [(f"{scene.kind}: {scene.grammar}", None)] if own else []
        drawn = draw(title, asked + lines, ideas, file_of if scene.steps.counts else None)
    picture.parent.mkdir(parents=True, exist_ok=True)
    drawn.save(picture)
    console.print(f"\nPicture: {picture}", markup=False)


def _own_answer(scene: Scene, file: StudentFile, own: Own) -> Iterator[Line | Svg]:
    """Yield both answers to a prompt, or under a grammar, of one's own; the scene's oracle judges, if there is one."""
    frames = [*Show(scene, file).frames()]
    last = frames[-1]
    if last.stop:
        raise last.stop
    oracle, chosen = scene.oracle(file.lab.label), [] if last.chosen is None else [last.chosen]
    text = whole_text(last.text) + scene.vocabulary.decode([i for i in chosen if i != scene.vocabulary.eos_id])
    yield f"prompt: {scene.prompt}", None
    if own == "grammar":
        yield "(That's this lab's own prompt. With --prompt you ask for something that fits your pattern.)", None
    for name, answer in (("no mask", scene.free_text), ("mask", text)):
        good = None if isinstance(oracle, NoOracle) else oracle.is_match(answer)
        yield f"{name}: {answer!r}" + ("" if good is None else f", {'a match' if good else 'no match'}"), good
    if isinstance(oracle, NoOracle):
        yield oracle.why, None
    written = [_written(scene.vocabulary, frame) for frame in frames if frame.chosen is not None]
    if written:
        yield tokens_svg(written, len(scene.vocabulary))
    tokens = [scene.vocabulary.texts()[i] or "" for i in (*last.ids, *chosen) if i != scene.vocabulary.eos_id]
    yield from walked_svg(last.drawn[0] if last.drawn else None, tokens)


def _written(vocabulary: Vocabulary, frame: ScreenFrame) -> WrittenToken:
    """Return the token of a frame, with the model's favourite where that was struck."""
    assert frame.chosen is not None and frame.mask is not None
    favourite = int(frame.logits.argmax())
    struck = "" if frame.mask[favourite] else token_name(vocabulary, favourite)
    return WrittenToken(token_name(vocabulary, frame.chosen), struck, int(frame.mask.sum()))


def draw(title: str, lines: list[Line], ideas: list[Svg], file_of: FileOf | None) -> Svg:
    """Draw the lines, and below them the lab's idea; in a lab whose idea is less work, the work of a mask."""
    classes = {None: "mono", True: "mono good", False: "mono off"}
    rows = [(row, classes[good]) for text, good in lines for row in textwrap.wrap(text, 92, subsequent_indent="    ")]
    if not ideas and file_of is not None:
        ideas, notes = _work(file_of)
        rows += [("", ""), *((cut(note, 96), "muted") for note in notes)]
    return captioned(title, rows, *ideas)


def _work(file_of: FileOf) -> tuple[list[Svg], list[str]]:
    """Draw the work of one mask in each lab that counts it and whose mask is right; say what is counted."""
    series: dict[str, list[tuple[float, float]]] = {}
    notes = [
        f"Counted: the work of one mask of {GRAMMAR} after {PREFIX}, by your own functions.",
        "Labs 01 and 02 do it at every step, labs 03 and 07 once for each state.",
        "Of lab 07: steps of the automaton, not the array look-ups, one for each live byte of the trie.",
    ]
    for lab in (lab for lab in all_labs() if (lab.folder / "scene.py").is_file()):
        steps = import_module(f"labs.{lab.name}.scene").SCENE.steps
        if not steps.counts:
            continue
        try:
            file = file_of(lab)
            made = []
            for vocabulary in vocabularies():
                with file.asked("mask"), quiet():
                    made.append(work_of(steps(file.function, GRAMMAR, vocabulary)))
            series[f"{lab.label}: {steps.counts}"] = made
        except Stopped as stopped:
            notes.append(f"{lab.label} is left out: {stopped.why.partition(' (about')[0]}")
    if not series:
        return [], notes
    axes = {"x_label": "tokens in the vocabulary", "y_label": "counted"}
    return [line_chart(series, title="The work of a mask", **axes, log_x=True, log_y=True)], notes
