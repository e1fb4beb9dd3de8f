"""The commands for students."""

from itertools import dropwhile
from pathlib import Path
from typing import Annotated

import typer

from course.student.core.catalog import ROOT, find_lab
from course.student.core.rooms import AnyLab, LabName, console, require_writable

app = typer.Typer()

_ALSO = ["agent"] * (ROOT / "labs" / "agent").is_dir()  # a handout may have none


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def test(
    context: typer.Context,
    lab: Annotated[str, typer.Argument(metavar="[LAB[.TODO]]...", help="labs (02), or one TODO (02.3)")] = "",
    impl: Annotated[
        str, typer.Option(envvar="LAB_IMPL", help="what to grade: starter, solution, or a path")
    ] = "starter",
    as_graded: Annotated[
        bool, typer.Option("--as-graded", help="run them as your instructor's grader will, before you submit")
    ] = False,
) -> int:
    """Grade your own files in these labs, or test everything if you name no lab. Other options go to pytest."""
    from course.student.run import batch

    words = [lab, *context.args] if lab else context.args
    options = list(dropwhile(lambda word: not word.startswith("-"), words))
    labs = words[: len(words) - len(options)]
    if not labs and as_graded:
        raise ValueError("--as-graded needs a lab: python3 -m course test 02 --as-graded")
    if not labs:
        return batch.test_everything(options)
    options += ["--as-graded"] * as_graded
    only: list[str] = []
    if "." in Path(lab).name:
        from course.student.commands.own_files import find_todo  # a fifth of a second, which a whole lab can spare

        this, todo = find_todo(lab)
        if labs[1:]:
            raise ValueError(f"one TODO at a time: {lab} goes without {' '.join(labs[1:])}")
        paths, only = [this.path], [f"--todo={todo.number}"]
    else:
        paths = [find_lab(name).path for name in labs]
    graded = impl if impl in ("starter", "solution") else str(Path(impl).absolute())
    return batch.run_pytest(["-q", f"--impl={graded}", *paths, *only, *options])


@app.command()
def quiz(lab: LabName) -> int:
    """Answer a lab's questions before you write code."""
    from course.student.commands.quiz import quiz as ask

    return ask(find_lab(lab), console())


@app.command()
def watch(lab: Annotated[str, typer.Argument(metavar="LAB[.TODO]", help="a lab (02), or one TODO (02.3)")]) -> int:
    """Run a lab's tests on every save, with the first failure on the screen."""
    from course.student.commands.own_files import find_todo
    from course.student.commands.watch import watch as keep_watching

    return keep_watching(find_todo(lab)[0] if "." in lab else find_lab(lab), lab, console())


@app.command()
def show(
    lab: LabName,
    impl: Annotated[str, typer.Option(help="whose mask: starter, solution, or a path")] = "starter",
    pattern: Annotated[str | None, typer.Option(help="your own pattern (or schema) instead of the lab's")] = None,
    model: Annotated[str | None, typer.Option(help="adversary, digits, random, or small: a real transformer")] = None,
    prompt: Annotated[str | None, typer.Option(help="a prompt for the small model")] = None,
    seed: Annotated[int, typer.Option(min=0, help="for the model and for sampling")] = 0,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, max=1000, help="the most tokens, EOS included, instead of the lab's own")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(help="draw the lab's idea at work on the small model, in this SVG")
    ] = None,
    trace: Annotated[Path | None, typer.Option(help="write every step to this file as JSON, and print none")] = None,
    html: Annotated[
        Path | None, typer.Option(help="write a page to this file: in a browser, keys take you through the steps")
    ] = None,
) -> int:
    """Watch your own mask at work, step by step; `show agent` and `show vllm` take your masks out into the world.

    Try: python3 -m course show 04 --model small
    """
    from course.student.show import run_show

    for path in filter(None, (trace, html)):
        require_writable(path)
    if lab == "agent":
        if any(each is not None for each in (pattern, model, prompt, max_tokens, picture, trace)):
            raise ValueError("show agent takes --impl, --seed and --html alone")
        from course.student.show.agent import show_agent

        return show_agent(console(), impl, html, seed)
    if lab == "vllm":
        if any(each is not None for each in (model, picture, trace, html)) or seed:
            raise ValueError("show vllm takes --impl, --pattern, --prompt and --max-tokens alone")
        from course.student.show.vllm import show_vllm

        asked = {"--pattern": pattern, "--prompt": prompt, "--max-tokens": max_tokens}
        return show_vllm(impl, [f"{name}={value}" for name, value in asked.items() if value is not None])
    if picture:
        require_writable(picture, ending=".svg")
    return run_show(
        find_lab(lab, *_ALSO, *["vllm"] * (ROOT / "bridges").is_dir()),
        console(),
        impl,
        picture=picture,
        trace=trace,
        html=html,
        grammar=pattern,
        model_name=model,
        prompt=prompt,
        seed=seed,
        max_tokens=max_tokens,
    )


