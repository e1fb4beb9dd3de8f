"""The scenes of the demo: played where this copy has the references for it, else taken from a recording."""

from collections.abc import Callable, Sequence
from functools import cached_property

from rich.console import Console

from course.showcase.demo.recording import Recording
from course.showcase.demo.results import PREFIX, Cost, Count, Pair, Pattern, Results, Run, Written
from course.showcase.demo.screen import Audience, Nobody
from course.showcase.jobs import with_progress
from course.student.core.edition import without_reference
from labkit.automata.tries import Trie
from labkit.small_model.generation import Generator
from labkit.vocabulary import Vocabulary

NEEDS = {
    "pairs": (6, 7, 8),
    "counts": (6, 7, 8),
    "patterns": (2,),
    "runs": (1, 2, 3, 4),
    "agreed": (1, 2, 3),
    "objects": (4, 6, 7, 8),
    "costs": (1, 2, 3),
}
"""The labs whose references a scene needs; lab 05's column is left out where it is missing."""

BATCH_NEEDS = (6, 7, 14)
"""The same for the last scene, which is never recorded."""


class Stage:
    """Gives the results of each scene, and says which of them are recorded.

    ``problems`` lists the files of the small model that are missing or damaged: its scenes do with what is left.

    Args:
        n_prompts: how many the small model answers to be counted.

    Raises:
        ValueError: if a scene can be neither played nor replayed.
    """

    def __init__(
        self, console: Console, read: Callable[[], Vocabulary], recording: Recording | None, n_prompts: int
    ) -> None:
        self.problems: list[str] = []
        self._n_prompts = n_prompts
        self._console = console
        self._read = read
        self._recording = recording
        gone = {number for numbers in NEEDS.values() for number in without_reference(numbers)}
        if gone and recording is None:
            named = ", ".join(f"{number:02}" for number in sorted(gone))
            raise ValueError(f"this copy holds neither the references of labs {named} nor a recorded run of the demo")

    @property
    def vocab_size(self) -> int:
        """Of the vocabulary that is used, here or there."""
        return len(self._vocabulary) if self.plays("runs") else self._recorded.vocab_size

    @property
    def vocabulary(self) -> Vocabulary:
        """What the scenes of the labs share."""
        return self._vocabulary

    def plays(self, scene: str) -> bool:
        """Whether a scene runs here and now."""
        return not without_reference(NEEDS[scene])

    def announce(self) -> None:
        """If anything is recorded, say so before it is shown."""
        if not all(map(self.plays, NEEDS)) and self._recording:
            self._console.print(
                "[bold]This copy of the course lacks references. What is marked RECORDED was not computed here:[/]\n"
                f"it is from a run of {self._recording.where}.\n"
            )

    def pairs(self, audience: Audience) -> Sequence[Pair]:
        """The small model's answers, written while somebody watches."""
        if not self._played("pairs"):
            return [_replayed(pair, audience) for pair in self._recorded.pairs]
        from course.showcase.demo.answers import ask, questions

        ready = self._generators
        return [ask(question, ready[question.checkpoint], audience) for question in questions(ready)]

    def counts(self) -> Sequence[Count]:
        """How often its answers are valid and right: here and now, and as shipped."""
        if not self._played("counts"):
            return self._recorded.counts
        from course.showcase.demo.counts import Counting, shipped

        found = []
        if self._generators:
            counting = Counting(self._generators, self._n_prompts)
            what = f"answering up to {self._n_prompts} prompts in each of three ways"
            found.append(counting.counted(with_progress(self._console, what, counting.parts())))
        try:
            found.append(shipped())
        except ValueError as error:
            self.problems.append(str(error))
        return found

    def runs(self) -> Sequence[Run]:
        """The scripted models' texts."""
        if not self._played("runs"):
            return self._recorded.runs
        from course.showcase.demo.runs import all_runs

        return with_progress(self._console, "generating", all_runs(self._vocabulary, self._trie))

    def agreed(self) -> Sequence[bool]:
        """Whether three ways make the same masks."""
        if not self._played("agreed"):
            return self._recorded.agreed
        from course.showcase.demo.costs import all_agreements

        return with_progress(self._console, "comparing masks", all_agreements(self._vocabulary, self._trie))

    def objects(self) -> Sequence[Written]:
        """The scripted models' objects."""
        if not self._played("objects"):
            return self._recorded.written
        from course.showcase.demo.objects import all_objects

        return with_progress(self._console, "compiling a schema, and generating", all_objects(self._vocabulary))

    def costs(self) -> Sequence[Cost]:
        """What a mask costs."""
        if not self._played("costs"):
            return self._recorded.costs
        from course.showcase.demo.costs import all_costs

        return with_progress(self._console, "measuring", all_costs(self._vocabulary, self.patterns()[0], PREFIX))

    def patterns(self) -> Sequence[Pattern]:
        """The patterns with their machines."""
        if not self.plays("patterns"):
            return self._recorded.patterns
        from course.showcase.demo.patterns import patterns

        return patterns()

    def everything(self) -> Results:
        """All scenes, for a recording."""
        small = (self.pairs(Nobody()), self.counts())
        found = (self.runs(), self.agreed(), self.objects(), self.costs(), *small)
        return Results(self.vocab_size, tuple(self.patterns()), *map(tuple, found))  # type: ignore[arg-type]

    @cached_property
    def _generators(self) -> dict[str, Generator]:
        from course.showcase.demo.answers import generators

        found, problems = generators()
        self.problems += problems
        return found

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return self._read()

    @cached_property
    def _trie(self) -> Trie:
        from labs.lab_03_token_lifting.solution import build_trie

        texts = self._vocabulary.texts()
        return with_progress(self._console, "building the trie", [lambda: build_trie(texts)])[0]

    @property
    def _recorded(self) -> Results:
        assert self._recording is not None, "asked for when the stage was set"
        return self._recording.results

    def _played(self, scene: str) -> bool:
        if self.plays(scene):
            return True
        self._console.print("[bold yellow]RECORDED[/]")
        return False


def _replayed(pair: Pair, audience: Audience) -> Pair:
    return audience.watch(pair.checkpoint, pair.prompt, pair.asked, lambda tell: pair)
