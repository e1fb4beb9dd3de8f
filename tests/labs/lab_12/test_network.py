"""The order of the rules, and left recursion: each rule comes before those that it calls before it reads a byte."""

import pytest

from labkit.errors import InvalidGrammar
from labs.lab_12_pushdown.given.gbnf import read_gbnf
from labs.lab_12_pushdown.given.network import call_order
from labs.lab_12_pushdown.solution import Rules


def test_a_long_chain_is_no_recursion():
    """Python's own stack holds about 1,000 calls."""
    names = [str(rule) for rule in range(5000)]
    assert call_order([*([rule + 1] for rule in range(4999)), []], names) == [*range(5000)]
    with pytest.raises(InvalidGrammar, match="left recursion: 0, 1, 2, 3, 4, 5"):
        call_order([[(rule + 1) % 5000] for rule in range(5000)], names)


@pytest.mark.parametrize(
    ("grammar", "circle"),
    [
        ('root ::= root? "a"', "root, root"),
        ('root ::= n root "a" | "b"  n ::= "n" n | ""', "root, root"),
        ('root ::= x "b"  x ::= root | "a"', "root, x, root"),
        ('root ::= "a" x  x ::= y "b" | "c"  y ::= x "d" | "e"', "x, y, x"),
        ('root ::= space root "a" | "b"  space ::= " "?', "root, root"),
        ('root ::= space x  space ::= empty empty  empty ::= " "?  x ::= root "a" | "b"', "root, x, root"),
        ('root ::= x  x ::= y "a" | "a"  y ::= z "a" | "b"  z ::= x "c" | "c"', "x, y, z, x"),
    ],
)
def test_left_recursion_is_refused_by_name(grammar, circle):
    """The message names the rules on the circle, in the order of their calls, and no rule that leads to it."""
    with pytest.raises(InvalidGrammar, match=f"^left recursion: {circle}$"):
        Rules(read_gbnf(grammar))
