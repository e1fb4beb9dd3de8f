"""Who knows what is right: the reference refuses patterns, and says where a chosen token leaves the language."""

import regex

from course.catalog import Lab
from course.theatre.scene import Scene
from labkit.automata import Fsm, decimal_fsm
from labkit.checking import tell_walk
from labkit.errors import BudgetTooSmall, PatternError
from labs.lab_01_naive_matching.solution import could_match
from labs.lab_02_atom_fsm.solution import advance, compile_pattern
from labs.lab_03_token_lifting.solution import states_to_vocab
from labs.lab_05_truncation.solution import tokens_to_accept

GIVEN = r"([0-9]+)?\.[0-9]+"
"""Lab 03 has the machine of this pattern by hand; lab 02's language cannot say it."""


def machine_of(lab: Lab, pattern: str) -> Fsm:
    """The reference's machine of a pattern.

    >>> from course.catalog import find_lab
    >>> len(machine_of(find_lab(3), GIVEN)), len(machine_of(find_lab(4), "0x"))
    (4, 3)
    """
    return decimal_fsm() if lab.number == 3 and pattern == GIVEN else compile_pattern(pattern)


class Referee:
    """Knows the language, whatever the student's file says.

    Raises:
        ValueError: on one line, if the pattern is refused, or in lab 05 if no match fits into the budget.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._texts = scene.vocabulary.texts()
        self._fsm: Fsm | None = None
        try:
            could_match(scene.pattern, "")
            if scene.lab.number > 1:
                self._fsm = machine_of(scene.lab, scene.pattern)
        except PatternError as error:
            raise ValueError(str(error).splitlines()[0]) from error
        except regex.error as error:
            raise ValueError(f"{scene.pattern!a} is no regular expression: {error}") from error
        if scene.lab.number == 5:
            self._check_budget(machine_of(scene.lab, scene.pattern))

    def _check_budget(self, fsm: Fsm) -> None:
        needed = float(tokens_to_accept(states_to_vocab(fsm, self._texts), fsm.accepting)[fsm.initial]) + 1
        if needed > self._scene.max_tokens:
            raise BudgetTooSmall(self._scene.max_tokens, needed)

    def objection(self, before: str, token_id: int) -> str:
        """What is wrong with this token behind this text; nothing where it is legal."""
        text = self._texts[token_id]
        if token_id == self._scene.vocabulary.eos_id and self._scene.lab.number > 3:
            return "" if self.is_match(before) else f"EOS is not legal here: {before!r} is no match"
        if not text:
            return "this token has no text, and is never legal"
        if self._fsm is None:
            alive = could_match(self._scene.pattern, before + text)
            return "" if alive else f"nothing that begins with {before + text!r} is a match"
        state = advance(self._fsm, self._fsm.initial, before)
        if state is None or advance(self._fsm, state, text) is not None:
            return ""
        return f"the reference machine is dead here: {tell_walk(self._fsm, state, text)}"

    def is_match(self, text: str) -> bool:
        """Whether a text is a whole match."""
        if self._fsm is None:
            return regex.fullmatch(self._scene.pattern, text) is not None
        return advance(self._fsm, self._fsm.initial, text) in self._fsm.accepting
