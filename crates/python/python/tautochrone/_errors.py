"""The exceptions of this package."""


class Error(Exception):
    """The base of every exception of this package."""


class ParameterError(Error, ValueError):
    """An argument has a value that cannot be served; the text says what could be."""


class InsecureError(ParameterError):
    """Parameters give fewer bits of security than they claim, and ``insecure`` is not set."""


class WitnessError(Error, ValueError):
    """A witness does not fit its parameters or its statement."""


class MalformedError(Error, ValueError):
    """Bytes are no statement or no proof, or not whole."""


class InvalidProof(Error):
    """A proof is well formed and proves nothing about this statement in this context."""


class DTypeError(Error, TypeError):
    """An array has a dtype that a function does not take."""


class StreamError(Error, RuntimeError):
    """A stream belongs to the parent process, or is in use by another thread."""


class EntropyError(Error, OSError):
    """The operating system gives no entropy."""
