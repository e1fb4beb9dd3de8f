"""The words around the scenes of the small model. Apart from the others': what draws pictures takes long to import."""

from collections.abc import Sequence

from rich.console import Console

from course.showcase.demo.results import SEARCHED, Pair


def title(console: Console) -> None:
    """What this is."""
    console.print("[bold]Mask the Logits[/]\n")


def small_model(console: Console) -> None:
    """What the first scenes show."""
    console.print(
        "[bold]A real model[/], small enough for this repository: a Llama of 0.9 million\n"
        "weights, run by NumPy on this machine. It answers each prompt twice, with the\n"
        "same seed at temperature 1: freely, and under the mask that labs 04 to 08 build\n"
        "up, with a budget. Looked for and shown: a free answer that is right, and the\n"
        "first that are not valid, each for another reason. The checkpoint 'early' is\n"
        "the same model, early in its training.\n"
    )


def unbroken(console: Console, pairs: Sequence[Pair]) -> None:
    """Say so, if a checkpoint broke nothing, for one might think that it was not tried."""
    for checkpoint in dict.fromkeys(pair.checkpoint for pair in pairs):
        if not any(pair.free.why for pair in pairs if pair.checkpoint == checkpoint):
            console.print(f"Of {SEARCHED} free answers of checkpoint {checkpoint} all are valid.\n")


def problems(console: Console, found: Sequence[str]) -> None:
    """Files that are missing or damaged, and what follows from that."""
    for problem in found:
        console.print(f"error: {problem}", style="bold red", markup=False)
    if found:
        console.print("What needs these files was left out.\n")
