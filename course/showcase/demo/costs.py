"""The demo's scene of labs 01, 02 and 03: the cost of one mask with each lab's method."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from rich.console import Console

from course.showcase.demo.stage import Stage
from course.showcase.demo.text import can_print
from course.showcase.measuring import seconds
from labkit.automata import Fsm, decimal_fsm
from labkit.pictures import fsm_svg, fsm_text, line_chart, quantity, text_chart
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching import solution as naive
from labs.lab_02_atom_fsm import solution as walking
from labs.lab_03_token_lifting import solution as lifting

PREFIX = "3.14"
"""The text after which one mask is timed."""


@dataclass(frozen=True)
class Pattern:
    """A pattern of the demo, its automaton, and viable prefixes after which masks are compared."""

    source: str
    what: str
    fsm: Fsm
    prefixes: tuple[str, ...]

    def state_after(self, prefix: str) -> int:
        """Return the state reached after ``prefix``, which must be viable."""
        state = walking.advance(self.fsm, self.fsm.initial, prefix)
        assert state is not None
        return state


def patterns() -> list[Pattern]:
    """Return lab 01's pattern with the automaton that is given, and three of lab 02's language."""
    in_language = [
        (r"[0-9]+\.[0-9]+", "digits, a dot, digits", ("", "12", "3.1")),
        ("0x[0-9a-f]+", "a hexadecimal number", ("", "0x", "0x1f")),
        ("#" + 6 * "[0-9a-f]", "a colour", ("", "#f", "#ffffff")),
    ]
    given = Pattern(r"([0-9]+)?\.[0-9]+", "a decimal number", decimal_fsm(), ("", "3", "3.14"))
    return [given, *(Pattern(source, what, walking.compile_pattern(source), at) for source, what, at in in_language)]


@dataclass(frozen=True)
class Cost:
    """Seconds for one mask with each method, at one vocabulary size."""

    vocab_size: int
    naive: float
    automaton: float
    look_up: float


def costs(vocabulary: Vocabulary, pattern: Pattern, prefix: str) -> Iterator[Callable[[], Cost]]:
    """Yield jobs that time one mask after ``prefix``, at growing sizes of the vocabulary."""
    texts = vocabulary.texts()
    rng = np.random.default_rng(0)
    for size in (1_000, 16_000):
        if size < len(texts):
            yield partial(_cost, [texts[i] for i in rng.choice(len(texts), size, replace=False)], pattern, prefix)
    yield partial(_cost, texts, pattern, prefix)


def _cost(texts: Sequence[str | None], pattern: Pattern, prefix: str) -> Cost:
    state = pattern.state_after(prefix)
    viable = partial(naive.could_match, pattern.source)
    row = lifting.allowed_tokens(pattern.fsm, state, texts)
    return Cost(
        len(texts),
        naive=seconds(lambda: naive.build_mask(texts, prefix, viable)),
        automaton=seconds(lambda: walking.token_mask(pattern.fsm, state, texts)),
        look_up=seconds(lambda: lifting.row_mask(row, len(texts)), times=9),
    )


def play(stage: Stage) -> None:
    """Show what one mask costs, measured now, and an automaton; write a picture of each."""
    decimal, _, hexadecimal, _ = patterns()
    measured = stage.work("measuring", costs(stage.vocabulary, decimal, PREFIX))
    _chart(stage.console, measured, decimal)
    stage.console.print(f"[bold]The automaton[/] of {hexadecimal.source}:\n")
    stage.console.print(fsm_text(hexadecimal.fsm, unicode=can_print(stage.console, "→")), markup=False)
    stage.out.mkdir(parents=True, exist_ok=True)
    fsm_svg(hexadecimal.fsm, title=hexadecimal.source).save(stage.out / "automaton.svg")
    line_chart(
        _series(measured),
        title="One mask",
        x_label="tokens in the vocabulary",
        y_label="time",
        log_x=True,
        log_y=True,
        y_unit="s",
    ).save(stage.out / "cost.svg")


def _chart(console: Console, measured: Sequence[Cost], pattern: Pattern) -> None:
    console.print(f"[bold]One mask[/] after {PREFIX!r} of {pattern.source}, median of 3:\n")
    console.print(text_chart(_series(measured), width=72, unicode=can_print(console, "█")), markup=False)
    last = measured[-1]
    console.print(
        f"\nAt {last.vocab_size:,} tokens: naive (lab 01) {quantity(last.naive, 's')}, automaton (lab 02) "
        f"{quantity(last.automaton, 's')}, look-up (lab 03) {quantity(last.look_up, 's')}.\n"
        f"The automaton took [bold]{last.naive / last.automaton:.0f} times[/] less than the naive mask, "
        f"the look-up [bold]{last.automaton / last.look_up:.0f} times[/] less than the automaton.\n"
    )


def _series(measured: Sequence[Cost]) -> dict[str, list[tuple[float, float]]]:
    names = {"naive": "naive", "automaton": "automaton", "look-up": "look_up"}
    return {name: [(cost.vocab_size, getattr(cost, field)) for cost in measured] for name, field in names.items()}
