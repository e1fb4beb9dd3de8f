"""Marks for tests that need optional packages, which skip them if the packages are not installed."""

from importlib.util import find_spec

import pytest

HF = "the bridge's: python -m pip install -r requirements/hf.txt -c constraints.txt"


def needs(*packages, extra=HF):
    absent = [package for package in packages if find_spec(package) is None]
    reason = f"an extra is not installed (lacking {', '.join(absent)}), {extra}"
    return pytest.mark.skipif(bool(absent), reason=reason)


needs_tokenizers = needs("tokenizers")
"""In requirements/check.txt: `make check` runs these tests on every machine."""

needs_safetensors = needs("safetensors")
"""In requirements/check.txt too."""

needs_transformers = needs("torch", "transformers", "tokenizers", "safetensors")
"""In requirements/hf.txt, an extra of 1.2 GB."""

needs_torch = needs("torch")
"""In requirements/train.txt and requirements/hf.txt."""

needs_triton = needs("torch", "triton", extra="torch and Triton")
"""What lab 15 runs on where there is a GPU."""

needs_vllm = needs("vllm", extra="which has an environment of its own (bridges/vllm/README.md)")
"""These tests run in that environment, by its Python: `make check` calls it if it's there."""
