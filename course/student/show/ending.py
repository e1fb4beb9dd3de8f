"""How ``show`` ends: the lab's idea at work on the real model, by the student's functions, and what a mask costs."""

import textwrap
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.text import Text

from course.student.core.catalog import Lab, all_labs
from course.student.core.submission import quiet
from course.student.show.frames import Show, Stopped, StudentFile
from course.student.show.renderer import WIDTH, cut
from labkit.pictures import Svg, line_chart
from labkit.scenes import NoOracle, Scene, whole_text
from labkit.scenes.endings import Line
from labkit.scenes.work import GRAMMAR, PREFIX, vocabularies, work_of
from labkit.vocabulary import Vocabulary

FileOf = Callable[[Lab], StudentFile]
"""Gives a lab's file under test; raises ``Stopped`` where there is none."""

SECONDS = 20.0
"""What an ending may take, the model's passes included."""

_STYLES = {None: "", True: "green", False: "red"}


def end_show(
    scene: Scene, lab: Lab, name: str, file_of: FileOf, console: Console, picture: Path | None, *, own: bool
) -> None:
    """Print what the lab's ending shows, or how the model answers a prompt or grammar of one's `own`; draw it too."""
    file, title = file_of(lab), f"{lab.label}, {name} on a real model"
    if scene.ending and not own:
        title += f": {scene.ending.idea}"
    lines = list[Line]()
    with console.status("asking the model"):
        try:
            with file.asked("your functions", SECONDS), quiet():
                if own or not scene.ending:
                    lines.extend(_own_answer(scene, file))
                else:
                    small, function = Vocabulary.small(), file.function
                    lines.extend(scene.ending.play(lambda grammar: scene.steps(function, grammar, small), function))
        except Stopped as stopped:
            if not own and stopped.hint:
                lines.append(("Not yet: your own functions will do this here, once they are written.", None))
            lines += [(text, None) for text in (stopped.why, stopped.hint) if text]
    console.print(f"\n[bold]{title}[/]\n")
    for line, good in lines:
        if console.options.ascii_only:
            line = line.encode("ascii", "backslashreplace").decode()
        for row in textwrap.wrap(line, WIDTH, subsequent_indent="    ", break_on_hyphens=False):
            console.print(Text(row, _STYLES[good]))
    if picture is None:
        return
    with console.status("counting the work of a mask"):
        drawn = draw(title, lines, file_of)
    picture.parent.mkdir(parents=True, exist_ok=True)
    drawn.save(picture)
    console.print(f"\nPicture: {picture}", markup=False)


def _own_answer(scene: Scene, file: StudentFile) -> Iterator[Line]:
    """Yield both answers to a prompt, or under a grammar, of one's own; the scene's oracle judges, if there is one."""
    *_, last = Show(scene, file).frames()
    if last.stop:
        raise last.stop
    oracle, chosen = scene.oracle(file.lab.label), [] if last.chosen is None else [last.chosen]
    text = whole_text(last.text) + scene.vocabulary.decode([i for i in chosen if i != scene.vocabulary.eos_id])
    yield f"prompt: {scene.prompt}", None
    for name, answer in (("no mask", scene.free_text), ("mask", text)):
        good = None if isinstance(oracle, NoOracle) else oracle.is_match(answer)
        yield f"{name}: {answer!r}" + ("" if good is None else f", {'a match' if good else 'no match'}"), good
    if isinstance(oracle, NoOracle):
        yield oracle.why, None


def draw(title: str, lines: list[Line], file_of: FileOf) -> Svg:
    """Draw the lines, and below them the work of one mask in each lab that counts it and whose mask is right."""
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
    classes = {None: "mono", True: "mono m2", False: "mono m1"}
    rows = [(row, classes[good]) for text, good in lines for row in textwrap.wrap(text, 92, subsequent_indent="    ")]
    rows = [(row.replace("  ", "\u00a0 "), class_) for row, class_ in rows]  # SVG shows one space of several
    above = [*rows, ("", ""), *((cut(note, 96), "muted") for note in notes)]
    axes = {"x_label": "tokens in the vocabulary", "y_label": "counted"}
    return line_chart(series, title=title, **axes, log_x=True, log_y=True, above=above)
