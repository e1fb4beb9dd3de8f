"""Lab 13's samplers on a model of transformers: whole texts, which ``generate`` cannot take back and begin again."""

from collections.abc import Callable, MutableMapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from labkit.errors import NoLegalToken
from labkit.small_model.generation import Constraint
from labkit.vocabulary import Vocabulary


def sample_text(
    model: Any,
    prompt_ids: Sequence[int],
    vocabulary: Vocabulary,
    constraint: Constraint,
    *,
    sampler: str = "smc",
    max_new_tokens: int,
    temperature: float = 1.0,
    seed: int | None = None,
    memory: MutableMapping[tuple[int, ...], float] | None = None,
) -> list[int]:
    """Return the ids of a text under a constraint, EOS included, drawn by one of lab 13's samplers.

    Args:
        model: one of transformers' models for causal language, on any device.
        vocabulary: the tokens' bytes and EOS.
        constraint: a guide of ``mask_engine``; it keeps the budget.
        sampler: ``"masked"``, ``"rejection"``, ``"smc"`` or ``"adaptive"``.
        temperature: divides the logits, once; above 0.
        seed: determines the draws.
        memory: what ``"adaptive"`` has learned from earlier texts of the same prompt, constraint, budget and
            temperature; it is updated. The others leave it as it is.

    Raises:
        ValueError: if there is no such sampler, the temperature is not above 0, or lab 13 is missing in this copy.
        NoLegalToken: if the sampler found no legal text.
    """
    write, allowed = _lab_13(sampler, constraint, len(vocabulary), max_new_tokens)
    if not temperature > 0:
        raise ValueError(f"temperature must be above 0 with a sampler, not {temperature}")
    known = dict[tuple[int, ...], NDArray[np.float64]]()

    def logits(ids: Sequence[int]) -> NDArray[np.float64]:
        # The samplers ask about a prefix more than once: particles begin alike, and so do attempts.
        key = tuple(ids)
        if key not in known:
            with torch.no_grad():
                given = model(torch.tensor([[*prompt_ids, *key]], device=model.device)).logits[0, -1]
            known[key] = given[: len(vocabulary)].double().cpu().numpy() / temperature
        return known[key]

    draw = np.random.default_rng(seed).random
    ids: list[int] | None = write(sampler, logits, allowed, vocabulary.eos_id, draw, {} if memory is None else memory)
    if ids is None:
        raise NoLegalToken(constraint.initial, "")
    return ids


def _lab_13(sampler: str, constraint: Constraint, n_tokens: int, budget: int) -> tuple[Callable[..., Any], Any]:
    """Return lab 13's ``write`` and a constraint as it asks for it."""
    try:
        from labs.lab_13_fair_sampling.given.samplers import NAMES, Allowed, write
    except ModuleNotFoundError as error:  # a copy of the course may end before
        raise ValueError(f"the sampler {sampler} needs lab 13, which this copy of the course does not have") from error
    if sampler not in NAMES:
        raise ValueError(f"sampler must be one of {', '.join(NAMES)}, not {sampler!r}")
    return write, Allowed(constraint, n_tokens, budget)
