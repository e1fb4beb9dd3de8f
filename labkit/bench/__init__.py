"""What a lab's ``bench.py`` offers ``python3 -m course bench``: jobs that can be done by two methods."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from labkit.automata import Fsm
from labkit.scenes.automata import follow
from labkit.vocabulary import Vocabulary

Job = Callable[[], object]


@dataclass(frozen=True)
class Subject:
    """A pattern with its automaton, and a text after which one mask is timed.

    >>> from labkit.automata import decimal_fsm
    >>> Subject("([0-9]+)?[.][0-9]+", decimal_fsm(), "3.").state
    2
    """

    pattern: str
    fsm: Fsm
    text: str

    @property
    def state(self) -> int:
        """The state after the text."""
        return self.state_after(self.text)

    def state_after(self, text: str) -> int:
        """Return the state after a viable prefix.

        >>> from labkit.automata import decimal_fsm
        >>> Subject("([0-9]+)?[.][0-9]+", decimal_fsm(), "3.").state_after("3")
        1
        """
        state = follow(self.fsm, self.fsm.initial, text)
        assert state is not None, f"{text!r} is no viable prefix of {self.pattern!r}"
        return state


@dataclass(frozen=True)
class Setting:
    """The tokens and patterns of one round; the vocabulary is there if they are all of its tokens.

    >>> vocabulary = Vocabulary.toy()
    >>> len(Setting(vocabulary.texts(), [], vocabulary).texts) == len(vocabulary)
    True
    """

    texts: Sequence[str | None]
    subjects: Sequence[Subject]
    vocabulary: Vocabulary | None = None


@dataclass(frozen=True)
class Times:
    """Median seconds of a case: both methods, and what has to be done once before.

    >>> Times(slow=2.0, fast=0.5).prepare
    0.0
    """

    slow: float
    fast: float
    prepare: float = 0.0


@dataclass(frozen=True)
class Case:
    """A job, and the slower and the faster method to do it.

    >>> case = Case("a sum", "", ("a loop", "sum"), slow=lambda: 1 + 2 + 3, fast=lambda: sum((1, 2, 3)))
    >>> case.slow() == case.fast()
    True
    """

    job: str
    pattern: str
    methods: tuple[str, str]
    slow: Job
    fast: Job
    times: int = 3
    """How often both are timed, in turn."""
    prepare: Job | None = None
    """What the faster method has to do once, timed by itself. Cases that share this job share its time."""
    note: Callable[[Times], str] | None = None
    tokens: int | None = None
    """The size of its vocabulary, where that is not the setting's."""
