"""The one kind of state that every text is walked by: which rules are being read, and what waits below them.

Rules that never call are lab 06's states, as they are. Where they call, a state is a kernel of your items, and your
``call_closure``, ``pop_closure`` and ``step`` lead from one to the next. They get a class of characters in place of a
byte, so that lab 07 can put its rows for strings on top, as it does on any automaton over characters.
"""

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from math import inf
from typing import Any, NamedTuple

from labkit.automata.dfa import DEAD
from labkit.automata.work import spend
from labs.lab_06_regex_to_dfa.given.subsets import ENOUGH, States
from labs.lab_12_pushdown.given.stacks import END, Frame, Item, bottom_frame, frame_of, merged, without_end

Kernel = frozenset[Item]


class StackFunctions(NamedTuple):
    """Your functions that move stacks, each under its name.

    >>> StackFunctions._fields
    ('call_closure', 'pop_closure', 'step')
    """

    call_closure: Callable[..., list[Item]]
    pop_closure: Callable[..., set[Item]]
    step: Callable[..., Kernel]


class ByClass:
    """The rules, as your functions see them here: a step reads a class of characters."""

    def __init__(self, rules: Any) -> None:
        self.calls, self.initial, self.order = rules.calls, rules.initial, rules.order
        self.unread, self.may_end, self.is_last = rules.unread, rules.may_end, rules.is_last
        self._targets = rules.characters.targets

    def step(self, state: int, symbol_class: int) -> int:
        """Return the state after a class of characters within the rule, or ``DEAD``."""
        for target, classes in self._targets(state).items():
            if classes >> symbol_class & 1:
                return int(target)
        return DEAD


