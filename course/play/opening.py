"""``python3 -m course play``: a page with one explorer, written in about a second and opened."""

import webbrowser
from base64 import b64encode
from functools import partial
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from rich.console import Console

from course.play import conversation
from course.play.__main__ import LacksReference, make_one, write_scripts
from course.student.core.catalog import Lab, all_labs, find_lab
from course.student.show.traces import page_of

NEXT = (
    "That's constrained decoding, and it's how serving engines can promise you valid JSON. In this course you build it "
    "yourself: begin with <code>labs/lab_01_naive_matching/README.md</code>."
)
"""What comes below the model."""


def open_page(console: Console, number: int | None, folder: Path, port: int | None, show: bool) -> int:
    """Write the page of the small model, or of a lab's explorer, and open it; or serve it until Ctrl-C.

    Returns:
        0; 1 if there is no browser that could be told to open it.
    """
    if number is not None:
        write_scripts(folder)
    file = write_page(number, folder)
    if port is None:
        console.print(f"{file}", markup=False)
    opened = port is not None or not show or webbrowser.open(file.resolve().as_uri())
    if not opened:
        console.print("There's no browser here that I could tell to open it. Open it yourself, or add --serve 8000.")
    write_others(number, folder)
    return _serve(console, file, port) if port is not None else int(not opened)


def write_others(number: int | None, folder: Path) -> None:
    """Write the pages that the links of one lead to, while the reader looks at that one."""
    if number is None:
        write_scripts(folder)
    for other in (None, *(lab.number for lab in all_labs())):
        if other == number:
            continue
        try:
            write_page(other, folder)
        except LacksReference as missing:
            text = around("", _named(find_lab(other or 1)), f"<p>{escape(str(missing))}</p>{_links()}")
            _file(other, folder).write_text(text, encoding="utf-8", newline="\n")


def write_page(number: int | None, folder: Path) -> Path:
    """Write the page of a lab's explorer, or of the small model, and return it.

    A lab's page loads the scripts of ``write_scripts`` from beside it.

    Raises:
        LacksReference: see ``make_one``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if number is None:
        text = around(conversation.whole(), conversation.TITLE, f"<p>{NEXT}</p>{_links()}")
    else:
        lab = find_lab(number)
        text = around(make_one(number), _named(lab), f"<p>{_of_lab(lab)}</p>{_links()}")
    file = _file(number, folder)
    file.write_text(text, encoding="utf-8", newline="\n")
    return file


def _file(number: int | None, folder: Path) -> Path:
    return folder / ("index.html" if number is None else f"play_{number:02}.html")


def _links() -> str:
    """Return links to all pages."""
    labs = " ".join(
        f'<a href="play_{lab.number:02}.html" title="{lab.title}">{lab.number:02}</a>' for lab in all_labs()
    )
    return f'<nav aria-label="explorers">Play with <a href="index.html">the model</a>, or with a lab: {labs}</nav>'


def _named(lab: Lab) -> str:
    """Return the heading of the lab's page."""
    return (lab.folder / "README.md").read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")


def _of_lab(lab: Lab) -> str:
    return f"The words to it, and what you'll write, are in <code>{lab.path}/README.md</code>."


def around(fragment: str, title: str, after: str) -> str:
    """Return a whole page around an explorer's fragment; ``after`` is what comes below it.

    >>> around("<p></p>", "a < b", "").partition("<title>")[2].partition("</title>")[0]
    'a &lt; b'
    """
    icon = b64encode(Path(__file__).with_name("icon.svg").read_bytes()).decode("ascii")
    return page_of(escape(title), fragment + after, f"data:image/svg+xml;base64,{icon}")


def _serve(console: Console, file: Path, port: int) -> int:
    """Serve the page's folder on this machine alone, until Ctrl-C."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(file.parent))
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        console.print(f"http://127.0.0.1:{port}/{file.name}   Ctrl-C ends it.", markup=False)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0
