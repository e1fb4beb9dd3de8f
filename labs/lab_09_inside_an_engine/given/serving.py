"""An engine whose model is a function, and the answers of its requests."""

from typing import Any

from labkit.engine import Engine, Request, ScriptedModel
from labkit.models import Model
from labkit.vocabulary import Vocabulary


def engine_of(model: Model, vocabulary: Vocabulary, structured_outputs: Any = None, **options: Any) -> Engine:
    """Return an engine whose model is a function from token ids to ``float32[V]``.

    >>> import numpy as np
    >>> engine_of(lambda ids: np.zeros(5, np.float32), Vocabulary.toy(), max_num_seqs=2).scheduler.max_num_seqs
    2
    """
    return Engine(ScriptedModel(model, len(vocabulary)), vocabulary, structured_outputs, **options)


def answers(engine: Engine, *requests: Request) -> list[str]:
    """Let the engine finish these requests; return their texts.

    Raises:
        Exception: what made one of them fail.

    >>> import numpy as np
    >>> from labkit.engine import SamplingParams
    >>> engine = engine_of(lambda ids: np.float32([0, 0, 9, 0, 0]), Vocabulary.toy())
    >>> answers(engine, engine.add_request([3], SamplingParams(max_tokens=2, temperature=0)))
    ['.2.2']
    """
    engine.generate(*requests)
    for request in requests:
        if request.error is not None:
            raise request.error
    return [engine.vocabulary.decode(request.output_token_ids) for request in requests]
