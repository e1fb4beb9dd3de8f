"""A browser, and the explorers' fragments."""

import shutil

import pytest

from book.explorers.__main__ import write_all


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Every fragment, by the number of its lab."""
    return {int(file.stem[-2:]): file for file in write_all(tmp_path_factory.mktemp("explorers"))}
