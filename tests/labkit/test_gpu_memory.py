"""What the stand-in for Triton's language refuses, and what it counts."""

import numpy as np
import pytest

from labkit.gpu import Bfloat16, OrderMatters, OutOfBounds, Traffic, element_strides, jit, recorded, tl


@jit
def copy_block(source_ptr, target_ptr, n, BLOCK: tl.constexpr):  # noqa: N803
    places = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(target_ptr + places, tl.load(source_ptr + places, mask=places < n), mask=places < n)


@jit
def put(target_ptr, places_ptr, values_ptr):
    row = tl.program_id(0)
    tl.store(target_ptr + tl.load(places_ptr + row), tl.load(values_ptr + row))


@jit
def load_at(source_ptr, place):
    tl.load(source_ptr + place)


@jit
def read_neighbour(x_ptr, n):
    row = tl.program_id(0)
    tl.store(x_ptr + row, tl.load(x_ptr + (row + 1) % n) + 1)


@jit
def two_lanes(x_ptr):
    tl.store(x_ptr + tl.arange(0, 2) * 0, tl.arange(0, 2))


def test_a_copy_in_blocks_whose_masked_lanes_touch_nothing():
    source, target = np.arange(10), np.zeros(10, int)
    copy_block[(3,)](source, target, 10, BLOCK=4)
    assert target.tolist() == list(range(10))


@pytest.mark.parametrize("place", [-1, 4, 100])
def test_out_of_bounds_names_buffer_index_and_program(place):
    message = rf"program \(0,\) would load source_ptr\[{place}\], which has .* 0 to 3"
    with pytest.raises(OutOfBounds, match=message) as caught:
        load_at[(1,)](np.zeros(4), place)
    assert (caught.value.buffer, caught.value.index, caught.value.program) == ("source_ptr", place, (0,))
    assert caught.value.__notes__ == ["in program (0,) of load_at"]


def test_out_of_bounds_in_a_store_and_in_an_empty_array():
    with pytest.raises(OutOfBounds, match=r"would store to target_ptr\[9\]"):
        put[(1,)](np.zeros(4), np.array([9]), np.array([1.0]))
    with pytest.raises(OutOfBounds, match="which is empty"):
        load_at[(1,)](np.zeros(0), 0)


def test_the_gaps_of_an_array_are_not_its_own():
    wide = np.zeros((2, 4))
    load_at[(1,)](wide[:, :3], 4)
    with pytest.raises(OutOfBounds, match=r"source_ptr\[3\], a gap between the rows"):
        load_at[(1,)](wide[:, :3], 3)
    assert element_strides(wide[:, :3]) == (4, 1) and element_strides(wide[:, ::2]) == (4, 2)


ODD = np.zeros(3, np.dtype([("a", "i1"), ("b", "i4")]))["b"]


def test_arrays_that_go_backwards_or_between_elements_are_refused():
    for array, message in ((np.zeros(4)[::-1], "source_ptr has the strides"), (ODD, "whole elements")):
        with pytest.raises(ValueError, match=message):
            load_at[(1,)](array, 0)


def test_a_store_into_an_array_that_may_only_be_read():
    array = np.zeros(4)
    array.flags.writeable = False
    load_at[(1,)](array, 0)
    with pytest.raises(TypeError, match="target_ptr, an array that may only be read"):
        put[(1,)](array, np.array([0]), np.array([1.0]))


DIFFERENT = r"programs \(.,\) and \(.,\) store different values at target_ptr\[2\]"


@pytest.mark.parametrize(
    ("kernel", "arguments", "message"),
    [
        (put, (np.zeros(4), np.array([2, 2]), np.array([1.0, 3.0])), DIFFERENT),
        (put, (np.zeros(4), np.array([2, 2]), np.array([7.0, 0.0])), "target_ptr"),
        (put, (np.zeros(4), np.array([2, 2]), np.array([0.0, 7.0])), "target_ptr"),
        (put, (np.ones(4), np.array([2, 2]), np.array([0.0, -0.0])), DIFFERENT),
        (read_neighbour, (np.zeros(4), 4), r"x_ptr\[\d\]: the result depends on the order"),
        (two_lanes, (np.zeros(2, int),), r"two lanes of program \(0,\) store different values at x_ptr\[0\]"),
    ],
    ids=["two values", "what was there, second", "what was there, first", "two zeros", "a load", "two lanes"],
)
def test_the_order_of_programs_and_lanes_must_not_matter(kernel, arguments, message):
    with pytest.raises(OrderMatters, match=message):
        kernel[(4 if kernel is read_neighbour else 1 if kernel is two_lanes else 2,)](*arguments)


@pytest.mark.parametrize("value", [1.0, 0.0, np.nan])
def test_two_programs_may_store_the_same(value):
    target = np.zeros(4)
    put[(2,)](target, np.array([2, 2]), np.array([value, value]))
    assert target.tolist()[2] == value or np.isnan(target[2])


def test_the_order_is_shuffled_and_the_same_each_time():
    seen = []

    @jit
    def note():
        seen.append(int(tl.program_id(0)))

    note[(20,)]()
    first, seen[:] = list(seen), []
    note[(20,)]()
    assert first == seen != list(range(20)) and sorted(first) == list(range(20))


def test_loads_stores_and_bytes_of_each_program():
    source, target = np.zeros(6, np.float32), np.zeros(6, np.float16)
    with recorded() as launches:
        copy_block[(2,)](source, target, 6, BLOCK=4)
    (launch,) = launches
    assert (launch.kernel, launch.grid) == ("copy_block", (2,))
    assert launch.of_program((0,)) == Traffic(4, 4, 16, 8) and launch.of_program((1,)) == Traffic(2, 2, 8, 4)
    assert launch.of_buffers() == {"source_ptr": Traffic(6, 0, 24, 0), "target_ptr": Traffic(0, 6, 0, 12)}
    assert launch.total().bytes == 36


def test_a_launch_that_breaks_off_is_recorded_too():
    with recorded() as launches, pytest.raises(OutOfBounds):
        load_at[(1,)](np.zeros(4), 9)
    assert launches[0].kernel == "load_at" and launches[0].total() == Traffic()
    load_at[(1,)](np.zeros(4), 0)
    assert len(launches) == 1


def test_bfloat16_is_the_upper_half_of_float32():
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 1 << 16, 4096).astype(np.uint16)
    values = Bfloat16(bits).values()
    assert np.array_equal(values.view(np.uint32), bits.astype(np.uint32) << 16)
    target = np.zeros(4096, np.uint16)
    copy_block[(4,)](values, Bfloat16(target), 4096, BLOCK=1024)
    quiet = np.where(np.isnan(values), bits | 0x40, bits)
    assert np.array_equal(target, quiet)


def test_rounding_to_bfloat16_is_to_the_nearest():
    rng = np.random.default_rng(1)
    values = (rng.normal(size=2048) * 10.0 ** rng.integers(-30, 30, 2048)).astype(np.float32)
    target = np.zeros(2048, np.uint16)
    copy_block[(2,)](values, Bfloat16(target), 2048, BLOCK=1024)
    got = Bfloat16(target).values().astype(np.float64)
    for other in (target + np.uint16(1), target - np.uint16(1)):
        assert (abs(got - values) <= abs(Bfloat16(other).values().astype(np.float64) - values)).all()


def test_bfloat16_is_held_in_uint16():
    with pytest.raises(TypeError, match="not in int16"):
        Bfloat16(np.zeros(2, np.int16))
