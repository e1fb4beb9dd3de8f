"""Lab 08, given: numbers between bounds, and multiples. The oracles are ``json``, ``decimal`` and ``fractions``."""

import json
import re
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from labkit.checking.properties import PROPERTY
from labkit.errors import LimitExceeded
from labkit.oracles.automata import accepts as matches
from labs.lab_06_regex_to_dfa.solution import minimize_dfa
from mask_engine.numbers.bounded import MAX_PLACES, integer_automaton, number_automaton
from mask_engine.numbers.multiples import MAX_REMAINDERS, multiple_automaton
from tests.walks import matched, words

PLAIN = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
NORMALISED = re.compile(r"-?[1-9](\.[0-9]+)?[eE][+-]?[0-9]+")
SHORT_TEXTS = words("-.019e", 5)
INTEGERS = [str(n) for n in [*range(-115, 116), *range(-1200, 1201, 7), 999, 1000, -999, -1000]]


def is_json_number(text):
    """Return whether ``json`` reads a text as a finite number without space around it."""
    try:
        return type(json.loads(text)) in (int, float) and text.strip() == text and text[-1].isdigit()
    except ValueError:
        return False


NUMBERS = [text for text in SHORT_TEXTS if is_json_number(text)]


def is_read(text):
    """Return whether a number has a notation that is compared with any bound."""
    return bool(PLAIN.fullmatch(text) or NORMALISED.fullmatch(text))


def lies_between(text, low, high, low_open, high_open):
    value = Decimal(text)
    above = low is None or (value > low if low_open else value >= low)
    return above and (high is None or (value < high if high_open else value <= high))


def bounds():
    """Bounds near each other and near powers of ten, where numbers gain a digit."""
    near = st.integers(-130, 130).map(Decimal) | st.integers(-1300, 1300).map(lambda n: Decimal(n) / 100)
    scaled = st.tuples(st.integers(-12, 12), st.integers(-3, 3)).map(lambda pair: Decimal(pair[0]).scaleb(pair[1]))
    return near | scaled | st.none()


def notations(value):
    """Return a number in several notations: plain, with zeros after it, and scientific in either case."""
    plain = f"{value:f}"
    found = [plain, plain + ("000" if "." in plain else ".00")]
    if value:
        mantissa, _, exponent = f"{value:e}".partition("e")
        sign, digits = ("-", exponent[1:]) if exponent[0] == "-" else ("", exponent.lstrip("+"))
        longer = mantissa + ("0" if "." in mantissa else ".0")
        found += [f"{mantissa}e{sign}{digits}", f"{mantissa}E{sign or '+'}0{digits}", f"{longer}e{exponent}"]
    return found


@settings(PROPERTY, max_examples=150)
@given(bounds(), bounds(), st.booleans(), st.booleans(), st.lists(st.decimals(-14, 14, places=2), max_size=5))
@example(Decimal(0), Decimal(0), False, False, [])
@example(Decimal("-0.5"), Decimal("0.5"), True, True, [])
@example(Decimal("1e-2"), Decimal("1e2"), True, False, [])
@example(Decimal(-1), Decimal(0), False, True, [])
def test_numbers_between_bounds(low, high, low_open, high_open, others):
    automaton = number_automaton(low, high, low_open, high_open)
    steps = [Decimal(0), Decimal("0.001"), Decimal("-0.001"), Decimal(1), Decimal(-1), Decimal(10)]
    around = [bound + step for bound in (low, high) if bound is not None for step in steps]
    texts = {text for value in [*around, *others] for text in notations(value)} | {"-0", "0", "-0.0", "0.00"}
    for text in texts:
        assert matches(automaton, text) == lies_between(text, low, high, low_open, high_open), text


@settings(PROPERTY, max_examples=25)
@given(bounds(), bounds(), st.booleans(), st.booleans())
def test_all_short_texts(low, high, low_open, high_open):
    """In both directions: what is matched is a number within the bounds, and every such number is matched."""
    automaton = number_automaton(low, high, low_open, high_open)
    found = matched(automaton, SHORT_TEXTS)
    right = {text for text in NUMBERS if lies_between(text, low, high, low_open, high_open)}
    assert found <= right
    assert {text for text in right if is_read(text)} <= found
    assert len(minimize_dfa(automaton)) == len(automaton), "and where no number lies between, the empty one"


HUGE = [Decimal(each) for each in ("1e308", "1.7976931348623157e308", 2**63 - 1, "2.2250738585072014e-308", 10**61)]


