"""The commands for students."""

from itertools import dropwhile
from pathlib import Path
from typing import Annotated

import typer

from course.student.core.catalog import find_lab
from course.student.core.rooms import LabName, console, require_writable

app = typer.Typer()


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def test(
    context: typer.Context,
    lab: Annotated[str, typer.Argument(metavar="[LAB[.TODO]]...", help="labs (02), or one TODO (02.3)")] = "",
    impl: Annotated[
        str, typer.Option(envvar="LAB_IMPL", help="what to grade: starter, solution, or a path")
    ] = "starter",
) -> int:
    """Grade your starters of these labs; without a lab, test the whole repository. Options go to pytest."""
    from course.student.run import batch

    words = [lab, *context.args] if lab else context.args
    options = list(dropwhile(lambda word: not word.startswith("-"), words))
    labs = words[: len(words) - len(options)]
    if not labs:
        return batch.test_everything(options)
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
def watch(lab: LabName) -> int:
    """Run a lab's tests on every save, with the first failure on the screen."""
    from course.student.commands.watch import watch as keep_watching

    return keep_watching(find_lab(lab), console())


@app.command()
def show(
    lab: LabName,
    impl: Annotated[str, typer.Option(help="whose mask: starter, solution, or a path")] = "starter",
    pattern: Annotated[str | None, typer.Option(help="another pattern (or schema) than the lab's own")] = None,
    model: Annotated[str | None, typer.Option(help="adversary, digits, random, or small: a real transformer")] = None,
    prompt: Annotated[str | None, typer.Option(help="what the small model is asked")] = None,
    seed: Annotated[int, typer.Option(min=0, help="for the model and the numbers that decide")] = 0,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, max=1000, help="the most tokens, EOS included, instead of the lab's own")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="print every step and exit; no keys")] = False,
    picture: Annotated[
        Path | None, typer.Option(help="an SVG of the ending on the small model, and of what a mask costs")
    ] = None,
    trace: Annotated[Path | None, typer.Option(help="a file for every step as JSON; nothing is played")] = None,
    html: Annotated[Path | None, typer.Option(help="a file for a page that replays the steps in a browser")] = None,
) -> int:
    """Watch your own mask at work, step by step."""
    from course.student.show import run_show

    if picture:
        require_writable(picture, ending=".svg")
    return run_show(
        find_lab(lab),
        console(),
        impl,
        plain=plain,
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
def status() -> int:
    """Show which labs pass with your own files, and which chains of labs do."""
    from course.student.commands.own_files import show_status

    return show_status(console())


@app.command()
def hint(
    todo: Annotated[str, typer.Argument(metavar="LAB.TODO", help="a TODO: 02.3")],
    number: Annotated[int | None, typer.Argument(metavar="[NUMBER]", help="this hint and no other")] = None,
    everything: Annotated[bool, typer.Option("--all", help="all three at once")] = False,
) -> int:
    """Print the next hint for a TODO; also worth reading after success."""
    from course.student.commands.own_files import show_hint

    return show_hint(todo, console(), number, everything=everything)


@app.command("next")
def next_(
    lab: Annotated[str, typer.Argument(metavar="[LAB]", help="a lab: 02; without one, the first that is open")] = "",
) -> int:
    """Say what to do next, in all labs or in one."""
    from course.student.commands.own_files import show_next

    return show_next(console(), find_lab(lab) if lab else None)


@app.command()
def diff(
    lab: LabName, anyway: Annotated[bool, typer.Option("--anyway", help="before your file passes")] = False
) -> int:
    """Compare your file with the reference, once it passes."""
    from course.student.commands.own_files import show_diff

    return show_diff(find_lab(lab), console(), anyway=anyway)


@app.command()
def reset(lab: LabName) -> int:
    """Bring a lab's pristine starter back; your file is kept."""
    from course.student.commands.own_files import reset as bring_back

    return bring_back(find_lab(lab), console())


@app.command()
def score(
    lab: Annotated[str, typer.Argument(metavar="[LAB]", help="a lab: 14; without one, every lab that counts")] = "",
    impl: Annotated[str, typer.Option(help="whose file: starter, solution, or a path")] = "starter",
) -> int:
    """Count what your files do, without a clock: masks that are right, look-ups, forced bytes, bytes moved."""
    from course.student.commands.score import show_scores

    return show_scores(console(), find_lab(lab) if lab else None, impl)


@app.command()
def practice(lab: LabName) -> int:
    """Write a lab as a notebook to fill in, practice.ipynb; one that is there stays as it is."""
    from course.student.commands.practice import write

    return write(find_lab(lab), console())


@app.command()
def properties(
    lab: LabName,
    file: Annotated[Path | None, typer.Option(help="this file in place of the lab's properties.py; trusted")] = None,
) -> int:
    """Grade the tests that you wrote: they must pass on the reference and kill the lab's wrong answers."""
    from course.student.commands.properties import report

    return report(find_lab(lab), console(), file)


@app.command()
def doctor() -> int:
    """Show what is installed on this machine, and what is missing."""
    from course.student.commands.doctor import doctor as examine

    return examine(console())
