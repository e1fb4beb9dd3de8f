"""What ``python3 -m course show 07`` plays: the student's automaton over tokens, and its bitmasks."""

from collections.abc import Iterator
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.dfa import Dfa
from labkit.automata.transitions import Lifted
from labkit.checking import check_array
from labkit.scenes import BYTE_VOCABULARY, ByteOracle, CountedByteDfa, Mask, Oracle, Scene, Steps
from labkit.scenes.endings import Ending, Function, Line, MakeSteps, by_masks
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.given.tables import token_table


class Packed(Steps):
    """The student's byte automaton, trie, lifting and bitmasks. The rest is the references'."""

    @cached_property
    def dfa(self) -> Dfa:
        """The automaton over characters."""
        return self.typed("lab_06_regex_to_dfa.compile_dfa", Dfa, self.grammar)

    @cached_property
    def automaton(self) -> Any:
        """The student's automaton over tokens."""
        automaton = self.typed("byte_dfa", ByteDfa, self.dfa)
        index = self.call("TokenVocabularyIndex", self.vocabulary)
        fsm = self.call("compile_token_fsm", self.grammar, index)
        lift = partial(self.typed, "lift", Lifted)
        states, _ = token_table(lift, index.trie, automaton, np.arange(len(self.dfa)))
        lifted = lift(index.trie, automaton, states)
        live = lifted.groups[lifted.groups != 0].tolist()
        ways = f"and move the states in {len(set(live))} ways"
        self.remark = f"{len(live)} of {self.size} tokens are alive in some state, {ways}"
        return fsm

    def initial(self) -> int:
        """Return the automaton's initial state."""
        return int(self.automaton.initial_state)

    def describe(self, state: int) -> str:
        """Return its number, and whether a character is begun in it."""
        n_whole = len(self.dfa)
        if not self.automaton.is_whole(state):
            return f"{state}: {self.automaton.character_state(state)} of 0 to {n_whole - 1}, half a character"
        return f"{state} of 0 to {n_whole - 1}{', accepting' * self.automaton.is_terminal(state)}"

    def bitmask(self, state: int) -> NDArray[np.int32]:
        """Return the automaton's bitmask."""
        row = self.automaton.mask(state)
        check_array(row, np.int32, (-(-self.size // 32),), "the mask of TokenFSM")
        return np.asarray(row)

    def legal(self, state: int) -> Mask:
        """Return the same, a bit for each token.

        Raises:
            AssertionError: if a bit is set that is no token's.
        """
        return self._unpacked(self.bitmask(state))

    counts = "transitions"

    def counted_mask(self, text: str) -> tuple[Mask, int]:
        """Count the steps of the byte automaton that ``walk`` asks for."""
        made = self.typed("byte_dfa", ByteDfa, self.dfa)
        counted, state = CountedByteDfa(made.dfa, made.steps), made.initial
        for byte in text.encode():
            state = made.step(state, byte)
        trie = self.call("TokenVocabularyIndex", self.vocabulary).trie
        levels = self.call("walk", trie, counted, np.array([0]), np.array([state]))
        alive = np.zeros(self.size, bool)
        alive[np.concatenate([trie.tokens_at(nodes) for nodes, _ in levels])] = True
        n_words = -(-self.size // 32)
        row = self.array("pack_mask", np.int32, (n_words,), alive)
        given = (self.vocabulary.eos_id, row, made.is_accepting(state))
        return self._unpacked(self.array("mask_row", np.int32, (n_words,), *given)), counted.lookups

    def _unpacked(self, row: NDArray[np.int32]) -> Mask:
        bits = np.unpackbits(row.astype("<i4").view(np.uint8), bitorder="little").astype(np.bool_)
        beyond = np.flatnonzero(bits[self.size :])
        last = self.size - 1
        assert not len(beyond), f"the mask has bit {self.size + int(beyond[0])} set, and the last token is {last}"
        return bits[: self.size]

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits under the mask."""
        return self.array("lab_04_eos_gating.mask_logits", logits.dtype, logits.shape, logits, mask)

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Return the sampled token."""
        return self.token("lab_04_eos_gating.choose", masked, u)

    def step(self, state: int, token_id: int) -> int:
        """Return where the automaton goes with it."""
        return int(self.automaton.next_state(state, token_id))


def oracle(scene: Scene) -> Oracle:
    """Return the reference's automaton over bytes as a judge."""
    from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa

    return ByteOracle(byte_dfa(compile_dfa(scene.grammar)), scene.vocabulary)


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line]:
    """Answer with letters that take two tokens, and count what the mask leaves in the middle of one."""
    lines: list[Line] = []
    steps, answer = by_masks(PROMPT, PATTERN, make_steps, lines)
    yield from lines
    state, tokens = steps.initial(), []
    for place, token_id in enumerate(answer.ids):
        token = steps.vocabulary.token_bytes[token_id]
        tokens.append((state, token))
        state = steps.step(state, token_id)
        if steps.texts[token_id] is None and place + 1 < len(answer.ids):
            left = int(steps.legal(state).sum())
            after = steps.vocabulary.token_bytes[answer.ids[place + 1]]
            whole = f"{token!r} then {after!r}: {(token + after).decode()!r} in two tokens"
            yield f"{whole}; in between the mask left {left} of {steps.size:,}", None
            return


PROMPT = "A sentence about Zoë Müller, who lives in Malmö, please."
PATTERN = "[A-ZÀ-Þ][a-zß-ÿ]+ [A-ZÀ-Þ][a-zß-ÿ]+ lives in [A-ZÀ-Þ][a-zß-ÿ]+[.]"


SCENE = Scene(
    Packed,
    oracle,
    judged_by=("lab_06_regex_to_dfa", "lab_07_bytes_and_vocabularies"),
    grammar="[0-9]+ ?€",
    model_name="random",
    vocabulary=BYTE_VOCABULARY,
    on_model=(PATTERN, PROMPT),
    ending=Ending("bytes: a token may be half a letter", ending),
)
