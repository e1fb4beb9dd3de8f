"""Who knows what is right: the reference refuses patterns, and says where a chosen token leaves the language."""

import json

import regex

from course.student.core.edition import without_reference
from course.student.show.automata import accepts_in, automaton_of, follow
from course.student.show.scene import Scene
from course.student.show.texts import Written, whole_text
from course.student.show.waiting import next_characters
from labkit.automata import Dfa, Fsm
from labkit.checking import describe_walk
from labkit.errors import BudgetTooSmall, PatternError


class Referee:
    """Knows the language, whatever the student's file says.

    Raises:
        ValueError: on one line, if the pattern is refused, or in lab 05 if no match fits into the budget.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._texts = scene.vocabulary.texts()
        try:
            self._automaton = self._language(scene)
        except PatternError as error:
            raise ValueError(str(error).splitlines()[0]) from error
        except json.JSONDecodeError as error:
            raise ValueError(f"{scene.pattern!a} is no JSON: {error}") from error
        except regex.error as error:
            raise ValueError(f"{scene.pattern!a} is no regular expression: {error}") from error
        if scene.lab.number == 5 and not without_reference([3, 5]):
            self._check_budget(automaton_of(scene.lab, scene.pattern))

    def _language(self, scene: Scene) -> Fsm | Dfa | None:
        """The automaton that knows the language; None in lab 01, where the ``regex`` package does."""
        if scene.lab.number in (6, 8):
            from labs.lab_06_regex_to_dfa.solution import compile_dfa

            return compile_dfa(_expression(scene))
        _could_match(scene.pattern, "")
        return automaton_of(scene.lab, scene.pattern) if scene.lab.number > 1 else None

    def _check_budget(self, fsm: Fsm) -> None:
        from labs.lab_03_token_lifting.solution import states_to_vocab
        from labs.lab_05_truncation.solution import tokens_to_accept

        needed = float(tokens_to_accept(states_to_vocab(fsm, self._texts), fsm.accepting)[fsm.initial]) + 1
        if needed > self._scene.max_tokens:
            raise BudgetTooSmall(self._scene.max_tokens, needed)

    def objection(self, written: Written, token_id: int) -> str:
        """What is wrong with this token after this text; nothing where it is legal."""
        before, text = whole_text(written), self._texts[token_id]
        if token_id == self._scene.vocabulary.eos_id and self._scene.lab.number > 3:
            return "" if self.is_match(before) else f"EOS is not legal here: {before!r} is no match"
        if not text:
            return "this token has no text, and is never legal"
        if self._automaton is None:
            alive = _could_match(self._scene.pattern, before + text)
            return "" if alive else f"nothing that begins with {before + text!r} is a match"
        state = follow(self._automaton, self._automaton.initial, before)
        if state is None or follow(self._automaton, state, text) is not None:
            return ""
        return f"the reference automaton is dead here: {describe_walk(self._automaton, state, text)}"

    def dead_end(self, written: Written) -> str:
        """Why no token can follow this text: the language ends here, or only the vocabulary of the show does."""
        nothing, automaton = f"nothing can follow {written!r}", self._automaton
        if not isinstance(automaton, Dfa):
            return nothing
        if not automaton.accepting.any():
            return "no value satisfies the schema" if self._scene.lab.number == 8 else "no text is a match"
        state = follow(automaton, automaton.initial, whole_text(written))
        waited_for = "" if state is None else next_characters(automaton, state)
        if not waited_for or not all(self.objection(written, token_id) for token_id in range(len(self._texts))):
            return nothing
        size = len(self._texts)
        return f"after {written!r} comes {waited_for}, and none of the show's {size} tokens goes on like that"

    def is_match(self, written: Written) -> bool:
        """Whether a text is a whole match."""
        text = whole_text(written)
        if self._automaton is None:
            return regex.fullmatch(self._scene.pattern, text) is not None
        state = follow(self._automaton, self._automaton.initial, text)
        return state is not None and accepts_in(self._automaton, state)

    def at_eos(self, written: Written) -> str:
        """What the show says after EOS."""
        return f"EOS: {written!r} is a match"

    def at_limit(self, written: Written) -> str:
        """What a text is whose tokens are spent."""
        return "a match" if self.is_match(written) else "the beginning of a match, cut off"


class NoReferee:
    """In a copy without the references that would know: nothing is objected to, and it says so."""

    def __init__(self, scene: Scene) -> None:
        self._unjudged = f"not judged: this copy holds no reference for {scene.lab.label}"

    def objection(self, written: Written, token_id: int) -> str:
        """None."""
        return ""

    def dead_end(self, written: Written) -> str:
        """What the mask says."""
        return f"nothing follows {written!r} ({self._unjudged})"

    def at_eos(self, written: Written) -> str:
        """The text."""
        return f"EOS after {written!r} ({self._unjudged})"

    def at_limit(self, written: Written) -> str:
        """Nobody knows."""
        return self._unjudged


def _could_match(pattern: str, text: str) -> bool:
    from labs.lab_01_naive_matching.solution import could_match

    return could_match(pattern, text)


def _expression(scene: Scene) -> str:
    """The pattern, which in lab 08 is that of a schema."""
    if scene.lab.number == 6:
        return scene.pattern
    from labs.lab_08_json_schema.solution import json_schema_to_regex

    return json_schema_to_regex(json.loads(scene.pattern), whitespace="compact")
