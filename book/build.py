"""Builds the book: pages are written from the repository's own files into ``out/book-pages``, and Sphinx makes HTML.

A page keeps its path in the repository, so a link between two files leads between two pages. The pages that exist only
in the book lie in ``book/pages``; they quote others by heading: ``<!-- take: GLOSSARY.md # Engines -->``.
"""

import json
import os
import posixpath
import re
import shlex
import shutil
import subprocess
import sys
from base64 import b64decode
from functools import partial
from html import escape, unescape
from itertools import takewhile
from pathlib import Path

from book.progress import Steps, sphinx
from course.student.commands.quiz import Question, questions
from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.notebook_file import FOLDED, Cell, notebook_text, read, set_up
from course.teaching.handout.contents import marked
from course.teaching.handout.plan import files_of_the_course

HERE = Path(__file__).parent
SOURCE, FILES, EXPLORERS, OUT = (ROOT / f"out/book{part}" for part in ("-pages", "-files", "-explorers", ""))
OWN = "book/pages/"
"""Where the pages lie that exist only in the book; in the book they lie at its root."""

BESIDE = (
    "labs/agent/README.md",
    "GLOSSARY.md",
    "CHANGELOG.md",
    "bridges/README.md",
    "labkit/small_model/MODEL_CARD.md",
)
FOUND_BY = {
    "install.md": "install, windows, powershell, setup, requirements",
    "race.md": "benchmark, benchmarks, speed",
    "audit.md": "wrong masks, silent, dropped keywords, maskbench",
    "support.md": "unsupported, refused, supported",
    "lab_01": "partial match, logits, softmax, sampling",
    "lab_02": "fsm, finite automaton, state",
    "lab_03": "trie, lifting, token table",
    "lab_04": "eos, eos token, end of sequence, stop token",
    "lab_05": "truncation, budget, max_tokens, finish_reason",
    "lab_06": "regular expression, regex, nfa, dfa, minimal automaton",
    "lab_07": "utf-8, bytes, unicode, tekken",
    "lab_08": "json schema, json, required keys",
    "lab_09": "batch, continuous batching, cache of guides, response_format",
    "lab_10": "jump forward, jump-forward, fast-forward tokens, coalescence, forced tokens",
    "lab_11": "tool calls, tool call, function calling, trigger",
    "lab_12": "pushdown, context-free grammar, stack, gbnf, recursion",
    "lab_13": "fair sampling, bias, rejection sampling, particles, distribution",
    "lab_14": "drafts, speculative decoding, rejection sampling of drafts, tree attention",
    "labs/agent/README.md": "agent, agents, tool loop",
    "lab_15": "gpu, triton, kernel, bitmask, sign bit",
}
"""Words by which a search finds a page, or a lab's chapter, first: how a reader asks, not how the page says it."""

_SPAN = r"`[^`\n]+(?:\n[^`\n]+)?`"
_TEXT = rf"(?:[^\[\]`]|{_SPAN}|\[[^\[\]]*\])*"
_CODE_OR_LINK = re.compile(
    rf"^ *```(?s:.*?)^ *```|{_SPAN}|(?P<image>!?)\[(?P<text>{_TEXT})\]\((?P<target>[^)\s]+)\)", re.M
)
_BADGE = re.compile(r"\[!\[([^\]]+)\]\(https://[^)]+\)\]")
"""A picture on another site, as what a link shows: a page asks no other site for anything."""
_SECTION = re.compile(r"<section .*?</section>\n", re.S)
_NOSCRIPT = "<noscript><style>.mtl { display: none; }</style>"
NO_SCRIPT = "*With JavaScript, there is something to play with here.*"
_CAPTION = re.compile(r"(^!\[[^\n]+\n\n)(?=\*(?!\*)(?:[^\n]+\n)*?[^\n]*[^*\n]\*\n(?:\n|\Z))", re.M)
_DARK = re.compile(r"@media \(prefers-color-scheme:dark\)\{(.*?\})\}", re.S)
_IMG = re.compile(r'<img alt=(?P<alt>"[^"]*"|\'[^\']*\') src="data:image/svg\+xml;base64,(?P<data>[^"]+)"/>')


def page_files(edition: str) -> dict[str, Path]:
    """Return the book's pages: the path in the book, and the file that each is made from."""
    names = [*BESIDE, "solutions/README.md", "bridges/hf/walkthrough.ipynb"]
    for lab in all_labs():
        names += [f"{lab.path}/{file}" for file in ("README.md", "given/README.md", "walkthrough.ipynb")]
        names += [f"solutions/{lab.name}.md"] * (edition == "instructors")
    names += ["solutions/rubric.md"] * (edition == "instructors")
    names += sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("upstream_notes/*.md"))
    own = {path.name: path for path in sorted((ROOT / OWN).glob("*.md"))}
    return own | {name: ROOT / name for name in names if (ROOT / name).is_file()}


