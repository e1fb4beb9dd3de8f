"""Oracles: what is right in a scene, whatever the file under test says."""

import regex

from labkit.automata import Dfa, Fsm
from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.dfa import DEAD
from labkit.checking import describe_walk
from labkit.scenes.automata import accepts_in, follow, next_characters
from labkit.scenes.texts import Written, raw_bytes, whole_text
from labkit.vocabulary import Vocabulary


def check_expression(pattern: str) -> None:
    """Refuse a pattern that the ``regex`` package cannot read.

    Raises:
        ValueError: on one line.
    """
    try:
        regex.compile(pattern)
    except regex.error as error:
        raise ValueError(f"{pattern!a} is no regular expression: {error}") from error


class Oracle:
    """What the kinds of oracles have in common, over characters. A kind says ``is_match`` and ``rejection``.

    Args:
        gates_eos: whether EOS is a token of the language; in labs before it is gated, no mask may allow it.
    """

    def __init__(self, vocabulary: Vocabulary, *, gates_eos: bool = True) -> None:
        self.vocabulary = vocabulary
        self._texts = vocabulary.texts()
        self._gates_eos = gates_eos

    def is_match(self, text: Written) -> bool:
        """Return whether a text is a whole match."""
        raise NotImplementedError

    def rejection(self, before: str, token: str) -> str:
        """Return why no match starts with ``before + token``; nothing where one does."""
        raise NotImplementedError

    def objection(self, text: Written, token_id: int) -> str:
        """Return what is wrong with this token after this text; nothing where it is legal."""
        if token_id == self.vocabulary.eos_id and self._gates_eos:
            return "" if self.is_match(text) else f"EOS is not legal here: {text!r} is no match"
        token = self._texts[token_id]
        return self.rejection(whole_text(text), token) if token else "this token has no text, and is never legal"

    def dead_end(self, text: Written) -> str:
        """Return why no token can follow this text."""
        return f"nothing can follow {text!r}"

    def at_eos(self, text: Written) -> str:
        """Return what the show says after EOS."""
        return f"EOS: {text!r} is a match"

    def at_limit(self, text: Written) -> str:
        """Return what a text is when all tokens are spent."""
        return "a match" if self.is_match(text) else "a prefix of a match, cut off"


class CharacterOracle(Oracle):
    """Judges by the reference's automaton over characters.

    Args:
        nothing_matches: what to say of an automaton that accepts nothing.
    """

    def __init__(
        self,
        automaton: Fsm | Dfa,
        vocabulary: Vocabulary,
        *,
        gates_eos: bool = True,
        nothing_matches: str = "no text is a match",
    ) -> None:
        super().__init__(vocabulary, gates_eos=gates_eos)
        self._automaton = automaton
        self._nothing_matches = nothing_matches

    def is_match(self, text: Written) -> bool:
        """Return whether the walk ends in an accepting state."""
        state = self._state_after(whole_text(text))
        return state is not None and accepts_in(self._automaton, state)

    def rejection(self, before: str, token: str) -> str:
        """Return the walk that dies."""
        state = self._state_after(before)
        if state is None or follow(self._automaton, state, token) is not None:
            return ""
        return f"the reference automaton is dead here: {describe_walk(self._automaton, state, token)}"

    def dead_end(self, text: Written) -> str:
        """Return whether the language ends here, or only the scene's vocabulary lacks the next character."""
        nothing, automaton = super().dead_end(text), self._automaton
        if not isinstance(automaton, Dfa):
            return nothing
        if not automaton.accepting.any():
            return self._nothing_matches
        state = self._state_after(whole_text(text))
        expected = "" if state is None else next_characters(automaton, state)
        if not expected or not all(self.objection(text, token_id) for token_id in range(len(self._texts))):
            return nothing
        return f"after {text!r} comes {expected}, and none of the scene's {len(self._texts)} tokens starts like that"

    def _state_after(self, text: str) -> int | None:
        return follow(self._automaton, self._automaton.initial, text)


class ByteOracle(Oracle):
    """Judges byte by byte, where a text may end in the middle of a character."""

    def __init__(self, automaton: ByteDfa, vocabulary: Vocabulary) -> None:
        super().__init__(vocabulary)
        self._automaton = automaton

    def is_match(self, text: Written) -> bool:
        """Return whether the walk ends in an accepting state; after half a character it does not."""
        return self._automaton.is_accepting(self._walk(self._automaton.initial, raw_bytes(text))[-1])

    def objection(self, text: Written, token_id: int) -> str:
        """Return what is wrong with this token after this text; nothing where it is legal."""
        token = self.vocabulary.token_bytes[token_id]
        if token_id == self.vocabulary.eos_id:
            return super().objection(text, token_id)
        if token_id in self.vocabulary.special_ids:
            return "this token is special: its bytes are a name, and never text"
        if not token:
            return "this token has no bytes, and is never legal"
        states = self._walk(self._walk(self._automaton.initial, raw_bytes(text))[-1], token)
        if states[0] == DEAD or states[-1] != DEAD:
            return ""
        steps = zip(token, states[1:], strict=False)
        walk = "".join(f" --{byte:02X}--> {'dead' if state == DEAD else state}" for byte, state in steps)
        return f"the reference automaton is dead here: state {states[0]}{walk}"

    def _walk(self, state: int, token: bytes) -> list[int]:
        """Return the states from this one on, up to the first dead one."""
        states = [state]
        for byte in token:
            if states[-1] != DEAD:
                states.append(self._automaton.step(states[-1], byte))
        return states


class NoOracle(Oracle):
    """Takes the place of the references where this copy of the course lacks them: it objects to nothing.

    Attributes:
        why: the reason, in words.
    """

    def __init__(self, vocabulary: Vocabulary, lab: str) -> None:
        super().__init__(vocabulary)
        self.why = f"not judged: this copy holds no reference for {lab}"

    def objection(self, text: Written, token_id: int) -> str:
        """Return nothing."""
        return ""

    def dead_end(self, text: Written) -> str:
        """Return what the mask says."""
        return f"nothing follows {text!r} (the steps are {self.why})"

    def at_eos(self, text: Written) -> str:
        """Return the text, not judged."""
        return f"EOS after {text!r} (the steps are {self.why})"

    def at_limit(self, text: Written) -> str:
        """Return that it was not judged."""
        return self.why
