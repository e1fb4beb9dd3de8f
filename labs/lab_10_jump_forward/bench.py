"""The cases of lab 10 in ``python3 -m course bench``: the same tokens by plain masking and with jumps.

``python3 -m labs.lab_10_jump_forward.bench`` measures every policy on every grammar, and writes ``given/points.json``,
from which the README's picture and the walkthrough's tables are made. It takes three minutes.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import cache, partial

from labkit.bench import Case, Setting
from labs.lab_10_jump_forward.given.schemas import ALL, AskedGrammar
from labs.lab_10_jump_forward.given.steps import expected_speedup
from labs.lab_10_jump_forward.measuring import POINTS, Bench
from labs.lab_10_jump_forward.solution import POLICIES
from mask_engine import compile_guide

TURNS = 9
"""How often each answer is timed."""


def cases(setting: Setting) -> Iterator[Callable[[], Case]]:
    """Yield a case for each grammar, jumps written by the model's own tokenizer; none for a part of a vocabulary."""
    if setting.vocabulary is None:
        return
    bench = cache(partial(Bench, compile_guide))
    for asked in ALL:
        yield partial(_answer, bench, asked)


def _answer(made: Callable[[], Bench], asked: AskedGrammar) -> Case:
    bench = made()
    vocabulary = bench.tokenizer.vocabulary
    guide = compile_guide(vocabulary, **asked.grammar)
    plain, jumping = bench.engine(guide, None), bench.engine(guide, "whole")
    prompt = bench.tokenizer.prompt(asked.prompts[0])
    run = bench.answer(jumping, prompt)
    saved = f"{len(run.passes)} passes for {len(run.ids)} tokens"
    return Case(
        "an answer by the small model, the same tokens",
        asked.name,
        ("one by one", "with jumps"),
        slow=lambda: bench.answer(plain, prompt, run.ids),
        fast=lambda: bench.answer(jumping, prompt, run.ids),
        times=TURNS,
        note=lambda times: saved,
        tokens=len(vocabulary),
    )


def main() -> None:
    """Measure everything, print a line for each, and write the file."""
    bench, found = Bench(compile_guide, TURNS), []
    for asked in ALL:
        for policy in POLICIES:
            saved = bench.saved(asked, policy)
            formula = expected_speedup(saved.forced, saved.cost_ratio)
            print(
                f"{saved.name:28} {policy:8} forced {saved.forced:4.0%}, {saved.passes} passes, plain "
                f"{saved.plain_passes}, {saved.ratio:.2f} times, formula {formula:.2f} (c {saved.cost_ratio:.2f}), "
                f"{saved.differ} of {saved.prompts} differ, logprob {saved.plain_logprob:.1f} -> {saved.logprob:.1f}"
            )
            found.append(asdict(saved))
    lines = ",\n".join(json.dumps(each) for each in found)
    POINTS.write_text(f"[\n{lines}\n]\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
