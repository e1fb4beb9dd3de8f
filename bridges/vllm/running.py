"""The small model in vLLM, with the course's masks: in a program, or as a server on this machine."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from urllib.error import URLError
from urllib.request import urlopen

WAYS = ("processor", "backend", "drafts")
"""How a request gets its mask: by the logits processor, by the backend, or by the backend while vLLM drafts."""

N_GRAMS = {"method": "ngram", "num_speculative_tokens": 4, "prompt_lookup_max": 4, "prompt_lookup_min": 1}
"""Drafts that are looked up in the text so far: they need no second model, and run on a CPU."""

ALONE = {"HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1", "VLLM_CPU_KVCACHE_SPACE": "1"}
"""No network at run time, and no more memory than a small model needs."""

QUIET = {"VLLM_LOGGING_LEVEL": "ERROR", "PYTHONWARNINGS": "ignore", "TQDM_DISABLE": "1"}

OPTIONS = {"max_model_len": 512, "max_num_seqs": 8, "dtype": "float32", "enforce_eager": True}

STARTS_IN = 240
"""Seconds: four processes on two busy cores take three minutes to start."""


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
    for name, value in ALONE.items():
        os.environ.setdefault(name, value)
    from vllm import LLM

    from bridges.vllm.backend import NAME

    if way == "drafts":
        options["speculative_config"] = N_GRAMS
    outputs = {"backend": backend or NAME} | options.pop("structured_outputs_config", {})
    more = {"use_tqdm_on_load": False, "structured_outputs_config": outputs}
    llm = LLM(model=folder, **OPTIONS | more | options)
    try:
        yield llm
    finally:
        llm.llm_engine.engine_core.shutdown()


@contextmanager
def serve(folder: str, **options: Any) -> Iterator[str]:
    """Yield the address of vLLM's server on a folder, on this machine alone; its processes end with the block.

    Args:
        options: of vLLM's server, such as ``data_parallel_size=2``.

    Raises:
        RuntimeError: if it doesn't start, with the end of its log.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    asked = OPTIONS | {"model": folder, "served_model_name": "small", "host": "127.0.0.1", "port": port} | options
    flags = [f"--{name.replace('_', '-')}" + f"={value}" * (value is not True) for name, value in asked.items()]
    command = [sys.executable, "-W", "ignore", "-m", "vllm.entrypoints.openai.api_server", *flags]
    environment = ALONE | QUIET
    if (size := options.get("tensor_parallel_size", 1)) > 1:  # vLLM doesn't share out the cores of a single node
        environment["VLLM_CPU_OMP_THREADS_BIND"] = "|".join(str(core % (os.cpu_count() or 1)) for core in range(size))
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        process = subprocess.Popen(
            command, env=environment | os.environ, stdout=log, stderr=log, start_new_session=True
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait(address, process, log)
            yield address
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # its children, if it has left any


def _wait(address: str, process: subprocess.Popen[bytes], log: IO[str]) -> None:
    end = time.monotonic() + STARTS_IN
    while process.poll() is None and time.monotonic() < end:
        try:
            urlopen(f"{address}/health", timeout=5).close()
            return
        except (URLError, OSError):
            time.sleep(1)
    log.seek(0)
    raise RuntimeError(f"vLLM's server did not start:\n{log.read()[-2000:]}")


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
