"""Who knows what is right in lab 07, where a text may end in the middle of a character."""

from course.student.show.referee import Referee
from course.student.show.scene import Scene
from course.student.show.texts import Written, raw_bytes
from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.dfa import DEAD
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa


class ByteReferee(Referee):
    """Knows the language byte by byte."""

    def _language(self, scene: Scene) -> None:
        self._reader: ByteDfa = byte_dfa(compile_dfa(scene.pattern))

    def objection(self, written: Written, token_id: int) -> str:
        """What is wrong with this token after this text; nothing where it is legal."""
        vocabulary = self._scene.vocabulary
        if token_id == vocabulary.eos_id:
            return "" if self.is_match(written) else f"EOS is not legal here: {written!r} is no match"
        if token_id in vocabulary.special_ids:
            return "this token is special: its bytes are a name, and never text"
        token = vocabulary.token_bytes[token_id]
        if not token:
            return "this token has no bytes, and is never legal"
        states = self._walk(self._walk([self._reader.initial], raw_bytes(written))[-1:], token)
        if states[0] == DEAD or states[-1] != DEAD:
            return ""
        arrows = zip(token, states[1:], strict=False)
        told = "".join(f" --{byte:02X}--> {'dead' if state == DEAD else state}" for byte, state in arrows)
        return f"the reference automaton is dead here: state {states[0]}{told}"

    def is_match(self, written: Written) -> bool:
        """Whether a text is a whole match; half a character ends none."""
        return self._reader.is_accepting(self._walk([self._reader.initial], raw_bytes(written))[-1])

    def _walk(self, states: list[int], token: bytes) -> list[int]:
        """The states from the last of some on, up to the first dead one."""
        for byte in token:
            if states[-1] != DEAD:
                states = [*states, self._reader.step(states[-1], byte)]
        return states
