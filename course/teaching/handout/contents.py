"""The files of a handout, as bytes by their paths: taken from the course, made anew, or rewritten."""

from pathlib import Path

from course.student.commands import practice
from course.student.core.catalog import ROOT, TABLE
from course.student.core.starters import generate_starter, pristine_file
from course.teaching.handout.pages import marked, page
from course.teaching.handout.plan import Plan, files_of_the_course

_LABS_INIT = '''\
"""The syllabus: one folder a lab. Where a reference was not handed out, your own file is taken for it."""

from pathlib import Path

from labs import own_files

own_files.install(Path(__file__).parent)
'''

_OWN_TEST = Path(__file__).parent / "this_copy.py.txt"


def contents(plan: Plan, recording: str) -> dict[str, bytes]:
    """Return every file of the handout.

    Args:
        recording: the text of ``course/showcase/demo/recorded.json``.
    """
    taken = {name: (ROOT / name).read_bytes() for name in files_of_the_course() if plan.holds(name)}
    made = {name: text.encode() for name, text in _made(plan, recording).items()}
    files = {**taken, **made}
    for name in files:
        if name.endswith(".md"):
            files[name] = page(name, files[name].decode("utf-8"), plan, files).encode()
    return {**files, "Makefile": marked(files["Makefile"].decode("utf-8"), files).encode()}


def _made(plan: Plan, recording: str) -> dict[str, str]:
    """Return what the course itself does not hold like this."""
    made = {
        "labs/__init__.py": _LABS_INIT,
        "pyproject.toml": settings((ROOT / "pyproject.toml").read_text(encoding="utf-8"), plan),
        "course/showcase/demo/recorded.json": recording,
        "tests/test_this_copy.py": _OWN_TEST.read_text(encoding="utf-8"),
    }
    for lab in plan.labs:
        made[f"{lab.path}/starter.py"] = generate_starter(lab)  # never the file that somebody has worked in
        if practice.has_practice(lab):
            made[f"{lab.path}/practice.ipynb"] = practice.as_text(lab)
    for lab in plan.withheld:
        made[pristine_file(lab, Path()).as_posix()] = generate_starter(lab)
    return made


def settings(text: str, plan: Plan) -> str:
    """Return ``pyproject.toml`` for a handout: the starters are graded, and the edition is named.

    >>> print(settings("[tool.pytest.ini_options]\\nmarkers = []\\n", Plan("closed", 5)))
    [tool.mask-the-logits]
    edition = "closed"
    upto = 5
    <BLANKLINE>
    [tool.pytest.ini_options]
    lab_impl = "starter"
    lab_chain = "mine"
    markers = []
    <BLANKLINE>
    """
    heading = "[tool.pytest.ini_options]\n"
    if heading not in text:
        raise ValueError(f"pyproject.toml has no {heading.strip()}")
    table = f'[tool.{TABLE}]\nedition = "{plan.edition}"\nupto = {plan.upto}\n\n'
    chain = 'lab_chain = "mine"\n' * (plan.edition == "closed")
    return text.replace(heading, f'{table}{heading}lab_impl = "starter"\n{chain}')
