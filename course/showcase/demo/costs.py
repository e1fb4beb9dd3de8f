"""The demo's scene of labs 01, 02 and 03: the cost of one mask with each lab's method."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from course.showcase.demo import Stage
from course.showcase.demo.screen import can_print
from course.showcase.measuring import seconds, with_progress
from labkit.automata import decimal_fsm
from labkit.bench import Subject
from labkit.pictures import fsm_svg, fsm_text, line_chart, quantity, text_chart
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching import solution as naive
from labs.lab_02_atom_fsm import solution as walking
from labs.lab_03_token_lifting import solution as lifting

Cost = tuple[int, dict[str, float]]
"""The size of a vocabulary, and the seconds for one mask by method."""

DECIMAL = Subject(r"([0-9]+)?\.[0-9]+", decimal_fsm(), "3.14")
"""Lab 01's pattern, with the automaton that is given."""


def costs(vocabulary: Vocabulary, subject: Subject) -> Iterator[Callable[[], Cost]]:
    """Yield jobs that time one mask after the subject's text, at growing sizes of the vocabulary."""
    texts, rng = vocabulary.texts(), np.random.default_rng(0)
    for size in (1_000, 16_000):
        if size < len(texts):
            yield partial(_cost, [texts[i] for i in rng.choice(len(texts), size, replace=False)], subject)
    yield partial(_cost, texts, subject)


def _cost(texts: Sequence[str | None], subject: Subject) -> Cost:
    viable = partial(naive.could_match, subject.pattern)
    row = lifting.allowed_tokens(subject.fsm, subject.state, texts)
    return len(texts), {
        "naive": seconds(lambda: naive.build_mask(texts, subject.text, viable)),
        "automaton": seconds(lambda: walking.token_mask(subject.fsm, subject.state, texts)),
        "look-up": seconds(lambda: lifting.row_mask(row, len(texts)), times=9),
    }


def play(stage: Stage) -> None:
    """Show what one mask costs, measured now, and an automaton; write two pictures."""
    console, hexadecimal = stage.console, "0x[0-9a-f]+"
    automaton = walking.compile_pattern(hexadecimal)
    measured = with_progress(stage.progress, "measuring", costs(Vocabulary.tekken(), DECIMAL))
    size, last = measured[-1]
    series = {method: [(size, times[method]) for size, times in measured] for method in last}
    console.print(f"[bold]One mask[/] after {DECIMAL.text!r} of {DECIMAL.pattern}, median of 3:\n")
    console.print(text_chart(series, width=72, unicode=can_print(console, "█")), markup=False)
    console.print(
        f"\nAt {size:,} tokens: naive (lab 01) {quantity(last['naive'], 's')}, "
        f"automaton (lab 02) {quantity(last['automaton'], 's')},\nlook-up (lab 03) {quantity(last['look-up'], 's')}. "
        f"The automaton took [bold]{last['naive'] / last['automaton']:.0f} times[/] less than the naive mask,\n"
        f"the look-up [bold]{last['automaton'] / last['look-up']:.0f} times[/] less than the automaton.\n"
    )
    console.print(f"[bold]The automaton[/] of {hexadecimal}:\n")
    console.print(fsm_text(automaton, unicode=can_print(console, "→")), markup=False)
    stage.out.mkdir(parents=True, exist_ok=True)
    fsm_svg(automaton, title=hexadecimal).save(stage.out / "automaton.svg")
    line_chart(
        series, title="One mask", x_label="tokens in the vocabulary", y_label="time", y_unit="s", log_x=True, log_y=True
    ).save(stage.out / "cost.svg")
