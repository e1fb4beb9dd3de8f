"""Stacks that share what's below: the frames and items that ``call_closure``, ``pop_closure`` and ``step`` work with.

A frame holds all the callers of one rule at one place in the text. Each caller has a frame below it in turn, so a
million stacks may be twenty frames. Equal frames are one object: ``frame_of`` looks for an old one before it makes a
new one, so comparing two of them is only comparing addresses. A frame that nobody holds any more is freed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from weakref import WeakValueDictionary

from labkit.automata.work import spend
from labkit.errors import LimitExceeded

END = -2
"""The state at the very bottom of a stack: the text is whole. (If we don't know the stack, it continues below.)
It isn't ``DEAD``, because a text that broke off must never look like one that's whole."""

MAX_RETURNS = 100_000
"""The most callers that one frame may have. Only a grammar that is ambiguous at every level comes near."""


class Frame:
    """All callers of a rule at one place in the text.

    Attributes:
        returns: pairs of the state after the call and the frame below it.
        memo: what has been worked out about this frame; freed with it.

    >>> frame_of([(7, bottom_frame())])
    <frame, returns to [7]>
    """

    __slots__ = ("__weakref__", "memo", "returns")

    def __init__(self, returns: frozenset[Item]) -> None:
        self.returns = returns
        self.memo: dict[Any, Any] = {}

    def __repr__(self) -> str:
        return f"<frame, returns to {sorted(state for state, _ in self.returns)}>"


Item = tuple[int, Frame]
"""A state of a rule, and the frame of its callers. The frame of ``END`` has no callers."""

_frames: WeakValueDictionary[frozenset[Item], Frame] = WeakValueDictionary()


def frame_of(returns: Iterable[Item]) -> Frame:
    """Return the one frame with these callers.

    Raises:
        LimitExceeded: beyond ``MAX_RETURNS``.

    >>> bottom = bottom_frame()
    >>> frame_of([(7, bottom), (5, bottom)]) is frame_of([(5, bottom), (7, bottom)])
    True
    """
    key = frozenset(returns)
    spend(1 + (len(key) >> 3))
    frame = _frames.get(key)
    if frame is None:
        if len(key) > MAX_RETURNS:
            raise LimitExceeded(f"one place of the text has {len(key):,} callers", MAX_RETURNS)
        frame = _frames[key] = Frame(key)
    return frame


def bottom_frame() -> Frame:
    """Return a new frame for a root rule, which returns to ``END``. No two grammars share a frame above it.

    >>> bottom_frame()
    <frame, returns to [-2]>
    """
    # The frame below is new, so nothing that stands on it can be equal to another guide's frames.
    return frame_of([(END, Frame(frozenset()))])


def merged(items: Iterable[Item]) -> frozenset[Item]:
    """Merge items that are in the same state: they become one, with the callers of all of them.

    >>> bottom = bottom_frame()
    >>> one, two = frame_of([(5, bottom)]), frame_of([(7, bottom)])
    >>> sorted(merged([(3, one), (3, two), (4, one)]))[0][1]
    <frame, returns to [5, 7]>
    """
    found: dict[int, Frame] = {}
    for state, frame in items:
        other = found.get(state)
        if other is not None and other is not frame:
            frame = frame_of(other.returns | frame.returns)
        found[state] = frame
    return frozenset(found.items())


def without_end(items: frozenset[Item]) -> frozenset[Item]:
    """Return some items without ``END``.

    >>> sorted(without_end(items_of([(3, END), (END,)])))
    [(3, <frame, returns to [-2]>)]
    """
    return frozenset(item for item in items if item[0] != END)


def items_of(stacks: Iterable[Sequence[int]], bottom: Frame | None = None) -> frozenset[Item]:
    """Return the items of some stacks. Each stack is written out: states from the top down, and ``END`` at its end.

    Args:
        bottom: the frame that returns to ``END``; by default one that all calls share.

    >>> sorted(stacks_of(items_of([(3, 7, END), (3, 8, END), (END,)])))
    [(-2,), (3, 7, -2), (3, 8, -2)]
    """
    below: dict[int, list[Sequence[int]]] = {}
    for first, *rest in stacks:
        below.setdefault(first, []).append(rest)
    bottom = _PLAIN if bottom is None else bottom
    ends = {item for item in bottom.returns if END in below}
    deeper = {state: rests for state, rests in below.items() if state != END}
    return frozenset(ends | {(state, frame_of(items_of(rests, bottom))) for state, rests in deeper.items()})


def stacks_of(items: Iterable[Item]) -> list[tuple[int, ...]]:
    """Write out the stacks that some items stand for, sorted. It's for tests, since there may be very many.

    >>> stacks_of([(3, frame_of(items_of([(7, END), (8, END)])))])
    [(3, 7, -2), (3, 8, -2)]
    """
    found: set[tuple[int, ...]] = set()
    for state, frame in items:
        rests = [()] if state == END else stacks_of(frame.returns)
        found |= {(state, *rest) for rest in rests}
    return sorted(found)


_PLAIN = bottom_frame()
