"""One engine asked about one schema: what it refuses, accepts and forbids, and where its masks lead nowhere."""

import heapq
import json
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

from course.showcase.audit.engines import refuses
from course.showcase.audit.oracle import Oracle, read_json
from course.showcase.audit.policies import forbidding, implied, in_form
from course.showcase.audit.probes import Probe
from course.showcase.audit.shrinking import PLAIN, Pair, keywords, shrunk, without
from course.showcase.audit.walking import Walked, Ways
from course.showcase.bench.adapters import Buffer, Encode, MaskEngine, Start
from course.showcase.bench.sources import reads

REFUSED, ACCEPTS, DROPPED = "refused", "accepts the invalid", "keyword dropped"
FORBIDS, DEAD_END, ENDED, SLOW = "forbids the valid", "dead end", "crash", "no end in time"
KINDS = (REFUSED, SLOW, ACCEPTS, DROPPED, FORBIDS, DEAD_END, ENDED)
"""What may be found. The first two are no errors: whoever says no is not silent, and time is a matter of limits."""

WALKS, MOST_TOKENS = 4, 2_000
"""Texts that an engine writes for each schema, and the most tokens of a text that it reads."""

LONGEST = 40
"""The longest token, in bytes, that is tried where a text is read in other tokens than the tokenizer's."""

TRIES, SHRUNK = 300, 3
"""How often a smaller schema or text is tried, and how many findings of one kind are shrunk for each schema."""

_STAMP = re.compile(r"\[\d\d:\d\d:\d\d\] \S+:\d+: ")
"""When and where a library wrote a message."""

Found = dict[str, Any]


class Read(NamedTuple):
    """Whether a text got through, and if not, how many of its characters did, and what error came."""

    through: bool
    at: int = 0
    error: str = ""


@dataclass
class Asking:
    """What it takes to ask: an engine, its vocabulary's tokenizer, and until when new questions are asked."""

    engine: MaskEngine
    encode: Encode
    ways: Ways
    until: float = 1e9
    _buffer: Buffer = field(init=False)

    def __post_init__(self) -> None:
        self._buffer = Buffer(len(self.ways.vocabulary))
        self._eos = self.ways.vocabulary.eos_id

    @property
    def in_time(self) -> bool:
        """Whether there is processor time left for more."""
        return time.process_time() < self.until

    def read(self, start: Start, text: str) -> Read:
        """Read a whole text with EOS, mask by mask."""
        return self.read_ids(start, [*self.encode(text), self._eos])

    def read_ids(self, start: Start, tokens: list[int]) -> Read:
        """Read the tokens of a text."""
        walk, steps = start(self._buffer), list[float]()
        try:
            through = reads(walk, tokens, self._eos, self._buffer, steps) and not walk.trouble()
        except MemoryError:
            raise
        except Exception as error:
            return Read(False, self._characters(tokens, len(steps)), f"{type(error).__name__}: {error}"[:300])
        return Read(through, 0 if through else self._characters(tokens, len(steps) - 1))

    def in_other_tokens(self, start: Start, text: str) -> bool:
        """Return whether a text gets through in some tokens: a model may write it so, where an engine that knows what
        must come next allows no token but its own first one.
        """
        data, ids = text.encode(), self.ways.id_of
        paths: dict[int, list[int]] = {0: []}
        waiting = [0]
        while waiting and self.in_time:
            at = heapq.heappop(waiting)
            walk = start(self._buffer)
            for token in paths[at]:
                walk.fill()
                walk.advance(token)
            walk.fill()
            if at == len(data):
                return self._buffer.allows(self._eos)
            for end in range(at + 1, min(at + LONGEST, len(data)) + 1):
                token = ids.get(data[at:end], -1)
                if token >= 0 and end not in paths and self._buffer.allows(token):
                    paths[end] = [*paths[at], token]
                    heapq.heappush(waiting, end)
        return False

    def masks(self, start: Start, text: str) -> list[bytes]:
        """Return the mask before each token of a text that gets through."""
        walk, found = start(self._buffer), list[bytes]()
        for token in [*self.encode(text), self._eos]:
            walk.fill()
            found.append(self._buffer.words.tobytes())
            if token != self._eos:
                walk.advance(token)
        return found

    def dead_after(self, start: Start, text: str) -> str:
        """Return why nothing may come after the start of a text; empty if something may, or it's refused."""
        walk = start(self._buffer)
        for token in [*self.encode(text), None]:
            walk.fill()
            if trouble := walk.trouble():
                return trouble if token is None else ""
            if token is None:
                return "" if self._buffer.words.any() else "the mask is empty"
            if not self._buffer.allows(token) or not walk.advance(token):
                return ""
        return ""

    def accepts(self, start: Start, value: Any, is_pattern: bool) -> tuple[str | None, Read]:
        """Return the first spelling of a value that gets through, or None; and how far the first of all came."""
        texts = spellings(value, is_pattern)
        found = [self.read(start, texts[0])]
        for text in texts[1:]:
            if found[-1].through:
                break
            found.append(self.read(start, text))
        return (texts[len(found) - 1] if found[-1].through else None), found[0]

    def long(self, value: Any, is_pattern: bool) -> bool:
        """Return whether a value has too many tokens to be read."""
        text = spellings(value, is_pattern)[0]
        return len(text) > MOST_TOKENS * 4 or len(self.encode(text)) > MOST_TOKENS

    def walks(self, start: Start, seed: str, witness: list[Any]) -> Iterator[Walked]:
        """Yield texts that the engine writes."""
        like = self.encode(json.dumps(witness[0])) if witness else ()
        for number in range(WALKS):
            yield self.ways.walk(start(self._buffer), self._buffer, f"{seed}/{number}", like)

    def _characters(self, tokens: list[int], count: int) -> int:
        read = b"".join(self.ways.vocabulary.token_bytes[each] for each in tokens[:count])
        return len(read.decode("utf-8", "ignore"))


