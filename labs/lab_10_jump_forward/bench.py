"""Lab 10 in ``python3 -m course bench``: the same tokens by plain masking and with jumps, by the small model."""

from collections.abc import Sequence
from functools import cache, partial

from labkit.bench import BenchTable, Job
from labkit.vocabulary import Vocabulary
from labs.lab_10_jump_forward.given.schemas import ALL, AskedGrammar
from labs.lab_10_jump_forward.measuring import Bench
from mask_engine import compile_guide


def bench(vocabulary: Vocabulary) -> BenchTable:
    """Return a row for each grammar; the vocabulary is the model's own, whatever is asked for."""
    made = cache(partial(Bench, compile_guide))

    def answers(asked: AskedGrammar) -> Sequence[Job]:
        runner = made()
        guide = compile_guide(runner.tokenizer.vocabulary, **asked.grammar)
        plain, jumping = runner.engine(guide, None), runner.engine(guide, "whole")
        prompt = runner.tokenizer.prompt(asked.prompts[0])
        ids = runner.answer(jumping, prompt).ids
        return partial(runner.answer, plain, prompt, ids), partial(runner.answer, jumping, prompt, ids)

    rows = {asked.name: partial(answers, asked) for asked in ALL}
    return BenchTable("an answer by the small model, the same tokens", ("one by one", "with jumps"), rows)
