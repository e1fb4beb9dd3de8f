"""The errors of the course. Each names the construct that is refused, and its position.

All are ``ValueError``s. Their ``args`` are plain data, so an error survives a trip through a pipe. If one is raised
with arguments that it doesn't take, such as swapped ones, its text lists them.
"""

_WINDOW = 60

MOST_SHOWN = 1_000
"""The most characters of a message: it may quote a pattern, a schema or a key of a megabyte."""


def shortened(text: str, most: int = MOST_SHOWN) -> str:
    """Return a text as it is, or its start and its end if it has more than ``most`` characters.

    Both are kept because a message begins with what is wrong, and often ends with the place of it.

    >>> shortened("the name aaaaaaaaaaaaaaaaaaaa is taken", 24)
    'the name aa...a is taken'
    """
    if len(text) <= most:
        return text
    end = (most - 3) // 2
    return f"{text[: most - 3 - end]}...{text[len(text) - end :]}"


def _point_at(text: str, position: int) -> str:
    """Return two lines: the text around ``position``, and a caret below the character there."""
    start = max(0, position - _WINDOW // 2)
    before = ascii(text[start:position])[1:-1]
    after = ascii(text[position : start + _WINDOW])[1:-1]
    return f"    {before}{after}\n    {' ' * len(before)}^"


class SafeText(Exception):
    """An error that can be printed whatever its arguments are; a subclass writes its ``_sentence``.

    >>> print(LimitExceeded("too many", None))
    LimitExceeded with arguments that it does not take: 'too many', None
    """

    def __str__(self) -> str:
        try:
            return shortened(self._sentence())
        except Exception:
            shown = ", ".join(map(_shown, self.args))
            return shortened(f"{type(self).__name__} with arguments that it does not take: {shown}")

    def _sentence(self) -> str:
        raise NotImplementedError


def _shown(argument: object) -> str:
    try:
        return shortened(ascii(argument), _WINDOW)
    except Exception:
        return f"a {type(argument).__name__}"


class CourseError(SafeText, ValueError):
    """The base of the errors below, so that a caller can catch all that the course refuses, or just ``ValueError``.

    >>> issubclass(PatternError, CourseError) and issubclass(CourseError, ValueError)
    True
    """


class PatternError(CourseError):
    """A pattern that cannot be compiled: what is wrong, the pattern, and the position, counted from 0.

    >>> print(PatternError("this class is never closed", "0x[0-9", 2))
    this class is never closed, at position 2 of '0x[0-9'
        0x[0-9
          ^
    """

    def __init__(self, problem: str, pattern: str, position: int) -> None:
        super().__init__(problem, pattern, position)
        self.problem = problem
        self.pattern = pattern
        self.position = position

    def _sentence(self) -> str:
        place = f"at position {self.position} of {shortened(self.pattern, _WINDOW)!a}"
        return f"{self.problem}, {place}\n{_point_at(self.pattern, self.position)}"


class InvalidPattern(PatternError):
    """The pattern is malformed: no regular expression engine could give it a meaning."""


class UnsupportedPattern(PatternError):
    """The pattern is valid elsewhere, but outside the language that is compiled here."""


class SchemaError(CourseError):
    """A JSON Schema that cannot be compiled: what is wrong, and the JSON pointer to it.

    >>> print(SchemaError("unknown type 'strin'", "/properties/name/type"))
    unknown type 'strin', at /properties/name/type
    """

    def __init__(self, problem: str, pointer: str) -> None:
        super().__init__(problem, pointer)
        self.problem = problem
        self.pointer = pointer

    def _sentence(self) -> str:
        return f"{self.problem}, at {self.pointer or 'the root of the schema'}"


class InvalidSchema(SchemaError):
    """The schema is malformed."""


class UnsupportedSchema(SchemaError):
    """The schema is valid, but it uses what is not compiled here."""


class InvalidGrammar(CourseError):
    """A grammar that cannot be compiled: what is wrong, and the line and column, counted from 1; 0 if it has no place.

    >>> print(InvalidGrammar("there is no rule expr", 3, 12))
    there is no rule expr, at line 3, column 12
    """

    def __init__(self, problem: str, line: int = 0, column: int = 0) -> None:
        super().__init__(problem, line, column)
        self.problem = problem
        self.line = line
        self.column = column

    def _sentence(self) -> str:
        return f"{self.problem}, at line {self.line}, column {self.column}" if self.line else self.problem


class LimitExceeded(CourseError):
    """A limit was exceeded: what grew too large, where, and the limit.

    >>> print(LimitExceeded("'[ -~]' at position 3 names 95 characters", 64))
    '[ -~]' at position 3 names 95 characters; the limit is 64
    """

    def __init__(self, problem: str, limit: int) -> None:
        super().__init__(problem, limit)
        self.problem = problem
        self.limit = limit

    def _sentence(self) -> str:
        return f"{self.problem}; the limit is {self.limit:,}"


class TooMuchWork(LimitExceeded):
    """One call would take more work than it was given (``labkit.automata.work``).

    >>> print(TooMuchWork("a step of this grammar takes too much work", 9))
    a step of this grammar takes too much work; the limit is 9
    """


class TurnTooLong(LimitExceeded):
    """A constraint kept the engine from its other requests for too long, and nobody had counted its work.

    >>> print(TurnTooLong())
    a step of this constraint takes too long, in milliseconds; the limit is 1,000
    """

    def __init__(
        self, problem: str = "a step of this constraint takes too long, in milliseconds", limit: int = 1000
    ) -> None:
        super().__init__(problem, limit)


class TokenNotAllowed(CourseError):
    """A token was fed to an automaton that does not allow it: the token's id and the state.

    >>> print(TokenNotAllowed(3, "state 2"))
    token 3 is not allowed in state 2
    """

    def __init__(self, token_id: int, where: str) -> None:
        super().__init__(token_id, where)
        self.token_id = token_id
        self.where = where

    def _sentence(self) -> str:
        return f"token {self.token_id} is not allowed in {self.where}"


class NoLegalToken(CourseError):
    """An automaton is in a state where no token of the vocabulary is legal: the state, and the text so far.

    >>> print(NoLegalToken(2, "1."))
    no token is legal in state 2, after the text '1.'
    """

    def __init__(self, state: int, text: str) -> None:
        super().__init__(state, text)
        self.state = state
        self.text = text

    def _sentence(self) -> str:
        return f"no token is legal in state {self.state}, after the text {self.text!r}"


class EmptyRow(CourseError):
    """A row of a bitmask allows no token: every logit would be -inf, and the softmax would be NaN.

    >>> print(EmptyRow(3))
    row 3 of the bitmask allows no token: the softmax of its logits would be 0 / 0
    """

    def __init__(self, row: int) -> None:
        super().__init__(row)
        self.row = row

    def _sentence(self) -> str:
        return f"row {self.row} of the bitmask allows no token: the softmax of its logits would be 0 / 0"


class QueueFull(CourseError):
    """A bounded queue is full: what waits in it, and how many may. Trying again later may help.

    >>> print(QueueFull("requests wait", 256))
    256 requests wait already, which is the limit
    """

    def __init__(self, waiting: str, limit: int) -> None:
        super().__init__(waiting, limit)
        self.waiting = waiting
        self.limit = limit

    def _sentence(self) -> str:
        return f"{self.limit} {self.waiting} already, which is the limit"


class BudgetTooSmall(CourseError):
    """No match fits into the budget: the budget, and the fewest tokens that would suffice, EOS included in both.

    >>> print(BudgetTooSmall(3, 5))
    a budget of 3 tokens is too small: a match needs 5, EOS included
    >>> print(BudgetTooSmall(3, float("inf")))
    no budget suffices: the vocabulary has no tokens for any match
    """

    def __init__(self, budget: int, needed: float) -> None:
        super().__init__(budget, needed)
        self.budget = budget
        self.needed = needed

    def _sentence(self) -> str:
        if self.needed == float("inf"):
            return "no budget suffices: the vocabulary has no tokens for any match"
        tokens = f"{self.budget} token{'s' * (self.budget != 1)}"
        return f"a budget of {tokens} is too small: a match needs {self.needed:g}, EOS included"


class ThinkingTooShort(CourseError):
    """No thinking block fits into its budget: the budget, and the fewest tokens that would suffice.

    >>> print(ThinkingTooShort(1, 3))
    1 tokens for thinking are too few: the block needs at least 3 to end
    """

    def __init__(self, budget: int, needed: float) -> None:
        super().__init__(budget, needed)
        self.budget = budget
        self.needed = needed

    def _sentence(self) -> str:
        return f"{self.budget} tokens for thinking are too few: the block needs at least {self.needed:g} to end"
