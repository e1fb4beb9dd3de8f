"""How ``show`` ends on the real model: the answers without a mask and with the student's, and what each mask costs."""

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path

import numpy as np
import regex
from rich.console import Console

from course.student.core.catalog import Lab, all_labs
from course.student.core.submission import Loader
from course.student.show.frames import Show, Stopped, StudentFile
from course.student.show.renderer import cut
from labkit.pictures import Svg, line_chart
from labkit.scenes import Scene, whole_text
from labkit.scenes.before_after import Pair, Written, answer_both, form_of
from labkit.small_model.tasks.judging import judge
from labkit.vocabulary import Vocabulary

SIZES = (1_000, 4_000, 16_000, 64_000)
"""The vocabularies on which the work of a mask is counted."""

GRAMMAR, PREFIX = "0x[0-9a-f]+", "0x1f"
"""The pattern and the text of the mask whose work is counted; every counted lab can make it."""

LoaderOf = Callable[[Lab], Loader | None]
"""Gives the loader of a lab's file under test, or None where it has none."""


def end_show(scene: Scene, lab: Lab, file: Path, loader_of: LoaderOf, console: Console, picture: Path | None) -> None:
    """Print the two answers, and the answers and tokens that the mask saves; write them as a picture with the costs."""
    with console.status("answering without the mask and with it"):
        lines = list(_lines(scene, StudentFile(lab, _found(loader_of(lab)))))
    title = f"{lab.label}, {file.name}: a real model without a mask and with one"
    console.print(f"\n[bold]{title}[/]\n")
    for line, _ in lines:
        console.print(line, markup=False)
    if picture is None:
        console.print(f"\nAs a picture, with what a mask costs: python3 -m course show {lab.number:02} --picture FILE.svg")
        return
    with console.status("counting the work of a mask"):
        series, left_out = count_work(loader_of)
    picture.parent.mkdir(parents=True, exist_ok=True)
    draw(title, lines, series, left_out).save(picture)
    console.print(f"\nPicture: {picture}", markup=False)


def _found(loader: Loader | None) -> Loader:
    assert loader is not None
    return loader


def _lines(scene: Scene, file: StudentFile) -> Iterator[tuple[str, str]]:
    """Yield the lines of the ending, each with its class in the picture."""
    *_, last = Show(scene, file).frames()
    vocabulary, form = scene.vocabulary, form_of(scene)
    text = whole_text(last.text) + ("" if last.chosen is None else vocabulary.decode([last.chosen]))
    yield f"prompt    {scene.prompt}", "mono"
    for name, answer in (("no mask", scene.free_text), ("mask", text)):
        valid = judge(form, answer).valid
        verdict = "a match" if valid else "no match"
        yield f"{name:10}{cut(ascii(answer), 60):62}{verdict}", f"mono {'m2' if valid else 'm1'}"
    heard = io.StringIO()
    try:
        if last.stop:
            raise last.stop
        with redirect_stdout(heard), redirect_stderr(heard):
            pairs = answer_both(scene, lambda grammar: scene.steps(file.function, grammar, vocabulary), file.asked)
    except Stopped as stopped:
        yield "", ""
        yield stopped.why, ""
        return
    yield from _saved(pairs)


def _saved(pairs: list[Pair]) -> Iterator[tuple[str, str]]:
    def count(of: Callable[[Written], int]) -> tuple[int, int]:
        return sum(of(pair.free) for pair in pairs), sum(of(pair.masked) for pair in pairs)

    valid, wasted = count(lambda answer: answer.valid), count(lambda answer: 0 if answer.valid else answer.n_tokens)
    yield "", ""
    yield f"{len(pairs)} prompts like {pairs[0].prompt!r}, to the model early in its training:", ""
    yield f"valid answers: {valid[0]} without the mask, {valid[1]} with it; {valid[1] - valid[0]} saved", "bold"
    yield (
        f"tokens in answers that are not valid: {wasted[0]} without the mask, {wasted[1]} with it; "
        f"{wasted[0] - wasted[1]} saved"
    ), "bold"


def count_work(loader_of: LoaderOf) -> tuple[dict[str, list[tuple[float, float]]], list[str]]:
    """Count the work of one mask at growing sizes of the vocabulary, with each lab whose masks can be counted.

    Returns:
        The points (tokens, work) by lab; and why a lab is left out, one line each.
    """
    whole, rng = Vocabulary.tekken(), np.random.default_rng(0)
    ids = rng.choice(np.arange(1_000, len(whole)), max(SIZES), replace=False).tolist()
    vocabularies = [
        Vocabulary([*(whole.token_bytes[i] for i in ids[: size - 1]), b"</s>"], eos_id=size - 1) for size in SIZES
    ]
    series: dict[str, list[tuple[float, float]]] = {}
    left_out = []
    for lab in all_labs():
        scene = import_module(f"labs.{lab.name}.scene").SCENE if (lab.folder / "scene.py").is_file() else None
        if scene is None or not scene.steps.counts:
            continue
        try:
            points = [_work(scene, lab, loader_of(lab), vocabulary) for vocabulary in vocabularies]
        except Stopped as stopped:
            left_out.append(f"{lab.label} is left out: {stopped.why}")
        else:
            series[f"{lab.label}: {scene.steps.counts}"] = points
    return series, left_out


def _work(scene: Scene, lab: Lab, loader: Loader | None, vocabulary: Vocabulary) -> tuple[float, float]:
    """Return the size of the vocabulary, and the work; ``Stopped`` if the mask is not the one of ``regex``."""
    if loader is None:
        raise Stopped("there is no file of it")
    file, heard = StudentFile(lab, loader), io.StringIO()
    with file.asked("its mask"), redirect_stdout(heard), redirect_stderr(heard):
        mask, work = scene.steps(file.function, GRAMMAR, vocabulary).counted_mask(PREFIX)
    right = [bool(t) and regex.fullmatch(GRAMMAR, PREFIX + t, partial=True) is not None for t in vocabulary.texts()]
    right[vocabulary.eos_id] = bool(mask[vocabulary.eos_id])  # from lab 04 on EOS is a token like the others
    if mask.tolist() != right:
        raise Stopped(f"its mask is wrong on {len(vocabulary):,} tokens")
    if not work:
        raise Stopped("its mask looks nothing up that is counted")
    return len(vocabulary), work


def draw(
    title: str, lines: list[tuple[str, str]], series: Mapping[str, list[tuple[float, float]]], left_out: list[str]
) -> Svg:
    """Draw the lines of the ending, and below them the work of a mask."""
    about = f"The work of one mask of {GRAMMAR} after {PREFIX}, counted in the student's own labs. Look-ups in arrays"
    notes = [about, "are not counted. Labs 01 and 02 do it at every step, labs 03 and 07 once for each state."]
    above = [*lines, ("", ""), *((note, "muted") for note in [*notes, *left_out])]
    axes = {"x_label": "tokens in the vocabulary", "y_label": "counted"}
    return line_chart(series, title=title, **axes, log_x=True, log_y=True, above=above)
