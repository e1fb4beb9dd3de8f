# Your file for lab 10. Replace each `raise NotImplementedError` with code of your own, in any order.
# How far you are:  python3 -m course test 10
# On every save:    python3 -m course watch 10
# Stuck on TODO 1:  python3 -m course hint 10.1
# The README beside this file explains the idea.

"""Lab 10: jump-forward. You write what a grammar forces, without asking the model.

Between `{"` and the first value of a record the model has no choice, and yet a mask lets it spell `name` in as many
tokens as it likes, with a pass for each. Here you find the forced text in bytes, write it in tokens by one of three
policies, and let the model read all of it in the pass that chooses its next token.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.engine import Request, SamplingParams, ScriptedModel
from labkit.engine.sampler import logprob_of
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.solution import (
    StructuredOutputManager,
    StructuredOutputState,
    is_finished,
    sample_token,
    tokens_of,
)
from labs.lab_10_jump_forward.given.guides import ByteGuide, ByteGuideOfFunctions, Guide, GuideOfFunctions
from labs.lab_10_jump_forward.given.one_head import OneHead
from labs.lab_10_jump_forward.given.steps import before_stop, ragged_batch, share_step
from labs.lab_10_jump_forward.given.streams import Stream
from labs.lab_10_jump_forward.given.tokens import TokenBytes

POLICIES = ("single", "longest", "whole")
"""How a jump is written: tokens that are forced themselves; the longest that fit; as the model's tokenizer would."""

DOUBLES = (GuideOfFunctions, ByteGuideOfFunctions, ScriptedModel, SamplingParams, Vocabulary)
"""Given, for the tests: guides made of functions, a model that is a function, and what they are made of."""

# What is forced -----------------------------------------------------------------------------------------


def forced_byte(guide: ByteGuide, state: Any) -> int | None:
    """Return the one byte that may come next, or None if there's a choice or a dead end.

    If the text may end here, that's a choice, too: after the ``a`` of ``a1?``, the model may write EOS instead of a 1.

    >>> from mask_engine import compile_guide
    >>> guide = compile_guide(Vocabulary.toy(), regex="a1?")
    >>> forced_byte(guide, guide.initial), forced_byte(guide, guide.after_byte(guide.initial, 97))  # 97 is the a
    (97, None)
    """
    raise NotImplementedError("lab 10, TODO 1 (about 4 lines): the one byte that may come, or None")


def forced_run(guide: ByteGuide, state: Any, limit: int) -> bytes:
    """Return the bytes that are forced from a state on, up to the first choice, cut to whole characters.

    The cut matters because é is C3 A9 and è is C3 A8. If both may come, C3 is forced, but if you wrote it now, the
    model would have to write the letter in two halves, and not as the one token that it knows well.

    Args:
        limit: the most bytes to return. Look at most one byte further, because a run may have no end.

    Returns:
        Bytes after which the whole text consists of whole characters (``guide.is_whole``). The run may start in the
        middle of one. It's empty if there is a choice at once.

    >>> from mask_engine import compile_guide
    >>> guide = compile_guide(Vocabulary.toy(), regex="été[a1]")
    >>> forced_run(guide, guide.initial, 100).decode(), forced_run(guide, guide.initial, 4).decode()
    ('été', 'ét')
    """
    raise NotImplementedError("lab 10, TODO 2 (about 10 lines): bytes up to a choice, whole characters only")


# Three policies -----------------------------------------------------------------------------------------


