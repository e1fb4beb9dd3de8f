"""The reader of GBNF: names and escapes as llama.cpp (``src/llama-grammar.cpp``) and xgrammar read them."""

import string

import pytest

from labkit.errors import InvalidGrammar
from mask_engine import compile_guide
from tests.labs.lab_12 import test_grammars
from tests.labs.lab_12.test_grammars import BYTES


def accepts(grammar: str, text: str) -> bool:
    return test_grammars.accepts(compile_guide(BYTES, grammar=grammar), text)


@pytest.mark.parametrize("name", ["1a", "1", "-kv", "-", "a-1-kv", "0-9", "A", "_a", "-2-rest"])
def test_a_name_may_begin_with_any_of_its_characters(name: str) -> None:
    """llama.cpp's converter names rules after properties, and so writes ``1a-kv`` and ``-kv``."""
    grammar = f'root ::= "<" {name} {name}? ">"\n{name} ::= [0-9] | "-"\n'
    assert accepts(grammar, "<1->")
    assert not accepts(grammar, "<>")


SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "b": "\b", "a": "\a", "0": "\0", "e": "\x1b"}
SIMPLE |= dict(zip(own := "\\\"'?/[]-", own, strict=True))
HEXADECIMAL = set("xuU")


@pytest.mark.parametrize("place", ['"<\\{}>"', '"<" [\\{}] ">"'])
def test_every_escape_of_one_character(place: str) -> None:
    """All of ASCII after a backslash: what either parser knows is read, and the rest is refused, ``\\@`` too."""
    for char in map(chr, range(32, 127)):
        grammar = "root ::= " + place.format(char)
        if char in HEXADECIMAL:
            continue
        if char in SIMPLE:
            assert accepts(grammar, f"<{SIMPLE[char]}>"), char
        else:
            with pytest.raises(InvalidGrammar, match="escape"):
                compile_guide(BYTES, grammar=grammar)


@pytest.mark.parametrize(("escape", "meant"), [("\\x41", "A"), ("\\u00e9", "é"), ("\\U0001F600", "\U0001f600")])
def test_hexadecimal_escapes(escape: str, meant: str) -> None:
    assert accepts(f'root ::= "{escape}0" [{escape}]', f"{meant}0{meant}")
    for digits in string.hexdigits[:3]:
        with pytest.raises(InvalidGrammar, match="hexadecimal"):
            compile_guide(BYTES, grammar=f'root ::= "{escape[:2]}{digits}"')


PIECES = {
    '"a"{1,}': ("aaa", ""),
    '"a" { 1 , 2 }': ("aa", "aaa"),
    r"[\x5ea]": ("^", "b"),
    r"[a\-c]": ("-", "b"),
    r"[^\n\x61-c\]-]": ("d", "b"),
    ".": ("\n", ""),
}
"""Pieces of a grammar, each with a text that it has and one that it has not."""


@pytest.mark.parametrize("piece", PIECES)
def test_what_a_piece_means(piece: str) -> None:
    """With comments and line breaks beside it."""
    grammar = f"root ::= ( # one (\n {piece} # two\n)"
    assert [accepts(grammar, text) for text in PIECES[piece]] == [True, False]
