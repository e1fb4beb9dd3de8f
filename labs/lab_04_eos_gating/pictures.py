"""The pictures of lab 04's README: each public function draws the one of its name."""

from labkit.automata import decimal_fsm
from labkit.pictures import Svg, fsm_svg, mask_svg
from labkit.vocabulary import Vocabulary
from labs.lab_03_token_lifting.solution import states_to_vocab
from labs.lab_04_eos_gating import solution


def number_automaton() -> Svg:
    """Draw the automaton of the example, which lab 02's language cannot write."""
    return fsm_svg(decimal_fsm(), title=r"([0-9]+)?\.[0-9]+: one state accepts")


def mask_rows() -> Svg:
    """Draw its masks over the toy vocabulary, EOS in a column of its own."""
    vocabulary, fsm = Vocabulary.toy(), decimal_fsm()
    rows = solution.mask_rows(fsm, states_to_vocab(fsm, vocabulary.texts()), vocabulary)
    names = [f"state {state}{', accepts' * (state in fsm.accepting)}" for state in range(len(fsm))]
    tokens = [text or "EOS" for text in vocabulary.texts()]
    return mask_svg(rows.tolist(), tokens, names=names, strong=vocabulary.eos_id, title="The mask rows of four states")