@app.command()
def status(
    picture: Annotated[Path | None, typer.Option(help="draw the map of ideas, with yours lit, in this SVG")] = None,
) -> int:
    """Show which labs your files pass, your milestones, and a map of the ideas that are yours by now."""
    from course.student.commands.own_files import show_status

    if picture:
        require_writable(picture, ending=".svg")
    return show_status(console(), picture)


@app.command()
def hint(
    todo: Annotated[str, typer.Argument(metavar="LAB.TODO", help="a TODO: 02.3")],
    number: Annotated[int | None, typer.Argument(metavar="[NUMBER]", help="only this hint: 1, 2 or 3")] = None,
) -> int:
    """Print the next hint for a TODO; also worth reading after success."""
    from course.student.commands.own_files import show_hint

    return show_hint(todo, console(), number)


@app.command("next")
def next_(lab: AnyLab = "") -> int:
    """Say what to do next, in all labs or in one."""
    from course.student.commands.own_files import show_next

    return show_next(console(), find_lab(lab) if lab else None)


@app.command()
def diff(
    lab: LabName, anyway: Annotated[bool, typer.Option("--anyway", help="show it before your file passes")] = False
) -> int:
    """Compare your file with the reference, once it passes."""
    from course.student.commands.own_files import show_diff

    return show_diff(find_lab(lab), console(), anyway=anyway)


@app.command()
def reset(lab: LabName) -> int:
    """Start a lab over with a fresh starter; your own file is kept as a backup."""
    from course.student.commands.own_files import reset as bring_back

    return bring_back(find_lab(lab), console())


@app.command()
def score(
    lab: AnyLab = "",
    impl: Annotated[str, typer.Option(help="whose file: starter, solution, or a path")] = "starter",
) -> int:
    """Count what your files do: right masks, look-ups, forced bytes, bytes moved; no clock is involved.

    `score agent` counts the tasks that an agent solves, with your masks and without.
    """
    if lab == "agent":
        from course.student.show.agent import score_agent

        return score_agent(console(), impl)
    from course.student.commands.score import show_scores

    return show_scores(console(), find_lab(lab, *_ALSO) if lab else None, impl)


@app.command()
def practice(lab: LabName) -> int:
    """Write a lab as a notebook to fill in, practice.ipynb, if you'd rather work in one; it never overwrites yours."""
    from course.student.commands.practice import write

    return write(find_lab(lab), console())


@app.command()
def properties(
    lab: LabName,
    file: Annotated[
        Path | None, typer.Option(help="run this file instead of the lab's properties.py, without a sandbox")
    ] = None,
) -> int:
    """Grade the tests that you wrote: do they pass on right code and catch the lab's wrong answers?"""
    from course.student.commands.properties import report

    return report(find_lab(lab), console(), file)


@app.command()
def doctor() -> int:
    """Say what your computer has, what it lacks, and how to get it."""
    from course.student.commands.doctor import doctor as examine

    return examine(console())
