"""The commands of the course: ``python -m course …``. Each does its work elsewhere."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from course.student.core.catalog import all_labs, find_lab
from course.student.core.edition import edition as this_edition
from course.student.core.edition import require_references

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Mask the Logits: a lab course on constrained decoding.",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)

_TEACHING, _HOUSE, _ENGINEERS = "For instructors", "For the house", "For engineers"
"""Commands that a copy which was handed out does not have."""

_OWN = "Your own prompt (one of --regex, --schema, --prompt)"

LabName = Annotated[str, typer.Argument(metavar="LAB", help="a lab: 02")]


def console() -> Console:
    """Where the commands print; NO_COLOR and consoles without Unicode are respected."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    return Console(highlight=False, soft_wrap=True)


@app.command()
def demo(
    out: Annotated[str, typer.Option(help="the folder for the pictures")] = "out/demo",
    quick: Annotated[bool, typer.Option(help="a smaller vocabulary and fewer prompts, for a slow machine")] = False,
    regex: Annotated[str | None, typer.Option(rich_help_panel=_OWN, help="a pattern that the answer matches")] = None,
    schema: Annotated[
        str | None, typer.Option(metavar="FILE", rich_help_panel=_OWN, help="a JSON Schema instead; - is stdin")
    ] = None,
    prompt: Annotated[str | None, typer.Option(rich_help_panel=_OWN, help="what is asked of the model")] = None,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, rich_help_panel=_OWN, help="of an answer, EOS included; 128")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, rich_help_panel=_OWN, help="of the sampling; 0")] = None,
    temperature: Annotated[float | None, typer.Option(rich_help_panel=_OWN, help="0 takes the likeliest; 1")] = None,
    checkpoint: Annotated[str | None, typer.Option(rich_help_panel=_OWN, help="final or early")] = None,
) -> None:
    """The main job: a real model with and without masks, then masks over 131,072 tokens. Or your own prompt."""
    from course.showcase.demo.options import Options

    options = Options(regex, schema, prompt, max_tokens, seed, temperature, checkpoint)
    if options.present:
        require_references("the demo of your own prompt", (4, 6, 7, 8))
        from course.showcase.demo.own import run_own

        raise typer.Exit(run_own(console(), options))
    from course.showcase.demo import run_demo

    raise typer.Exit(run_demo(console(), out, quick=quick))


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def test(
    context: typer.Context,
    lab: Annotated[str, typer.Argument(metavar="[LAB[.TODO]]", help="a lab (02) or one TODO of it (02.3)")] = "",
    impl: Annotated[str, typer.Option(help="what to grade: starter, solution, or a path")] = "starter",
) -> None:
    """Grade your starter of one lab; without a lab, test the references and the house. More arguments go to pytest."""
    from course.student.commands.own_files import find_todo
    from course.student.run import testing

    if not lab or lab.startswith("-"):
        raise typer.Exit(testing.test_everything([*([lab] if lab else []), *context.args]))
    if "." in Path(lab).name:
        this, todo = find_todo(lab)
        raise typer.Exit(testing.test_lab(this, impl, [f"--todo={todo.number}", *context.args]))
    raise typer.Exit(testing.test_lab(find_lab(lab), impl, context.args))


@app.command()
def show(
    lab: LabName,
    impl: Annotated[str, typer.Option(help="whose mask: starter, solution, or a path")] = "starter",
    pattern: Annotated[str | None, typer.Option(help="another pattern than the lab's own; for lab 08 a schema")] = None,
    model: Annotated[str | None, typer.Option(help="adversary, digits or random")] = None,
    seed: Annotated[int, typer.Option(min=0, help="for the model and the numbers that decide")] = 0,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, max=1000, help="the most tokens, EOS included; 8, for lab 08 16")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="print every step and exit; no keys")] = False,
) -> None:
    """Watch your own mask at work, step by step (labs 01 to 08, and 14)."""
    from course.student.show import Choices, run_show

    choices = Choices(impl, pattern, model, seed, max_tokens)
    raise typer.Exit(run_show(find_lab(lab), console(), choices, plain=plain))


