"""The library's coverage of operators, and how it was validated against PyTorch."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch_refine.abstract_interp_lib as _lib
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.dialect.names import library_symbol
from torch_refine.dialect.schemas import schema

MANIFEST = Path(_lib.__file__).parent / "exported" / "coverage.json"
LOWERED = MANIFEST.with_name("lowered.json")


@dataclass(frozen=True)
class OperatorCoverage:
    """The coverage of one operator overload.

    `shape` and `dtype` tell whether the library has these functions. `tried` results of the
    operator in PyTorch's own samples were compared with PyTorch; `exact` of them were inferred
    completely, the others in part, none wrongly. `versions` are the PyTorch versions compared.

    `calls` of PyTorch's samples were compiled as programs: `equal` of them match eager mode,
    `refused` do not compile, with a message; the rest, ideally none, are `different`.
    `incomparable` tells why no call was compared, for instance because the values are random.
    """

    operator: str
    shape: bool
    dtype: bool
    tried: int
    exact: int
    versions: dict[str, str]
    calls: int = 0
    equal: int = 0
    refused: int = 0
    incomparable: str = ""

    @property
    def different(self) -> int:
        """Calls that compile but differ from eager mode."""
        return self.calls - self.equal - self.refused

    @property
    def lowered(self) -> bool:
        """Whether some call of it compiles, and so was compared."""
        return self.equal > 0

    def __str__(self) -> str:
        functions = [name for name in ("shape", "dtype") if getattr(self, name)]
        has = f"{' and '.join(functions)} function" if functions else "no function"
        checked = "no sample of PyTorch's runs it"
        if self.tried:
            checked = f"{self.exact:,} of {self.tried:,} sampled results exact"
        lowers = "its lowering was not tried"
        if self.calls:
            lowers = f"of {self.calls:,} calls {self.equal:,} compile and equal eager mode"
            if self.refused:
                lowers += f", {self.refused:,} do not compile"
            if self.different:
                lowers += f", {self.different:,} differ"
        elif self.incomparable:
            lowers = f"its lowering is not compared: it {self.incomparable}"
        return f"{self.operator}: {has}, {checked} (torch {self.versions['torch']}); {lowers}"


@cache
def _manifest() -> dict[str, Any]:
    if not MANIFEST.exists():
        return {"versions": {}, "operators": {}}
    loaded: dict[str, Any] = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return loaded


@cache
def lowered() -> dict[str, Any]:
    """The results of the numerics sweep, from `lowered.json`."""
    if not LOWERED.exists():
        return {"versions": {}, "operators": {}, "incomparable": {}}
    loaded: dict[str, Any] = json.loads(LOWERED.read_text(encoding="utf-8"))
    return loaded


def sampled_by(operator: str) -> list[str]:
    """Some OpInfo entries whose samples call an operator."""
    counts = _manifest()["operators"].get(operator, {})
    return list(counts.get("entries", ()))


def coverage(operator: str) -> OperatorCoverage:
    """The coverage of an operator, by its schema name, such as `aten::index.Tensor`.

    Does not import PyTorch. Raises KeyError for an operator that PyTorch does not have.
    """
    try:
        schema(operator)
    except KeyError:
        raise KeyError(f"PyTorch has no operator {operator!r}") from None
    programs = Programs()
    counts = _manifest()["operators"].get(operator, {"tried": 0, "exact": 0})
    compared = lowered()["operators"].get(operator, {"tried": 0, "equal": 0, "refused": {}})
    return OperatorCoverage(
        operator,
        library_symbol("shape", operator) in programs,
        library_symbol("dtype", operator) in programs,
        counts["tried"],
        counts["exact"],
        dict(_manifest()["versions"]),
        compared["tried"],
        compared["equal"],
        sum(compared["refused"].values()),
        lowered()["incomparable"].get(operator, ""),
    )
