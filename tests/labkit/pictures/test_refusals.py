"""What no picture can show is refused, and the message says why."""

import math
from collections.abc import Callable
from functools import partial

import pytest

from labkit import pictures
from tests.labkit.pictures.test_pictures import HEX

plot = partial(pictures.line_chart, title="", x_label="", y_label="")
DIGITS_FUNCTION = pictures.TokenFunction("digits", {0: 0, 1: 2, 2: 2}, ["7"])
ONE_A = [[True]], ["a"]
REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: pictures.fsm_svg(HEX, highlight=4), "no state 4 to mark; the states are 0 to 3"),
    (lambda: pictures.fsm_svg(HEX, notes={7: "?"}), "there is no state 7"),
    (lambda: pictures.fsm_svg(HEX, path=[0, 2]), "from state 0 to 2, but no transition does"),
    (lambda: pictures.char_label(""), "at least one character"),
    (lambda: plot({}), "nothing to draw"),
    (lambda: plot({"a": [(1, 1)], "b": []}), "series 'b' has no points"),
    (lambda: plot({"a": [(1, 0)]}, log_y=True), r"'a' has the point \(1, 0\), but a log axis"),
    (lambda: plot({"a": [(-1, 1)]}, log_x=True), "log axis needs values above 0"),
    (lambda: plot({"a": [(1, math.nan)]}), "not finite"),
    (lambda: plot({str(n): [(1, n)] for n in range(6)}), "6 series .* at most 5"),
    (lambda: pictures.bar_chart({}), "nothing to draw"),
    (lambda: pictures.bar_chart({"a": -1.0}), "'a' has the value -1.0"),
    (lambda: pictures.bar_chart({"a": 1.0}, struck=["b"]), "'b' is to be struck out, but there is no such bar"),
    (lambda: pictures.batch_svg([], 3), "nothing to draw"),
    (lambda: pictures.batch_svg([None], 3), "nothing to draw"),
    (lambda: pictures.batch_svg([[True], [True, False]], 1), r"the lengths \[1, 2\]"),
    (lambda: pictures.batch_svg([[True]], 2), "2 tokens do not lie in 1 columns"),
    (lambda: pictures.batch_svg([[True]], 1, names=["a", "b"]), "2 names for 1 rows"),
    (lambda: pictures.mask_svg([], ["a"]), "nothing to draw"),
    (lambda: pictures.mask_svg([[True]], []), "nothing to draw"),
    (lambda: pictures.mask_svg([[True, False], [True]], ["a", "b"]), "row 1 has 1 bits for 2 tokens"),
    (lambda: pictures.mask_svg(*ONE_A, names=["x", "y"]), "2 names for 1 rows"),
    (lambda: pictures.mask_svg(*ONE_A, strong=1), "no column 1 to frame; the columns are 0 to 0"),
    (lambda: pictures.words_svg([], 0), "0 tokens take 0 words"),
    (lambda: pictures.words_svg([1], 33), "33 tokens take 2 words of 32; there are 1"),
    (lambda: pictures.words_svg([1 << 31], 32), "word 0 is 2147483648, which is no int32"),
    (lambda: pictures.functions_svg([], 1), "nothing to draw"),
    (lambda: pictures.functions_svg([DIGITS_FUNCTION], 0), "nothing to draw"),
    (lambda: pictures.functions_svg([DIGITS_FUNCTION], 2), "'digits' names state 2; the states are 0 to 1"),
    (lambda: pictures.byte_boxes_svg([]), "nothing to draw"),
    (lambda: pictures.byte_boxes_svg([((0x41, 0x5A),)]), "is no sequence of two bytes"),  # type: ignore[list-item]
    (lambda: pictures.byte_boxes_svg([((0xC1, 0xC3), (0x80, 0xBF))]), "is no sequence of two bytes"),
    (lambda: pictures.byte_boxes_svg([((0xC2, 0xC3), (0x7F, 0xBF))]), "is no sequence of two bytes"),
    (lambda: pictures.byte_boxes_svg([((0xC3, 0xC2), (0x80, 0xBF))]), "is no sequence of two bytes"),
    (lambda: pictures.tokens_svg([], 3), "nothing to draw"),
    (lambda: pictures.timeline_svg([]), "nothing to draw"),
    (lambda: pictures.timeline_svg([pictures.Lane("empty", [])]), "nothing to draw"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_refusals_say_what_is_wrong(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