def two_pictures(name: str, source: str, folder: Path) -> list[str]:
    """Write a picture for light pages and one for dark ones; return their names.

    A picture has both sets of colours and follows the reader's system. Here it follows the switch of the page.
    """
    names = [name, name.removesuffix(".svg") + ".dark.svg"]
    for each, kept in zip(names, ("", r"\1"), strict=True):
        (folder / each).parent.mkdir(parents=True, exist_ok=True)
        (folder / each).write_text(_DARK.sub(kept, source), encoding="utf-8", newline="\n")
    return names


def linked(text: str, name: str, pages: dict[str, Path]) -> str:
    """Return a page's text with links from the book's root; a link to a file that is no page keeps its words alone."""

    def link(found: re.Match[str]) -> str:
        path, _, anchor = (found["target"] or "").partition("#")
        if "://" in path or not path or path.startswith("/"):
            return found[0]
        file = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
        target = next((page for page in (file.removeprefix(OWN), f"{file}/README.md") if page in pages), "")
        if found["image"]:
            source = (ROOT / file).read_text("utf-8")
            both = zip(two_pictures(file, source, SOURCE), ("light", "dark"), strict=True)
            moves = " .moves" if "@keyframes" in source else ""
            return "".join(f"![{found['text']}](/{each}){{.only-{scheme}{moves}}}" for each, scheme in both)
        end = f"#{anchor}" if anchor else ""
        return f"[{found['text']}](/{target}{end})" if target else found["text"]

    return captioned(_CODE_OR_LINK.sub(link, text))


def captioned(text: str) -> str:
    """Return Markdown that marks the paragraph after a picture as its caption, if all of it is emphasised.

    >>> print(captioned("![a](b.svg)\\n\\n*The `b`,\\nexplained.*\\n"))
    ![a](b.svg)
    <BLANKLINE>
    {.legend}
    *The `b`,
    explained.*
    <BLANKLINE>
    """
    return _CAPTION.sub(r"\1{.legend}\n", text)


def part(text: str, title: str) -> str:
    """Return what stands under a heading, or a table where the title is its heading row; empty if it is not there."""
    table = title.startswith("|")
    _, there, rest = text.partition(f"\n{title}\n" if table else f"\n## {title}\n")
    if table and there:
        return "\n".join([title, *takewhile(lambda line: line.startswith("|"), rest.splitlines())])
    return re.split(r"^## ", rest, maxsplit=1, flags=re.M)[0].strip()


def figures() -> str:
    """Return what share of the small model's answers is valid and right, from the committed measurement."""
    measured = json.loads((ROOT / "labkit/small_model/data/figures.json").read_text("utf-8"))
    names = {"free": "no mask", "mask": "mask", "budget": "mask with budget"}
    rows = ["| checkpoint | | answers | valid | right |", "|---|---|---|---|---|"]
    for checkpoint, kinds in measured["shares"].items():
        for kind, name in names.items():
            n, *counts = (kinds[kind]["all"][key] for key in ("n", "valid", "right"))
            rows.append(f"| {checkpoint} | {name} | {n} | " + " | ".join(f"{count / n:.1%}" for count in counts) + " |")
    return "\n".join([*rows, "", f"*Measured on {measured['date']}, {measured['machine']}.*"])


def taken(found: re.Match[str], pages: dict[str, Path]) -> str:
    """Return the section of another file that a page asks for; ``*`` in the path takes from each lab that has it."""
    parts = []
    for path in sorted(ROOT.glob(found["file"])):
        text, name = marked(path.read_text("utf-8"), files_of_the_course()), path.relative_to(ROOT).as_posix()
        heading = f"## [{text.splitlines()[0].lstrip('# ')}]({name})\n\n" if "*" in found["file"] else ""
        if words := part(text, found["title"]):
            parts.append(linked(heading, "", pages) + linked(words, name, pages))
    if not parts:
        raise ValueError(f"nothing to take: {found[0]}")
    return "\n\n".join(parts)


def run_block(found: re.Match[str]) -> str:
    """Run the command of a block and return it with its output. A command that fails ends the build."""
    words = shlex.split(found["command"].removeprefix("python3 "))
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "60", "PYTHONUTF8": "1"}
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, encoding="utf-8", env=environment)
    if done.returncode:
        raise ValueError(f"{found['command']} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    lines = "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())
    shown = found["command"].replace(" --", " \\\n    --")
    return f"```text\n$ {shown}\n{lines}\n```"


