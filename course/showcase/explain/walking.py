"""A walk through a guide, byte by byte: how far a text may go, what else could have come, and how to end well."""

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from labkit.automata.work import at_most
from labkit.errors import TooMuchWork
from labs.lab_06_regex_to_dfa.given.ranges import merge_ranges
from mask_engine import Guide

MOST_RUNS = 12
"""So many next bytes are shown one by one, each with what it forces; more of them as ranges of characters."""

LONGEST_RUN = 40
"""Bytes that are shown of what must follow."""

MOST_STATES = 20_000
"""States in which a whole text is looked for."""

MOST_WORK = 300_000
"""Units of work (``labkit.automata.work``) for these states: no more than a second or so."""


def states_of(guide: Guide, text: bytes) -> list[Any]:
    """Return the state before the text, and after each of its bytes, up to the first that may not come.

    >>> from labkit.vocabulary import Vocabulary
    >>> from mask_engine import compile_guide
    >>> guide = compile_guide(Vocabulary.toy(), regex="0x[0-9a-f]+")
    >>> len(states_of(guide, b"0x1g")), len(states_of(guide, b"0x1f"))  # the g may not come
    (4, 5)
    """
    states = [guide.initial]
    for byte in text:
        if byte not in guide.next_bytes(states[-1]):
            break
        states.append(guide.after_byte(states[-1], byte))
    return states


def alternatives(guide: Guide, state: Any) -> list[str]:
    """Return what may come next: texts with what they force, or ranges of characters where there are many.

    >>> from labkit.vocabulary import Vocabulary
    >>> from mask_engine import compile_guide
    >>> alternatives(compile_guide(Vocabulary.toy(), regex="yes|no|[é-ë]"), 0)
    ['no', 'yes', 'é', 'ê', 'ë']
    >>> alternatives(compile_guide(Vocabulary.toy(), regex="[0-9a-z€]"), 0)
    ['0 to 9', 'a to z', 'characters beyond ASCII']
    """
    options = guide.next_bytes(state)
    whole = [found for byte in options for found in _characters(guide, guide.after_byte(state, byte), bytes([byte]))]
    if len(whole) <= MOST_RUNS:
        texts = []
        for found, after in whole:
            while len(found) < LONGEST_RUN and not guide.is_accepting(after):
                if len(forced := guide.next_bytes(after)) != 1:
                    break
                after, found = guide.after_byte(after, forced[0]), found + forced
            texts.append(found.decode("utf-8", "replace"))
        return texts
    ascii_only = merge_ranges([(byte, byte) for byte in options if byte < 0x80])
    ranges = [(chr(first), chr(last)) for first, last in ascii_only]
    shown = [first if first == last else f"{first.replace(' ', 'space')} to {last}" for first, last in ranges]
    return shown + ["characters beyond ASCII"] * (options[-1] >= 0x80)


def _characters(guide: Guide, state: Any, found: bytes) -> list[tuple[bytes, Any]]:
    """Return the characters that begin with these bytes, with the state after each; not many more than are shown."""
    ready: list[tuple[bytes, Any]] = []
    waiting = [(found, state)]
    while waiting and len(ready) <= MOST_RUNS:
        found, state = waiting.pop()
        if guide.is_whole(state):
            ready.append((found, state))
        else:
            waiting += [(found + bytes([b]), guide.after_byte(state, b)) for b in reversed(guide.next_bytes(state))]
    return ready


def nearest_end(guide: Guide, state: Any) -> bytes | None:
    """Return the fewest bytes after which the text is whole; None if no end is near.

    >>> from labkit.vocabulary import Vocabulary
    >>> from mask_engine import compile_guide
    >>> schema = {"properties": {"n": {"type": "integer"}}, "required": ["n"]}
    >>> guide = compile_guide(Vocabulary.toy(), json_schema=schema)
    >>> nearest_end(guide, guide.initial)
    b'{"n":0}'
    """
    seen, waiting = {state}, deque([(state, b"")])
    with suppress(TooMuchWork), at_most(MOST_WORK):
        while waiting and len(seen) < MOST_STATES:
            state, tail = waiting.popleft()
            if guide.is_accepting(state) and guide.is_whole(state):
                return tail
            # Letters and digits first, then what can be seen: of two ends, readers prefer the plain one.
            ranks = ((not chr(b).isalnum() or b >= 0x80, not 0x20 < b < 0x7F, b) for b in guide.next_bytes(state))
            for *_, byte in sorted(ranks):
                after = guide.after_byte(state, byte)
                if after not in seen:
                    seen.add(after)
                    waiting.append((after, tail + bytes([byte])))
    return None


def described(guide: Guide, states: Sequence[Any], text: bytes, most: int = 8) -> str:
    """Return the last steps as states and bytes, or for a grammar the rules that are open.

    >>> from labkit.vocabulary import Vocabulary
    >>> from mask_engine import compile_guide
    >>> guide = compile_guide(Vocabulary.toy(), regex="a+")
    >>> described(guide, states_of(guide, b"aab"), b"aab")
    "state 0 --'a'--> 1 --'a'--> 1 --'b'--> dead"
    >>> guide = compile_guide(Vocabulary.toy(), grammar='root ::= "[" root? "]"')
    >>> described(guide, states_of(guide, b"[[x"), b"[[x")
    'the open rules, the outermost first: root, root'
    """
    if names := guide.open_rules(states[-1]):
        left_out = "… " * (len(names) > most)
        return f"the open rules, the outermost first: {left_out}{', '.join(names[-most:])}"
    first = max(0, len(states) - most)
    steps = "".join(f" --{chr(text[n])!r}--> {states[n + 1]}" for n in range(first, len(states) - 1))
    ends = f" --{chr(text[len(states) - 1])!r}--> dead" if len(states) <= len(text) else ""
    return f"{'… ' * (first > 0)}state {states[first]}{steps}{ends}"