def spellings(value: Any, is_pattern: bool = False) -> list[str]:
    """Return the texts that mean a value: spaced and compact, its characters as they are and escaped.

    >>> spellings({"é": 1}), spellings([1])
    (['{"é": 1}', '{"é":1}', '{"\\\\u00e9": 1}', '{"\\\\u00e9":1}'], ['[1]'])
    """
    if is_pattern:
        return [value]
    separators = ((", ", ": "), (",", ":"))
    texts = [json.dumps(value, ensure_ascii=each, separators=one) for each in (False, True) for one in separators]
    if "e-" in texts[0]:
        small = dict[str, str]()
        plain = json.dumps(_without_exponents(value, small), ensure_ascii=False)
        for mark, number in small.items():
            plain = plain.replace(json.dumps(mark), number)
        texts.append(plain)
    return [*dict.fromkeys(texts)]


def _without_exponents(value: Any, numbers: dict[str, str]) -> Any:
    """Return a value with a mark for each number that Python writes with an exponent, and note its decimals."""
    if isinstance(value, dict):
        return {key: _without_exponents(each, numbers) for key, each in value.items()}
    if isinstance(value, list):
        return [_without_exponents(each, numbers) for each in value]
    if isinstance(value, float) and "e" in repr(value) and abs(value) < 1:
        mark = f"\0{len(numbers)}"
        numbers[mark] = format(Decimal(repr(value)), "f")
        return mark
    return value


def asked(asking: Asking, schema: Any, probes: list[Probe], seed: str, says: Callable[[Found], None]) -> None:
    """Ask an engine about one schema, and say what was found, with what is counted without being found fault with."""
    judge = _Judge(asking, schema, says)
    says({"at": "compiling", "schema": schema})
    try:
        start = asking.engine.compile(schema)
        judge.first(start)
    except MemoryError:
        raise
    except BaseException as error:
        judge.refusal(error)
        return
    for probe in probes:
        if not asking.in_time:
            break
        if not asking.long(probe.value, judge.is_pattern):
            says({"at": "reading", "schema": schema, "value": probe.value})
            judge.probe(start, probe)
    witness = [probe.value for probe in probes if probe.valid][:1]
    if asking.in_time:
        says({"at": "walking", "schema": schema})
        for walked in asking.walks(start, seed, witness):
            judge.walked(start, walked, witness)
            if not asking.in_time:
                break
    if not asking.in_time:
        judge.counts["cut short"] = 1
    judge.close()


