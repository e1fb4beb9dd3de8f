"""The demo's first screen: one prompt, answered without a mask and with one, and how often each is valid."""

from course.showcase.demo import Stage
from course.showcase.demo.answers import picks, shipped, show
from course.showcase.demo.asking import ask
from course.showcase.small_model.outcomes import request_for


def play(stage: Stage) -> None:
    """Show the first free answer of the trained model that broke beside its masked twin, and the shipped counts."""
    console = stage.console
    console.print(
        "[bold]A real model[/], small enough for this repository: a Llama of 0.9 million\n"
        "weights, run by NumPy on this machine. One prompt, one seed, temperature 1:\n"
        "freely, and under the mask that labs 04 to 08 build, with a budget.\n"
    )
    for checkpoint, seed, outcome in picks(stage.models):
        if outcome.why:
            requests = [request_for(outcome.example, mode, seed) for mode in ("free", "budget")]
            ask(console, checkpoint, stage.models[checkpoint], outcome.example, requests)
            break
    try:
        where, shares = shipped()
        show(console, [(where, {key: share for key, share in shares.items() if key[0] == "final"})])
    except ValueError as error:
        stage.problems.append(str(error))
    for problem in stage.problems:
        console.print(f"error: {problem}", style="bold red", markup=False)