@app.command()
def status() -> None:
    """Which labs pass with your own files, and which chains of labs do."""
    from course.student.commands.status import show_status

    raise typer.Exit(show_status(console()))


@app.command()
def hint(
    todo: Annotated[str, typer.Argument(metavar="LAB.TODO", help="a TODO: 02.3")],
    everything: Annotated[bool, typer.Option("--all", help="all three at once")] = False,
) -> None:
    """The next hint for a TODO; also worth reading after success."""
    from course.student.commands.own_files import show_hint

    raise typer.Exit(show_hint(todo, console(), everything=everything))


@app.command("next")
def next_(
    lab: Annotated[str, typer.Argument(metavar="[LAB]", help="a lab: 02; without one, the first that is open")] = "",
) -> None:
    """What to do next, in all labs or in one."""
    from course.student.commands.own_files import show_next

    raise typer.Exit(show_next(console(), find_lab(lab) if lab else None))


@app.command()
def diff(
    lab: LabName, anyway: Annotated[bool, typer.Option("--anyway", help="before your file passes")] = False
) -> None:
    """Your file against the reference, once it passes."""
    from course.student.commands.own_files import show_diff

    raise typer.Exit(show_diff(find_lab(lab), console(), anyway=anyway))


@app.command()
def reset(lab: LabName) -> None:
    """Bring a lab's pristine starter back; your file is kept."""
    from course.student.commands.own_files import reset as bring_back

    raise typer.Exit(bring_back(find_lab(lab), console()))


@app.command()
def bench(
    part: Annotated[str, typer.Argument(metavar="[PART]", help="labs, engines, apply, model; else all")] = "",
    json: Annotated[Path, typer.Option(help="the file for the data")] = Path("out/bench.json"),
) -> None:
    """Within one run: the labs' ways, the course's engine beside today's, and the small model's speed (minutes)."""
    require_references("the bench", (lab.number for lab in all_labs()) if this_edition().handed_out else ())
    from course.showcase.bench import parts_of, run_bench

    raise typer.Exit(run_bench(console(), json, parts=parts_of(part)))


@app.command()
def properties(
    lab: LabName,
    file: Annotated[Path | None, typer.Option(help="this file in place of the lab's properties.py; trusted")] = None,
) -> None:
    """Grade the tests that you wrote: they must pass on the reference and kill the lab's wrong answers."""
    from course.student.commands.properties import report

    raise typer.Exit(report(find_lab(lab), console(), file))


@app.command("export-hf", rich_help_panel=_ENGINEERS)
def export_hf(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="a folder that is not there yet, or an empty one")],
    checkpoint: Annotated[str, typer.Option(help="final, early, or the path of an npz with such weights")] = "final",
    dtype: Annotated[str, typer.Option(help="float32, or float16: half the size, computed in float16 too")] = "float32",
) -> None:
    """The small model in the form of Hugging Face's transformers (bridges/README.md)."""
    from bridges.hf.convert import export

    for path in export(out, checkpoint, dtype):
        console().print(f"wrote {path} ({path.stat().st_size:,} bytes)", markup=False)


@app.command()
def doctor() -> None:
    """What is installed on this machine, and what is missing."""
    from course.student.commands.doctor import doctor as examine

    raise typer.Exit(examine(console()))


@app.command(rich_help_panel=_TEACHING)
def gradescope(
    lab: LabName,
    out: Annotated[Path | None, typer.Option(help="the zip; out/gradescope_lab_NN.zip")] = None,
) -> None:
    """Write an autograder for Gradescope: a zip with the course up to a lab, its references included."""
    from course.teaching.grading.gradescope.archive import write_archive

    this = find_lab(lab)
    raise typer.Exit(write_archive(console(), this, out or Path(f"out/gradescope_lab_{this.number:02}.zip")))


