"""Types of the compiled core."""

__version__: str
DEBUG_BUILD: bool
