"""Receipts: what a mask took at each token, computed again by plain Python from the model's own logits."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.checking.properties import PROPERTY
from labkit.engine.receipts import receipt_of, total
from tests.labkit.engine import EARLY, OneOf, engine, params, prompt, run
from tests.labkit.engine.test_jump import A, B, outputs_of

LOGITS = st.floats(-700, 700, width=32) | st.sampled_from([-math.inf, 0.0, -0.0, 1e-30])


def bits_of(logits, allowed):
    """The cost by exact sums of ``math.exp``: no array, no logarithm of a sum of floats."""
    most = max(logits)
    masses = [Fraction(math.exp(logit - most)) for logit in logits]
    kept = sum((mass for mass, yes in zip(masses, allowed, strict=True) if yes), Fraction(0))
    share = kept / sum(masses)
    return math.inf if not share else math.log2(share.denominator) - math.log2(share.numerator)


@PROPERTY
@given(pairs=st.lists(st.tuples(LOGITS, st.booleans()), min_size=1, max_size=9))
def test_a_receipt_is_what_plain_python_computes(pairs):
    logits, allowed = zip(*pairs, strict=True)
    if max(logits) == -math.inf:
        return
    found = receipt_of(np.array(logits, np.float32), np.array(allowed))
    exact = bits_of(logits, allowed)
    if exact < 1000:  # beyond, a mass of plain Python has become 0, or has few digits
        assert found.bits == pytest.approx(exact, rel=1e-9, abs=1e-12)
        assert found.kept == pytest.approx(2**-exact, rel=1e-9)
    first = logits.index(max(logits))
    assert (found.first_choice, found.first_choice_forbidden) == (first, not allowed[first])


def test_logprobs_and_the_receipt_where_there_was_a_mask_and_they_were_asked_for():
    """Logprobs and receipts are the model's own: the mask, temperature, penalties and top-k change none of them."""
    served = engine(OneOf())
    some = {"temperature": 3, "repetition_penalty": 2.0, "top_k": 1}
    served.add_request(prompt(), params(logprobs=len(served.vocabulary), **some), response_format=[7, 9])
    served.add_request(prompt(), params(logprobs=2), request_id="free")
    served.add_request(prompt(), params(), response_format=[7, 9], request_id="not asked")
    outputs, ids = run(served), list(prompt())
    for output in outputs["request-0"]:
        logits, receipt = EARLY.forward([ids], EARLY.new_cache())[0].tolist(), output.logprob.receipt
        expected = np.array(logits) - math.log(sum(map(math.exp, logits)))
        assert [i for i, _ in output.logprob.top] == np.argsort(-expected).tolist()
        assert [x for _, x in output.logprob.top] == pytest.approx(np.sort(expected)[::-1], abs=1e-4)
        assert output.logprob.token_id == output.token_id
        assert output.logprob.logprob == pytest.approx(expected[output.token_id], abs=1e-4)
        assert receipt.bits == pytest.approx(bits_of(logits, [i in (7, 9) for i in range(len(logits))]), rel=1e-5)
        assert receipt.kept == pytest.approx(sum(math.exp(x) for i, x in output.logprob.top if i in (7, 9)), rel=1e-5)
        assert receipt.first_choice == output.logprob.top[0][0] and receipt.first_choice_forbidden
        ids.append(output.token_id)
    assert all(output.logprob.receipt is None for output in outputs["free"])
    assert all(output.logprob is None for output in outputs["not asked"])


def test_what_a_jump_forced_has_no_logprob_and_no_receipt():
    """The model was not asked about it, so nobody knows what it would have cost."""
    found, _, _ = outputs_of({(): (B,), (B, A): (A, B, 2)}, logprobs=1, max_tokens=5)
    assert [output.logprob is not None for output in found] == [False, True, False, False, True]
    assert total([output.logprob.receipt for output in found if output.logprob]).tokens == 2


def test_the_largest_and_the_smallest_costs_keep_their_digits():
    """Costs of 1e-12 bits and of more than a million, at the ends of float32."""
    largest = float(np.finfo(np.float32).max)
    assert receipt_of(np.float32([0, -28]), np.array([True, False])).bits == pytest.approx(math.exp(-28) / math.log(2))
    far = receipt_of(np.float32([largest, -largest]), np.array([False, True]))
    assert far.bits == pytest.approx(2 * largest / math.log(2)) and far.kept == 0.0 and far.first_choice_forbidden