def single_tokens(guide: ByteGuide, state: Any, remaining: int) -> list[int]:
    """Return the tokens that are forced one by one: each time, the mask has exactly one bit, and it isn't EOS's. Given.

    EOS has a bit in the mask wherever ``guide.is_accepting(state)``, as in lab 09.

    Args:
        remaining: how many tokens may still be written, EOS included. Each mask is made for what's left of this budget,
            because a tight budget may leave a single bit, too. With 0 left, nothing is forced.

    >>> from mask_engine import compile_guide
    >>> maybe = Vocabulary([b"ma", b"y", b"be", b"</s>"], eos_id=3)
    >>> guide = compile_guide(maybe, regex="maybe")
    >>> single_tokens(guide, guide.initial, 9), single_tokens(guide, guide.initial, 2)
    ([0, 1, 2], [])
    """
    forced: list[int] = []
    # subtle: where the guide accepts, the one token is EOS
    while len(forced) < remaining and not guide.is_accepting(state):
        bitmask = guide.mask(state, remaining - len(forced))
        # subtle: bitwise_count counts the bits of the absolute value, so count in unsigned words
        if np.bitwise_count(bitmask.view(np.uint32)).sum() != 1:
            break
        forced += tokens_of(bitmask)
        state = guide.advance(state, forced[-1])
    return forced


def longest_tokens(run: bytes, tokens: TokenBytes) -> list[int]:
    """Write a run in tokens: the longest token that fits, then the longest that fits the rest, and so on. Given.

    No token may reach past the end of the run, because from there on the text is the model's to choose.

    Args:
        tokens: ``tokens.ids`` maps the bytes of a token to its id; ``tokens.longest`` is the most bytes a token has.

    Returns:
        Ids whose bytes are the run, or a prefix of it if no token fits the rest.

    >>> tokens = TokenBytes(Vocabulary([b"a", b"na", b"nam", b"e", b"me", b'e"', b"</s>"], eos_id=6))
    >>> longest_tokens(b"name", tokens), longest_tokens(b"ax", tokens)
    ([2, 3], [0])
    """
    ids: list[int] = []
    place = 0
    while place < len(run):
        # subtle: these are slices of the run, so no token can reach beyond its end
        pieces = (run[place : place + size] for size in range(tokens.longest, 0, -1))
        piece = next((piece for piece in pieces if piece in tokens.ids), None)
        if piece is None:
            break
        ids.append(tokens.ids[piece])
        place += len(piece)
    return ids


def retokenized(last: Sequence[int], run: bytes, tokens: TokenBytes) -> list[int]:
    """Write the last token and a run together, as the model's own tokenizer would.

    The model hasn't read the last token yet, so nothing is lost if other tokens take its place.

    Args:
        last: the last token in a list, or an empty list at the start of an answer.
        tokens: ``tokens.encode(text)`` is the model's tokenizer, ``tokens.bytes_of(ids)`` the way back to bytes.

    Returns:
        The tokenizer's ids, if their bytes are exactly those of ``last`` and the run. Otherwise keep ``last``, and
        write the run in the longest tokens that fit. Do that, too, if the bytes aren't whole characters, or if a token
        without bytes (EOS, or a tokenizer's BOS) would be added or lost.

    >>> words = Vocabulary([b"{", b'"', b'{"', b"a", b"</s>"], eos_id=4)
    >>> tokens = TokenBytes(words, lambda text: [2, 3, 1] if text == '{"a"' else [0])
    >>> retokenized([0], b'"a"', tokens), retokenized([3], b'"a', tokens)
    ([2, 3, 1], [3, 1, 3])
    """
    raise NotImplementedError("lab 10, TODO 3 (about 6 lines): as the tokenizer writes it, seam included")


# A jump -------------------------------------------------------------------------------------------------


def states_along(guide: ByteGuide, state: Any, last: bytes, tail: Sequence[bytes]) -> list[Any]:
    """Given: return the state after each token of a tail; None where a token ends before the text so far does.

    Args:
        state: after ``last``, the bytes of the token that the tail replaces.
        tail: the bytes of each of its tokens.

    >>> from mask_engine import compile_guide
    >>> guide = compile_guide(Vocabulary.toy(), regex="a1a")
    >>> one = guide.after_byte(guide.after_byte(guide.initial, 97), 49)
    >>> states_along(guide, one, b"a1", [b"a", b"1", b"a"]) == [None, one, guide.after_byte(one, 97)]
    True
    """
    found, done, current = [], 0, state
    for token in tail:
        for byte in token[max(0, len(last) - done) :]:
            current = guide.after_byte(current, byte)
        done += len(token)
        found.append(current if done >= len(last) else None)
    return found


