"""The commands that show what masks do, and what they cost."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from course.student.commands.doctor import Check, check_tier, install_command
from course.student.core.catalog import ROOT, all_labs, require_references
from course.student.core.rooms import console, require_writable
from course.student.core.starters import is_edited
from course.student.core.trace import faults_named
from course.student.setup import missing_packages
from labs.own_files import is_chosen, report_at_exit

app = typer.Typer()
command = partial(app.command, rich_help_panel="Demo and benches")


@command()
def demo(
    regex: Annotated[str | None, typer.Option(help="a pattern that the answer matches")] = None,
    schema: Annotated[str | None, typer.Option(metavar="FILE", help="a JSON Schema instead; - is stdin")] = None,
    prompt: Annotated[str | None, typer.Option(help="what the model is asked")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="of an answer, EOS included; 128")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="for the sampling; by default 0")] = None,
    temperature: Annotated[float | None, typer.Option(help="0 always takes the likeliest token; by default 1")] = None,
    picture: Annotated[Path | None, typer.Option(help="a file for both answers, as SVG")] = None,
    impl: Annotated[
        Literal["solution", "starter"] | None,
        typer.Option(help="starter: the mask of your own labs, as with LAB_CHAIN=mine"),
    ] = None,
    checkpoint: Annotated[Literal["final", "early", "agent"] | None, typer.Option(help="final, early or agent")] = None,
) -> int:
    """Run a real model with and without masks, or your own prompt: --prompt, with --regex or --schema for a mask."""
    if not regex is schema is prompt is None:
        require_references("the demo of your own prompt", (4, 6, 7, 8))
        if picture:
            require_writable(picture, ending=".svg")
        with using_own_files(impl):
            from course.showcase.demo.own import run_own

            return run_own(
                console(), regex, schema, prompt, max_tokens, seed, temperature, checkpoint or "final", picture
            )
    if impl == "starter":
        raise ValueError("--impl goes with --regex or --schema; each lab's own steps: python3 -m course show 01")
    settings = {
        "picture": picture,
        "max-tokens": max_tokens,
        "seed": seed,
        "temperature": temperature,
        "checkpoint": checkpoint,
    }
    if given := [name for name, value in settings.items() if value is not None]:
        raise ValueError(f"--{given[0]} goes with --prompt, --regex or --schema")
    from course.showcase.demo import run_demo

    return run_demo(console())


@command()
def explain(
    text: Annotated[str, typer.Argument(help="the text; - is stdin")],
    regex: Annotated[str | None, typer.Option(metavar="PATTERN", help="what the text has to match")] = None,
    schema: Annotated[str | None, typer.Option(metavar="FILE", help="a JSON Schema instead")] = None,
    grammar: Annotated[str | None, typer.Option(metavar="FILE", help="a grammar in GBNF instead")] = None,
    open_: Annotated[bool, typer.Option("--open", help="also allow members that the schema doesn't name")] = False,
    reading: Annotated[
        Literal["form", "validator"], typer.Option(help="of a schema; validator: all that it allows, in any order")
    ] = "form",
    token: Annotated[int | None, typer.Option(metavar="ID", help="a token of Tekken that comes after the text")] = None,
    prompt: Annotated[str | None, typer.Option(help="what the small model was asked: adds what it would write")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print the answer as JSON")] = False,
    tools: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="tools instead, as OpenAI's API takes them, or as function definitions"),
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="with tools, how lab 11 names the calls' format; JSON"),
    ] = None,
    engines: Annotated[bool, typer.Option("--engines", help="also ask other engines that are installed")] = False,
) -> int:
    """Say where a text leaves a pattern, schema or grammar, why, what could have come instead, and what is nearest.

    With --tools, the text is a call as JSON, or a list of calls: {"name": ..., "arguments": ...}. Then it also says
    which tool is meant, and which part of the file minds.

    Try: python3 -m course explain --regex "yes|no" "nope"
    """
    needed = [8] * bool(schema or tools) + [11] * bool(tools) + [12] * bool(grammar or tools) + [15] * engines
    require_references("explain", (4, 6, 7, *needed))
    with using_own_files(None):
        from course.showcase.explain.command import run_explain

        more = (tools, format_, engines)
        return run_explain(console(), text, regex, schema, grammar, open_, reading, token, prompt, as_json, *more)


@contextmanager
def using_own_files(impl: str | None) -> Iterator[None]:
    """Do as ``--impl`` says, or else ``LAB_CHAIN``; a fault in a student's file is a ValueError that names it.

    What is imported in the block, and every process that it starts, has the student's files in place of the references.
    """
    if impl:
        os.environ["LAB_CHAIN"] = "mine" if impl == "starter" else "reference"
    if not is_chosen():
        yield
        return
    if not any(is_edited(lab) for lab in all_labs()):
        raise ValueError("no starter.py is edited yet, so there is no mask of yours; LAB_CHAIN=reference takes ours")
    report_at_exit()
    with faults_named():
        yield


@command()
def bench(
    part: Annotated[
        str | None,
        typer.Argument(
            metavar="[PART]",
            help="a lab: 02, 03, 05, 07, or 09 to 15; without it, all of these. Or maskbench, or official",
        ),
    ] = None,
    checkout: Annotated[
        Path | None,
        typer.Argument(
            metavar="[CHECKOUT]",
            help="for maskbench, a clone of guidance-ai/jsonschemabench; for official, one of "
            "json-schema-org/JSON-Schema-Test-Suite",
        ),
    ] = None,
    json: Annotated[
        Path | None, typer.Option(help="the file for the data; out/bench.json, or out/maskbench.jsonl")
    ] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, help="for maskbench: how many of its schemas are drawn; 1000")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="for maskbench: the seed of the draw; 0")] = None,
    reading: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="how ours reads schemas: form, open, unordered or validator. Of maskbench open, and several are "
            "compared; of official validator",
        ),
    ] = None,
) -> int:
    """Measure the labs' methods, or the course's engine beside others (minutes).

    With maskbench: the engines on a few sources of the labs, and with a clone of MaskBench on real schemas. The same
    command continues a run that was stopped.
    With official and a clone of that suite: which of JSON Schema's own tests our engine gets right, by keyword.
    """
    require_references("the bench", (lab.number for lab in all_labs()))
    json = json or Path("out/maskbench.jsonl" if part == "maskbench" else "out/bench.json")
    if part == "official":
        if checkout is None or sample is not None or seed is not None or len(reading or ()) > 1:
            raise ValueError(
                "official needs a clone of json-schema-org/JSON-Schema-Test-Suite, and takes one --reading"
            )
        from course.showcase.bench.official import run_official

        return run_official(console(), checkout, *reading or ["validator"])
    require_writable(json)
    if part == "maskbench":
        from course.showcase.bench.maskbench import SAMPLE, SEED, run_maskbench

        run_maskbench(console(), checkout, json, sample or SAMPLE, SEED if seed is None else seed, reading or ["open"])
        return 0
    if checkout is not None or sample is not None or seed is not None or reading:
        raise ValueError("a checkout, --sample, --seed and --reading go with maskbench")
    from course.showcase.bench import run_bench

    run_bench(console(), json, lab=part)
    return 0


@command()
def audit(
    suite: Annotated[
        Path,
        typer.Argument(
            metavar="CHECKOUT|FILE",
            help="a clone of guidance-ai/jsonschemabench or of json-schema-org/JSON-Schema-Test-Suite, or a file of "
            "JSON lines with such tests, or with patterns",
        ),
    ],
    engine: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="one of those that are installed; repeat it for more")
    ] = None,
    sample: Annotated[int, typer.Option(min=1, help="how many schemas are drawn")] = 200,
    seed: Annotated[int, typer.Option(help="the seed of the draw")] = 0,
    out: Annotated[Path, typer.Option(help="the file for the findings")] = Path("out/audit.jsonl"),
) -> None:
    """Find what engines get wrong: texts that their masks allow or forbid against a schema, by an oracle (hours).

    Each finding is made small, ours among them. The same command continues a run that was stopped.
    """
    require_references("the audit", (lab.number for lab in all_labs()))
    require_writable(out)
    from course.showcase.audit.command import run_audit

    run_audit(console(), suite, out, engine or (), sample, seed)


@command()
def serve(
    host: Annotated[str, typer.Option(help="the address to listen on")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one")] = 8000,
    checkpoint: Annotated[
        Literal["final", "early", "agent"],
        typer.Option(help="final, early, or agent, which was trained to call tools and go on"),
    ] = "final",
    impl: Annotated[
        Literal["solution", "starter"] | None,
        typer.Option(help="starter: the masks of your own labs, as with LAB_CHAIN=mine"),
    ] = None,
    max_num_seqs: Annotated[int, typer.Option(min=1, max=256, help="how many requests run at a time")] = 32,
    budget: Annotated[bool, typer.Option(help="masks keep enough of max_tokens to finish")] = True,
    jump: Annotated[
        Literal["single", "longest", "whole"] | None, typer.Option(help="write forced text without the model (lab 10)")
    ] = None,
    draft: Annotated[
        int, typer.Option(min=0, help="write so many tokens ahead, for the model to check in one pass (lab 14)")
    ] = 0,
    grace: Annotated[float, typer.Option(min=0, help="seconds that running requests have after SIGTERM")] = 10.0,
    tool_call_format: Annotated[
        str, typer.Option(help="the format in which the model calls tools (lab 11)")
    ] = "hermes",
    tool_call_masks: Annotated[bool, typer.Option(help="masks keep calls to the request's tools and schemas")] = True,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(help="another name that clients may call this server by, without a port; repeat it for more"),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            help="a folder that keeps the prepared vocabulary, for a faster start; use only one that you trust"
        ),
    ] = None,
    warm: Annotated[
        Path | None,
        typer.Option(help="a folder of schemas (*.json), grammars (*.gbnf) and patterns (*.regex) to compile first"),
    ] = None,
    log: Annotated[bool, typer.Option(help="write a line to stderr for each request")] = True,
) -> int:
    """Serve the small model over HTTP to OpenAI clients, with the masks of the labs.

    It can think first, up to a limit that the request sets, and then call tools or answer in JSON. A single mask keeps
    the whole answer to the request's schemas.
    """
    if jump and tool_call_masks:
        raise ValueError("--jump needs --no-tool-call-masks: with masks, calls of tools are written token by token")
    if cache:
        require_writable(cache, folder=True)
    needed = (4, 6, 7, 8, 9, *[10] * bool(jump), *[14] * bool(draft))
    require_references("the server", () if impl == "starter" else needed)
    if absent := missing_packages(ROOT, "serve"):
        raise ValueError(f"{' and '.join(absent)} not installed: {install_command('serve')}")
    with using_own_files(impl):
        from course.showcase.serving import run_server

        options = (tool_call_format, tool_call_masks, cache, allowed_host or (), warm, log, draft)
        return run_server(console(), host, port, checkpoint, max_num_seqs, budget, jump, grace, *options)


Weights = Annotated[str, typer.Option(help="final, early, agent, or the path of an npz with such weights")]


def export_hf(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="a new folder, or an empty one")],
    checkpoint: Weights = "final",
    dtype: Annotated[str, typer.Option(help="float32, or float16: half the size, computed in float16 too")] = "float32",
) -> None:
    """Write the small model in the form of Hugging Face's transformers (bridges/README.md)."""
    from bridges.hf.convert import export

    require_writable(out, folder=True)
    for path in export(out, checkpoint, dtype):
        console().print(f"wrote {path} ({path.stat().st_size:,} bytes)", markup=False)


if (ROOT / "bridges").is_dir():  # a handout has none
    command("export-hf")(export_hf)


def findings() -> Iterator[Check]:
    """Yield the doctor's findings about other engines, the server, and the bridges."""
    yield check_tier("bench", "To compare with other engines")
    yield check_tier("serve", "To serve the small model")
    page = " (bridges/README.md)" if (ROOT / "bridges").is_dir() else ""
    yield check_tier("hf", f"To use a mask in transformers{page}")
