"""The book's sources, without Sphinx: links, pictures, contents, what it quotes and runs."""

import json
import re
import xml.etree.ElementTree as ET

import pytest

from book import build
from course.student.core.catalog import ROOT, all_labs

LINK = re.compile(r"(?<!\\)\]\((/[^)\s#]+)(#[^)\s]+)?\)")


@pytest.fixture(scope="module", params=["readers", "instructors"])
def sources(request, tmp_path_factory):
    """The sources of an edition, its commands not run: the folder of pages, the notebooks' pictures, the pages."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("SOURCE", "FILES", "EXPLORERS"):  # what an earlier build left is not looked at
            patch.setattr(build, name, tmp_path_factory.mktemp(name.lower()))
        patch.setattr(build, "run_block", lambda found: f"ran {found['command']}")
        return request.param, build.write_pages(request.param), build.SOURCE, build.FILES


def markdown(path):
    """The Markdown of a page, be it a notebook, without what is code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return re.sub(r"^ *```(?!\{).*?^ *```|`[^`\n]*`", "", text, flags=re.M | re.S)


def anchors(path):
    """The anchors that GitHub gives to headings."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.M)
    return {"#" + re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_link_and_picture_is_there(sources):
    _, pages, folder, _ = sources
    count = 0
    for name in pages:
        for target, anchor in LINK.findall(markdown(folder / name)):
            path = folder / target[1:]
            assert path.is_file(), f"{name} leads to {target}"
            assert not anchor or anchor in anchors(path), f"{name} leads to {target}{anchor}"
            count += 1
        relative = re.findall(r"\]\((?!/|https?://|#)([^)\s]+)\)", markdown(folder / name))
        assert not relative, f"{name} has links that are not from the root: {relative}"
    assert count > 200


def test_every_page_stands_in_the_contents_once(sources):
    _, pages, folder, _ = sources
    listed = []
    for name in pages:
        for tree in re.findall(r"^```\{toctree\}\n(.*?)^```", (folder / name).read_text("utf-8"), re.M | re.S):
            listed += re.findall(r"<(/.+)>$", tree, re.M)
            listed += [f"/{path}/README" for path in (lab.path for lab in all_labs()) if "/labs/lab_*/README" in tree]
    assert sorted([*listed, "/index"]) == sorted("/" + name.rpartition(".")[0] for name in pages)


def test_answers_are_for_instructors_alone(sources):
    edition, pages, folder, _ = sources
    notes = {name for name in pages if re.match(r"solutions/(lab_|rubric)", name)}
    assert len(notes) == (len(all_labs()) + 1 if edition == "instructors" else 0)
    first_lines = {(ROOT / path).read_text("utf-8").splitlines()[0] for path in ROOT.glob("solutions/lab_*.md")}
    said = {line for name in pages for line in (folder / name).read_text("utf-8").splitlines()}
    assert bool(first_lines & said) == (edition == "instructors")


def test_a_chapter_has_its_parts_in_order(sources):
    _, _, folder, _ = sources
    for lab in all_labs():
        text = (folder / lab.path / "README.md").read_text(encoding="utf-8")
        parts = ["This page: idea", "## Three questions first", "## Your TODOs", "## Try to break it", "{toctree}"]
        places = [text.index(part) for part in parts]
        assert places == sorted(places) and text.count("<summary>Answer</summary>") >= 3, lab.label
        assert f"</upstream_notes/{lab.name}>" in text and f"</{lab.path}/walkthrough>" in text


def test_pictures_have_one_set_of_colours_each(sources):
    _, _, folder, files = sources
    light = [path for place in (folder, files) for path in place.rglob("*.svg") if ".dark." not in path.name]
    assert len(light) > 90
    for path in light:
        both = path.read_text("utf-8"), path.with_suffix(".dark.svg").read_text("utf-8")
        assert not any("prefers-color-scheme" in text for text in both)
        assert ".panel{fill:#161b22}" in both[1] and ".panel{fill:#161b22}" not in both[0]
        ET.fromstring(both[0]), ET.fromstring(both[1])


def test_a_notebook_keeps_its_pictures_beside_it(sources):
    _, pages, folder, files = sources
    for name in [name for name in pages if name.endswith("walkthrough.ipynb") and "labs/" in name]:
        text = (folder / name).read_text(encoding="utf-8")
        shown = re.findall(r'src=\\"(walkthrough_files/[\w.]+)\\"', text)
        assert shown and "base64" not in text
        assert all((files / name).with_name("walkthrough_files").joinpath(each[18:]).is_file() for each in shown)


def test_a_notebook_folds_once_fetches_nothing_and_links_to_colab(sources):
    _, pages, folder, _ = sources
    for name in [name for name in pages if name.endswith("walkthrough.ipynb")]:
        text = (folder / name).read_text(encoding="utf-8")
        assert text.count('"hide-input"') == 1 and '"clone"' not in text
        assert "[Open in Colab](https://colab." in text and "badge.svg" not in text


def test_each_page_of_the_book_runs_and_quotes(sources):
    """No request for a quotation or a command is left, and the commands are those that were asked for."""
    _, pages, folder, _ = sources
    own = [name for name, path in pages.items() if path.parent.name == "pages"]
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in own}
    assert {*own} == {path.name for path in (ROOT / build.OWN).glob("*.md")} and len(own) > 5
    assert not [name for name, text in texts.items() if "<!--" in text or "```run" in text]
    assert sum(text.count("ran python3 -m course") for text in texts.values()) >= 1
    assert "| early | no mask | 700 | 60.0% | 0.0% |" in texts["why.md"]
    assert "`UnsupportedPattern`" in texts["support.md"] and "`uniqueItems`" in texts["support.md"]


def test_an_explorer_opens_its_chapter(tmp_path, monkeypatch):
    one, two = (f'<section class="mtl">["{name}"]</section>\n' for name in "12")
    (tmp_path / "lab_02.html").write_text(f"{one}{two}<script>draw()</script>\n", encoding="utf-8")
    monkeypatch.setattr(build, "EXPLORERS", tmp_path)
    lab, other = all_labs()[1:3]
    readme = "# Lab\n\n**CPU-OK**\n\nWords.\n\n## Your TODOs\n"
    still = "![A still](/labs/x/pictures/explorer.svg){.only-light}\n\n*How to open it.*\n\n"
    for text in (readme, readme.replace("Words", still + "Words")):
        chapter = build.chapter(lab, text, {})
        parts = [
            "# Lab",
            "**CPU-OK**",
            one,
            "<noscript>",
            "</noscript>",
            "draw()",
            "Words.",
            "## Three questions first",
        ]
        places = [chapter.index(part) for part in [*parts, "## Try it", two, "## Your TODOs"]]
        assert places == sorted(places), text
        without = chapter.partition("<noscript>")[2].partition("</noscript>")[0]
        assert (
            ("How to open it." in without)
            == ("A still" in without)
            == ("A still" in text)
            == ("With JavaScript" not in without)
        )
        assert chapter.count("A still") == text.count("A still")
    assert "section" not in build.chapter(other, readme, {}) and build.explorer("lab_03") == ""


def test_what_is_missing_ends_the_build():
    with pytest.raises(ValueError, match="nothing to take"):
        build.own_page("<!-- take: nowhere/*.md # A -->", {})
    with pytest.raises(ValueError, match="nothing to take"):
        build.own_page("<!-- take: README.md # Nowhere -->", {})
    with pytest.raises(ValueError, match="nothing to take"):
        build.own_page("<!-- take: README.md # | nowhere | -->", {})
    with pytest.raises(ValueError, match="ended with 2"):
        build.own_page("```run\npython3 -c 'raise SystemExit(2)'\n```", {})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](../GLOSSARY.md)", "[a](/GLOSSARY.md)"),
        ("[a](b.py)", "a"),
        ("`[a](b.py)` [a](https://example.org)", "`[a](b.py)` [a](https://example.org)"),
        ("```\n[a](b.py)\n```", "```\n[a](b.py)\n```"),
        ("[see `a[0]`](../GLOSSARY.md) and `a\nb](c)`", "[see `a[0]`](/GLOSSARY.md) and `a\nb](c)`"),
        ("[the words\nof a link](../GLOSSARY.md#engines)", "[the words\nof a link](/GLOSSARY.md#engines)"),
    ],
)
def test_links_lead_from_the_root(text, expected):
    assert build.linked(text, "upstream_notes/x.md", {"GLOSSARY.md": ROOT / "GLOSSARY.md"}) == expected
