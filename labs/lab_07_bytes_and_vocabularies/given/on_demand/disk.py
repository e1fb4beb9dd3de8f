"""Keep a prepared vocabulary on disk, so that the next process only has to read it.

The first process makes the trie, with ``build_byte_trie``, and the tables of ``rows.py``, and writes both into an
uncompressed ``.npz``. Its name has the version of the format and a hash of the tokens' bytes and of the file with the
functions, so what the reference has made is never taken for yours. An array in the file repeats the name. It's written
under another name and then moved to its place in one step, so a reader finds a whole file or none. If a file is
damaged, or belongs to another vocabulary or version, we ignore it and make a new one.

Whom do you have to trust? Anyone who can write to the folder can change your masks, because the hash has no secret key.
But nobody can run code that way, since the arrays are read without ``pickle``. Nothing ever deletes old files.
"""

import inspect
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from warnings import warn

import numpy as np

from labkit.automata.byte_tries import ByteTrie
from labs.lab_07_bytes_and_vocabularies.given.functions import Functions
from labs.lab_07_bytes_and_vocabularies.given.on_demand.alphabet import ASCII
from labs.lab_07_bytes_and_vocabularies.given.on_demand.rows import Texts, TokenTables, join, make_tables

VERSION = 2
"""The version of the files' format. Raise it whenever the same tokens would give other arrays."""

DTYPES = {"parent": "<i4", "byte": "u1", "node_of_token": "<i4", "has": "<i4", "whole": "<i4", "splits": "?"}
"""The arrays in a file: first those of the trie, then those of the tables."""


def trie_and_tables(
    folder: str | Path | None, token_bytes: Sequence[bytes | None], functions: Functions
) -> tuple[ByteTrie, tuple[Texts, TokenTables | None]]:
    """Return a vocabulary's trie and tables. If the folder has them, read them; if not, make them and keep them there.

    Args:
        folder: created if it's missing. If it can't be written to, there's a warning, and nothing is kept. With None,
            or if the functions are in no file, only the trie is made; the tables can wait until somebody needs them.
        token_bytes, functions: see ``VocabularyRows``.

    >>> from tempfile import TemporaryDirectory
    >>> from labs.lab_07_bytes_and_vocabularies.solution import functions
    >>> with TemporaryDirectory() as folder:
    ...     made, read = (trie_and_tables(folder, [b"a", b" b"], functions()) for _ in range(2))
    ...     [path.suffix for path in Path(folder).iterdir()], np.array_equal(made[1][1].has, read[1][1].has)
    (['.npz'], True)
    """
    texts, source = join(token_bytes), _source_of(functions)
    if folder is None or source is None:
        return functions.build_byte_trie(token_bytes), (texts, None)
    path = Path(folder) / file_name(token_bytes, texts, source)
    if (found := _read(path, len(token_bytes))) is None:
        found = functions.build_byte_trie(token_bytes), make_tables(texts, functions.pack_mask)
        _write(path, *found)
    trie, tables = found
    return trie, (texts, tables)


def _source_of(functions: Functions) -> bytes | None:
    """Return the file with the functions that make what is kept, or None for those of a notebook."""
    made_by = (inspect.unwrap(function) for function in (functions.build_byte_trie, functions.pack_mask))
    try:
        return b"".join(Path(inspect.getfile(function)).read_bytes() for function in made_by)
    except (OSError, TypeError):
        return None


def file_name(token_bytes: Sequence[bytes | None], texts: Texts, source: bytes = b"") -> str:
    """Return the name of a vocabulary's file. Other tokens, functions or versions never share a name.

    >>> len({file_name(tokens, join(tokens)) for tokens in ([b"a", b""], [b"a", None], [b"", b"a"], [b"a"])})
    4
    """
    lengths = texts.ends - texts.starts
    for token_id in (lengths == 0).nonzero()[0].tolist():
        lengths[token_id] = -1 if token_bytes[token_id] is None else 0
    digest = sha256(sha256(source).digest() + f"{len(lengths)} ".encode())
    digest.update(lengths.astype("<i8").tobytes())  # without lengths a token could borrow bytes from the next one
    digest.update(texts.text.tobytes())
    return f"vocabulary-{VERSION}-{digest.hexdigest()}.npz"


def _read(path: Path, n_tokens: int) -> tuple[ByteTrie, TokenTables] | None:
    """Return the trie and the tables in a file, or None if it isn't exactly what we would have written."""
    row = -(-n_tokens // 32)
    shapes = {"node_of_token": (n_tokens,), "has": (ASCII + 1, row), "whole": (row,), "splits": ()}
    try:
        with np.load(path, allow_pickle=False) as file:  # reading an array also checks its CRC
            if str(file["name"]) != path.name:
                return None
            arrays = {name: file[name] for name in DTYPES}
        if any(arrays[name].dtype != np.dtype(dtype) for name, dtype in DTYPES.items()):
            return None
        if any(arrays[name].shape != shape for name, shape in shapes.items()):
            return None
        trie = ByteTrie(*(arrays.pop(name) for name in ("parent", "byte", "node_of_token")))  # it checks its own nodes
    except Exception:  # on a damaged file, zipfile and NumPy may raise nearly anything
        return None
    return trie, TokenTables(**arrays)


def _write(path: Path, trie: ByteTrie, tables: TokenTables) -> None:
    """Write a file. If that fails, warn and carry on, because we have the arrays anyway."""
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
