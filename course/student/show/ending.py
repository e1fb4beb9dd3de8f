"""How ``show`` ends on the real model: the answers without a mask and with the student's, and what each mask costs."""

import io
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path

from rich.console import Console

from course.student.core.catalog import Lab, all_labs
from course.student.show.frames import Show, Stopped, StudentFile
from course.student.show.renderer import cut
from labkit.pictures import Svg, line_chart
from labkit.scenes import Scene, whole_text
from labkit.scenes.before_after import answer_both, form_of, saved
from labkit.scenes.work import GRAMMAR, PREFIX, vocabularies, work_of
from labkit.small_model.tasks.judging import judge

FileOf = Callable[[Lab], StudentFile]
"""Gives a lab's file under test; raises ``Stopped`` where there is none."""

Line = tuple[str, str]
"""A line of text, and its class in the picture."""


def end_show(scene: Scene, lab: Lab, name: str, file_of: FileOf, console: Console, picture: Path | None) -> None:
    """Print the two answers, and the answers and tokens that the mask saves; write them as a picture with the costs."""
    file, title = file_of(lab), f"{lab.label}, {name} on a real model"
    with console.status("answering without the mask and with it"):
        lines = list(_answers(scene, file))
    console.print(f"\n[bold]{title}[/]\n")
    for line, _ in lines:
        console.print(line, markup=False)
    if picture is None:
        console.print(
            f"\nTo keep it, with what a mask costs: python3 -m course show {lab.number:02} --picture FILE.svg"
        )
        return
    with console.status("counting the work of a mask"):
        drawn = draw(title, lines, file_of)
    picture.parent.mkdir(parents=True, exist_ok=True)
    drawn.save(picture)
    console.print(f"\nPicture: {picture}", markup=False)


def _answers(scene: Scene, file: StudentFile) -> Iterator[Line]:
    *_, last = Show(scene, file).frames()
    text = whole_text(last.text) + ("" if last.chosen is None else scene.vocabulary.decode([last.chosen]))
    yield f"prompt: {cut(scene.prompt, 80)}", "mono"
    if scene.kind not in ("pattern", "schema"):  # the course's prompts ask for one of these
        return
    for name, answer in (("no mask", scene.free_text), ("mask", text)):
        valid = judge(form_of(scene), answer).valid
        yield f"{name}: {cut(ascii(answer), 72)}, {'a match' if valid else 'no match'}", f"mono m{2 if valid else 1}"
    yield "", ""
    heard = io.StringIO()
    try:
        if last.stop:
            raise last.stop
        with redirect_stdout(heard), redirect_stderr(heard):
            pairs = answer_both(
                scene, lambda grammar: scene.steps(file.function, grammar, scene.vocabulary), file.asked
            )
    except Stopped as stopped:
        yield stopped.why, ""
        return
    yield from zip(saved(pairs), ("", "mono", "bold", "bold"), strict=True)


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
        heard = io.StringIO()
        try:
            file = file_of(lab)
            made = []
            for vocabulary in vocabularies():
                with file.asked("mask"), redirect_stdout(heard), redirect_stderr(heard):
                    made.append(work_of(steps(file.function, GRAMMAR, vocabulary)))
            series[f"{lab.label}: {steps.counts}"] = made
        except Stopped as stopped:
            notes.append(f"{lab.label} is left out: {stopped.why.partition(' (about')[0]}")
    above = [(cut(text, 96), class_) for text, class_ in [*lines, ("", ""), *((note, "muted") for note in notes)]]
    axes = {"x_label": "tokens in the vocabulary", "y_label": "counted"}
    return line_chart(series, title=title, **axes, log_x=True, log_y=True, above=above)
