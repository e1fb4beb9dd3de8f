"""A few of the seeds that ``python -m tests.labs.lab_13.seeds 1000`` tries; and that a wrong sampler fails them."""

from labs.lab_13_fair_sampling import solution
from labs.lab_13_fair_sampling.test_lab import rejection_by_chance
from tests.labs.lab_13.seeds import failures


def test_other_seeds_pass():
    assert failures(range(1, 6)) == []


def test_masking_fails_with_every_seed():
    class Masking:
        """Draws another token where one is rejected."""

        @staticmethod
        def rejection_sample(model, allowed, eos_id, draw, attempts):
            return solution.masked_sample(model, allowed, eos_id, draw)[0]

    for seed in range(5):
        try:
            rejection_by_chance(Masking, seed)
        except AssertionError as error:
            assert "expected 80%" in str(error)
        else:
            raise AssertionError(f"masking passes with seed {seed}")
