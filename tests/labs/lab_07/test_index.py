"""A vocabulary made ready: the bytes of its ids, and where they end in the trie."""

from labkit.vocabulary import Vocabulary
from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex

HALF, E = b"\xe2\x82", "é".encode()


def check_index(vocabulary, expected, ends):
    index = TokenVocabularyIndex(vocabulary)
    assert (index.token_bytes, index.trie.node_of_token.tolist()) == (expected, ends)


def test_vocab_index_basic():
    """Equal tokens end at one node, and half a character has a node like any other."""
    tokens = (b"a", HALF, b"ab", b"a", E)
    check_index(Vocabulary([*tokens, b"</s>"], eos_id=5), (*tokens, None), [1, 6, 4, 1, 5, -1])


def test_vocab_index_special_tokens():
    """Special tokens, EOS among them, aren't text, whatever their bytes. Nor is an empty token. Both end at -1."""
    vocabulary = Vocabulary([b"1", b"2", b"", b"3", b"1", b"\x00"], eos_id=3, special_ids=[1])
    check_index(vocabulary, (b"1", None, None, None, b"1", b"\x00"), [2, -1, -1, -1, 2, 1])
