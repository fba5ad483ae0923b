"""Figures about parameters and tables: named tuples, known to users as members of `tautochrone`."""

from typing import NamedTuple


class Hardness(NamedTuple):
    """Estimated cost of an attack by lattice reduction.

    beta: block size of BKZ. classical, quantum: log2 of operations.
    """

    beta: int
    classical: float
    quantum: float

    def __repr__(self) -> str:
        beta, classical, quantum = self
        return f"Hardness(beta={beta}, classical={classical:.1f}, quantum={quantum:.1f})"


class Estimate(NamedTuple):
    """The security of parameters.

    binding: of T, SIS with norm 4 B. hiding: of S, all of its rows being secret and uniform, by the
    cheaper of two attacks on LWE, hiding_primal and the dual-hybrid hiding_dual. log2_4b: log2 of
    4 B.
    """

    binding: Hardness
    hiding: Hardness
    hiding_primal: Hardness
    hiding_dual: Hardness
    log2_4b: float

    def __repr__(self) -> str:
        return f"Estimate(binding={self.binding}, hiding={self.hiding})"


class Distance(NamedTuple):
    """Distance of a table from the ideal distribution, as base-2 logarithms (-inf for zero).

    log2_statistical: statistical (total variation) distance. log2_renyi: Renyi divergence of order
    2, less one. log2_tail: ideal mass of the values beyond the table's last one. log2_ratio:
    largest relative error of a probability of at least 2^(40 - precision).
    """

    log2_statistical: float
    log2_renyi: float
    log2_tail: float
    log2_ratio: float

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value:.2f}" for name, value in self._asdict().items())
        return f"Distance({fields})"


for _type in (Hardness, Estimate, Distance):
    _type.__module__ = "tautochrone"
