"""The vocabulary made ready, kept on disk: the second process reads what the first one made.

A file is one uncompressed ``.npz``. Its name has a hash of the token bytes and the version of its form, and so has an
array inside it. It is written beside its place and then moved there in one step. So a reader finds a whole file or
none, and if two processes write at the same time, the second replaces the first's file by an equal one. A file that is
damaged, or of another vocabulary or version, is made anew.

What it needs to be trusted: whoever can write in the folder can change masks, since the hash has no secret key. No code
is run from the folder: arrays are read without ``pickle``. Nothing deletes the files of vocabularies that are no longer
used, nor the ``.tmp`` of a process that was killed while it wrote.
"""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from warnings import warn

import numpy as np

from labkit.automata.byte_tries import ByteTrie
from labs.lab_07_bytes_and_vocabularies.given.functions import Functions
from labs.lab_07_bytes_and_vocabularies.given.on_demand.alphabet import ASCII
from labs.lab_07_bytes_and_vocabularies.given.on_demand.rows import Tables, Texts, join, make_tables

VERSION = 2
"""Of the form of a file. Raise it whenever the same tokens make other arrays."""

DTYPES = {"parent": "<i4", "byte": "u1", "node_of_token": "<i4", "has": "<i4", "whole": "<i4", "splits": "?"}
"""The arrays of a file: those of the trie, then those of the tables."""


def trie_and_tables(
    folder: str | Path | None, token_bytes: Sequence[bytes | None], functions: Functions
) -> tuple[ByteTrie, tuple[Texts, Tables | None]]:
    """Return a vocabulary's trie and what takes long to know of its tokens: read from a folder if it is there.

    Args:
        folder: made if it is missing. What is not there yet is made and kept there; where nothing can be written, a
            warning says so. None to make only the trie: the tables are made when they are needed.
        token_bytes, functions: see ``VocabularyRows``.

    >>> from tempfile import TemporaryDirectory
    >>> from labs.lab_07_bytes_and_vocabularies.solution import functions
    >>> with TemporaryDirectory() as folder:
    ...     made, read = (trie_and_tables(folder, [b"a", b" b"], functions()) for _ in range(2))
    ...     [path.suffix for path in Path(folder).iterdir()], np.array_equal(made[1][1].has, read[1][1].has)
    (['.npz'], True)
    """
    texts = join(token_bytes)
    if folder is None:
        return functions.build_byte_trie(token_bytes), (texts, None)
    path = Path(folder) / file_name(token_bytes, texts)
    if (found := _read(path, len(token_bytes))) is None:
        found = functions.build_byte_trie(token_bytes), make_tables(texts, functions.pack_mask)
        _write(path, *found)
    trie, tables = found
    return trie, (texts, tables)


def file_name(token_bytes: Sequence[bytes | None], texts: Texts) -> str:
    """Return the name of a vocabulary's file, which differs wherever two vocabularies or two versions do.

    >>> len({file_name(tokens, join(tokens)) for tokens in ([b"a", b""], [b"a", None], [b"", b"a"], [b"a"])})
    4
    """
    lengths = texts.ends - texts.starts
    for token_id in (lengths == 0).nonzero()[0].tolist():
        lengths[token_id] = -1 if token_bytes[token_id] is None else 0
    digest = sha256(f"{len(lengths)} ".encode())
    digest.update(lengths.astype("<i8").tobytes())  # without lengths a token could borrow bytes from the next one
    digest.update(texts.text.tobytes())
    return f"vocabulary-{VERSION}-{digest.hexdigest()}.npz"


def _read(path: Path, n_tokens: int) -> tuple[ByteTrie, Tables] | None:
    """Return what a file holds, or None if it is not what was written there."""
    row = -(-n_tokens // 32)
    shapes = {"node_of_token": (n_tokens,), "has": (ASCII + 1, row), "whole": (row,), "splits": ()}
    try:
        with np.load(path, allow_pickle=False) as file:  # which compares each array with its CRC
            if str(file["name"]) != path.name:
                return None
            arrays = {name: file[name] for name in DTYPES}
        if any(arrays[name].dtype != np.dtype(dtype) for name, dtype in DTYPES.items()):
            return None
        if any(arrays[name].shape != shape for name, shape in shapes.items()):
            return None
        trie = ByteTrie(*(arrays.pop(name) for name in ("parent", "byte", "node_of_token")))  # which checks its nodes
    except Exception:  # damage makes zipfile and NumPy raise nearly anything
        return None
    return trie, Tables(**arrays)


def _write(path: Path, trie: ByteTrie, tables: Tables) -> None:
    """Keep what was made; where that fails, warn and go on."""
    arrays = {"parent": trie.parent, "byte": trie.byte, "node_of_token": trie.node_of_token, **tables._asdict()}
    typed = {name: array.astype(DTYPES[name]) for name, array in arrays.items()}
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=path.stem, suffix=".tmp", delete=False) as file:
            temporary = Path(file.name)
            np.savez(file, name=np.array(path.name), **typed)
        temporary.replace(path)
    except OSError as error:
        if temporary:
            temporary.unlink(missing_ok=True)
        warn(f"the vocabulary is not kept in {path.parent}: {error}", RuntimeWarning, stacklevel=3)
