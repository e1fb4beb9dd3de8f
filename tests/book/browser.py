"""The book in a browser: ``make test-browser``. Not part of the other tests, since it needs a browser and a minute.

The book lies in ``out/book``; every page is opened at two widths, some are used, from the file system and over HTTP.
"""

import re
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import unquote

import pytest
from axe_playwright_python.sync_playwright import Axe

from course.student.core.catalog import ROOT

BOOK = ROOT / "out/book"
PAGES = sorted(path.relative_to(BOOK).as_posix() for path in BOOK.rglob("*.html"))
CHAPTER = "labs/lab_02_atom_fsm/README.html"


@pytest.fixture(scope="module")
def server():
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(BOOK)))
    Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}/"
    httpd.shutdown()


@pytest.fixture(params=["file", "http"])
def address(request):
    """Where the book lies: on the disk, or at a server."""
    return BOOK.as_uri() + "/" if request.param == "file" else request.getfixturevalue("server")


@pytest.fixture
def visit(opened):
    return partial(opened, asked=("file:", "data:", "http://127.0.0.1:"))


def press(page, key, until):
    page.keyboard.press(key)
    page.wait_for_function(until)


LINES = "code => [code.textContent, new Set([...code.getClientRects()].map(box => Math.round(box.top))).size]"


def test_every_page_fits_a_phone_and_loads_its_pictures(visit):
    """A command in a table takes at most three lines."""
    page = visit(BOOK.as_uri() + "/index.html", 390)
    assert len(PAGES) > 50
    for name in PAGES:
        page.goto(f"{BOOK.as_uri()}/{name}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
        for code, count in page.evaluate(f"[...document.querySelectorAll('td code, th code')].map({LINES})"):
            assert count <= 3, f"{name}: {code}"
        page.evaluate("document.querySelectorAll('img').forEach(img => img.loading = 'eager')")
        broken = "[...document.images].filter(img => img.complete && !img.naturalWidth).map(img => img.src)"
        assert not page.evaluate(broken), name


def test_every_link_of_every_page_leads_somewhere():
    ids = {name: set(re.findall(r'\bid="([^"]+)"', (BOOK / name).read_text("utf-8"))) for name in PAGES}
    for name in PAGES:
        for kind, target in re.findall(r'\b(href|src)="([^"]+)"', (BOOK / name).read_text("utf-8")):
            if kind == "href" and target.startswith(("https://", "http://", "mailto:")):
                continue
            path, _, anchor = target.partition("?")[0].partition("#")
            file = (BOOK / name).parent / unquote(path) if path else BOOK / name
            assert file.is_file(), f"{name}: {target}"
            other = file.resolve().relative_to(BOOK.resolve()).as_posix()
            assert not anchor or unquote(anchor) in ids[other] | {""}, f"{name}: {target}"


def test_a_page_is_light():
    """The home page has the model's whole engine in it, so that it works alone."""
    sizes = {name: (BOOK / name).stat().st_size for name in PAGES}
    shared = sum(path.stat().st_size for path in (BOOK / "_static").rglob("*.*s"))
    assert sizes.pop("index.html") < 400_000 and max(sizes.values()) < 300_000
    assert max(sizes.values()) + shared < 500_000
    typed = [name for name in PAGES if " data-input " in (BOOK / name).read_text("utf-8")]
    own = (BOOK / "typed.js").stat().st_size
    assert len(typed) == 9 and max((BOOK / name).stat().st_size for name in typed) + shared + own < 700_000
    assert (BOOK / "vendor/viz.js").stat().st_size < 1_400_000, "Graphviz, once for all pages"


def test_keys_turn_pages(visit, address):
    page = visit(address + CHAPTER)
    press(page, "ArrowRight", "location.pathname.endsWith('lab_02_atom_fsm/walkthrough.html')")
    page.wait_for_load_state()
    press(page, "ArrowLeft", "location.pathname.endsWith('lab_02_atom_fsm/README.html')")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("key", ["/", "s"])
def test_keys_search(visit, address, key, width):
    page = visit(address + CHAPTER, width)
    press(page, key, "document.activeElement.name === 'q'")
    page.keyboard.type("surrogate")
    page.keyboard.press("Enter")
    page.wait_for_selector("ul.search li a")
    assert any("Lab 07" in text for text in page.locator("ul.search li a").all_inner_texts())
    page.locator("ul.search li a", has_text="Lab 07: bytes").click()
    page.wait_for_selector("span.highlighted")
    press(page, "Escape", "!document.querySelector('span.highlighted')")


SEARCHES = {
    "windows": "install",
    "install": "install",
    "EOS token": "lab_04",
    "jump forward": "lab_10",
    "coalescence": "lab_10",
    "trie": "lab_03",
    "logits": "lab_01",
    "finite automaton": "lab_02",
    "budget": "lab_05",
    "regex": "lab_06",
    "utf-8": "lab_07",
    "json schema": "lab_08",
    "batch": "lab_09",
    "tool calls": "lab_11",
    "function calling": "lab_11",
    "pushdown": "lab_12",
    "context-free grammar": "lab_12",
    "rejection sampling": "lab_13",
    "speculative decoding": "lab_14",
    "gpu": "lab_15",
    "benchmark": "race",
}
"""What somebody types, and the page, or the lab's chapter, that should come first."""


def test_a_search_finds_its_page_first(visit):
    page = visit(BOOK.as_uri() + "/index.html")
    wrong = {}
    for query, expected in SEARCHES.items():
        page.goto(f"{BOOK.as_uri()}/search.html?q={query.replace(' ', '+')}")
        page.wait_for_function("document.querySelector('.search-summary')?.textContent.includes('found')")
        page.wait_for_selector("ul.search li a")
        first = page.locator("ul.search li a").first.get_attribute("href")
        if not re.search(rf"{expected}(\w*/README)?\.html", first):
            wrong[query] = first
    assert not wrong


def test_chapters_come_before_the_notes_about_them(visit):
    page = visit(f"{BOOK.as_uri()}/search.html?q=bitmask")
    page.wait_for_selector("ul.search li a")
    page.wait_for_function("document.querySelector('.search-summary')?.textContent.includes('found')")
    found = page.locator("ul.search li a").evaluate_all("all => all.map(each => each.getAttribute('href'))")
    labs = [place for place, href in enumerate(found) if re.search(r"labs/\w+/README", href)]
    notes = [place for place, href in enumerate(found) if "upstream_notes/" in href]
    assert labs[0] == 0 and labs[0] < notes[0]


def test_help_opens_and_closes(visit, address):
    page = visit(address + CHAPTER)
    press(page, "?", "document.querySelector('dialog[open]')")
    assert "search" in page.locator("dialog").inner_text()
    page.keyboard.press("ArrowRight")
    press(page, "Escape", "!document.querySelector('dialog[open]')")
    assert page.url.endswith(CHAPTER)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_follow_the_switch_of_the_page(visit, address, scheme):
    page = visit(address + CHAPTER, color_scheme=scheme)
    shown = "[...document.querySelectorAll('.content img')].filter(img => img.checkVisibility())"
    shown += ".map(img => img.classList[0])"
    other = {"light": "dark", "dark": "light"}[scheme]
    assert {*page.evaluate(shown)} == {f"only-{scheme}"}
    page.evaluate(f"document.body.dataset.theme = '{other}'")
    assert {*page.evaluate(shown)} == {f"only-{other}"}


LINES_OF_TEXT = """[...document.querySelectorAll('article p')]
    .filter(p => p.checkVisibility() && !p.closest('.mtl, td'))
    .map(p => [p.textContent.length, p.clientHeight / parseFloat(getComputedStyle(p).lineHeight)])
    .filter(([, lines]) => lines > 3.5).map(([length, lines]) => length / lines)"""


def test_text_is_in_the_books_own_fonts_and_a_line_is_about_70_characters(visit, address):
    page = visit(address + CHAPTER)
    page.evaluate("document.fonts.ready")
    loaded = page.evaluate("[...document.fonts].filter(face => face.status === 'loaded').map(face => face.family)")
    assert {name.strip('"') for name in loaded} == {"Source Serif 4", "Source Code Pro"}
    lengths = sorted(page.evaluate(LINES_OF_TEXT))
    assert len(lengths) > 10 and 60 <= lengths[len(lengths) // 2] <= 76


def test_paper_is_light_and_shows_the_answers(visit, address):
    page = visit(address + CHAPTER, color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("[...document.querySelectorAll('details')].every(each => each.open)")
    assert page.locator("img.only-light").first.is_visible() and not page.locator("img.only-dark").first.is_visible()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit, server, width, scheme):
    """Every page with all its parts: what is folded is open, and what loads when it's seen has loaded."""
    # what fades in would have no contrast; and axe fetches styles, which a page from the disk may not
    page = visit(server + "index.html", width, color_scheme=scheme, reduced_motion="reduce")
    axe, found = Axe(), []
    for name in PAGES:
        page.goto(server + name)
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        for typed in page.locator("section[data-input]").all():
            typed.scroll_into_view_if_needed()
            typed.locator(".tokens, svg, table").first.wait_for()
        for each in axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]:
            found.append(f"{name}: {each['id']}: {each['nodes'][0]['html'][:200]}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("lab", ["02", "03", "05", "10", "12", "13"])
def test_an_opening_moves_once_for_those_who_want_it(visit, lab):
    name = next(name for name in PAGES if name.startswith(f"labs/lab_{lab}") and name.endswith("README.html"))
    pictures = {}
    for wish in ("reduce", "no-preference"):
        page = visit(f"{BOOK.as_uri()}/{name}", reduced_motion=wish)
        moving = page.locator("img.moves.only-light")
        assert moving.count() == 1
        moving.scroll_into_view_if_needed()
        page.wait_for_timeout(300)
        early = moving.screenshot()
        page.wait_for_timeout(1500)
        pictures[wish] = early, moving.screenshot()
    assert pictures["reduce"][0] == pictures["reduce"][1]
    assert pictures["no-preference"][0] != pictures["no-preference"][1]