def certain_tokens(guide: Guide, before: Sequence[Any], tail: Sequence[bytes], tokens: TokenBytes) -> int:
    """Return how many tokens of a tail are certain, whatever comes after the tail.

    Where `{` is forced, the model may want `{"`: a legal token that reaches past the end of the tail. If we wrote
    `{`, we'd choose for it, and it would have to continue from a place that it hardly knows.

    Args:
        before: the state before each token. If it's None, the state isn't known: keep the token, and look at the next.
        tail: the bytes of each token.
        tokens: ``tokens.longest_of(bitmask)`` is the most bytes a legal token has.

    Returns:
        The number of tokens before the first place at which some legal token is longer than the rest of the tail.

    >>> from mask_engine import compile_guide
    >>> words = Vocabulary([b"{", b'"', b'{"', b"a", b"1", b"</s>"], eos_id=5)
    >>> guide, tokens = compile_guide(words, regex='[{]("a|1)'), TokenBytes(words)
    >>> certain_tokens(guide, [guide.initial], [b"{"], tokens)
    0
    """
    raise NotImplementedError("lab 10, TODO 4 (about 6 lines): leave to the model what may cross the end")


def within_budget(guide: Guide, states: Sequence[Any], room: int) -> int:
    """Return how many tokens of a tail to keep: as many as leave room for a match and EOS. Given.

    Forced tokens count against the budget like any others, so a long tail could leave too few for the end.

    Args:
        guide: ``guide.tokens_to_accept(state)`` is lab 05's distance to a match, without EOS.
        states: the state after each token; None if the tail can't be cut there.
        room: how many tokens there's room for, counting the tail, what must follow it, and EOS.

    >>> from mask_engine import compile_guide
    >>> guide = compile_guide(Vocabulary.toy(), regex="a1a|a")
    >>> states = [guide.initial]
    >>> for byte in b"a1a":
    ...     states.append(guide.after_byte(states[-1], byte))
    >>> [within_budget(guide, states[1:], room) for room in (4, 3, 1)]  # all of a1a and EOS; a and EOS; not even that
    [3, 1, 0]
    """
    # subtle: from the back, because the longest tail counts, and a longer one may need fewer tokens after it
    for kept in range(len(states), 0, -1):
        state = states[kept - 1]
        if state is not None and kept + guide.tokens_to_accept(state) + 1 <= room:
            return kept
    return 0


@dataclass(frozen=True)
class Jumper:
    """Given: how jumps are written, for all requests over one vocabulary.

    Args:
        policy: one of ``POLICIES``.
        tokens: the vocabulary; ``"whole"`` needs its tokenizer.

    Raises:
        ValueError: if there is no such policy, or the tokenizer is missing.

    >>> Jumper("half", TokenBytes(Vocabulary.toy()))
    Traceback (most recent call last):
    ValueError: there is no policy 'half'; there are single, longest, whole
    """

    policy: str
    tokens: TokenBytes

    def __post_init__(self) -> None:
        if self.policy not in POLICIES:
            raise ValueError(f"there is no policy {self.policy!r}; there are {', '.join(POLICIES)}")
        if self.policy == "whole" and self.tokens.tokenizer is None:
            raise ValueError("the policy 'whole' needs the model's tokenizer")


