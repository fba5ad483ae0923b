"""The exceptions of this package, which users know as members of `tautochrone`."""


class Error(Exception):
    """The base of every exception of this package."""

    __module__ = "tautochrone"


class ParameterError(Error, ValueError):
    """An argument has a value that cannot be served; the text says what could be."""

    __module__ = "tautochrone"


class RangeError(ParameterError, OverflowError):
    """An integer is negative or too large for its argument."""

    __module__ = "tautochrone"


class InsecureError(ParameterError):
    """Parameters give fewer bits of security than they claim, and ``insecure`` is not set."""

    __module__ = "tautochrone"


class WitnessError(Error, ValueError):
    """A witness does not fit its parameters or its statement."""

    __module__ = "tautochrone"


class MalformedError(Error, ValueError):
    """Bytes are no statement or no proof, or not whole."""

    __module__ = "tautochrone"


class InvalidProof(Error):
    """A proof is well formed and proves nothing about this statement in this context."""

    __module__ = "tautochrone"


class ArgumentTypeError(Error, TypeError):
    """An argument has a type that a function does not take, or an array another dtype."""

    __module__ = "tautochrone"


class StreamError(Error, RuntimeError):
    """A stream belongs to the parent process, or is in use by another thread."""

    __module__ = "tautochrone"


class EntropyError(Error, OSError):
    """The operating system gives no entropy."""

    __module__ = "tautochrone"
