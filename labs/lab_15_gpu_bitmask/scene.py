"""What ``python3 -m course show 15`` plays: the student's rows, kernel and walk, on the stand-in for a device."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.checking import check_array
from labkit.scenes import BYTE_VOCABULARY, ByteOracle, Mask, Oracle, Scene, Steps
from labkit.scenes.endings import COLOUR, MAX_TOKENS, Ending, Function, Line, MakeSteps, matches
from labkit.scenes.prompted import prompted
from labkit.vocabulary import Vocabulary
from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex
from labs.lab_15_gpu_bitmask.given.token_automata import Automaton, automaton_of

_BLOCK = 32
_PADDING = 5


class OnDevice(Steps):
    """A batch of one request. The automaton is given; what is not written yet has a substitute, and a remark."""

    @cached_property
    def automaton(self) -> Automaton:
        """Lab 07's automaton, as arrays."""
        return automaton_of([self.grammar], TokenVocabularyIndex(self.vocabulary))

    def initial(self) -> int:
        """Return the automaton's initial state, and try what is to run on the device."""
        start = int(self.automaton.initial[0])
        batch, row = np.zeros((1, self.size), np.float32), np.zeros((1, -(-self.size // 32)), np.int32)
        trials: dict[str, Callable[[], object]] = {
            "the automaton's rows, until fill is written": lambda: self._filled(start),
            "masked by apply, until the kernel is written": lambda: self._by_kernel(batch, row),
            "stepped by the host, until advance_kernel is written": lambda: self._walked(start, 0),
        }
        lacking = [remark for remark, trial in trials.items() if _is_lacking(trial)]
        rows = f"on the device: {len(self.automaton.masks) + 2} rows of masks, as many of steps"
        self.remark = "; ".join(lacking) or rows
        return start

    def describe(self, state: int) -> str:
        """Return its number."""
        last = len(self.automaton.accepting) - 1
        return f"{state} of 0 to {last}{', accepting' * bool(self.automaton.accepting[state])}"

    def bitmask(self, state: int) -> NDArray[np.int32]:
        """Return the row that ``fill`` writes; the automaton's, until it's written."""
        try:
            return self._filled(state)
        except NotImplementedError:
            return np.asarray(self.automaton.masks[state])

    def _filled(self, state: int) -> NDArray[np.int32]:
        """Return the row that ``fill`` writes, over what is left of the step before."""
        out = np.full((1, -(-self.size // 32)), 0x55555555, np.int32)
        rows = self.call("fill", [lambda at: self.automaton.masks[at]], [state], out, self.size)
        check_array(rows, np.int32, (1,), "what fill returns")
        return np.asarray(out[0])

    def legal(self, state: int) -> Mask:
        """Return the same as booleans, by ``unpack``."""
        return np.asarray(self.array("unpack", np.bool_, (1, self.size), self.bitmask(state)[None], self.size)[0])

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits with some padding, masked in place by the kernel.

        Raises:
            AssertionError: if a padded logit can still be sampled.
        """
        batch = np.zeros((1, self.size + _PADDING), np.float32)
        batch[0, : self.size] = logits
        self._apply(batch, np.packbits(mask, bitorder="little"))
        left = np.flatnonzero(batch[0, self.size :] != -np.inf)
        assert not len(left), f"column {self.size + int(left[0])} is padding, and can still be sampled"
        return batch[0, : self.size]

    def _apply(self, batch: NDArray[np.float32], packed: NDArray[np.uint8]) -> None:
        """Run the kernel; ``apply`` until there is one."""
        whole = np.zeros(-(-self.size // 32) * 4, np.uint8)
        whole[: len(packed)] = packed
        row = whole.view("<i4").astype(np.int32)[None]
        try:
            self._by_kernel(batch, row)
        except NotImplementedError:
            self.call("apply", batch, row, self.size)

    def _by_kernel(self, batch: NDArray[np.float32], row: NDArray[np.int32]) -> None:
        self.call("apply_on_device", batch, row, self.size, block=_BLOCK)

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Return the sampled token."""
        return self.token("lab_04_eos_gating.choose", masked, u)

    @cached_property
    def tables(self) -> Any:
        """What would lie on the device."""
        return self.call("tables_of", [self.grammar], self.vocabulary)

    def step(self, state: int, token_id: int) -> int | None:
        """Return where the walk on the device ends; the given automaton's, until there is one."""
        try:
            after = self._walked(state, token_id)
        except NotImplementedError:
            return self._by_hand(state, token_id)
        n_states = len(self.automaton.accepting)
        assert 0 <= after <= n_states + 1, f"advance_kernel gave the state {after}; there are {n_states} and two more"
        return after if after < n_states else None

    def _walked(self, state: int, token_id: int) -> int:
        states, tables = np.array([state], np.int32), self.tables
        sampled = np.array([token_id], np.int32)
        self.call("advance_on_device", states, sampled, tables.symbols, tables.offsets, tables.steps)
        return int(states[0])

    def _by_hand(self, state: int, token_id: int) -> int | None:
        for byte in self.vocabulary.token_bytes[token_id]:
            if state >= 0:
                state = int(self.automaton.steps[state, byte])
        return state if state >= 0 else None


def _is_lacking(trial: Callable[[], object]) -> bool:
    """Return whether something is not written yet. What is wrong otherwise is shown where it happens."""
    try:
        trial()
    except NotImplementedError:
        return True
    except Exception:
        return False
    return False


def oracle(scene: Scene) -> Oracle:
    """Return lab 07's automaton over bytes as a judge."""
    from labs.lab_06_regex_to_dfa.solution import compile_dfa
    from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa

    return ByteOracle(byte_dfa(compile_dfa(scene.grammar)), scene.vocabulary)


FORMATS = {
    "Please tell me the hex code of violet. Thanks!": COLOUR,
    "Please write 2 July 2032 as an ISO date. Thanks!": "[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "Please write 0049 30 1234567 in international form. Thanks!": "[+][0-9]{2} [0-9]{2} [0-9]{7}",
}


Batch = tuple[Callable[[NDArray[np.float32]], None], Callable[[NDArray[np.int32]], None], str]
"""What masks the logits of a batch, what advances its states by the sampled tokens, and a remark for the end."""


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line]:
    """Answer a batch: masks and states stay on the device; until that is written, the host sends packed rows."""
    vocabulary, steps_done = Vocabulary.small(), 0
    mask, advance, remark = _on_device(vocabulary, function) or _from_host(vocabulary, function)
    models, ids = [prompted(prompt) for prompt in FORMATS], [list[int]() for _ in FORMATS]
    while any(each[-1:] != [vocabulary.eos_id] for each in ids) and steps_done < MAX_TOKENS:
        logits = np.stack([model(each) for model, each in zip(models, ids, strict=True)])
        mask(logits)
        sampled = logits.argmax(axis=1).astype(np.int32)
        for each, token in zip(ids, sampled.tolist(), strict=True):
            each += [token] * (each[-1:] != [vocabulary.eos_id])
        advance(sampled)
        steps_done += 1
    for (prompt, pattern), each in zip(FORMATS.items(), ids, strict=True):
        text = vocabulary.decode([token for token in each if token != vocabulary.eos_id])
        valid = each[-1] == vocabulary.eos_id and matches(pattern)(text)
        yield prompt, None
        yield f"  {text!r}, {'a match' if valid else 'no match'}", valid
    yield f"{steps_done} steps; {remark}", None


def _on_device(vocabulary: Vocabulary, function: Function) -> Batch | None:
    """Return how the device masks and advances by itself, or None if a part of that is not written yet."""
    try:
        tables = function("tables_of")([*FORMATS.values()], vocabulary)
        states = tables.initial.astype(np.int32)

        def mask(logits: NDArray[np.float32]) -> None:
            function("apply_states_on_device")(logits, states, tables.masks, len(vocabulary))

        def advance(sampled: NDArray[np.int32]) -> None:
            function("advance_on_device")(states, sampled, tables.symbols, tables.offsets, tables.steps)

        mask(np.zeros((len(states), len(vocabulary)), np.float32))
        advance(np.full(len(states), vocabulary.eos_id, np.int32))
    except NotImplementedError:
        return None
    states[:] = tables.initial
    sent = function("bytes_per_step")(len(states), len(states), len(vocabulary))
    saved = f"bytes of masks a step: {sent['states on the device']}, packed {sent['words']:,}"
    return mask, advance, f"{len(tables.masks)} rows of masks on the device; {saved}"


def _from_host(vocabulary: Vocabulary, function: Function) -> Batch:
    """Return how the host fills packed rows, which the kernel applies, and steps by the given automaton."""
    automaton = automaton_of([*FORMATS.values()], TokenVocabularyIndex(vocabulary))
    states, out = automaton.initial.tolist(), np.zeros((len(FORMATS), -(-len(vocabulary) // 32)), np.int32)

    def mask(logits: NDArray[np.float32]) -> None:
        try:
            rows = function("fill")([lambda at: automaton.masks[at]] * len(states), states, out, len(vocabulary))
        except NotImplementedError:
            out[:], rows = automaton.masks[states], None
        try:
            function("apply_on_device")(logits, out, len(vocabulary), rows)
        except NotImplementedError:
            function("apply")(logits, out, len(vocabulary), rows)

    def advance(sampled: NDArray[np.int32]) -> None:
        for row, token in enumerate(sampled.tolist()):
            for byte in (vocabulary.token_bytes[token] or b"") if token != vocabulary.eos_id else b"":
                states[row] = int(automaton.steps[states[row], byte])

    return (
        mask,
        advance,
        f"the host sends {out.nbytes:,} bytes of masks at each step, until the states stay on the device",
    )


SCENE = Scene(
    OnDevice,
    oracle,
    judged_by=("lab_06_regex_to_dfa", "lab_07_bytes_and_vocabularies"),
    grammar="(é|x|[0-9])+ ?€",
    model_name="random",
    vocabulary=BYTE_VOCABULARY,
    ending=Ending("masks and states that stay on the device", ending),
)
