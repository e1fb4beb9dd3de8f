"""The tokens: byte-level BPE, trained by the library ``tokenizers`` on the corpus."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from labkit.small_model.tasks import CORPUS, examples
from labkit.small_model.tasks.tool_calls import TOOL_CALLS
from labkit.small_model.tokenizer import PATTERN, SPECIAL

_SAMPLE = 40_000
"""How many examples the tokens are counted on."""


def train_tokens(vocab_size: int, path: Path, seed: int = 0) -> None:
    """Find the merges and write them, in order, as JSON; each token is a string with a character a byte."""
    from tokenizers import Regex, Tokenizer
    from tokenizers.models import BPE
    from tokenizers.pre_tokenizers import ByteLevel, Sequence, Split
    from tokenizers.trainers import BpeTrainer

    bpe = Tokenizer(BPE())
    bpe.pre_tokenizer = Sequence(
        [Split(Regex(PATTERN), behavior="isolated"), ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    trainer = BpeTrainer(
        vocab_size=vocab_size - len(SPECIAL), initial_alphabet=ByteLevel.alphabet(), show_progress=False
    )
    bpe.train_from_iterator(_texts(seed), trainer)
    tokens = sorted(bpe.get_vocab(), key=bpe.get_vocab().__getitem__)
    merged = [bytes(map(_byte_of().__getitem__, token)).decode("latin-1") for token in tokens[256:]]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(merged, indent=0) + "\n", encoding="utf-8")


def _texts(seed: int) -> Iterator[str]:
    for example in islice(examples(seed, CORPUS), _SAMPLE):
        yield example.prompt
        yield example.answer.replace(TOOL_CALLS, "")


def _byte_of() -> dict[str, int]:
    """The byte that each character of byte-level BPE stands for: printable ones for themselves, the others in a row."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    return {chr(byte): byte for byte in plain} | {chr(256 + place): byte for place, byte in enumerate(others)}
