"""Who knows what is right: the reference refuses patterns, and says where a chosen token leaves the language."""

import json

import regex

from course.catalog import Lab
from course.theatre.scene import Scene
from course.theatre.texts import Written, whole_text
from course.theatre.waiting import next_characters
from labkit.automata import Dfa, Fsm, decimal_fsm
from labkit.checking import tell_walk
from labkit.dfa import DEAD
from labkit.errors import BudgetTooSmall, PatternError
from labs.lab_01_naive_matching.solution import could_match
from labs.lab_02_atom_fsm.solution import advance, compile_pattern
from labs.lab_03_token_lifting.solution import states_to_vocab
from labs.lab_05_truncation.solution import tokens_to_accept
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_08_json_schema.solution import json_schema_to_regex

GIVEN = r"([0-9]+)?\.[0-9]+"
"""Lab 03 has the machine of this pattern by hand; lab 02's language cannot say it."""


def machine_of(lab: Lab, pattern: str) -> Fsm:
    """The reference's machine of a pattern.

    >>> from course.catalog import find_lab
    >>> len(machine_of(find_lab(3), GIVEN)), len(machine_of(find_lab(4), "0x"))
    (4, 3)
    """
    return decimal_fsm() if lab.number == 3 and pattern == GIVEN else compile_pattern(pattern)


def follow(machine: Fsm | Dfa, state: int, text: str) -> int | None:
    """The state behind a text, or None.

    >>> follow(compile_dfa("ab"), 0, "a"), follow(decimal_fsm(), 0, "1.x")
    (1, None)
    """
    if isinstance(machine, Fsm):
        return advance(machine, state, text)
    for char in text:
        state = machine.step(state, ord(char))
        if state == DEAD:
            return None
    return state


def accepts_in(machine: Fsm | Dfa, state: int) -> bool:
    """Whether a text may end in this state.

    >>> accepts_in(compile_dfa("a*"), 0), accepts_in(decimal_fsm(), 2)
    (True, False)
    """
    return state in machine.accepting if isinstance(machine, Fsm) else bool(machine.accepting[state])


class Referee:
    """Knows the language, whatever the student's file says.

    Raises:
        ValueError: on one line, if the pattern is refused, or in lab 05 if no match fits into the budget.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._texts = scene.vocabulary.texts()
        try:
            self._machine = self._language(scene)
        except PatternError as error:
            raise ValueError(str(error).splitlines()[0]) from error
        except json.JSONDecodeError as error:
            raise ValueError(f"{scene.pattern!a} is no JSON: {error}") from error
        except regex.error as error:
            raise ValueError(f"{scene.pattern!a} is no regular expression: {error}") from error
        if scene.lab.number == 5:
            self._check_budget(machine_of(scene.lab, scene.pattern))

    def _language(self, scene: Scene) -> Fsm | Dfa | None:
        """The machine that knows the language; None in lab 01, where the ``regex`` package does."""
        if scene.lab.number == 6:
            return compile_dfa(scene.pattern)
        if scene.lab.number == 8:
            return compile_dfa(json_schema_to_regex(json.loads(scene.pattern), whitespace="compact"))
        could_match(scene.pattern, "")
        return machine_of(scene.lab, scene.pattern) if scene.lab.number > 1 else None

    def _check_budget(self, fsm: Fsm) -> None:
        needed = float(tokens_to_accept(states_to_vocab(fsm, self._texts), fsm.accepting)[fsm.initial]) + 1
        if needed > self._scene.max_tokens:
            raise BudgetTooSmall(self._scene.max_tokens, needed)

    def objection(self, written: Written, token_id: int) -> str:
        """What is wrong with this token behind this text; nothing where it is legal."""
        before, text = whole_text(written), self._texts[token_id]
        if token_id == self._scene.vocabulary.eos_id and self._scene.lab.number > 3:
            return "" if self.is_match(before) else f"EOS is not legal here: {before!r} is no match"
        if not text:
            return "this token has no text, and is never legal"
        if self._machine is None:
            alive = could_match(self._scene.pattern, before + text)
            return "" if alive else f"nothing that begins with {before + text!r} is a match"
        state = follow(self._machine, self._machine.initial, before)
        if state is None or follow(self._machine, state, text) is not None:
            return ""
        return f"the reference machine is dead here: {tell_walk(self._machine, state, text)}"

    def dead_end(self, written: Written) -> str:
        """Why no token can follow this text: the language ends here, or only the vocabulary of the show does."""
        nothing, machine = f"nothing can follow {written!r}", self._machine
        if not isinstance(machine, Dfa):
            return nothing
        if not machine.accepting.any():
            return "no value satisfies the schema" if self._scene.lab.number == 8 else "no text is a match"
        state = follow(machine, machine.initial, whole_text(written))
        waited_for = "" if state is None else next_characters(machine, state)
        if not waited_for or not all(self.objection(written, token_id) for token_id in range(len(self._texts))):
            return nothing
        size = len(self._texts)
        return f"behind {written!r} comes {waited_for}, and none of the show's {size} tokens goes on like that"

    def is_match(self, written: Written) -> bool:
        """Whether a text is a whole match."""
        text = whole_text(written)
        if self._machine is None:
            return regex.fullmatch(self._scene.pattern, text) is not None
        state = follow(self._machine, self._machine.initial, text)
        return state is not None and accepts_in(self._machine, state)
