"""The cases of lab 03 in ``python3 -m course bench labs``: its trie and table beside the methods of labs 01 and 02."""

from collections.abc import Callable, Iterator
from functools import cache, partial

from labkit.automata.tries import Trie
from labkit.bench import Case, Setting, Subject, Times
from labs.lab_01_naive_matching.solution import build_mask, could_match
from labs.lab_02_atom_fsm.solution import token_mask
from labs.lab_03_token_lifting.solution import build_trie, lift, row_mask, states_to_vocab, walk_trie

Made = Callable[[], Trie]


def cases(setting: Setting) -> Iterator[Callable[[], Case]]:
    """Yield three cases for each pattern, still to be made."""
    build = partial(build_trie, setting.texts)
    trie = cache(build)
    for subject in setting.subjects:
        yield partial(_look_up_against_walk, setting, subject, trie)
        yield partial(_trie_against_match, setting, subject, trie)
        yield partial(_trie_against_loop, setting, subject, trie, build)


def _look_up_against_walk(setting: Setting, subject: Subject, trie: Made) -> Case:
    state, table = subject.state, lift(subject.fsm, trie())
    return Case(
        "one mask by look-up",
        subject.pattern,
        ("automaton", "table"),
        slow=lambda: token_mask(subject.fsm, state, setting.texts),
        fast=lambda: row_mask(table[state], len(setting.texts)),
        times=5,
    )


def _trie_against_match(setting: Setting, subject: Subject, trie: Made) -> Case:
    """Return lab 01's method, every token after one text for each state, beside the trie's; timed once, it is slow."""
    prefixes = [subject.text[:n] for n in range(len(subject.text), -1, -1)]
    witnesses = {subject.state_after(prefix): prefix for prefix in prefixes}
    viable, ready = partial(could_match, subject.pattern), trie()
    return Case(
        "the rows of all states",
        subject.pattern,
        ("partial matches", "ready trie"),
        slow=lambda: [build_mask(setting.texts, text, viable) for text in witnesses.values()],
        fast=lambda: [walk_trie(subject.fsm, state, ready) for state in witnesses],
        times=1,
    )


def _trie_against_loop(setting: Setting, subject: Subject, trie: Made, build: Made) -> Case:
    ready = trie()

    def when_it_pays(times: Times) -> str:
        pays = int(times.prepare / max(times.slow - times.fast, 1e-9)) + 1
        return f"trie {times.prepare:.2f} s, pays from pattern {pays} on"

    return Case(
        "the table of all states",
        subject.pattern,
        ("every token", "ready trie"),
        slow=lambda: states_to_vocab(subject.fsm, setting.texts),
        fast=lambda: lift(subject.fsm, ready),
        prepare=build,
        note=when_it_pays,
    )
