"""The small model in vLLM, in this process's children, with the course's masks in one of three ways."""

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WAYS = ("processor", "backend", "drafts")
"""How a request gets its mask: by the logits processor, by the backend, or by the backend while vLLM drafts."""

N_GRAMS = {"method": "ngram", "num_speculative_tokens": 4, "prompt_lookup_max": 4, "prompt_lookup_min": 1}
"""Drafts that are looked up in the text so far: they need no second model, and run on a CPU."""

ALONE = {"HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1"}
"""No network at run time."""

QUIET = {"VLLM_LOGGING_LEVEL": "ERROR", "PYTHONWARNINGS": "ignore", "TQDM_DISABLE": "1"}


@contextmanager
def small_model(checkpoint: str = "final") -> Iterator[str]:
    """Yield a folder with the small model as transformers, and vLLM, load it."""
    from bridges.hf.convert import export

    with tempfile.TemporaryDirectory(prefix="small-model-") as folder:
        export(Path(folder), checkpoint)
        yield folder


@contextmanager
def engine(folder: str, way: str = "backend", backend: str | None = None, **options: Any) -> Iterator[Any]:
    """Yield vLLM's ``LLM`` on a folder; its processes end with the block.

    Args:
        backend: the name of vLLM's backend for structured outputs; None for ours.
        options: of ``LLM``.
    """
    for name, value in (ALONE | {"VLLM_CPU_KVCACHE_SPACE": "1"}).items():
        os.environ.setdefault(name, value)
    from vllm import LLM

    from bridges.vllm.backend import NAME

    if way == "drafts":
        options["speculative_config"] = N_GRAMS
    defaults = {"max_model_len": 512, "max_num_seqs": 8, "dtype": "float32", "enforce_eager": True}
    options = (
        defaults | {"use_tqdm_on_load": False, "structured_outputs_config": {"backend": backend or NAME}} | options
    )
    llm = LLM(model=folder, **options)
    try:
        yield llm
    finally:
        llm.llm_engine.engine_core.shutdown()


def params(asked: Mapping[str, Any] | None, way: str = "backend", **sampling: Any) -> Any:
    """Return vLLM's ``SamplingParams`` of a request that asks for a ``response_format`` of lab 09, or for tools."""
    from vllm import SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    sampling = {"temperature": 0.0, "skip_special_tokens": False} | sampling
    if asked is None:
        return SamplingParams(**sampling)
    if way == "processor":
        return SamplingParams(extra_args={"mask": dict(asked)}, **sampling)
    return SamplingParams(structured_outputs=StructuredOutputsParams(grammar=json.dumps(asked)), **sampling)