@app.command(rich_help_panel=_TEACHING)
def handout(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="a folder that is not there yet, or an empty one")],
    upto: Annotated[str, typer.Option(help="the last lab that is handed out: 05")],
    edition: Annotated[str, typer.Option(help="open: with the earlier labs' references; closed: with none")] = "open",
) -> None:
    """Write a copy of the course for a class: the labs up to one of them, without answers."""
    from course.teaching.handout import hand_out

    raise typer.Exit(hand_out(console(), upto, out, edition))


_GRADING, _LIMITS = "Where and how", "Limits"


@app.command(rich_help_panel=_TEACHING)
def grade(
    submissions: Annotated[
        Path | None, typer.Argument(metavar="SUBMISSIONS", help="a folder, or a zip of one: NAME/starter.py or NAME.py")
    ] = None,
    lab: Annotated[str, typer.Option(help="the lab that was handed in: 02")] = "",
    out: Annotated[Path | None, typer.Option(help="the folder for results; a run that broke off goes on there")] = None,
    sandbox: Annotated[str | None, typer.Option(metavar="NAME", help="this sandbox, not the strongest one")] = None,
    unsafe: Annotated[bool, typer.Option("--unsafe", help="no sandbox: for code that you trust")] = False,
    self_test: Annotated[bool, typer.Option("--self-test", help="hostile submissions in every sandbox here")] = False,
    properties: Annotated[
        bool, typer.Option("--properties", help="grade properties.py: what their tests kill")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="other examples in the property tests")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, rich_help_panel=_GRADING, help="at a time; all cores")] = None,
    shard: Annotated[str, typer.Option(rich_help_panel=_GRADING, help="a part of the class: 3/10")] = "",
    executor: Annotated[str, typer.Option(rich_help_panel=_GRADING, help="local or dask")] = "local",
    address: Annotated[str, typer.Option(rich_help_panel=_GRADING, help="of dask's scheduler: tcp://host:8786")] = "",
    seconds: Annotated[float, typer.Option(min=0.1, rich_help_panel=_LIMITS, help="of one test")] = 10.0,
    total_seconds: Annotated[
        float, typer.Option(min=1, rich_help_panel=_LIMITS, help="of one submission; then no test is begun")
    ] = 120.0,
    memory: Annotated[int, typer.Option(min=64, rich_help_panel=_LIMITS, help="MiB of one submission")] = 2048,
) -> None:
    """Grade a class of untrusted submissions: a table, pages, Gradescope's and JUnit's forms (solutions/README.md)."""
    if self_test:
        from course.teaching.attacks import self_test as try_sandboxes

        raise typer.Exit(try_sandboxes(console()))
    if submissions is None or not lab or out is None:
        raise ValueError("grade needs SUBMISSIONS, --lab and --out; or --self-test alone")
    from course.teaching.grading.command import Options, run_grade

    options = Options(sandbox, unsafe, jobs, shard, seed, seconds, total_seconds, memory, executor, address)
    if properties:
        from course.teaching.grading.properties.command import run_properties

        raise typer.Exit(run_properties(console(), submissions, lab, out, options))
    raise typer.Exit(run_grade(console(), submissions, lab, out, options))


@app.command(rich_help_panel=_TEACHING)
def rehearse(
    lab: Annotated[str, typer.Option(help="the lab that is handed in")] = "02",
    count: Annotated[int, typer.Option(min=10, help="how many submissions")] = 40,
    out: Annotated[Path, typer.Option(help="a new folder for the class and its results")] = Path("out/rehearsal"),
    sandbox: Annotated[str | None, typer.Option(metavar="NAME", help="this sandbox, not the strongest one")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="at a time; all cores")] = None,
    seed: Annotated[int, typer.Option(help="of the class")] = 0,
) -> None:
    """Grade a made-up class, then once more, killed at half and resumed, and compare the two (40: some minutes)."""
    from course.teaching.rehearsal import rehearse as try_grading

    words = [*(["--sandbox", sandbox] if sandbox else []), *(["--jobs", str(jobs)] if jobs else [])]
    raise typer.Exit(try_grading(console(), lab, count, out, words, seed))


