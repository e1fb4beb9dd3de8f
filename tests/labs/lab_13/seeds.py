"""Run the tests of lab 13 that draw at random with other seeds: ``python -m tests.labs.lab_13.seeds 1000``.

Each holds a right answer to a bound that it breaks with probability 1e-7 at most, so of 2,000 runs none should fail.
"""

import sys

from labs.lab_13_fair_sampling import solution
from labs.lab_13_fair_sampling.test_lab import masked_weights_by_chance, rejection_by_chance


def failures(seeds: range) -> list[str]:
    """Return what failed: one line for each check and seed."""
    found = []
    for seed in seeds:
        for check in (masked_weights_by_chance, rejection_by_chance):
            try:
                check(solution, seed)
            except AssertionError as error:
                found.append(f"{check.__name__}: {error}")
    return found


def main() -> None:
    """Print what failed, and how many runs there were."""
    seeds = range(1, 1 + int(sys.argv[1]) if len(sys.argv) > 1 else 1001)
    found = failures(seeds)
    print(*found, f"{len(found)} of {2 * len(seeds)} runs failed, seeds 1 to {seeds[-1]}", sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
