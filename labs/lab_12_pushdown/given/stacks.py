"""Shared stacks: a frame is all the callers of one rule at one place in the text, and is made once.

A frame holds the frames below it, so the frames are a graph, not copies of stacks. They are interned: equal frames are
one object, and comparing them is comparing addresses. What nobody holds any more is freed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from weakref import WeakValueDictionary

from labkit.errors import LimitExceeded

END = -2
"""The state to which the bottom frame returns: the text is whole, or, where the stack is not known, goes on below.
It is not ``DEAD``, so that a text that broke off never looks like one that is whole."""

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
"""A state of a rule, and the frame of its callers. That of ``END`` is without callers."""

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
    frame = _frames.get(key)
    if frame is None:
        if len(key) > MAX_RETURNS:
            raise LimitExceeded(f"one place of the text has {len(key):,} callers", MAX_RETURNS)
        frame = _frames[key] = Frame(key)
    return frame


def bottom_frame() -> Frame:
    """Return a new frame of a root rule: it returns to ``END``. Frames over different bottoms have nothing in common.

    >>> bottom_frame()
    <frame, returns to [-2]>
    """
    # The frame below is new and calls nobody, so no other guide's frames are equal to those above it.
    return frame_of([(END, Frame(frozenset()))])


def merged(items: Iterable[Item]) -> frozenset[Item]:
    """Return items in which each state occurs once: the callers of one state are put together.

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


def items_of(stacks: Iterable[Sequence[int]], bottom: Frame | None = None) -> frozenset[Item]:
    """Return items that stand for some stacks written out: states from the top down, the last one is ``END``.

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
    """Return the stacks that some items stand for, written out and sorted: for tests, since they may be very many.

    >>> stacks_of([(3, frame_of(items_of([(7, END), (8, END)])))])
    [(3, 7, -2), (3, 8, -2)]
    """
    found: set[tuple[int, ...]] = set()
    for state, frame in items:
        rests = [()] if state == END else stacks_of(frame.returns)
        found |= {(state, *rest) for rest in rests}
    return sorted(found)


_PLAIN = bottom_frame()
