"""Lab 14: drafts. Write some tokens cheaply, let the model read them all in one pass, and keep what it agrees with.

Part one makes sure that a draft can't change the odds: you reject drafted tokens in such a way that the result has
exactly the model's distribution. Part two masks all tokens of a draft, from one walk along it. Part three gets the same
masks from an object that moves, drafts what the grammar forces, and drafts a whole tree.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.automata.work import at_most
from labkit.engine import Draft, Request
from labkit.errors import BudgetTooSmall, LimitExceeded, NoLegalToken
from labkit.matchers import Matcher, MatcherOfFunctions
from labs.lab_01_naive_matching.solution import sample
from labs.lab_14_drafts.given.guides import Guide, GuideOfFunctions, allowed

DOUBLES = (GuideOfFunctions, MatcherOfFunctions)
"""Given, for the tests: a guide and a matcher whose answers are functions."""

Probabilities = NDArray[np.float64]
"""``float64[V]``, or a row of it for each place: probabilities that sum to 1."""

Draw = Callable[[], float]
"""``draw()`` gives the next random number, ``0 <= u < 1``."""

Score = Callable[[Sequence[int], Sequence[int]], NDArray[np.floating]]
"""``score(ids, draft)`` is one pass of the model: the logits after ``ids`` and after each token of the draft,
``float[len(draft) + 1, V]``."""

Drafter = Callable[[Sequence[int]], NDArray[np.floating]]
"""``drafter(ids)`` gives the cheap model's logits after some tokens, ``float[V]``."""

Propose = Callable[[Any, Sequence[int], int], tuple[list[int], Probabilities]]
"""``propose(state, ids, remaining)`` gives a draft, and a row for each of its tokens: what it was drawn from."""


