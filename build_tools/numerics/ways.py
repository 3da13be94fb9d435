"""The ways in which the calls of a sweep are compiled and run."""

from __future__ import annotations

from dataclasses import dataclass

LARGER, NUMBERS = "larger sizes", "other numbers"


@dataclass(frozen=True)
class Way:
    """How the calls of a sweep are compiled and run.

    - dynamic: compiled for dynamic sizes; if the call has larger ones, with the recorded ones
    - guarded: each buffer is next to an unreadable page, first at its end, then at its start, so
      that accesses out of bounds end the process
    - target: where they run, "cpu" or "cuda"
    - as_ir: compiled from IR that has the operator whole, as another frontend gives it
    - varied: LARGER, NUMBERS, or empty for the recorded arguments
    - threads: of the compiled programs
    """

    dynamic: bool = False
    guarded: bool = False
    target: str = "cpu"
    as_ir: bool = False
    varied: str = ""
    threads: int = 1

    @property
    def long_sums(self) -> bool:
        """Whether results are long sums; those of samples are short."""
        return self.varied == LARGER

    @property
    def name(self) -> str:
        """The name of the file of its results."""
        parts = ["guarded"] * self.guarded + [self.target] * (self.target != "cpu")
        parts += ["ir"] * self.as_ir + self.varied.split()
        parts += ["threads", str(self.threads)] * (self.threads > 1)
        return "-".join([*parts, "dynamic" if self.dynamic else "results"])