@pytest.mark.parametrize("bound", HUGE, ids=str)
def test_large_and_tiny_bounds_stay_small_and_exact(bound):
    automaton = number_automaton(bound.copy_negate(), bound)
    assert bound < 1 or len(integer_automaton(int(-bound), int(bound))) < 700
    strict = number_automaton(bound.copy_negate(), bound, True, True)
    assert len(automaton) < 1000
    more, less = bound + bound.scaleb(-20), bound - bound.scaleb(-20)
    for sign in (1, -1):
        for value, inside in ((bound, True), (more, False), (less, True)):
            for text in notations(sign * value):
                assert matches(automaton, text) == inside, text
                assert matches(strict, text) == (inside and value != bound), text


@settings(PROPERTY, max_examples=60)
@given(st.none() | st.integers(-1100, 1100), st.none() | st.integers(-1100, 1100))
@example(1, 0)
@example(0, 0)
@example(-1, 0)
@example(99, 100)
@example(-1000, -100)
def test_integers_between_bounds(low, high):
    automaton = integer_automaton(low, high)
    right = {t for t in INTEGERS if (low is None or int(t) >= low) and (high is None or int(t) <= high)}
    assert matched(automaton, INTEGERS) == right
    odd = ["-0", "01", "1.0", "1e2", "+1", "-", "", "00", "-01"]
    assert matched(automaton, odd) == set()


TOO_LONG = (LimitExceeded, "has too many digits; the limit is 1,500")
INFINITE = (ValueError, "is no bound for numbers")
BAD_BOUNDS = dict.fromkeys(["1e2000", "-1e-2000", "9" * (MAX_PLACES + 2), "1e999999999"], TOO_LONG)
BAD_BOUNDS |= dict.fromkeys(["Infinity", "-Infinity", "NaN"], INFINITE)


@pytest.mark.parametrize("bound", BAD_BOUNDS)
def test_bounds_are_finite_and_have_a_limit(bound):
    kind, words = BAD_BOUNDS[bound]
    for low, high in ((bound, None), (None, bound)):
        with pytest.raises(kind, match=words):
            number_automaton(*(value and Decimal(value) for value in (low, high)))


DIVISORS = ["1", "2", "3", "7", "12", "16", "100", "0.5", "0.01", "0.05", "0.0001", "1.5", "2.50", "1e2", "0.75", "97"]


@pytest.mark.parametrize("divisor", DIVISORS)
def test_multiples(divisor):
    """All plain decimals that are short, and those of a few digits: exact arithmetic says which are multiples."""
    automaton = multiple_automaton(Decimal(divisor))
    texts = [*words("-.0125", 5), *INTEGERS, *(f"{n / 10000:.4f}" for n in range(-3000, 30000, 25))]
    right = {t for t in texts if PLAIN.fullmatch(t) and Fraction(t) % Fraction(divisor) == 0}
    assert matched(automaton, texts) == right
    assert len(minimize_dfa(automaton)) == len(automaton)


@pytest.mark.parametrize("divisor", DIVISORS)
def test_multiples_with_an_exponent_are_exact_and_so_are_their_floats(divisor):
    automaton = multiple_automaton(Decimal(divisor))
    mantissas = ["1", "-4.5", "1.0625", "9.9999999999999999"]
    texts = [f"{m}e{sign}{n}" for m, sign, n in product(mantissas, ["", "+", "+0"], range(14, 40))]
    for text in matched(automaton, [*texts, "1e-5", "1e400"]):
        assert Fraction(text) % Fraction(divisor) == 0 and Fraction(float(text)) % Fraction(divisor) == 0
    found = matched(automaton, texts)
    assert bool(found) == (Fraction(divisor).numerator in (1, 2, 4, 8, 16))
    assert all((text in found) for text in texts if found and int(text.split("e")[1]) > 20)


def test_divisors_are_above_zero_and_have_a_limit():
    for divisor in ("0", "-2", "NaN", "Infinity"):
        with pytest.raises(ValueError, match="a divisor must be a number above 0"):
            multiple_automaton(Decimal(divisor))
    assert matches(multiple_automaton(Decimal(MAX_REMAINDERS)), "120000")
    assert matches(multiple_automaton(Decimal("1e-300")), "0.25")
    for divisor in (str(MAX_REMAINDERS + 1), "0.123456789", "1e90", "1e-99999999"):
        with pytest.raises(LimitExceeded, match="has too many remainders; the limit is 10,000"):
            multiple_automaton(Decimal(divisor))
