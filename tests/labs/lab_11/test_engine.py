"""What the lab gives around the student's functions: guides that remember steps of free text, and lists of ids."""

import numpy as np
import pytest

from labs.lab_09_inside_an_engine.given.guides import GuideOfFunctions
from labs.lab_11_tool_calls.given.guides import ToolGuide, listed_ids

FREE, SIZE = 2, 4


def guide_of(advance):
    """A tool guide with 2 free states out of 4."""
    return ToolGuide(GuideOfFunctions(0, print, print, advance, bool, int), FREE, SIZE)


# Steps of free text ----------------------------------------------------------------------------------


def test_a_free_step_is_asked_for_once_and_a_step_in_a_call_each_time():
    """State 0 is remembered like any other; with half a character read (5), a free state is still free."""
    asked = []
    guide = guide_of(lambda state, token: asked.append((state, token)) or (state + token) % 4)
    steps = [(0, 4), (0, 5), (1, 4), (5, 4), (2, 1), (7, 2), (-1, 9)]
    for _ in range(3):
        assert [guide.advance(*step) for step in steps] == [0, 1, 1, 1, 3, 1, 0]
    remembered = [(0, 4), (0, 5), (1, 4), (5, 4)]
    assert sorted(asked) == sorted(remembered + 3 * [step for step in steps if step not in remembered])
    assert [*guide.after] == remembered


# Lists of ids ----------------------------------------------------------------------------------------


def words(ids, size):
    """A bitmask of some ids."""
    bits = np.isin(np.arange(-(-size // 32) * 32), list(ids))
    return np.packbits(bits, bitorder="little").view("<i4").astype(np.int32)


@pytest.mark.parametrize("size", [3, 4, 32, 38, 64, 70])
@pytest.mark.parametrize("missing", [[], [0], [2, 1], range(0, 70, 3), range(1, 70, 2), [31], range(70), range(1, 69)])
def test_the_shorter_list_of_a_bitmask(size, missing):
    """Bits beyond the vocabulary are no tokens; where both sides are equal, the forbidden ones are listed."""
    guide = guide_of(print)
    forbidden = sorted(i for i in missing if i < size)
    others = sorted({*range(size)} - {*forbidden})
    bitmask, allows = words(others, size), len(others) < len(forbidden)
    for _ in range(2):
        ids, which = listed_ids(guide, bitmask, size)
        assert (ids.dtype, ids.tolist(), which) == (np.intp, others if allows else forbidden, allows)
