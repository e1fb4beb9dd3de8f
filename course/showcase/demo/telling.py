"""From the tokens that a generator chooses to the texts that somebody watches."""

from course.showcase.demo.screen import Tell
from labkit.small_model.generation import OnToken
from labkit.small_model.tokenizer import Tokenizer


def teller(written: list[list[int]], tell: Tell) -> OnToken:
    """What a generator calls with each token, to tell the text so far."""
    tokenizer = Tokenizer.load()

    def on_token(number: int, token_id: int) -> None:
        if token_id != tokenizer.eos_id:
            written[number].append(token_id)
        tell(number, tokenizer.decode(written[number], special=True))

    return on_token
