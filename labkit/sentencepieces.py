"""SentencePiece models: the bytes of each piece, read from the model itself and never by decoding an id."""

from pathlib import Path

from sentencepiece import SentencePieceProcessor

SPACE = "\u2581"
"""How a piece writes the space (``meta symbol`` in the SentencePiece paper, section 3.2)."""


def read_pieces(path: Path) -> tuple[list[bytes], list[int], int]:
    """The bytes of each piece by id, the ids that are no text, and the EOS id.

    To decode an id alone loses what a mask needs: a leading space is dropped, and a byte that is no whole character
    becomes U+FFFD. So each piece is read as the model stores it, together with its type: normal and user-defined pieces
    are text, a byte piece is one byte, control, unknown and unused pieces are special.

    >>> read_pieces(Path("nothing.model"))
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'nothing.model'

    Raises:
        OSError: if the file cannot be read.
        ValueError: if it is no SentencePiece model.
    """
    try:
        model = SentencePieceProcessor(model_proto=path.read_bytes())
    except RuntimeError as error:
        raise ValueError(f"{path} is no SentencePiece model") from error
    ids = range(model.vocab_size())
    special = [i for i in ids if model.is_control(i) or model.is_unknown(i) or model.is_unused(i)]
    return [piece_bytes(model.id_to_piece(i), model.is_byte(i)) for i in ids], special, model.eos_id()


def piece_bytes(piece: str, is_byte: bool = False) -> bytes:
    """The bytes that a piece stands for.

    >>> piece_bytes("\u2581the"), piece_bytes("<0xE2>", is_byte=True), piece_bytes("<0xE2>")
    (b' the', b'\\xe2', b'<0xE2>')
    """
    if is_byte:
        return bytes([int(piece.removeprefix("<0x").removesuffix(">"), 16)])
    return piece.replace(SPACE, " ").encode()
