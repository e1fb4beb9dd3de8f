"""The filter of system calls, run by an interpreter of its language that is made here."""

import re
from pathlib import Path

import pytest

from course.isolation.confine import calls, seccomp

ALLOW, REFUSE, UNKNOWN, KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
PID = 4321
CONDITIONAL = {"clone", "clone3", "kill", "tgkill", "prlimit64", "fcntl", "ioctl", "prctl"}


def verdict(machine: str, number: int, *words: int, processes: int = 1, audit: int | None = None) -> int:
    """What the filter says of a call with these arguments."""
    fields = {0: number, 4: calls.AUDIT[machine] if audit is None else audit}
    fields |= {16 + 8 * i: word & 0xFFFFFFFF for i, word in enumerate(words)}
    steps, at, value = seccomp.program(machine, PID, processes), 0, 0
    while True:
        code, yes, no, k = steps[at]
        if code == 0x06:
            return k
        if code == 0x20:
            value, skip = fields.get(k, 0), 0
        else:
            skip = yes if {0x15: value == k, 0x35: value >= k, 0x45: bool(value & k)}[code] else no
        at += 1 + skip


MACHINES = pytest.mark.parametrize("machine", sorted(calls.NUMBERS))


@MACHINES
def test_listed_calls_are_refused_whatever_their_arguments(machine: str) -> None:
    for name, number in calls.NUMBERS[machine].items():
        if name not in CONDITIONAL:
            assert {verdict(machine, number), verdict(machine, number, PID, 1, 2)} == {REFUSE}, name


@MACHINES
def test_other_calls_pass_and_those_that_the_table_does_not_know_are_not_there(machine: str) -> None:
    """Among them setxattrat (463), and on x86-64 the second numbers of calls, from 512 on."""
    listed = set(calls.NUMBERS[machine].values())
    assert max(listed) < calls.UNKNOWN
    assert {verdict(machine, number) for number in range(calls.UNKNOWN) if number not in listed} == {ALLOW}
    assert {verdict(machine, number) for number in range(calls.UNKNOWN, 700)} == {UNKNOWN}


@MACHINES
def test_signals_reach_the_process_itself_alone(machine: str) -> None:
    numbers = calls.NUMBERS[machine]
    for name in ("kill", "tgkill"):
        assert verdict(machine, numbers[name], PID, 9) == ALLOW
        assert {verdict(machine, numbers[name], pid, 9) for pid in (0, -1, -PID, 1, PID + 1)} == {REFUSE}


@MACHINES
def test_threads_only_where_there_may_be_several(machine: str) -> None:
    clone, clone3 = calls.NUMBERS[machine]["clone"], calls.NUMBERS[machine]["clone3"]
    thread, fork = 0x3D0F00, 0x1200011
    assert [verdict(machine, clone, flags) for flags in (thread, fork)] == [REFUSE, REFUSE]
    assert [verdict(machine, clone, flags, processes=2) for flags in (thread, fork)] == [ALLOW, REFUSE]
    assert verdict(machine, clone3, processes=2) == UNKNOWN


@MACHINES
def test_owners_of_descriptors_and_terminals(machine: str) -> None:
    numbers = calls.NUMBERS[machine]
    assert [verdict(machine, numbers["fcntl"], 3, command) for command in (1, 3)] == [ALLOW, ALLOW]
    assert [verdict(machine, numbers["fcntl"], 3, command) for command in (8, 15)] == [REFUSE, REFUSE]
    assert [verdict(machine, numbers["ioctl"], 0, command) for command in (0x5401, 0x5412)] == [ALLOW, REFUSE]
    assert [verdict(machine, numbers["prctl"], option) for option in (1, 4)] == [REFUSE, ALLOW]
    assert [verdict(machine, numbers["prlimit64"], pid) for pid in (0, PID, 1)] == [ALLOW, ALLOW, REFUSE]


@MACHINES
def test_another_architectures_calls_end_the_process(machine: str) -> None:
    assert verdict(machine, 1, audit=0x40000003) == KILL
    assert verdict(machine, 0x40000001) == REFUSE


def test_numbers_are_given_once_and_newer_ones_are_the_same_everywhere() -> None:
    """From 424 on the kernel numbers calls alike on all architectures."""
    for numbers in calls.NUMBERS.values():
        assert len(set(numbers.values())) == len(numbers)
    first, second = calls.NUMBERS["x86_64"], calls.NUMBERS["aarch64"]
    assert all(first[name] == second[name] for name in second if max(first[name], second[name]) >= 424)


HEADERS = {
    "x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
    "aarch64": "/usr/include/asm-generic/unistd.h",
}


@MACHINES
def test_numbers_are_the_kernels_where_its_headers_are(machine: str) -> None:
    path = Path(HEADERS[machine])
    text = path.read_text() if path.exists() else ""
    found = dict(re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)$", text, re.MULTILINE))
    assert not {name: n for name, n in calls.NUMBERS[machine].items() if name in found and int(found[name]) != n}