def own_page(text: str, pages: dict[str, Path]) -> str:
    """Return a page of the book itself, with what it takes from others and what its commands print."""
    text = linked(text, f"{OWN}x.md", pages)
    there = {f"/{posixpath.splitext(page)[0]}" for page in pages}
    text = re.sub(r"^[^\n<>*]+ <(/\S+)>\n", lambda line: line[0] * (line[1] in there), text, flags=re.M)
    text = re.sub(r"<!-- take: (?P<file>\S+) # (?P<title>.+?) -->", partial(taken, pages=pages), text)
    text = text.replace("<!-- figures -->", figures())
    return re.sub(r"^```run\n(?P<command>.+)\n```$", run_block, text, flags=re.M)


def findable(text: str, words: str) -> str:
    """Return a page that a search for one of these words names first.

    >>> print(findable("# Title\\nText", "gpu, kernel"))
    # Title
    <BLANKLINE>
    ~~~{index} ! gpu, ! kernel
    ~~~
    <BLANKLINE>
    Text
    """
    title, _, rest = text.partition("\n")
    entries = ", ".join(f"! {word}" for word in words.split(", "))
    return f"{title}\n\n~~~{{index}} {entries}\n~~~\n\n{rest.lstrip()}" if words else text


def explorer(name: str) -> str:
    """Return the interactive part of a page, which ``course.play`` has written; nothing where there is none."""
    path = EXPLORERS / f"{name}.html"
    return raw(path.read_text("utf-8")) if path.is_file() else ""


def raw(html: str) -> str:
    """Return HTML as a part of a page."""
    return f"\n~~~~~~{{raw}} html\n{html.strip()}\n~~~~~~\n"


def opened(text: str, fragment: str) -> tuple[str, str]:
    """Return a chapter that opens with its lab's explorer, below the line of facts, and further explorers for below.

    A README has a still there, and a line that says how to open what it shows. Here that's for readers without
    JavaScript.
    """
    top, facts, rest = re.split(r"^(\*\*.+\*\*\n)", text, maxsplit=1, flags=re.M)
    blocks = rest.strip("\n").split("\n\n")
    still, blocks = ("\n\n".join(blocks[:2]), blocks[2:]) if "/pictures/explorer." in blocks[0] else (NO_SCRIPT, blocks)
    first, *more = _SECTION.findall(fragment)
    script = _SECTION.sub("", fragment)
    shown = f"{raw(first)}{raw(_NOSCRIPT)}\n{still}\n{raw('</noscript>' + script)}"
    return f"{top}{facts}{shown}\n" + "\n\n".join(blocks) + "\n", "".join(map(raw, more))


def plain(text: str) -> str:
    """Return text as Markdown that shows it as it is."""
    return re.sub(r"([\\`*_{}\[\]<>#|~&])", r"\\\1", text)


def as_page(question: Question) -> str:
    """Return a question as Markdown: its options a line each, to click on; then why.

    >>> print(as_page(Question("Is `1`_2_?", ["<", "no"], ["no"], "No.", "")))
    Is `1`\\_2\\_?
    <BLANKLINE>
       <ul class="options">
       <li><label><input type="checkbox"> <code class="literal">&lt;</code> <span>wrong</span></label></li>
       <li><label><input type="checkbox"> <code class="literal">no</code> <span>right</span></label></li>
       </ul>
    <BLANKLINE>
       <details><summary>Answer</summary>
    <BLANKLINE>
       `no`. No.
    <BLANKLINE>
       </details>
    <BLANKLINE>
    """

    def text(words: str) -> str:
        return "".join(f"`{each}`" if place % 2 else plain(each) for place, each in enumerate(words.split("`")))

    options = "".join(
        f'   <li><label><input type="checkbox"> <code class="literal">{escape(option)}</code> '
        f"<span>{'right' if option in question.answer else 'wrong'}</span></label></li>\n"
        for option in question.options
    )
    answer = ", ".join(f"`{option}`" for option in question.answer)
    return (
        f'{text(question.ask)}\n\n   <ul class="options">\n{options}   </ul>\n\n'
        f"   <details><summary>Answer</summary>\n\n   {answer}. {text(question.why)}\n\n   </details>\n"
    )


