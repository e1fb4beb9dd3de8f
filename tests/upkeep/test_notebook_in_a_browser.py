"""A walkthrough as JupyterLab shows it to somebody who has not trusted it: every picture is there."""

import json
import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from course.student.core.catalog import find_lab

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
JUPYTER = shutil.which("jupyter-lab")
MOST = 60.0
"""Seconds that the server may take to start."""


@pytest.mark.skipif(not JUPYTER, reason="jupyter-lab is not on the PATH (requirements/jupyter.txt)")
@pytest.mark.skipif(not BROWSER, reason="there is no Chromium on the PATH")
def test_an_untrusted_walkthrough_shows_its_pictures(tmp_path):
    notebook = shutil.copy(find_lab(3).folder / "walkthrough.ipynb", tmp_path)
    outputs = [
        out
        for cell in json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]
        for out in cell.get("outputs", [])
    ]
    pictures = sum("<img" in "".join(out.get("data", {}).get("text/html", "")) for out in outputs)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    own = {f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    options = [f"--port={port}", f"--notebook-dir={tmp_path}", "--ServerApp.token=", "--ServerApp.port_retries=0"]
    command = [str(JUPYTER), "--no-browser", "--allow-root", "--ip=127.0.0.1", *options]
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(command, env=os.environ | own, stdout=log, stderr=log)
    try:
        shown = rendered(url, tmp_path)
    finally:
        server.terminate()
        server.wait(60)
    assert re.search(r"trusted: 0 of \d+ code cells trusted", shown), shown[-2000:]
    assert len(re.findall(r'<img [^>]*src="data:image/svg', shown)) == pictures > 3


def rendered(url, folder):
    """The page after its scripts have run, in a window so high that no cell is left out."""
    started = time.monotonic()
    while True:
        try:
            urlopen(f"{url}/api", timeout=5).close()
            break
        except OSError:
            assert time.monotonic() < started + MOST, (folder / "log").read_text()
            time.sleep(0.5)
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'browser'}"]
    options += ["--window-size=1200,16000", "--virtual-time-budget=60000", "--dump-dom"]
    page = f"{url}/lab/tree/walkthrough.ipynb?reset"
    return subprocess.run(
        [str(BROWSER), *options, page], capture_output=True, text=True, timeout=300, check=True
    ).stdout
