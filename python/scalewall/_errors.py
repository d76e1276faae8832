"""Every exception scalewall raises on purpose; each message says what is wrong, where, and what to do."""


class ScalewallError(Exception):
    """Base of everything scalewall raises on purpose."""


class DomainError(ScalewallError, ValueError):
    """A value lies outside the domain of a formula.

    Attributes
    ----------
    argument : str or None
        Name of the argument.
    index : int, tuple of int or None
        Position of the first offending element; None for a scalar.
    value : float or None
        The offending value.
    allowed : str or None
        The values that are allowed, in words.
    """

    def __init__(
        self,
        message: str,
        argument: str | None = None,
        index: int | tuple[int, ...] | None = None,
        value: float | None = None,
        allowed: str | None = None,
    ) -> None:
        super().__init__(message)
        self.argument = argument
        self.index = index
        self.value = value
        self.allowed = allowed


class ShapeError(ScalewallError, ValueError):
    """Arrays do not fit together, or an array has the wrong number of dimensions."""


class ChoiceError(ScalewallError, ValueError):
    """An option is none of the values that are allowed."""


class GridMemoryError(ScalewallError, MemoryError):
    """A grid does not fit in memory."""


class ThreadError(ScalewallError, RuntimeError):
    """The threads asked for cannot be had."""


class InsufficientDataError(ScalewallError, ValueError):
    """The runs are too few for what was asked."""


class ReadError(ScalewallError, ValueError):
    """A source cannot be read as a table of runs."""


class ColumnError(ReadError):
    """A column is missing, or two columns compete for one role."""


class BelowOneWorkerWarning(UserWarning):
    """An inverse answers with fewer than one worker: a load that exists, a machine that does not."""
