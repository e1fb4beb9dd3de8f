"""``python -m course demo``: the main job, on a real vocabulary, as a short report."""

from pathlib import Path

from rich.console import Console

from course.catalog import find_lab
from course.demo.objects import all_objects
from course.demo.report import agreement, costs, objects, opening, outputs, pictures
from course.demo.runs import all_agreements, all_costs, all_runs, patterns
from course.jobs import with_progress
from course.run.banner import grade_command
from labkit.vocabulary import Vocabulary
from labs.lab_03_token_lifting.solution import build_trie


def run_demo(console: Console, out: str, *, quick: bool = False) -> int:
    """Run the demo and print its report; pictures go to the folder ``out``."""
    vocabulary = _small(Vocabulary.tekken()) if quick else Vocabulary.tekken()
    opening(console, vocabulary)
    (trie,) = with_progress(console, "building the trie", [lambda: build_trie(vocabulary.texts())])
    outputs(console, with_progress(console, "generating", all_runs(vocabulary, trie)))
    agreement(console, with_progress(console, "comparing masks", all_agreements(vocabulary, trie)))
    objects(console, with_progress(console, "compiling a schema, and generating", all_objects(vocabulary)))
    measured = patterns()[0]
    found = with_progress(console, "measuring", all_costs(vocabulary, measured, "3.14"))
    costs(console, found, measured, "3.14")
    pictures(console, found, Path(out))
    console.print(f"\nYour turn. Read {find_lab(1).path}/README.md, write in starter.py there, and run:")
    console.print(grade_command([find_lab(1)]), style="bold green", markup=False)
    return 0


def _small(vocabulary: Vocabulary) -> Vocabulary:
    """The first 16,000 ids alone."""
    return Vocabulary(vocabulary.token_bytes[:16_000], eos_id=vocabulary.eos_id, special_ids=range(1000))
