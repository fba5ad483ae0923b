"""The exceptions of this package, which users know as members of `tautochrone`."""


class Error(Exception):
    """The base of every exception of this package."""

    __module__ = "tautochrone"

    def __init_subclass__(cls) -> None:
        """Exceptions of a package are shown by its name."""
        super().__init_subclass__()
        cls.__module__ = "tautochrone"


class ParameterError(Error, ValueError):
    """An argument has a value that cannot be served; the text says what could be."""


class RangeError(ParameterError, OverflowError):
    """An integer is negative or too large for its argument."""


class InsecureError(ParameterError):
    """Parameters give fewer bits of security than they claim, and ``insecure`` is not set."""


class WitnessError(Error, ValueError):
    """A witness does not fit its parameters or its statement."""


class MalformedError(Error, ValueError):
    """Bytes are no statement or no proof, or not whole."""


class InvalidProof(Error):
    """A proof is well formed and proves nothing about this statement in this context."""


class ArgumentTypeError(Error, TypeError):
    """An argument has a type that a function does not take, or an array another dtype."""


class StreamError(Error, RuntimeError):
    """A stream belongs to the parent process, or is in use by another thread."""


class EntropyError(Error, OSError):
    """The operating system gives no entropy."""
