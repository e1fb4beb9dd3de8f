"""A vocabulary that was kept on disk is the one that was made, whatever happened to the file."""

from functools import wraps
from pathlib import Path

import numpy as np
import pytest

from labs.lab_07_bytes_and_vocabularies.given.on_demand import disk
from labs.lab_07_bytes_and_vocabularies.given.on_demand.rows import VocabularyRows
from labs.lab_07_bytes_and_vocabularies.solution import build_byte_trie, functions

TOKENS = (b"a", b" ", b" a", b"  b", None, b"\xc3", b"\xa9", "é".encode(), b"", " 世界".encode(), b"a\xff", b"ab", b"a")
OTHERS = (b"x", *TOKENS[1:])


@wraps(build_byte_trie)  # it stands for the function of that file
def never(tokens):
    raise AssertionError("it is made anew")


def arrays(rows):
    trie, rests = rows.trie, rows.after_space
    found = [trie.parent, trie.byte, trie.node_of_token, rows.has, rows.valid, rests.has, rests.valid, rests.empty]
    return [(each.dtype.str, each.shape, each.tobytes()) for each in found] + [rows.splits_characters]


def kept_rows(folder, tokens, make_trie):
    of_both = functions()
    trie, tables = disk.trie_and_tables(folder, tokens, of_both._replace(build_byte_trie=make_trie))
    return VocabularyRows(tokens, trie, of_both, *tables)


def kept(folder, tokens=TOKENS, make_trie=build_byte_trie):
    return arrays(kept_rows(folder, tokens, make_trie))


MADE = arrays(VocabularyRows(TOKENS, build_byte_trie(TOKENS), functions()))


@pytest.fixture
def path(tmp_path):
    """A file that was written."""
    assert kept(tmp_path) == MADE
    (path,) = tmp_path.iterdir()
    return path


def made_anew(path):
    """Return whether the file was made anew, and is whole now; the arrays must be right either way."""
    calls = []
    counting = wraps(build_byte_trie)(lambda tokens: calls.append(0) or build_byte_trie(tokens))
    assert kept(path.parent, make_trie=counting) == MADE
    assert kept(path.parent, make_trie=never) == MADE and list(path.parent.iterdir()) == [path]
    return bool(calls)


def test_the_second_time_it_is_read(path):
    rows = kept_rows(path.parent, TOKENS, never)
    assert arrays(rows) == MADE
    for array in (rows.has, rows.valid, rows.trie.parent, rows.trie.byte, rows.trie.node_of_token):
        assert not array.flags.writeable


def test_each_vocabulary_and_each_version_has_a_file_of_its_own(path, monkeypatch):
    twins = [
        TOKENS,
        OTHERS,
        TOKENS[::-1],
        TOKENS[:-1],
        [b"a ", b"", *TOKENS[2:]],
        [b"" if t is None else t for t in TOKENS],
    ]
    for tokens in twins:
        kept(path.parent, tokens)
    assert len(list(path.parent.iterdir())) == len(twins)
    monkeypatch.setattr(disk, "VERSION", disk.VERSION + 1)
    kept(path.parent)
    assert len(list(path.parent.iterdir())) == len(twins) + 1


# Damage -----------------------------------------------------------------------------------------------


def test_a_bit_flipped_in_an_array(path):
    whole = path.read_bytes()
    with np.load(path) as file:
        contents = {name: file[name].tobytes() for name in disk.DTYPES}
    for name, content in contents.items():
        header = whole.index(b"NUMPY", whole.index(name.encode() + b".npy"))
        place = whole.index(b"\n", header) + 1
        assert whole[place : place + len(content)] == content
        for at in (place, place + len(content) // 2, place + len(content) - 1):
            damaged = bytearray(whole)
            damaged[at] ^= 1
            path.write_bytes(damaged)
            assert made_anew(path), (name, at)


def wider(array):
    return np.append(array, array[-1:], axis=0)


WRONG = {
    **{f"{name} of another type": (name, lambda array: array.astype(np.int64)) for name in disk.DTYPES},
    **{
        f"{name} in big-endian order": (name, lambda array: array.astype(">i4")) for name in ("parent", "node_of_token")
    },
    **{f"{name} of another length": (name, wider) for name in disk.DTYPES if name != "splits"},
    "splits as a row": ("splits", lambda array: array.reshape(1)),
    "no trie": ("parent", lambda array: array[::-1].copy()),
    "a name of another type": ("name", lambda array: np.arange(3)),
    "an array that is missing": ("has", None),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_arrays_that_do_not_belong(wrong, path):
    name, change = WRONG[wrong]
    with np.load(path) as file:
        contents = {each: file[each] for each in file.files}
    old = contents.pop(name)
    if change:
        contents[name] = change(old)
    with path.open("wb") as file:
        np.savez(file, **contents)
    assert made_anew(path)


def test_no_code_is_run_from_a_file(path):
    """Unpickling it would make a folder beside it."""
    harm = path.parent.parent / "harm"

    class Harmful:
        def __reduce__(self):
            return Path.mkdir, (harm,)

    with path.open("wb") as file:
        np.savez(file, **dict.fromkeys(("name", *disk.DTYPES), np.array([Harmful()], object)))
    assert made_anew(path) and not harm.exists()


# Folders ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["savez", "replace"])
def test_nothing_is_left_of_a_write_that_fails(fault, tmp_path, monkeypatch):
    def full(*arguments, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(*((disk.np, "savez") if fault == "savez" else (Path, "replace")), full)
    with pytest.warns(RuntimeWarning, match="No space left"):
        assert kept(tmp_path) == MADE
    assert list(tmp_path.iterdir()) == []


def test_nobody_gets_what_another_file_has_made(path, tmp_path):
    """The reference's trie isn't yours, and yours isn't the reference's. After an edit it's made anew."""
    mine, made = tmp_path / "mine.py", []
    for text in ("from M import build_byte_trie as r\ndef f(tokens):\n    return r(tokens)\n", "# edited\n"):
        with mine.open("a") as file:
            file.write(text.replace("M", build_byte_trie.__module__))
        names = {}
        exec(compile(mine.read_text(), str(mine), "exec"), names)
        counting = wraps(names["f"])(lambda tokens: made.append(0) or build_byte_trie(tokens))
        assert [kept(path.parent, make_trie=counting) for _ in range(2)] == [MADE, MADE]
    assert len(made) == 2 and kept(path.parent, make_trie=never) == MADE
    assert len(list(path.parent.glob("*.npz"))) == 3, "one of the reference, and one for each text of mine"
    cell = {}
    exec("def f(tokens):\n    return [made.append(0), r(tokens)][1]", {"made": made, "r": build_byte_trie}, cell)
    _, (_, tables) = disk.trie_and_tables(path.parent, TOKENS, functions()._replace(build_byte_trie=cell["f"]))
    assert len(made) == 3 and tables is None and len(list(path.parent.glob("*.npz"))) == 3


def test_a_reader_never_meets_a_half(path, monkeypatch):
    """While a file is written again, the old one can be read."""
    rows, tables = kept_rows(path.parent, TOKENS, never), disk.make_tables(disk.join(TOKENS), functions().pack_mask)
    asked, save = [], np.savez

    def savez(file, **arrays):
        asked.append(kept(path.parent, make_trie=never))
        save(file, **arrays)

    monkeypatch.setattr(disk.np, "savez", savez)
    disk._write(path, rows.trie, tables)
    assert asked == [MADE] == [kept(path.parent, make_trie=never)]
