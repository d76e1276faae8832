"""Every exception scalewall raises on purpose; each message says what is wrong, where, and what to do."""


class ScalewallError(Exception):
    """Base of everything scalewall raises on purpose."""


class DomainError(ScalewallError, ValueError):
    """A value lies outside the domain of a formula."""


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