def chapter(lab: Lab, text: str, pages: dict[str, Path]) -> str:
    """Return a lab's README as a chapter: the explorer first, its pages named, the quiz before the TODOs."""
    more = {"Walkthrough": f"{lab.path}/walkthrough.ipynb", "In production": f"upstream_notes/{lab.name}.md"}
    more |= {"Given code": f"{lab.path}/given/README.md", "Answer notes": f"solutions/{lab.name}.md"}
    here = {title: path for title, path in more.items() if path in pages}
    quiz = "".join(f"\n{number}. {as_page(asked)}" for number, asked in enumerate(questions(lab), 1))
    links = " · ".join(["This page: idea, moves, exercises", *(f"[{title}](/{path})" for title, path in here.items())])
    text = text.replace("`walkthrough.ipynb`", f"[walkthrough](/{more['Walkthrough']})")
    top, todos, rest = text.partition("\n## Your TODOs\n")
    touched = ""
    if (made := EXPLORERS / f"{lab.label.replace(' ', '_')}.html").is_file():
        top, touched = opened(top, made.read_text("utf-8"))
    top = re.sub(r"^(\*\*.+\*\*)$", lambda found: f"{found[0]}\n\n{links}", top, count=1, flags=re.M)
    touched = f"\n## Try it\n{touched}" if touched else ""
    tree = "\n".join(f"{title} </{posixpath.splitext(path)[0]}>" for title, path in here.items())
    return f"{top}\n## Three questions first\n{quiz}{touched}{todos}{rest}\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"


def joined(cells: list[Cell]) -> list[Cell]:
    """Return the cells of a notebook for a page: without the set-up, and folded cells as one."""
    kept: list[Cell] = []
    for cell in (cell for cell in cells if cell["source"] != set_up()):
        folded = [FOLDED in each["metadata"].get("tags", []) for each in (*kept[-1:], cell)]
        if folded == [True, True]:
            kept[-1]["source"] += f"\n\n{cell['source']}"
        else:
            kept.append(cell)
    return kept


def notebook(name: str, path: Path, pages: dict[str, Path]) -> str:
    """Return a notebook whose pictures are files beside the page: a page of 30 kB, not 300."""
    stem, count = name.removesuffix(".ipynb"), 0

    def files(found: re.Match[str]) -> str:
        nonlocal count
        count += 1
        svg = b64decode(found["data"]).decode()
        both = two_pictures(f"{stem}_files/{count}.svg", svg, FILES)
        alt = escape(unescape(found["alt"][1:-1]))
        return "".join(
            f'<img class="only-{scheme}" alt="{alt}" src="{each.removeprefix(posixpath.dirname(name) + "/")}">'
            for each, scheme in zip(both, ("light", "dark"), strict=True)
        )

    cells = joined(read(path))
    for cell in cells:
        if cell["cell_type"] == "markdown":
            words = _BADGE.sub(r"[\1]", cell["source"])
            cell["source"] = linked(words, name, pages)
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                output["data"] = {"text/html": _IMG.sub(files, output["data"]["text/html"])}
    return notebook_text(cells)


def write_pages(edition: str) -> dict[str, Path]:
    """Write the sources of all pages; return the pages, as ``page_files`` does."""
    for folder in (SOURCE, FILES):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    pages, course = page_files(edition), files_of_the_course()
    labs = {f"{lab.path}/README.md": lab for lab in all_labs()}
    for name, path in pages.items():
        if name.endswith(".ipynb"):
            text = notebook(name, path, pages)
        else:
            text = marked(path.read_text("utf-8"), course)
            text = own_page(text, pages) if path.parent == ROOT / OWN else linked(text, name, pages)
            text = chapter(labs[name], text, pages) if name in labs else text
            text = text.replace("<!-- explorer -->", explorer(path.stem))
            text = findable(text, FOUND_BY.get(labs[name].label.replace(" ", "_") if name in labs else name, ""))
        (SOURCE / name).parent.mkdir(parents=True, exist_ok=True)
        (SOURCE / name).write_text(text, encoding="utf-8", newline="\n")
    for script in EXPLORERS.glob("*.js"):
        shutil.copy(script, FILES)
    if (vendor := EXPLORERS / "vendor").is_dir():
        shutil.copytree(vendor, FILES / "vendor")
    return pages


def build(edition: str = "readers", browser: bool = False) -> int:
    """Build the book into ``out/book``; a warning of Sphinx, such as a dead link, is an error."""
    steps = Steps("explorers", "pages", "HTML, by Sphinx")
    steps.begin("explorers")
    command = [sys.executable, "-m", "course.play", str(EXPLORERS)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    steps.begin("pages")
    pages = write_pages(edition)
    shutil.rmtree(OUT, ignore_errors=True)
    environment = {**os.environ, "BOOK_EDITION": edition, "BOOK_FILES": str(FILES), "PYTHONPATH": str(ROOT)}
    options = ["-j", "auto", "-W", "--keep-going", "-n", "-E", "-b", "html", "-c", str(HERE)]
    command = [sys.executable, "-m", "sphinx", *options, "-d", str(ROOT / "out/book-tmp"), str(SOURCE), str(OUT)]
    failed = sphinx(command, environment, len(pages), steps)
    steps.end(f"{len(pages)} pages in {steps.seconds:.0f} s: {OUT / 'index.html'}")
    if failed or not browser:
        return failed
    return subprocess.run([sys.executable, "-m", "pytest", "tests/book/browser.py"], cwd=ROOT).returncode
