"""How a schema is read where JSON Schema leaves more open than a model should write.

JSON Schema was made for checking documents that others wrote: what a schema doesn't mention may come. A model that
fills in a form is better off with what the schema's author had in mind. Asked for ``{"minLength": 2}``, it should write
a text, and nobody would thank it for ``[]``, although that's valid too.
"""

from dataclasses import dataclass, replace

ORDERS = ("schema", "any")
"""The orders of an object's members: the schema's, or any."""


@dataclass(frozen=True)
class Reading:
    """What counts where a schema says nothing. The defaults are those of a form.

    Args:
        closed: whether an object has no members but those that the schema mentions, as in OpenAI's strict mode.
            Keywords that speak of other members count either way.
        order: of an object's members, one of ``ORDERS``.
        implied: whether a schema without ``type`` means the types that its keywords speak of, and a whole number is
            written without a point and an exponent. If not, other types' values are allowed, and so is ``1.0``.
        formats: whether a text must have its ``format``, as ``implied`` if None. The standard's default is a mere note.

    Raises:
        ValueError: if there is no such order.

    >>> READINGS["validator"]
    Reading(closed=False, order='any', implied=False, formats=None)
    """

    closed: bool = True
    order: str = "schema"
    implied: bool = True
    formats: bool | None = None

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise ValueError(f"the order of members must be one of {', '.join(ORDERS)}, not {self.order!r}")

    @property
    def asserts_formats(self) -> bool:
        """Whether a text must have its ``format``."""
        return self.implied if self.formats is None else self.formats


READINGS = {"form": Reading(), "validator": Reading(closed=False, order="any", implied=False)}
"""By name: what a model should write that fills in a form, the default; and all that a validator takes."""


def reading_of(reading: str | Reading = "form", closed: bool | None = None, order: str | None = None) -> Reading:
    """Return a reading, with other choices than its own where some are given.

    Args:
        reading: one of ``READINGS`` by name, or one of your own.
        closed, order: None keeps the reading's own.

    Raises:
        ValueError: if there is no such reading, or no such order.

    >>> reading_of("validator", closed=True)
    Reading(closed=True, order='any', implied=False, formats=None)
    >>> reading_of("parser")
    Traceback (most recent call last):
    ValueError: the reading must be one of form, validator, not 'parser'
    """
    if not isinstance(reading, Reading):
        if not isinstance(reading, str) or reading not in READINGS:
            raise ValueError(f"the reading must be one of {', '.join(READINGS)}, not {reading!r:.80}")
        reading = READINGS[reading]
    given = replace(reading, closed=reading.closed if closed is None else closed)
    return given if order is None else replace(given, order=order)
