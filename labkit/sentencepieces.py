"""SentencePiece models: the bytes of each piece, read from the model and not by decoding single ids."""

from pathlib import Path

from sentencepiece import SentencePieceProcessor

SPACE = "\u2581"
"""The character that stands for a space in a piece (``meta symbol`` in the SentencePiece paper, section 3.2)."""


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
    try:
        model = SentencePieceProcessor(model_proto=path.read_bytes())
    except RuntimeError as error:
        raise ValueError(f"{path} is no SentencePiece model") from error
    ids = range(model.vocab_size())
    special = [i for i in ids if model.is_control(i) or model.is_unknown(i) or model.is_unused(i)]
    return [piece_bytes(model.id_to_piece(i), model.is_byte(i)) for i in ids], special, model.eos_id()


def piece_bytes(piece: str, is_byte: bool = False) -> bytes:
    """Return the bytes that a piece stands for.

    >>> piece_bytes("\u2581the"), piece_bytes("<0xE2>", is_byte=True), piece_bytes("<0xE2>")
    (b' the', b'\\xe2', b'<0xE2>')
    """
    if is_byte:
        return bytes([int(piece.removeprefix("<0x").removesuffix(">"), 16)])
    return piece.replace(SPACE, " ").encode()
