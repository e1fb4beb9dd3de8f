"""The engine that the labs add up to, behind the bench's interface."""

from course.showcase.bench.engines.engine import Buffer
from labkit.vocabulary import Vocabulary
from labs.assembled import Guide, index_of
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.solution import TokenFSM


class Ours:
    """The guides of ``labs.assembled`` on one vocabulary.

    They are put together here as ``guide_of`` does it, so that the automaton below can be asked for all its states.
    """

    name, version = "ours", "labs.assembled"

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary, self._index = vocabulary, index_of(vocabulary)

    def compile(self, regex: str) -> "_OurCompiled":
        """A guide, which computes rows when they are first asked for."""
        fsm = TokenFSM(compile_dfa(regex), self._index, tuned=True)
        return _OurCompiled(fsm, Guide(fsm, len(self._vocabulary), self._vocabulary.eos_id))


class _OurCompiled:
    def __init__(self, fsm: TokenFSM, guide: Guide) -> None:
        self._fsm, self._guide = fsm, guide

    def start(self, buffer: Buffer) -> "_OurWalk":
        return _OurWalk(self._guide, buffer)

    def complete(self) -> bool:
        for state in self._fsm.states().tolist():
            self._guide.mask(state)
        return True


class _OurWalk:
    def __init__(self, guide: Guide, buffer: Buffer) -> None:
        self._guide, self._state, self._words = guide, guide.initial, buffer.words

    def fill(self) -> None:
        self._guide.fill((self._state,), self._words)

    def advance(self, token_id: int) -> bool:
        self._state = self._guide.advance(self._state, token_id)
        return True
