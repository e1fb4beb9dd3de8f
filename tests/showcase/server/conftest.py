"""A server in a thread of the test's process; one for all tests."""

import re
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from importlib.util import find_spec

import pytest

from course.student.core.catalog import ROOT

NEEDED = ("starlette", "pydantic", "uvicorn", "prometheus_client", "httpx", "openai")  # in requirements/check.txt
if not all(map(find_spec, NEEDED)):
    collect_ignore_glob = ["*"]


@contextmanager
def served(**options):
    """The address of a server that runs until the end."""
    from tests.showcase.server.serving import make

    server = make(**options)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    try:
        yield server.address()
    finally:
        server.should_exit = True
        thread.join(30)


@contextmanager
def server_process(grace, pause):
    """The address of a server in a process of its own, and the process."""
    command = [sys.executable, "-m", "tests.showcase.server.serving", "0", str(grace), str(pause)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        yield re.search(r"http://[0-9.:]+", process.stdout.readline())[0], process
    finally:
        process.kill()
        process.communicate(timeout=60)


@pytest.fixture(scope="session")
def server():
    with served() as address:
        yield address


@pytest.fixture(scope="session")
def impatient_server():
    """Half a second for a head to arrive, and for a body."""
    with served(head_seconds=0.5, body_seconds=0.5) as address:
        yield address


@pytest.fixture(scope="session")
def slow_server():
    """One slot, a queue of two, and 20 ms for a token."""
    with served(pause=0.02, max_num_seqs=1, max_num_waiting=2) as address:
        yield address


@pytest.fixture
def client(server):
    import openai

    with openai.OpenAI(base_url=f"{server}/v1", api_key="none", max_retries=0) as made:
        yield made
