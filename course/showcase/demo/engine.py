"""The demo's scene of labs 10 and 11: passes that jumps save, and a tool call without masks and with them."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from rich.text import Text

from course.showcase.demo import Stage
from course.showcase.demo.screen import fold
from labs.assembled import compile_guide
from labs.lab_10_jump_forward.given.measuring import Bench
from labs.lab_10_jump_forward.given.schemas import READING, SIX, as_written
from labs.lab_11_tool_calls.given.ab import among_words, compare, prompts

OBJECTS = (
    (f"JSON with {', '.join(SIX)}: Ada Berg, Rome, teal, Dutch, ada@post.org, Blue Room.", as_written(*SIX)),
    ("21 degrees outside. JSON only.", READING),
)
"""Prompts, and what their answers have to match."""

STYLE = "hermes"
"""The format of the calls."""

CALLS, FEWER = 48, 16
"""Prompts that ask for calls; and with ``--quick``."""

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
    """Show objects written without jumps and with them, then a call, and how many calls were valid."""
    console, n = stage.console, FEWER if stage.quick else CALLS
    console.print("[bold]Jumps[/] (lab 10): what a mask forces is written without a pass. Greedy.")
    for number, (prompt, text, passes) in enumerate(stage.work("writing objects", objects())):
        if number % 2 == 0:
            console.print()
            _show(stage, "prompt", prompt)
        _show(stage, "jumps" if number % 2 else "no jumps", text, "green")
        _show(stage, "", f"passes of the model: {passes}", "bold")
    modes = {"no masks": None, "masks": among_words}
    jobs = [partial(compare, "early", STYLE, n, masks, words=True) for masks in modes.values()]
    free, masked = stage.work(f"answering {n} prompts that want words and calls", jobs)
    console.print("\n[bold]Tool calls[/] (lab 11): words run free, calls are masked. Checkpoint early.\n")
    # The first whose answer breaks without masks and not with them.
    shown = next((place for place in range(n) if free[place].why > masked[place].why), 0)
    _show(stage, "prompt", prompts(STYLE, n, words=True)[shown].prompt)
    for name, outcomes in zip(modes, (free, masked), strict=True):
        why, counts = outcomes[shown].why, Counter(each.why or "valid" for each in outcomes)
        _show(stage, name, outcomes[shown].text, "red" if why else "green")
        among = ", ".join(f"{word} {count}" for word, count in counts.most_common())
        _show(stage, "", f"{why or 'valid'}; of {n} such answers: {among}", "bold")
    console.print()


def _show(stage: Stage, name: str, text: str, style: str = "") -> None:
    lines = [line for part in text.split("\n") for line in fold(part, _WIDTH, stage.console.encoding)]
    for place, line in enumerate(lines):
        stage.console.print(Text(f"  {'' if place else name:10}").append(line.plain, style))