class StackStates(States):
    """An automaton over characters whose states hold stacks. They're numbered in the order in which they turn up.

    Args:
        rules: lab 12's ``Rules``.
        do: your functions.

    Attributes:
        kernels: for each state its items, ``END`` among them where the text may end.
        bottom: the frame below the root rule.

    >>> from labs.lab_12_pushdown.solution import Rules, read_gbnf, stack_states
    >>> states = stack_states(Rules(read_gbnf('root ::= "[" root? "]"')))
    >>> inner = states.step(states.initial, ord("["))
    >>> states.accepts(states.step(inner, ord("]"))), states.fewest_bytes(states.step(inner, ord("[")))
    (True, 2.0)
    """

    def __init__(self, rules: Any, do: StackFunctions) -> None:
        self.rules, self._do = rules, do
        self.bounds, self.classes = rules.characters.bounds, rules.characters.classes
        self.n_classes = max(self.classes) + 1
        self._begin(rules)

    def _begin(self, rules: Any) -> None:
        """Begin with the initial state alone, on a new bottom: no frame is shared with what was before."""
        self.rules, self._by_class, self.bottom = rules, ByClass(rules), bottom_frame()
        self.kernels: list[Kernel] = []
        self._numbers: dict[Kernel, int] = {}
        self._targets: dict[int, dict[int, int]] = {}
        self.n_held = 0
        self.number(self.ended_rule([(rules.initial[0], self.bottom)]))

    def __len__(self) -> int:
        """Return how many states have turned up so far."""
        return len(self.kernels)

    def number(self, kernel: Kernel) -> int:
        """Return the number of a state. A new one gets the next number."""
        found = self._numbers.get(kernel)
        if found is None:
            found = self._numbers[kernel] = len(self.kernels)
            self.kernels.append(kernel)
            self.n_held += 1 + len(kernel)
        return found

    def ended_rule(self, items: Iterable[Item]) -> Kernel:
        """Return the kernel of some items, with those that continue where a rule may end at once."""
        found = self._do.pop_closure(self._by_class, items)
        return merged(item for item in found if item[0] == END or not self.rules.is_last(item[0]))

    def accepts(self, state: int) -> bool:
        """Return whether a text may end in a state that has turned up."""
        return any(number == END for number, _ in self.kernels[state])

    def targets(self, state: int) -> dict[int, int]:
        """Return the states that come after a state, each with the classes that lead there, as bits."""
        found = self._targets.get(state)
        if found is None:
            kernel = without_end(self.kernels[state])
            first = next(iter(kernel), None)
            if first and len(kernel) == 1 and not self.rules.calls.get(first[0]):
                found = self._read_alone(*first)
            else:
                found = self._read(self._do.call_closure(self._by_class, kernel))
            self._targets[state] = found  # not earlier: a limit may stop us halfway
        return found

    def _read(self, items: list[Item]) -> dict[int, int]:
        """Return where your ``step`` leads from some items, each state with the classes that lead there."""
        found: dict[int, int] = {}
        spend(4 + 4 * len(items))
        for classes in self._told_apart({number for number, _ in items}):
            spend(2 + len(items))
            target = self.number(self._do.step(self._by_class, items, classes.bit_length() - 1))
            found[target] = found.get(target, 0) | classes
        return found

    def _read_alone(self, number: int, frame: Frame) -> dict[int, int]:
        """Return ``_read`` of an item that calls nothing: where its rule can't end, it only moves, and stays alone."""
        found: dict[int, int] = {}
        spend(4)
        for after, classes in self.rules.characters.targets(number).items():
            spend(1)
            if self.rules.may_end(after):
                kernel = self._do.step(self._by_class, [(number, frame)], classes.bit_length() - 1)
            else:
                kernel = frozenset([(after, frame)])
            target = self.number(kernel)
            found[target] = found.get(target, 0) | classes
        return found

    def _told_apart(self, numbers: Iterable[int]) -> list[int]:
        """Return the classes that some states of rules read, in groups (as bits) that none of them tells apart."""
        groups: list[int] = []
        for number in numbers:
            for classes in self.rules.characters.targets(number).values():
                fresh, both = classes, [(group & classes, group & ~classes) for group in groups]
                for one, _ in both:
                    fresh &= ~one
                groups = [part for pair in both for part in pair if part] + [fresh] * bool(fresh)
        return groups

    def follow(self, frame: Frame) -> int:
        """Return the classes of characters that may come next once a frame's rule has ended, as bits."""
        if "follow" not in frame.memo:
            kernel = without_end(self.ended_rule(frame.returns))
            found, targets = 0, self.rules.characters.targets
            for number, _ in self._do.call_closure(self._by_class, kernel):
                for classes in targets(number).values():
                    found |= classes
            frame.memo["follow"] = found
        return int(frame.memo["follow"])

    @property
    def is_full(self) -> bool:
        """Whether so much has been met that it's time for ``anew``."""
        return self.rules.characters.is_full or self.n_held > ENOUGH

    def anew(self, states: Iterable[int] = ()) -> "tuple[StackStates, list[int]]":
        """Return an automaton of the same rules that has only met some states of this one, and their numbers there."""
        kernels = [self.kernels[state] for state in states]
        frames = _frames_of(kernels)
        held = {number for kernel in kernels for number, _ in kernel} | {n for f in frames for n, _ in f.returns}
        old = sorted(held - {END})
        characters, numbers = self.rules.characters.anew(old)
        new = copy(self)
        new._begin(self.rules if characters is self.rules.characters else type(self.rules)(characters))
        now = dict(zip(old, numbers, strict=True))
        (end,) = new.bottom.returns
        moved: dict[Frame, Frame] = {}

        def carried(items: Kernel) -> Kernel:
            return frozenset(end if n == END else (now[n], moved[frame]) for n, frame in items)

        for frame in frames:  # each after those below it
            moved[frame] = frame_of(carried(frame.returns))
        return new, [new.number(carried(kernel)) for kernel in kernels]

    def alike(self, state: int, rounds: Any) -> int:
        """Return a state in which the same tokens are alive: counts far from their ends make no difference."""
        kernel, like = self.kernels[state], self.rules.characters.alike
        found = merged((number if number == END else like(number, rounds), frame) for number, frame in kernel)
        return state if found == kernel else self.number(found)

    def fewest_bytes(self, state: int, without: int = 0) -> float:
        """Return how many bytes a text still needs: to end the rule, and to close the stack below it."""
        kernel = self.kernels[state]
        spend(2 + 2 * len(kernel))
        return min((self.bytes_on(number, frame, without) for number, frame in kernel), default=inf)

    def bytes_on(self, number: int, frame: Frame, without: int = 0) -> float:
        """Return how many bytes an item needs."""
        return 0.0 if number == END else self.rules.bytes_to_end(number, without) + self.below(frame, without)

    def below(self, frame: Frame, without: int = 0) -> float:
        """Return the bytes that close a stack. Frames may be deep, so there's no recursion."""
        waiting, known = [frame], ("bytes", without)
        while waiting:
            top = waiting[-1]
            if known not in top.memo:
                unknown = [below for number, below in top.returns if number != END and known not in below.memo]
                if unknown:
                    waiting += unknown
                    continue
                spend(3 * len(top.returns))
                top.memo[known] = min(
                    0.0 if n == END else self.rules.bytes_to_end(n, without) + below.memo[known]
                    for n, below in top.returns
                )
            waiting.pop()
        return float(frame.memo[known])

    @property
    def most_bytes(self) -> float:
        """There's no bound: a stack may be as deep as a text makes it."""
        return inf

    def places(self, state: int) -> list[int]:
        """Return the states of an automaton that is the whole root rule; ``DEAD`` where another rule is being read."""
        found: list[int] = []
        for number, frame in self.kernels[state]:
            if number != END:
                found += self.rules.characters.places(number) if frame is self.bottom else [DEAD]
        return found

    def open_rules(self, state: int) -> list[str]:
        """Return the names of the rules on one of the stacks of a state, the outermost first.

        >>> from labs.lab_12_pushdown.solution import Rules, read_gbnf, stack_states
        >>> states = stack_states(Rules(read_gbnf('root ::= "[" root? "]"')))
        >>> states.open_rules(states.step(states.initial, ord("[")))
        ['root']
        """
        characters, names, items = self.rules.characters, list[str](), self.kernels[state]
        while items := without_end(items):
            number, frame = min(items, key=lambda item: item[0])
            names.append(characters.names[characters.rule_of(number)])
            items = frame.returns
        return names[::-1]


def _frames_of(kernels: Sequence[Kernel]) -> list[Frame]:
    """Return the frames of some kernels, each after those below it; the one below ``END`` isn't among them."""
    found: dict[Frame, None] = {}
    waiting = [frame for kernel in kernels for number, frame in kernel if number != END]
    while waiting:
        top = waiting[-1]
        below = [frame for number, frame in top.returns if number != END and frame not in found]
        if top in found or not below:
            found[waiting.pop()] = None
        else:
            waiting += below
    return [*found]
