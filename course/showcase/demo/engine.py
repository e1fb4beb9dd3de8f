"""The demo's scene of labs 10 to 12: passes that jumps save, and tool calls and trees without masks and with them."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from rich.text import Text

from course.showcase.demo import Stage, trees
from course.showcase.demo.screen import fold
from labkit.small_model.tasks.forms import Example
from labkit.vocabulary import Vocabulary
from labs.assembled import compile_guide
from labs.lab_10_jump_forward.given.measuring import Bench
from labs.lab_10_jump_forward.given.schemas import READING, SIX, as_written
from labs.lab_11_tool_calls.ab import Outcome, among_words, compare, prompts

OBJECTS = (
    (f"JSON with {', '.join(SIX)}: Ada Berg, Rome, teal, Dutch, ada@post.org, Blue Room.", as_written(*SIX)),
    ("21 degrees outside. JSON only.", READING),
)
"""Prompts, and what their answers have to match."""

STYLE = "hermes"
"""The format of the calls."""

PROMPTS, FEWER = 48, 16
"""Prompts that ask for calls, and for trees; and with ``--quick``."""

_WIDTH = 66


def objects() -> Iterator[Callable[[], tuple[str, str, int]]]:
    """Yield jobs that write each object without jumps and with them, and count the model's passes."""
    bench = Bench(compile_guide)
    tokenizer = bench.tokenizer

    def write(prompt: str, pattern: str, policy: str | None) -> tuple[str, str, int]:
        engine = bench.engine(compile_guide(tokenizer.vocabulary, regex=pattern), policy)
        run = bench.answer(engine, tokenizer.prompt(prompt))
        return prompt, tokenizer.decode(run.ids), len(run.passes)

    for prompt, pattern in OBJECTS:
        for policy in (None, "whole"):
            yield partial(write, prompt, pattern, policy)


def play(stage: Stage) -> None:
    """Show objects written without jumps and with them, then a call and a tree, and how many were valid."""
    console, n = stage.console, FEWER if stage.quick else PROMPTS
    console.print("[bold]Jumps[/] (lab 10): what a mask forces is written without a pass. Greedy.")
    for number, (prompt, text, passes) in enumerate(stage.work("writing objects", objects())):
        if number % 2 == 0:
            console.print()
            _show(stage, "prompt", prompt)
        _show(stage, "jumps" if number % 2 else "no jumps", text, "green")
        _show(stage, "", f"passes of the model: {passes}", "bold")
    calls = [partial(compare, "early", STYLE, n, masks, words=True) for masks in (None, among_words)]
    answered = stage.work(f"answering {n} prompts that want words and calls", calls)
    console.print("\n[bold]Tool calls[/] (lab 11): words run free, calls are masked. Checkpoint early.\n")
    _both(stage, prompts(STYLE, n, words=True), *answered)
    guide = compile_guide(Vocabulary.small(), json_schema=trees.FOLDER)
    nested = [partial(trees.compare, "early", n, masks) for masks in (None, guide)]
    answered = stage.work(f"answering {n} prompts that want trees", nested)
    console.print("\n[bold]A recursive schema[/] (lab 12): what is open is closed. Checkpoint early.\n")
    _both(stage, trees.prompts(n), *answered)
    console.print()


def _both(stage: Stage, asked: Sequence[Example], free: Sequence[Outcome], masked: Sequence[Outcome]) -> None:
    # The first whose answer breaks without masks and not with them.
    shown = next((place for place in range(len(asked)) if free[place].why > masked[place].why), 0)
    _show(stage, "prompt", asked[shown].prompt)
    for name, outcomes in (("no masks", free), ("masks", masked)):
        why, counts = outcomes[shown].why, Counter(each.why or "valid" for each in outcomes)
        _show(stage, name, outcomes[shown].text, "red" if why else "green")
        among = ", ".join(f"{word} {count}" for word, count in counts.most_common())
        _show(stage, "", f"{why or 'valid'}; of {len(outcomes)} such answers: {among}", "bold")


def _show(stage: Stage, name: str, text: str, style: str = "") -> None:
    lines = [line for part in text.split("\n") for line in fold(part, _WIDTH, stage.console.encoding)]
    for place, line in enumerate(lines):
        stage.console.print(Text(f"  {'' if place else name:10}").append(line.plain, style))
