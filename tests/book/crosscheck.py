"""The page's masks against Python's, bit for bit: ``python -m tests.book.crosscheck FILE...``.

Both sides walk the same texts over the small model's 1,024 tokens: drawn from Python's own masks by a seed, the
instances that a file has, and all of it within budgets too. A file has a case a line, as JSON, perhaps gzipped: an
object with a ``schema``, a ``pattern`` or a ``grammar``, and perhaps with an ``instance_json_text`` or a ``text``.
"""

import argparse
import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from labkit.small_model.tokenizer import Tokenizer
from mask_engine import compile_guide

TOKENIZER = Tokenizer.load()
VOCABULARY = TOKENIZER.vocabulary
MOST_TOKENS = 40
PAGE = Path(__file__).with_suffix(".mjs")


@dataclass
class Case:
    """A pattern, a schema or a grammar, and texts to walk along beside the random ones."""

    kind: str
    source: str
    texts: list[str] = field(default_factory=list)


def read(file: Path) -> Iterator[Case]:
    """Yield the cases of a file, each source once."""
    raw = file.read_bytes()
    lines = (gzip.decompress(raw) if file.suffix == ".gz" else raw).decode().split("\n")
    found: dict[tuple[str, str], Case] = {}
    for row in map(json.loads, filter(None, lines)):
        kind = next((key for key in ("schema", "pattern", "grammar") if key in row), None)
        if kind is None:
            continue
        source = json.dumps(row[kind], ensure_ascii=False) if kind == "schema" else row[kind]
        name = {"schema": "json_schema", "pattern": "regex"}.get(kind, kind)
        case = found.setdefault((name, source), Case(name, source))
        case.texts += [row[key] for key in ("instance_json_text", "text") if isinstance(row.get(key), str)]
    yield from found.values()


def guide_of(case: Case) -> Any:
    """Compile a case in Python."""
    value = json.loads(case.source) if case.kind == "json_schema" else case.source
    return compile_guide(VOCABULARY, **{case.kind: value})


def packed(words: Any) -> str:
    """Return a mask as hexadecimal digits."""
    return words.view(np.uint8)[: len(VOCABULARY) // 8].tobytes().hex()


def chosen(mask: Any, rng: Random) -> int | None:
    """Return one of the allowed tokens, rather a short one."""
    ids = np.flatnonzero(np.unpackbits(mask.view(np.uint8), bitorder="little", count=len(VOCABULARY))).tolist()
    few = rng.sample(ids, min(3, len(ids)))
    return min(few, key=lambda i: len(VOCABULARY.token_bytes[i])) if few else None


def walked(guide: Any, rng: Random, wanted: list[int], budget: int | None) -> dict[str, Any]:
    """Return a walk along some tokens, as far as they may come: the ids, what remained at each, and Python's masks."""
    state, ids, left, masks = guide.initial, list[int](), list[int | None](), list[str]()
    while len(masks) < MOST_TOKENS and (budget is None or budget > 0):
        mask = guide.mask(state, budget)
        left.append(budget)
        masks.append(packed(mask))
        next_id = wanted[len(ids)] if len(ids) < len(wanted) else None if wanted else chosen(mask, rng)
        if next_id is None or next_id == VOCABULARY.eos_id or not mask[next_id // 32] >> next_id % 32 & 1:
            break
        ids.append(next_id)
        state = guide.advance(state, next_id)
        budget = None if budget is None else budget - 1
    return {"ids": ids, "remaining": left, "masks": masks}


def walks_of(guide: Any, case: Case, seed: int, count: int) -> Iterator[dict[str, Any]]:
    """Yield walks through a guide: random ones, of which each second one is within a tight budget, and given texts."""
    rng, fewest = Random(f"{seed} {case.source}"), guide.tokens_to_accept(guide.initial)
    for number in range(count):
        yield walked(guide, rng, [], int(fewest) + 1 + rng.randrange(6) if number % 2 else None)
    for text in dict.fromkeys(case.texts[:count]):
        yield walked(guide, rng, TOKENIZER.encode(text), None)


def asked(cases: list[Case], seed: int, count: int) -> list[dict[str, Any]]:
    """Return what the page is asked about each case, or why Python refuses it."""
    found = []
    for case in cases:
        row: dict[str, Any] = {"kind": case.kind, "source": case.source, "walks": [], "python": None}
        try:
            row["walks"] = [*walks_of(guide_of(case), case, seed, count)]
        except ValueError as error:
            row["python"] = f"{type(error).__name__}: {error}"
        found.append(row)
    return found


def answered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the page's answers; see crosscheck.mjs."""
    node = shutil.which("node")
    assert node, "there is no node on the PATH: install Node.js 20 or newer"
    tokens = [token.hex() for token in VOCABULARY.token_bytes]
    question = {"tokens": tokens, "eosId": VOCABULARY.eos_id, "specialIds": sorted(VOCABULARY.special_ids)}
    text = json.dumps({**question, "cases": rows})
    done = subprocess.run([node, str(PAGE)], input=text, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def compared(cases: list[Case], seed: int = 1, count: int = 4) -> list[dict[str, Any]]:
    """Return each case with the page's answer: how many masks are equal, which differ, and who refuses it."""
    rows = asked(cases, seed, count)
    return [row | answer for row, answer in zip(rows, answered(rows), strict=True)]


def told(row: dict[str, Any]) -> Iterator[str]:
    """Yield what there is to say of a case."""
    source = row["source"][:300]
    if row["python"] and not row["refused"]:
        yield f"ONLY PYTHON REFUSES {source}\n    {row['python'][:200]}"
    if row["refused"] and not row["python"]:
        yield f"ONLY THE PAGE REFUSES {source}\n    {row['refused'][:400]}"
    names = VOCABULARY.token_bytes
    for each in row["different"]:
        text = b"".join(names[i] for i in each["ids"])
        more, less = ([names[i] for i in each[key][:8]] for key in ("more", "less"))
        yield f"DIFFERENT {source}\n    after {text!r}, budget {each['remaining']}: page more {more}, less {less}"


def main() -> int:
    """Compare the cases of some files; 1 if a mask differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--kind", choices=["json_schema", "regex", "grammar"])
    parser.add_argument("--most", type=int, help="so many cases of each file that Python takes, drawn by the seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--walks", type=int, default=4)
    options = parser.parse_args()
    cases = []
    for file in options.files:
        found = [case for case in read(file) if options.kind in (None, case.kind)]
        Random(options.seed).shuffle(found)
        cases += found[: options.most]
    return report(compared(cases, options.seed, options.walks))


def report(rows: list[dict[str, Any]]) -> int:
    """Print what differs, and figures; return 1 if a mask differs."""
    for line in (line for row in rows for line in told(row)):
        print(line)
    taken = [row for row in rows if not row["python"]]
    both = [row for row in taken if not row["refused"]]
    equal, different = sum(row["equal"] for row in rows), sum(len(row["different"]) for row in rows)
    print(f"{len(rows)} sources: Python takes {len(taken)}, and of these the page {len(both)}")
    print(f"{equal:,} masks are equal, {different} differ; {sum(bool(row.get('crashed')) for row in rows)} crashes")
    for key, name in (("first", "first mask"), ("slowest", "later mask")):
        for row in sorted(both, key=lambda row: row[key])[-3:]:
            print(f"slowest {name}: {row[key]:.0f} ms, {row['source'][:80]}")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
