"""The patterns of the demo with their machines, and its models."""

from course.showcase.demo.results import Pattern
from labkit.automata import decimal_fsm
from labkit.models import Model, adversary, digit_lover, seeded_random
from labkit.vocabulary import Vocabulary
from labs.lab_02_atom_fsm.solution import compile_pattern

CHATTER = ["Sure", ",", " here", " is", " the", " number", " you", " asked"]
"""What the adversary would like to say, a token at a time."""


def patterns() -> list[Pattern]:
    """Lab 01's pattern with the machine that is given, and three of lab 02's language."""
    colour = "#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]"
    compiled = [
        (r"[0-9]+\.[0-9]+", "digits, a dot, digits", ("", "12", "3.1")),
        ("0x[0-9a-f]+", "a hexadecimal number", ("", "0x", "0x1f")),
        (colour, "a colour", ("", "#f", "#ffffff")),
    ]
    given = Pattern(r"([0-9]+)?\.[0-9]+", "a decimal number", decimal_fsm(), ("", "3", "3.14"))
    made = (Pattern(source, what, compile_pattern(source), prefixes) for source, what, prefixes in compiled)
    return [given, *made]


def models(vocabulary: Vocabulary) -> dict[str, Model]:
    """The models of the demo by name."""
    return {
        "adversary": adversary(vocabulary, wants=CHATTER),
        "digit lover": digit_lover(vocabulary),
        "random": seeded_random(len(vocabulary), seed=2026),
    }