@contextmanager
def warnings_of_libraries() -> Iterator[list[str]]:
    """Catch what a library prints while it compiles, such as that it ignores a keyword."""
    said = [""]
    with tempfile.TemporaryFile() as file:
        sys.stderr.flush()
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield said
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            said[0] = file.read().decode("utf-8", "replace").strip()[:300]


class _Judge:
    """What is found in one engine and schema, held until all is asked, since shrinking may meet a limit."""

    def __init__(self, asking: Asking, schema: Any, says: Callable[[Found], None]) -> None:
        self.asking, self.schema, self.says = asking, schema, says
        self.is_pattern = isinstance(schema, str)
        self.counts = Counter[str]()
        self._found: list[tuple[Found, Callable[[Pair], bool]]] = []

    def first(self, start: Start) -> None:
        start(self.asking._buffer).fill()

    def refusal(self, error: BaseException) -> None:
        """Note that the engine refuses the schema; or that it came to grief, where the error is none of its own."""
        message = _message(error, self.schema)
        accident = not refuses(self.asking.engine, error)
        if not Oracle(self.schema).is_schema and not self.is_pattern:
            self.counts["unsettled: no schema by its draft"] += 1
            return
        found = {"kind": ENDED if accident else REFUSED, "schema": self.schema, "message": message}

        def holds(pair: Pair) -> bool:
            try:
                self.first(self.asking.engine.compile(pair[0]))
            except MemoryError:
                raise
            except BaseException as again:
                same = gist(_message(again, pair[0])) == gist(message)
                return same and accident == (not refuses(self.asking.engine, again))
            return False

        self._found.append((found | {"value": None, "oracle": "its own word"}, holds))
        self.close()

    def probe(self, start: Start, probe: Probe) -> None:
        """Ask about one value."""
        through, read = self.asking.accepts(start, probe.value, self.is_pattern)
        if probe.valid is None:
            by_format = through is not None and probe.blamed == ("format",)
            self.counts["policy: formats not checked" if by_format else "unsettled: no oracle, or two opinions"] += 1
        elif probe.valid and through is None:
            found, holds = self._forbidden(start, probe.value, read)
            if holds:
                self._note(found | {"oracle": probe.oracle}, holds)
            else:
                self.counts[found["policy"]] += 1
        elif not probe.valid and through is not None:
            self._note(*self._accepted(probe.value, probe.blamed, through, probe.oracle))
        else:
            self.counts["right"] += 1

    def walked(self, start: Start, walked: Walked, witness: list[Any]) -> None:
        """Judge a text that the engine wrote."""
        if walked.ended == "no end found":
            self.counts["unsettled: no end found"] += 1
        elif walked.ended == "dead end":
            self._dead(walked, witness)
        else:
            try:
                text = walked.text.decode()
            except UnicodeDecodeError:
                self.counts["unsettled: not UTF-8, which may be the adapter's fault"] += 1
                return
            state, value = ("clear", text) if self.is_pattern else read_json(text)
            oracle = Oracle(self.schema)
            if state.startswith("not JSON"):
                self._raw(walked, state)
            elif state != "clear" or (valid := oracle.valid(value)) is None:
                self.counts[f"unsettled: {state if state != 'clear' else 'no oracle, or two opinions'}"] += 1
            elif valid:
                self.counts["right"] += 1
            else:
                through, _ = self.asking.accepts(start, value, self.is_pattern)
                blamed = tuple(sorted(oracle.blamed(value)))
                if through is None:
                    self._raw(walked, ", ".join(blamed))
                else:
                    self._note(*self._accepted(value, blamed, through, "jsonschema"))

    def close(self) -> None:
        """Shrink what was found, and say it."""
        counted, said = Counter[str](), list[Found]()
        for found, holds in self._found:
            counted[found["kind"]] += 1
            if counted[found["kind"]] <= SHRUNK:
                self.says({"whole": found, "at": "shrinking", "schema": found["schema"]})
                small = self._shrunk(found, holds)
                if small["kind"] not in KINDS:
                    self.counts[small["kind"]] += 1
                elif all(small["schema"] != each["schema"] or small["kind"] != each["kind"] for each in said):
                    said.append(small)
                    self.says({"finding": small})
        for kind, count in counted.items():
            if count > SHRUNK:
                self.counts[f"not shrunk: {kind}"] += count - SHRUNK
        self.says({"counts": dict(sorted(self.counts.items()))})

    # What holds -------------------------------------------------------------------------------------

    def _accepted(
        self, value: Any, blamed: tuple[str, ...], text: str, oracle: str
    ) -> tuple[Found, Callable[[Pair], bool]]:
        same = {*blamed, *Oracle(self.schema).blamed(value, inner=True)}

        def holds(pair: Pair) -> bool:
            judge = Oracle(pair[0], is_checked=True)
            if judge.valid(pair[1]) is not False or not judge.blamed(pair[1]) <= same:
                return False
            start = self._started(pair[0])
            return start is not None and self.asking.accepts(start, pair[1], self.is_pattern)[0] is not None

        found = {"kind": ACCEPTS, "schema": self.schema, "value": value, "oracle": oracle, "message": ""}
        return found | {"blamed": blamed}, holds

    def _forbidden(self, start: Start, value: Any, read: Read) -> tuple[Found, Callable[[Pair], bool] | None]:
        if policy := self._policy(start, self.schema, value):
            return {"policy": policy}, None

        def holds(pair: Pair) -> bool:
            started = self._started(pair[0]) if Oracle(pair[0], is_checked=True).valid(pair[1]) is True else None
            if started is None:
                return False
            through, again = self.asking.accepts(started, pair[1], self.is_pattern)
            same = through is None and bool(again.error) == bool(read.error)
            return same and self._policy(started, pair[0], pair[1]) is None

        kind = ENDED if read.error else FORBIDS
        return {"kind": kind, "schema": self.schema, "value": value, "message": read.error}, holds

    def _policy(self, start: Start, schema: Any, value: Any) -> str | None:
        """Return the choice that explains why a valid value is refused."""

        def stops(other: Any) -> int | None:
            through, read = self.asking.accepts(start, other, self.is_pattern)
            return None if through is not None else read.at

        policy = None if self.is_pattern else in_form(schema, value, stops) or forbidding(schema, value)
        texts = spellings(value, self.is_pattern)[:2]
        if not policy and any(self.asking.in_other_tokens(start, text) for text in texts):
            policy = "in other tokens"
        if not policy and not self.asking.in_time:
            return "unsettled: not all tokens were tried"
        return f"policy: {policy}" if policy else None

    def _dead(self, walked: Walked, witness: list[Any]) -> None:
        text = walked.text.decode("utf-8", "ignore")
        if not witness:
            self.counts["unsettled: a dead end, and perhaps nothing is valid"] += 1
            return

        def holds(pair: Pair) -> bool:
            if Oracle(pair[0], is_checked=True).valid(witness[0]) is not True:
                return False
            started = self._started(pair[0])
            return started is not None and bool(self.asking.dead_after(started, pair[1]))

        found = {"kind": DEAD_END, "schema": self.schema, "value": text, "message": walked.why, "oracle": "a value"}
        self._note(found | {"oracle": f"jsonschema takes {json.dumps(witness[0])[:200]}"}, holds)

    def _raw(self, walked: Walked, blamed: str) -> None:
        """Note a text that only these very tokens write, so that nothing of it can be left out."""
        text = walked.text.decode("utf-8", "backslashreplace")
        is_text = blamed.startswith("not JSON")

        def holds(pair: Pair) -> bool:
            oracle = Oracle(pair[0], is_checked=True)
            if pair[1] != text or not (is_text or oracle.valid(read_json(text)[1]) is False):
                return False
            started = self._started(pair[0])
            tokens = [*walked.ids, self.asking._eos]
            return started is not None and self.asking.read_ids(started, tokens).through

        found = {"kind": ACCEPTS, "schema": self.schema, "value": text, "message": "with these tokens"}
        found |= {"ids": walked.ids, "oracle": "json and jsonschema", "blamed": (blamed,)}
        self._note(found, holds)

    def _note(self, found: Found, holds: Callable[[Pair], bool]) -> None:
        """Keep a finding, unless there is one of the same kind and keywords."""
        key = (found["kind"], found.get("blamed"))
        if all((each["kind"], each.get("blamed")) != key for each, _ in self._found):
            self._found.append((found, holds))
        else:
            self.counts[f"again: {found['kind']}"] += 1

    def _started(self, schema: Any) -> Start | None:
        try:
            return self.asking.engine.compile(schema)
        except MemoryError:
            raise
        except Exception:
            return None

    # What is said of it ---------------------------------------------------------------------------------

    def _shrunk(self, found: Found, holds: Callable[[Pair], bool]) -> Found:
        end = max(0.0, self.asking.until * 2 - time.process_time())
        schema, value = shrunk((found["schema"], found["value"]), _safe(holds), TRIES, end)
        kind = found["kind"]
        raw = "ids" in found
        cause = ", ".join(found["blamed"]) if raw else self._cause(kind, schema, value)
        said = {"kind": kind, "keyword": cause, "schema": schema}
        if kind in (ACCEPTS, FORBIDS) and not raw:
            said["value"] = value
            start = self._started(schema)
            if start is not None:
                through, read = self.asking.accepts(start, value, self.is_pattern)
                text = through or spellings(value, self.is_pattern)[0]
                said["text"] = text
                if kind == FORBIDS:
                    found["message"] = f"stops after {text[: read.at]!r}"
                elif self._dropped(start, schema, value, text):
                    said["kind"] = DROPPED
        elif value is not None:
            said["text"] = value if isinstance(value, str) else json.dumps(value)
        if kind == FORBIDS and said["keyword"] == "format":
            said["kind"] = "unsettled: format"
        said |= {"message": found["message"] + self._warned(schema, kind), "oracle": found["oracle"]}
        return said | ({"ids": found["ids"]} if raw else {})

    def _warned(self, schema: Any, kind: str) -> str:
        if kind != ACCEPTS:
            return ""
        with warnings_of_libraries() as warned:
            self._started(schema)
        return f"it warned: {_STAMP.sub('', warned[0])}" if warned[0] else ""

    def _dropped(self, start: Start, schema: Any, value: Any, text: str) -> bool:
        """Return whether a keyword alone refuses a value, and the masks are the same without it."""
        masks = self.asking.masks(start, text)
        for keyword in Oracle(schema).blamed(value):
            for lesser in without(schema, keyword):
                started = self._started(lesser) if Oracle(lesser).valid(value) else None
                if started and self.asking.read(started, text).through and self.asking.masks(started, text) == masks:
                    return True
        return False

    def _cause(self, kind: str, schema: Any, value: Any) -> str:
        """Return the keyword that a finding is about: what refuses the value, or must go for it to get through."""
        if self.is_pattern:
            return "regex"
        if kind == ACCEPTS and (blamed := Oracle(schema).blamed(value)):
            typed = self._started(implied(schema))
            is_typed = typed is None or self.asking.accepts(typed, value, False)[0] is not None
            return ", ".join(sorted(blamed)) + ("" if is_typed else " without type")
        names = sorted(set(keywords(schema)), key=lambda name: (name in PLAIN, name))
        special = [name for name in names if name not in PLAIN]
        if kind == FORBIDS:
            for name in special or names:
                for lesser in without(schema, name):
                    start = self._started(lesser) if Oracle(lesser).valid(value) else None
                    if start and self.asking.accepts(start, value, False)[0] is not None:
                        return name
        return ", ".join((special or names)[:3]) or "no keyword"


def _safe(holds: Callable[[Pair], bool]) -> Callable[[Pair], bool]:
    """Return a check that is false where something has no answer, and where a part that is left is no schema."""

    def tried(pair: Pair) -> bool:
        try:
            return holds(pair) and (isinstance(pair[0], str) or Oracle(pair[0]).is_schema)
        except MemoryError:
            raise
        except Exception:
            return False

    return tried


def _message(error: BaseException, schema: Any) -> str:
    text = _STAMP.sub("", str(error).replace(repr(schema), "it"))
    return (f"{type(error).__name__}: {text}" if not isinstance(error, ValueError | RuntimeError) else text)[:300]


def gist(message: str) -> str:
    """Return a message without what it quotes, so that it's the same for a smaller schema.

    >>> gist("Unsupported keys: ['a'] at #/properties/b:12."), gist('no "x y"')
    ('Unsupported keys: [.] at .', 'no .')
    """
    quoted = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`|#?(?:/[^\s:]*)+", ".", message)
    return re.sub(r"\.?[:;]?\d+|\.(?:, \.)+", "", quoted.partition("{")[0]).strip()
