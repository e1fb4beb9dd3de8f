"""Launches on memory that stays with the tests: what a program can and cannot do from elsewhere."""

import numpy as np
import pytest

from labkit.gpu import OrderMatters, OutOfBounds, jit, tl
from labkit.gpu.elsewhere import launch_elsewhere


@jit
def copy(to_ptr, from_ptr, n, BLOCK: tl.constexpr):  # noqa: N803 (as in Triton)
    places = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(to_ptr + places, tl.load(from_ptr + places, mask=places < n), mask=places < n)


def launched(step, grid=(3,), size=10, may_store=None):
    memory = {"to_ptr": np.zeros(size, np.int32), "from_ptr": np.arange(size, dtype=np.int32)}
    launch = launch_elsewhere(step, "copy", grid, {**memory, "n": size, "BLOCK": 4}, may_store)
    return launch, memory["to_ptr"].tolist()


def test_a_kernel_does_elsewhere_what_it_does_here():
    launch, found = launched(copy.step)
    assert found == list(range(10))
    moved = {place: (each["from_ptr"].loads, each["to_ptr"].stores) for place, each in launch.traffic.items()}
    assert moved == {(0,): (4, 4), (1,): (4, 4), (2,): (2, 2)}
    with pytest.raises(OutOfBounds, match=r"program \(3,\) would load from_ptr\[12\]"):
        launched(lambda place, grid, numbers, sizes, access: access("load", 1, [4 * place[0]]), grid=(4,))


@pytest.mark.parametrize(
    ("asks", "error"),
    [
        (("load", 1, [99]), OutOfBounds),
        (("load", 1, [0.5]), TypeError),
        (("load", 1, "x"), TypeError),
        (("load", 1, [[0]]), TypeError),
        (("load", 2, [0]), KeyError),
        (("store", 0, [0, 1], [1, 2, 3]), ValueError),
        (("store", 0, [0, 0], [1, 2]), OrderMatters),
    ],
)
def test_what_is_refused_fails_the_launch_whatever_the_program_makes_of_it(asks, error):
    def step(place, grid, numbers, sizes, access):
        try:
            access(*asks)
        except Exception:
            return

    with pytest.raises(error):
        launched(step)


def test_a_program_moves_nothing_outside_its_turn():
    kept = []

    def step(place, grid, numbers, sizes, access):
        kept.append(access)
        kept[0]("store", 0, [place[0]], [1])

    with pytest.raises(RuntimeError, match="has ended"):
        launched(step)
    with pytest.raises(RuntimeError, match="has ended"):
        kept[0]("load", 1, [0])


def test_a_program_stores_what_is_its_own():
    """One program that does the work of all is none of a kernel's."""

    def own(place, name, index):
        return name == "to_ptr" and (index // 4 == place[0]).all()

    def all_at_once(place, grid, numbers, sizes, access):
        if place == (0,):
            access("store", 0, np.arange(10), np.arange(10))

    assert launched(all_at_once)[1] == list(range(10))
    with pytest.raises(AssertionError, match="what belongs to another program"):
        launched(all_at_once, may_store=own)
    assert launched(copy.step, may_store=own)[1] == list(range(10))