@app.command(rich_help_panel=_HOUSE)
def check(
    whole: Annotated[
        bool, typer.Option("--whole", help="the pipe grades the whole bank, not one answer of each TODO")
    ] = False,
) -> None:
    """Everything that a change must pass: lint, types, generated files, the pipe, notebooks."""
    from course.upkeep.check import check as check_everything

    raise typer.Exit(check_everything(console(), whole=whole))


@app.command(rich_help_panel=_HOUSE)
def sync(check: Annotated[bool, typer.Option("--check", help="compare only")] = False) -> None:
    """Write the generated files: starters, README tables, fingerprints, practice notebooks."""
    from course.upkeep.sync import sync as bring_into_step

    raise typer.Exit(bring_into_step(console(), check=check))


@app.command(rich_help_panel=_HOUSE)
def train(
    out: Annotated[Path, typer.Option(help="the folder for tokens, weights and record")] = Path("out/small_model"),
    steps: Annotated[int, typer.Option(min=1, help="how many steps")] = 2600,
    early: Annotated[int, typer.Option(min=1, help="the step of the early checkpoint")] = 250,
    seed: Annotated[int, typer.Option(min=0, help="for the corpus and the first weights")] = 0,
) -> None:
    """Train the small model anew (half an hour; needs requirements/train.txt)."""
    from course.upkeep.training.run import run_training

    raise typer.Exit(run_training(console(), out, steps, early, seed))


@app.command(rich_help_panel=_HOUSE)
def measure(
    prompts: Annotated[int, typer.Option(min=1, help="how many prompts")] = 700,
    seed: Annotated[int, typer.Option(min=0, help="for the prompts and the sampling")] = 0,
    temperature: Annotated[float, typer.Option(min=0, help="divides the logits")] = 1.0,
    checkpoint: Annotated[str, typer.Option(help="early, final or both")] = "both",
    json: Annotated[Path, typer.Option(help="the file for the figures")] = Path("out/figures.json"),
) -> None:
    """What share of the small model's answers is valid, without and with masks (minutes)."""
    from course.showcase.small_model.measure import checkpoints_of, run_measurement

    raise typer.Exit(run_measurement(console(), checkpoints_of(checkpoint), prompts, seed, temperature, json))


@app.command(rich_help_panel=_HOUSE)
def notebooks() -> None:
    """Build the walkthrough notebooks, outputs and all."""
    from course.upkeep.pages.notebooks import build_all

    raise typer.Exit(build_all())


@app.command(rich_help_panel=_HOUSE)
def kills(
    lab: Annotated[str, typer.Argument(metavar="[LAB]", help="a lab: 02; without one, all of them (minutes)")] = "",
) -> None:
    """Grade the bank of wrong answers, and write which test catches which (solutions/kill_tables)."""
    from course.upkeep.bank.kill_table import write_tables

    raise typer.Exit(write_tables([find_lab(lab)] if lab else all_labs(), console()))


@app.command(rich_help_panel=_HOUSE)
def mutants(lab: LabName) -> None:
    """Change a lab's reference in hundreds of small ways, and see which changes no test notices (minutes)."""
    from course.upkeep.bank.mutants import report

    raise typer.Exit(report(find_lab(lab), console()))


def _leave_out_what_was_not_handed_out() -> None:
    if this_edition().handed_out:
        kept = [each for each in app.registered_commands if each.rich_help_panel not in (_TEACHING, _HOUSE, _ENGINEERS)]
        app.registered_commands[:] = kept


def main() -> int:
    """Run a command; a mistake of the person is one line, not a traceback."""
    _leave_out_what_was_not_handed_out()
    try:
        app()
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0