def probabilities(logits: NDArray[np.floating], mask: NDArray[np.bool_]) -> Probabilities:
    """Given: return the masked probabilities, which are 0 where the mask is False.

    Args:
        logits, mask: of one shape, ``[V]`` or ``[rows, V]``; each row of the mask allows a token.

    >>> probabilities(np.zeros(4), np.array([True, False, True, False])).tolist()
    [0.5, 0.0, 0.5, 0.0]
    """
    scores = np.where(mask, logits.astype(np.float64), -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    found: Probabilities = weights / weights.sum(axis=-1, keepdims=True)
    return found


# Part one: a draft -----------------------------------------------------------------------------------------


def overlap(p: Probabilities, q: Probabilities) -> float:
    """Given: return how likely it is that a token drafted from q is kept, if p is the distribution that we want.

    That's the probability that the two have in common. At a token that q drafts too often, you can keep only as much as
    p has, and at a token that it drafts too rarely, there's no more to keep than q has.

    Args:
        p, q: the model's probabilities and the drafter's, ``float64[V]``.

    >>> overlap(np.array([0.5, 0.5]), np.array([0.75, 0.25]))
    0.75
    """
    return float(np.minimum(p, q).sum())


def residual(p: Probabilities, q: Probabilities) -> Probabilities:
    """Return what to draw from after a drafted token was rejected: what p has and q lacks, as probabilities.

    The drafter proposes some tokens less often than the model would, and a rejection is the chance to make up for it.

    Args:
        p, q: ``float64[V]``. Don't change them.

    Returns:
        ``float64[V]``, always a new array. If q lacks nothing, the two are equal, and nothing is ever rejected: then
        it's a copy of p.

    >>> residual(np.array([0.5, 0.375, 0.125]), np.array([0.25, 0.5, 0.25])).tolist()
    [1.0, 0.0, 0.0]
    """
    # begin TODO
    missing = np.maximum(p - q, 0.0)
    total = missing.sum()
    # subtle: if the two differ only by rounding, or not at all, there is nothing to divide by
    return missing / total if total > 0 else p.copy()
    # end TODO


def verify(p_rows: Probabilities, q_rows: Probabilities, draft: Sequence[int], draw: Draw) -> list[int]:
    """Return the tokens that one pass gives: the part of the draft that's kept, and then a token of the model's own.

    Take the drafted tokens one by one. For each, draw a number u, and keep the token if ``u * q < p``, where p and q
    are its two probabilities. In place of the first token that you don't keep, draw one from the residual, and then
    you're done, because the rest of the draft continued a text that you haven't written. If you keep them all, and
    there's one more row in ``p_rows``, draw another token from it, since the pass has computed that row anyway. Lab
    01's ``sample(row, u)`` draws a token. (The rule is speculative sampling's, by Leviathan et al. and Chen et al.,
    2023.)

    Args:
        p_rows: ``float64[m, V]``: the model's probabilities at each place.
        q_rows: ``float64[n, V]``: the probabilities that the drafted tokens were drawn from.
        draft: n token ids, n at least m - 1. Only those with a row in ``p_rows`` count.
        draw: call it once for each token that you test, and once for the token at the end.

    Returns:
        1 to m token ids, distributed exactly as if the model had written them one by one.

    >>> p, q = np.array([[0.5, 0.5], [0.25, 0.75]]), np.array([[0.875, 0.125]])
    >>> [verify(p, q, [0], iter([u, 0.5]).__next__) for u in (0.5, 0.625)]
    [[0, 1], [1]]
    """
    # begin TODO
    kept: list[int] = []
    for p, q, token in zip(p_rows, q_rows, draft, strict=False):
        # subtle: u may be 0, and even then a token of probability 0 must not be kept
        if draw() * q[token] >= p[token]:
            return [*kept, sample(residual(p, q), draw())]
        kept.append(token)
    return [*kept, sample(p_rows[len(kept)], draw())] if len(kept) < len(p_rows) else kept
    # end TODO


def tokens_a_pass(rate: float, length: int) -> float:
    """Given: return how many tokens a pass gives on average, if each drafted token is kept with the same probability.

    A pass gives one token for certain. It gives a second one if the first drafted token is kept, a third one if the
    first two are kept, and so on.

    Args:
        rate: the probability that a drafted token is kept, from 0 to 1.
        length: how many tokens are drafted.

    >>> [tokens_a_pass(rate, 3) for rate in (0.0, 0.5, 1.0)]
    [1.0, 1.875, 4.0]
    """
    return float(sum(rate**kept for kept in range(length + 1)))


# Part two: under a mask ------------------------------------------------------------------------------------


def walk_draft(
    guide: Guide, state: Any, draft: Sequence[int], vocab_size: int, eos_id: int, remaining: int
) -> tuple[list[Any], NDArray[np.bool_]]:
    """Return the states along a draft and their masks, from one walk.

    The first mask is that of the given state, and each drafted token gives one more. Stop after a token that its mask
    forbids, and after EOS, because no text goes on from there. (So you never return more than ``remaining`` masks: when
    only one token is left, the mask allows nothing but EOS.)

    Args:
        draft: token ids of the vocabulary, whoever chose them: a draft needn't know the grammar. It may be empty.
        remaining: how many tokens may still be written, EOS included, at least 1. Each token leaves one fewer for the
            next mask.

    Returns:
        The states, and their masks, ``bool[len(states), V]``. Ask the guide for each mask once.

    >>> from labkit.vocabulary import Vocabulary
    >>> from mask_engine import compile_guide
    >>> toy = Vocabulary.toy()
    >>> guide = compile_guide(toy, regex="[0-9]{1,3}")
    >>> for draft, remaining in (([3, 3], 9), ([3, 0, 3], 9), ([3, 3], 2)):
    ...     states, masks = walk_draft(guide, guide.initial, draft, len(toy), toy.eos_id, remaining)
    ...     print(len(states), masks.sum(axis=1).tolist())
    3 [1, 2, 2]
    2 [1, 2]
    2 [1, 1]
    """
    # begin TODO
    states, masks = [state], [allowed(guide.mask(state, remaining), vocab_size)]
    for token in draft:
        if token == eos_id or not masks[-1][token]:
            break
        states.append(guide.advance(states[-1], token))
        masks.append(allowed(guide.mask(states[-1], remaining - len(masks)), vocab_size))
    return states, np.array(masks)
    # end TODO


def one_round(
    guide: Guide,
    state: Any,
    draft: Sequence[int],
    q_rows: Probabilities,
    score: Score,
    ids: Sequence[int],
    eos_id: int,
    remaining: int,
    draw: Draw,
) -> tuple[list[int], Any]:
    """Let the model read a draft in one pass, and return the tokens that you get from it, and the state after them.

    Args:
        draft, q_rows: a draft, legal or not, and the probabilities that it was drawn from, as for ``verify``.
        score: call it once, with ``ids`` and those drafted tokens that have a mask after them. After the others nothing
            can follow, so the model needn't read them.
        ids: the text so far; don't change it.
        remaining: as in ``walk_draft``.

    Returns:
        The new tokens, distributed exactly as if the model had written them one by one under its masks; and the state
        after them. EOS leads to no state, so if it's the last token, return the state before it.

    >>> from labkit.vocabulary import Vocabulary
    >>> from mask_engine import compile_guide
    >>> toy = Vocabulary.toy()
    >>> guide = compile_guide(toy, regex="[0-9]{1,3}")
    >>> zeros, certain = lambda ids, draft: np.zeros((len(draft) + 1, len(toy))), np.eye(len(toy))
    >>> one_round(guide, guide.initial, [3, 3], certain[[3, 3]], zeros, [], toy.eos_id, 9, lambda: 0.0)[0]
    [3, 3, 3]
    """
    # begin TODO
    states, masks = walk_draft(guide, state, draft, q_rows.shape[1], eos_id, remaining)
    p_rows = probabilities(score(ids, draft[: len(masks) - 1]), masks)
    tokens = verify(p_rows, q_rows, draft, draw)
    # subtle: the last token may be the model's own, so the draft's state after it is another's
    before = states[len(tokens) - 1]
    return tokens, before if tokens[-1] == eos_id else guide.advance(before, tokens[-1])
    # end TODO


def draft_legally(
    guide: Guide, state: Any, drafter: Drafter, ids: Sequence[int], length: int, eos_id: int, remaining: int, draw: Draw
) -> tuple[list[int], Probabilities]:
    """Draft some tokens under the masks, so that none of them is illegal.

    An illegal token is always rejected, and then the rest of the draft is lost with it. So draw each token from the
    drafter's masked probabilities at its place. Stop after EOS, or after ``length`` tokens.

    Args:
        ids: the text so far, which the drafter reads first; don't change it.
        length: how many tokens to draft at most, at least 1.
        remaining: as in ``walk_draft``.

    Returns:
        The draft, and the masked probabilities that its tokens were drawn from, ``float64[len(draft), V]``. Ask the
        drafter once for each of its tokens, and the guide for each mask once.

    >>> from labkit.vocabulary import Vocabulary
    >>> from mask_engine import compile_guide
    >>> toy = Vocabulary.toy()
    >>> guide = compile_guide(toy, regex="[0-9]{1,3}")
    >>> flat = lambda ids: np.zeros(len(toy))
    >>> draft, q_rows = draft_legally(guide, guide.initial, flat, [], 4, toy.eos_id, 9, lambda: 0.0)
    >>> draft, q_rows.max(axis=1).tolist()
    ([3, 3, 3, 4], [1.0, 0.5, 0.5, 1.0])
    """
    # begin TODO
    draft: list[int] = []
    rows: list[Probabilities] = []
    while len(draft) < length and draft[-1:] != [eos_id]:
        state = guide.advance(state, draft[-1]) if draft else state
        logits = drafter([*ids, *draft])
        rows.append(probabilities(logits, allowed(guide.mask(state, remaining - len(draft)), len(logits))))
        draft.append(sample(rows[-1], draw()))
    return draft, np.array(rows)
    # end TODO


def generate(
    guide: Guide, propose: Propose, score: Score, prompt: Sequence[int], eos_id: int, max_tokens: int, draw: Draw
) -> list[list[int]]:
    """Given: write an answer round by round, and return the tokens of each round.

    Raises:
        BudgetTooSmall: if no answer has so few tokens.

    >>> from labkit.vocabulary import Vocabulary
    >>> from mask_engine import compile_guide
    >>> toy = Vocabulary.toy()
    >>> guide = compile_guide(toy, regex="[0-9]{1,3}")
    >>> ones, zeros = np.eye(len(toy)), lambda ids, draft: np.zeros((len(draft) + 1, len(toy)))
    >>> generate(guide, lambda state, ids, left: ([3, 3], ones[[3, 3]]), zeros, [], toy.eos_id, 9, lambda: 0.0)
    [[3, 3, 3], [4]]
    """
    if not guide.mask(guide.initial, max_tokens).any():
        raise BudgetTooSmall(max_tokens, guide.tokens_to_accept(guide.initial) + 1)
    rounds: list[list[int]] = []
    ids, state = list(prompt), guide.initial
    while not rounds or rounds[-1][-1] != eos_id:  # the masks see to it that EOS comes in time
        remaining = max_tokens - len(ids) + len(prompt)
        draft, q_rows = propose(state, ids, remaining)
        tokens, state = one_round(guide, state, draft, q_rows, score, ids, eos_id, remaining, draw)
        rounds.append(tokens)
        ids += tokens
    return rounds


# Part three, optional: back, ahead, and sideways -----------------------------------------------------------


def masks_by_matcher(matcher: Matcher | MatcherOfFunctions, draft: Sequence[int]) -> NDArray[np.bool_]:
    """Return the masks along a draft from an object that moves, and leave it where it was.

    A library such as xgrammar gives you no states to keep. Its matcher is somewhere, you move it along the draft, and
    since the model may reject some of the draft, you take all of it back at the end.

    Args:
        matcher: it has ``mask()``; ``accept(token_id)``, which returns whether the token may come, and moves only then;
            ``rollback(count)``, which takes back the last accepted tokens; and ``is_finished()``, true after EOS, when
            it can't be asked for anything else. It may have accepted tokens before; leave those alone.

    Returns:
        ``bool[k, V]``: the mask before the first token, and one after each that was accepted, but none after EOS.

    >>> from labkit.vocabulary import Vocabulary
    >>> from mask_engine import compile_guide
    >>> toy = Vocabulary.toy()
    >>> matcher = Matcher(compile_guide(toy, regex="[0-9]{1,3}"), len(toy), toy.eos_id)
    >>> masks_by_matcher(matcher, [3, 3, 0, 3]).sum(axis=1).tolist(), matcher.tokens
    ([1, 2, 2], [])
    """
    # begin TODO
    masks, accepted = [matcher.mask()], 0
    for token in draft:
        if not matcher.accept(token):
            break
        accepted += 1
        if matcher.is_finished():
            break
        masks.append(matcher.mask())
    matcher.rollback(accepted)
    return np.array(masks)
    # end TODO


def forced_draft(guide: Guide, state: Any, vocab_size: int, eos_id: int, length: int, remaining: int) -> list[int]:
    """Given: return the tokens that the grammar forces, a draft that's always kept: the model has no choice either.

    Args:
        length: the most tokens to return.
        remaining: as in ``walk_draft``.

    Returns:
        One token, a plain int, for each mask that allows only one, up to the first mask that allows more or none. If
        EOS is forced, it's the last token, because nothing comes after it.

    >>> from labkit.vocabulary import Vocabulary
    >>> from mask_engine import compile_guide
    >>> guide = compile_guide(Vocabulary.toy(), regex="[0-9]")
    >>> forced_draft(guide, guide.initial, len(Vocabulary.toy()), Vocabulary.toy().eos_id, 4, 9)
    [3, 4]
    """
    forced: list[int] = []
    for left in range(remaining, remaining - length, -1):
        if forced:
            state = guide.advance(state, forced[-1])
        ids = np.flatnonzero(allowed(guide.mask(state, left), vocab_size))
        if len(ids) != 1:
            break
        forced.append(int(ids[0]))
        if forced[-1] == eos_id:
            break
    return forced


def tree_masks(
    guide: Guide, state: Any, parents: Sequence[int], tokens: Sequence[int], vocab_size: int, eos_id: int
) -> NDArray[np.bool_]:
    """Return a mask for each node of a tree of drafts, and one for its root.

    A tree lets several drafts share their first tokens: ``77`` and ``70`` are one node for the first 7, with two
    children. Every parent comes before its children, so you need to go through the nodes only once.

    Args:
        parents: the parent of each node, an earlier node; -1 for the root, which is the text so far.
        tokens: the token of each node.

    Returns:
        ``bool[n + 1, V]``: the root's mask, then the tokens that may come after each node. No token may come after EOS,
        after a token that its parent's mask forbids, or after a node below one of those. Ask the guide only for masks
        that may allow something, once for each, and advance once for each of their nodes.

    >>> from labkit.vocabulary import Vocabulary
    >>> from mask_engine import compile_guide
    >>> toy = Vocabulary.toy()
    >>> guide = compile_guide(toy, regex="[0-9]{1,2}")
    >>> tree_masks(guide, guide.initial, [-1, 0, 0, -1, 3], [3, 3, 0, 0, 3], len(toy), toy.eos_id).sum(axis=1).tolist()
    [1, 2, 1, 0, 0, 0]
    """
    # begin TODO
    masks = np.zeros((len(tokens) + 1, vocab_size), np.bool_)
    masks[0] = allowed(guide.mask(state), vocab_size)
    states = [state]
    for node, (parent, token) in enumerate(zip(parents, tokens, strict=True), start=1):
        # a state that nobody asks for, where the node is dead: its mask stays empty
        states.append(None)
        if masks[parent + 1, token] and token != eos_id:
            states[node] = guide.advance(states[parent + 1], token)
            masks[node] = allowed(guide.mask(states[node]), vocab_size)
    return masks
    # end TODO


def sees(parents: Sequence[int]) -> NDArray[np.bool_]:
    """Given: return which nodes each node of a tree may attend to: itself and its ancestors.

    The model reads the whole tree in one pass, as one row of tokens, so a node must be kept from seeing other branches.

    Returns:
        ``bool[n, n]``: row i is True at the nodes on the way from the root to node i. (They all see the text so far.)

    >>> sees([-1, 0, 0]).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 0, 1]]
    """
    rows = np.eye(len(parents), dtype=np.bool_)
    for node, parent in enumerate(parents):
        if parent >= 0:
            rows[node] |= rows[parent]
    return rows


def longest_path(parents: Sequence[int], tokens: Sequence[int], choices: Sequence[int]) -> list[int]:
    """Given: return the tokens that a greedy model takes from a tree of drafts, and its own token at the end.

    Args:
        choices: what the model would write at the root, then after each node, n + 1 token ids.

    >>> longest_path([-1, -1, 1], [5, 7, 8], [7, 0, 8, 9])
    [7, 8, 9]
    """
    place, taken = -1, [choices[0]]
    for node, token in enumerate(tokens):
        if parents[node] == place and token == taken[-1]:
            place = node
            taken.append(choices[node + 1])
    return taken


# In the engine ---------------------------------------------------------------------------------------------


class Drafts:
    """Given: your functions in lab 09's engine, which asks about one request of its batch at a time.

    The engine reads the drafts of a whole batch in one pass. So it can't call ``one_round``, but it calls what that
    calls: ``walk_draft`` before the pass, and ``verify`` after it.

    Args:
        drafter: the cheap model. It's asked at the temperature of each request.
        length: the most tokens of a draft.
        vocab_size, eos_id: the target's.
        budget: whether masks keep enough tokens to finish, as in lab 09's manager.
        most_work: how much work a draft may ask of a guide; one that would need more isn't used.

    A pass writes a token of the model's own, too. So with two tokens left, only one is drafted, and with one, none is:

    >>> from labkit.engine import SamplingParams
    >>> drafts = Drafts(lambda ids: np.arange(6.0), length=2, vocab_size=6, eos_id=4)
    >>> requests = [Request("a", (3,), SamplingParams(max_tokens=room, temperature=0)) for room in (2, 1)]
    >>> drafts.propose(requests[0]).token_ids, drafts.propose(requests[1])
    ([5], None)
    """

    def __init__(
        self,
        drafter: Drafter,
        length: int,
        vocab_size: int,
        eos_id: int,
        budget: bool = True,
        most_work: int | None = None,
    ) -> None:
        self.drafter, self.length = drafter, length
        self.vocab_size, self.eos_id = vocab_size, eos_id
        self.budget, self.most_work = budget, most_work

    def propose(self, request: Request) -> Draft | None:
        """Return a draft of the request's next tokens, and the masks along it; None if it may have only one more.

        >>> from labkit.engine import SamplingParams
        >>> drafts = Drafts(lambda ids: np.arange(6.0), length=2, vocab_size=6, eos_id=4)
        >>> drafts.propose(Request("a", (3,), SamplingParams(max_tokens=9, temperature=0))).token_ids
        [5, 5]
        """
        # the pass gives a token of the model's own too, so leave room for it
        length, remaining = min(self.length, request.remaining - 1), request.remaining
        if length < 1:
            return None
        state, temperature = request.structured_output_state, max(request.sampling_params.temperature, 1e-6)

        def mask(current: Any, left: int | None = None) -> NDArray[np.int32]:
            if state is None:  # without a constraint, all tokens may come
                return np.full(-(-self.vocab_size // 32), -1, np.int32)
            found: NDArray[np.int32] = state.guide.mask(current, left if self.budget else None)
            if not found.any():
                raise NoLegalToken(current, "")
            return found

        start = None if state is None else state.current
        advance = (lambda current, token: current) if state is None else state.guide.advance
        guide = GuideOfFunctions(start, mask, print, advance, bool, len)
        with suppress(LimitExceeded, NoLegalToken), at_most(self.most_work) as limit:
            draft, q_rows = draft_legally(
                guide,
                start,
                lambda ids: self.drafter(ids) / temperature,
                request.token_ids,
                length,
                self.eos_id,
                remaining,
                request.generator.random,
            )
            masks = walk_draft(guide, start, draft, self.vocab_size, self.eos_id, remaining)[1]
            # a guide that runs out of work may still answer, with a mask that allows less than it should
            if limit.left >= 0:
                return Draft(draft, q_rows, masks)
        return None

    def verify(self, p_rows: Probabilities, q_rows: Probabilities, draft: Sequence[int], draw: Draw) -> list[int]:
        """Return what your ``verify`` returns.

        >>> drafts = Drafts(lambda ids: np.arange(2.0), length=2, vocab_size=2, eos_id=1)
        >>> drafts.verify(np.array([[0.0, 1.0]]), np.array([[1.0, 0.0]]), [0], lambda: 0.5)
        [1]
        """
        return verify(p_rows, q_rows, draft, draw)
