"""Constant-time lattice cryptography on numpy arrays and bytes.

Samplers: Facct, Bitslice, Ziggurat, uniform, all from a seed or a Stream; Pmf for exact
probabilities. Arithmetic: matmul modulo 2^w, modexp, modexp_batch. Ciphers: Ice. Proofs: Params,
PRESETS, estimate, optimise, random_witness, commit, prove, verify, also of one's own LWE keys;
prove_messages and verify_messages for ranges, norms and facts; r1cs, prove_circuit and
verify_circuit for circuits; prove_keys and verify_keys for keys of others.

Every exception about an argument, a file or a proof is an Error, and a ValueError, TypeError or
OverflowError, too, where Python would raise one. Calls with too many or unknown arguments are
Python's own TypeError.

All functions take constant time in secrets unless their documentation says otherwise. Copies that
this package makes of secrets are erased; what Python and numpy hold is theirs: use wipe for arrays.
"""

from tautochrone._arrays import wipe
from tautochrone._errors import (
    ArgumentTypeError,
    EntropyError,
    Error,
    InsecureError,
    InvalidProof,
    MalformedError,
    ParameterError,
    RangeError,
    StreamError,
    WitnessError,
)
from tautochrone._estimates import Distance, Estimate, Hardness
from tautochrone._native import PRESETS as _PRESETS
from tautochrone._native import (
    VERSION,
    Ice,
    Params,
    Stream,
    estimate,
    optimise,
    prove_circuit,
    prove_keys,
    r1cs,
    random_witness,
    verify_circuit,
    verify_keys,
)
from tautochrone._powers import modexp, modexp_batch
from tautochrone._products import matmul
from tautochrone._proofs import commit, prove, prove_messages, verify, verify_messages
from tautochrone._samplers import Bitslice, Facct, Pmf, Ziggurat, uniform

__version__ = VERSION
PRESETS: tuple[str, ...] = tuple(_PRESETS)

__all__ = [
    "PRESETS",
    "ArgumentTypeError",
    "Bitslice",
    "Distance",
    "EntropyError",
    "Error",
    "Estimate",
    "Facct",
    "Hardness",
    "Ice",
    "InsecureError",
    "InvalidProof",
    "MalformedError",
    "ParameterError",
    "Params",
    "Pmf",
    "RangeError",
    "Stream",
    "StreamError",
    "WitnessError",
    "Ziggurat",
    "commit",
    "estimate",
    "matmul",
    "modexp",
    "modexp_batch",
    "optimise",
    "prove",
    "prove_circuit",
    "prove_keys",
    "prove_messages",
    "r1cs",
    "random_witness",
    "uniform",
    "verify",
    "verify_circuit",
    "verify_keys",
    "verify_messages",
    "wipe",
]
