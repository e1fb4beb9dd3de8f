"""SentencePiece models: the bytes of each piece, read from the model and not by decoding single ids.

The model is a message of Protocol Buffers. The few fields that a vocabulary needs are read here, so that the labs do
not need the library; ``tests/labkit/test_sentencepiece.py`` holds the two together.
"""

from collections.abc import Iterator
from pathlib import Path

SPACE = "\u2581"
"""The character that stands for a space in a piece (``meta symbol`` in the SentencePiece paper, section 3.2)."""

_NORMAL, _UNKNOWN, _CONTROL, _UNUSED, _BYTE = 1, 2, 3, 5, 6
"""Types of pieces, ``ModelProto.SentencePiece.Type``; 4 is user-defined, which is text."""


def read_pieces(path: Path) -> tuple[list[bytes], list[int], int]:
    """Return the bytes of each piece by id, the ids that are not text, and the EOS id.

    Decoding an id by itself loses what a mask needs: a leading space is dropped, and a byte that is not a whole
    character becomes U+FFFD. So each piece is read as the model stores it, with its type: normal and user-defined
    pieces are text, a byte piece is one byte, and control, unknown and unused pieces are special.

    >>> read_pieces(Path("nothing.model"))
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'nothing.model'

    Raises:
        OSError: if the file cannot be read.
        ValueError: if it is not a SentencePiece model.
    """
    pieces, eos_id = list[tuple[str, int]](), 2
    try:
        for number, content in _fields(path.read_bytes()):
            if number == 1 and isinstance(content, bytes):  # ModelProto.pieces
                piece = dict(_fields(content))
                pieces.append((bytes(piece[1]).decode(), int(piece.get(3, _NORMAL))))
            elif number == 2 and isinstance(content, bytes):  # ModelProto.trainer_spec, whose field 42 is eos_id
                eos_id = int(dict(_fields(content)).get(42, eos_id))
        if not pieces:
            raise ValueError("no pieces")
        token_bytes = [piece_bytes(text, kind == _BYTE) for text, kind in pieces]
    except (ValueError, LookupError, TypeError) as error:
        raise ValueError(f"{path} is no SentencePiece model") from error
    special = [i for i, (_, kind) in enumerate(pieces) if kind in (_UNKNOWN, _CONTROL, _UNUSED)]
    return token_bytes, special, eos_id


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the number and the content of each field of a message: a number, or bytes.

    >>> list(_fields(bytes([8, 150, 1, 18, 2, 104, 105])))
    [(1, 150), (2, b'hi')]
    """
    place = 0

    def varint() -> int:
        nonlocal place
        value = shift = 0
        while True:
            byte = message[place]
            value, shift, place = value | (byte & 0x7F) << shift, shift + 7, place + 1
            if byte < 0x80:
                return value

    while place < len(message):
        key = varint()
        kind = key & 7
        if kind == 0:
            yield key >> 3, varint()
            continue
        size = {1: 8, 5: 4}.get(kind) or (varint() if kind == 2 else 0)
        if (not size and kind != 2) or place + size > len(message):
            raise ValueError(f"a field of wire type {kind} that does not end")
        yield key >> 3, message[place : place + size]
        place += size


def piece_bytes(piece: str, is_byte: bool = False) -> bytes:
    """Return the bytes that a piece stands for.

    >>> piece_bytes("\u2581the"), piece_bytes("<0xE2>", is_byte=True), piece_bytes("<0xE2>")
    (b' the', b'\\xe2', b'<0xE2>')
    """
    if is_byte:
        return bytes([int(piece.removeprefix("<0x").removesuffix(">"), 16)])
    return piece.replace(SPACE, " ").encode()
