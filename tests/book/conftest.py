"""A browser, and the explorers' fragments."""

import shutil

import pytest

from course.play.__main__ import write_all

ON_A_MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", ON_A_MAC)
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]

BODY = "<!doctype html><meta charset=utf-8><link rel=icon href='data:,'><body {}>{}</body>"


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    chromium = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if not chromium:
        pytest.exit("There's no browser on the PATH to open the explorers in: install Chromium or Chrome.", 1)
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=chromium, args=OPTIONS)
        yield opened
        opened.close()


@pytest.fixture
def opened(browser):
    """Open pages; afterwards nothing has been written to the console, and nothing was asked of another host."""
    faults, contexts = [], []

    def opened(url, width=1280, height=900, asked=("file:", "data:"), **options):
        contexts.append(browser.new_context(viewport={"width": width, "height": height}, **options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("requestfailed", lambda each: "ABORTED" in each.failure or faults.append(f"failed: {each.url}"))
        page.on("request", lambda each: each.url.startswith(asked) or faults.append(each.url))
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not faults


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """Every fragment, by the number of its lab."""
    return {int(file.stem[-2:]): file for file in write_all(tmp_path_factory.mktemp("explorers"))}


@pytest.fixture
def visit(opened, made):
    """Open a fragment in a page of its own."""

    def visit(number, width=800, attributes="", **options):
        file = made[number].with_name("page.html")  # beside the script that some load
        file.write_text(BODY.format(attributes, made[number].read_text(encoding="utf-8")), encoding="utf-8")
        return opened(file.as_uri(), width, 800, **options)

    return visit