def jump(jumper: Jumper, state: StructuredOutputState, written: Sequence[int], remaining: int) -> list[int]:
    """Return the tail that takes the place of the last token, forced text included; move the state over it.

    Args:
        jumper: ``jumper.policy`` is one of ``POLICIES``, ``jumper.tokens`` the vocabulary.
        state: ``state.current`` is after ``written``; after a jump it is after the tail.
        written: the answer so far, of which the model hasn't read the last token yet. Empty at the start.
        remaining: how many tokens may still be written after ``written``, EOS included.

    Returns:
        The last token and the forced ones after it, or both in another spelling, as far as the policy and the budget
        allow. If that has no more bytes than the last token alone, you haven't gained anything, so it isn't a jump:
        return an empty list, and leave the state alone.

    >>> from mask_engine import compile_guide
    >>> words = Vocabulary([b"n", b"na", b"me", b'{"', b'"', b"</s>"], eos_id=5)
    >>> state = StructuredOutputState(compile_guide(words, regex='[{]"name"n*'))
    >>> jump(Jumper("longest", TokenBytes(words)), state, [], 20), state.is_terminal()
    ([3, 1, 2, 4], True)
    """
    raise NotImplementedError("lab 10, TODO 5 (about 16 lines): policy, budget and state put together")


# The request --------------------------------------------------------------------------------------------


def append_tail(stream: Stream, tail: Sequence[int], logprob: float | None, tokens: TokenBytes) -> None:
    """Write a tail into a request: its ids, their logprobs, and the finish reason if the answer ends there. Given.

    An answer may end in the middle of a tail, and then the client mustn't see the rest: no token is written after the
    one that completes a stop string, or beyond ``stream.remaining``. The finish reason is ``"stop"`` if there's a stop
    string, or if lab 09's ``is_finished`` says so; otherwise it's ``"length"`` if no tokens are left.

    Args:
        stream: changed in place. Its state has moved over the whole tail already.
        tail: at least one token, to follow ``stream.ids``.
        logprob: the first token's; None if the model didn't choose it. It chose none of the others.

    >>> from mask_engine import compile_guide
    >>> words = Vocabulary([b"a", b"b", b"</s>"], eos_id=2)
    >>> state = StructuredOutputState(compile_guide(words, regex="[ab]*"))
    >>> stream = Stream([1], state, SamplingParams(max_tokens=9, stop=("bb",)))
    >>> append_tail(stream, [0, 1, 1, 0], -0.5, TokenBytes(words))
    >>> stream.ids, stream.logprobs, stream.finish_reason
    ([0, 1, 1], [-0.5, None, None], 'stop')
    """
    text = tokens.bytes_of(stream.ids)
    kept = before_stop(text, [tokens.bytes_of([token_id]) for token_id in tail], stream.params.stop)
    kept = min(kept, stream.remaining)
    stream.ids += tail[:kept]
    # subtle: the model was never asked about a forced token, so there's no logprob to report
    stream.logprobs += [logprob, *[None] * (kept - 1)]
    stopped = any(each.encode() in tokens.bytes_of(stream.ids) for each in stream.params.stop)
    if stopped or is_finished(stream.state, stream.remaining or None):
        stream.finish_reason = "stop"
    elif not stream.remaining:
        stream.finish_reason = "length"


# The batch ----------------------------------------------------------------------------------------------


def append_to_cache(
    cache: NDArray[np.float32], lengths: NDArray[np.intp], counts: NDArray[np.intp], new: NDArray[np.float32]
) -> NDArray[np.intp]:
    """Put the vectors of new tokens into a KV cache: many for a row that jumped, one for a row that decodes.

    After a jump, the rows of a batch no longer grow in step, so each vector has to find its own row, and its own place
    in it.

    Args:
        cache: ``float32[B, capacity, d]``, changed in place, but only where a new vector goes.
        lengths: ``intp[B]``: how many tokens each row holds.
        counts: ``intp[B]``: how many new ones each row gets; 0 for a row that skips this step.
        new: ``float32[N, d]``: the vectors of row 0, then those of row 1, and so on; each row's are in order.

    Returns:
        ``intp[B]``, a new array: how many tokens each row holds now.

    >>> cache = np.zeros((2, 4, 1), np.float32)
    >>> append_to_cache(cache, np.array([1, 0]), np.array([2, 1]), np.float32([[7], [8], [9]])).tolist()
    [3, 1]
    >>> cache[:, :, 0].tolist()
    [[0.0, 7.0, 8.0, 0.0], [9.0, 0.0, 0.0, 0.0]]
    """
    raise NotImplementedError("lab 10, TODO 6 (about 4 lines): many tokens enter the KV cache at once")


def one_head(vocab_size: int, max_positions: int = 64) -> OneHead:
    """Given: return a model of one attention head, whose cache your ``append_to_cache`` fills.

    >>> model = one_head(5)
    >>> cache = model.new_cache(2)
    >>> model.forward([[3, 1], [2, 0]], cache, [2, 1]).shape, cache["lengths"].tolist()
    ((2, 5), [2, 1])
    """
    return OneHead(append_to_cache, vocab_size, max_positions)


def batch_step(streams: Sequence[Stream], model: Any, cache: Any, jumper: Jumper, limit: int) -> None:
    """Take one step of a batch in which some requests have jumped and others decode: one pass of the model.

    Each request that hasn't finished reads its share of what it has pending. If something is left after that, it has to
    wait for the next step, because its next token is known already. If nothing is left, it gets a token under its mask
    and budget, its state moves on, it jumps, and the tail is appended.

    Args:
        streams: changed in place; number r owns row r of the cache.
        model: ``model.forward(tokens, cache, lengths)`` returns ``float32[B, V]``: each row's logits after the last
            token that it read.
        cache: the model's own, with a row for each stream.
        limit: the most tokens that a step reads.

    >>> from mask_engine import compile_guide
    >>> toy = Vocabulary.toy()
    >>> model = ScriptedModel(lambda ids: np.float32([9, 0, 0, 0, 0]), len(toy))
    >>> stream = Stream([3], StructuredOutputState(compile_guide(toy, regex="[a1]1[.]2a*")), SamplingParams())
    >>> batch_step([stream], model, model.new_cache(1), Jumper("longest", TokenBytes(toy)), limit=8)
    >>> toy.decode(stream.ids), stream.pending, model.num_passes
    ('a1.2', [0, 3, 2], 1)
    """
    raise NotImplementedError("lab 10, TODO 7 (about 16 lines): one pass in which some jump and others decode")


# In the engine ------------------------------------------------------------------------------------------


class JumpingManager(StructuredOutputManager):
    """Given: lab 09's manager, with the hook that lets the engine jump: ``labkit.engine.JumpsForward``.

    Args:
        jumper: the policy, and the vocabulary in bytes.
        others, options: what lab 09's manager takes.

    >>> toy = Vocabulary.toy()
    >>> JumpingManager(toy, print, jumper=Jumper("single", TokenBytes(toy))).jumper.policy
    'single'
    """

    def __init__(self, *others: Any, jumper: Jumper, **options: Any) -> None:
        super().__init__(*others, **options)
        self.jumper = jumper

    def jump(self, request: Request) -> Sequence[int]:
        """Return what takes the place of the request's last token; see ``jump``.

        >>> from mask_engine import guide_of_format
        >>> toy = Vocabulary.toy()
        >>> jumper = Jumper("longest", TokenBytes(toy))
        >>> manager = JumpingManager(toy, lambda wanted: guide_of_format(toy, wanted), jumper=jumper)
        >>> request = Request("a", (3,), SamplingParams(), {"type": "regex", "pattern": "1[.]2a"})
        >>> manager.add(request)
        >>> manager.ready(request), manager.jump(request)
        (True, [3, 2, 0])
        """
        with self.limit:
            return jump(self.jumper, request.structured_output_state, request.output_token_ids, request.remaining)
