"""Compare the rounding errors of compiled kernels with those of eager mode, against float64.

    python -m torch_refine.build_tools.accuracy [--only TEXT] [--dynamic] [--cpu NAME]

Each kernel is computed in float32 by the compiled program and in eager mode, and in float64 in
eager mode, which is the reference. An error is given in units in the last place of the element, or
of a thousandth of the largest element if that is larger: differences of almost equal numbers have
no exact digits in either. For sums that is the root mean square of all elements. Prints a table,
and without options writes `docs/accuracy.md`. The exit code is 1 if an error, the largest or the
root mean square, is over twice that of eager mode, and the largest over a unit.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch_refine
from rich.console import Console
from rich.progress import track
from rich.table import Table
from torch import nn
from torch_refine.build_tools.accuracy.cases import KERNELS, Kernel

DOCUMENT = Path(__file__).parents[2] / "docs" / "accuracy.md"
WANTED = 2.0
"""The target of our error divided by eager mode's."""
# An error of less than this is that of the last rounding, and one more.
_ALLOWED = 1.0
_DRAWS = 3
_FLOOR = 1e-3
_COLUMNS = ("kind", "kernel", "max, ours", "max, eager", "rms, ours", "rms, eager", "rms ratio")


@dataclass(frozen=True)
class Errors:
    """The largest error and the root mean square of errors, in units in the last place."""

    largest: float
    usual: float


@dataclass(frozen=True)
class Row:
    """The errors of a kernel, ours and eager mode's."""

    kernel: Kernel
    ours: Errors
    eager: Errors

    @property
    def ratio(self) -> float:
        """Our usual error divided by eager mode's."""
        return self.ours.usual / max(self.eager.usual, 1e-12)

    @property
    def is_reached(self) -> bool:
        """Whether our errors are at most twice those of eager mode."""
        if self.ours.largest <= _ALLOWED:
            return True
        largest = self.ours.largest <= WANTED * self.eager.largest
        return self.ratio <= WANTED and (largest or self.kernel.kind != "elementwise")

    def cells(self) -> tuple[str, ...]:
        """The columns of a table."""
        numbers = (self.ours.largest, self.eager.largest, self.ours.usual, self.eager.usual)
        mark = "" if self.is_reached else " (not reached)"
        shown = [f"{number:.3g}" for number in numbers]
        return (self.kernel.kind, self.kernel.name, *shown, f"{self.ratio:.2f}{mark}")


class _Model(nn.Module):
    def __init__(self, kernel: Kernel) -> None:
        super().__init__()
        self.kernel = kernel

    def forward(self, *inputs: torch.Tensor) -> Any:
        """Compute it."""
        return self.kernel.function(*inputs)


def measure(
    kernel: Kernel, compiled: Any = None, is_dynamic: bool = False, cpu: str = "host"
) -> Row:
    """Measure a kernel; `compiled` is the program, by default the kernel compiled for a CPU."""
    generator = torch.Generator().manual_seed(0)
    model = _Model(kernel)
    ours: list[torch.Tensor] = []
    eager: list[torch.Tensor] = []
    for scale in kernel.scales:
        for _ in range(_DRAWS):
            inputs = kernel.inputs(generator, scale)
            if compiled is None:
                compiled = _compiled(model, inputs, is_dynamic, cpu)
            reference = model(*[each.double() for each in inputs])
            unit = _unit(reference, kernel.kind)
            for found, errors in ((compiled(*inputs), ours), (model(*inputs), eager)):
                error = ((found.double() - reference).abs() / unit).flatten()
                errors.append(error[torch.isfinite(error)])
    return Row(kernel, _errors(ours), _errors(eager))


def _compiled(model: _Model, inputs: Sequence[torch.Tensor], is_dynamic: bool, cpu: str) -> Any:
    if not is_dynamic:
        return torch_refine.compile(model, tuple(inputs), "cpu", cpu=cpu)
    shapes: list[Any] = [dict.fromkeys(range(each.dim()), torch.export.Dim.AUTO) for each in inputs]
    if model.kernel.kind == "contraction":
        # Windows of dynamic sizes are refused.
        shapes[1:] = [None] * (len(shapes) - 1)
    return torch_refine.compile(model, tuple(inputs), "cpu", (tuple(shapes),), cpu=cpu)


def _unit(reference: torch.Tensor, kind: str) -> torch.Tensor:
    """The distance of float32 numbers around each element, in float64."""
    finite = torch.where(torch.isfinite(reference), reference.abs(), 0.0)
    is_elementwise = kind == "elementwise"
    least = finite.max() * _FLOOR if is_elementwise else finite.square().mean().sqrt()
    size = torch.maximum(finite, least).float().clamp_min(1e-30)
    return (torch.nextafter(size, torch.full_like(size, torch.inf)) - size).double()


def _errors(parts: Iterable[torch.Tensor]) -> Errors:
    errors = torch.cat(list(parts))
    return Errors(float(errors.max()), float(errors.square().mean().sqrt()))


def document(rows: Sequence[Row]) -> str:
    """The document's text."""
    lines = [
        "# Rounding errors",
        "",
        "`make accuracy` computes each kernel in float32, compiled and in eager mode, and compares",
        "both with eager mode in float64. Errors are in units in the last place of the element, or",
        "of a thousandth of the largest element if that is larger; of reductions and contractions,",
        "of the root mean square of all elements. At most twice eager mode's is wanted, of the",
        "root mean square (rms), and of the largest of elementwise functions if over a unit.",
        "",
        f"Measured with torch {torch.__version__.partition('+')[0]}.",
        "",
        f"| {' | '.join(_COLUMNS)} |",
        "| --- | --- |" + " ---: |" * (len(_COLUMNS) - 2),
        *(f"| {' | '.join(row.cells())} |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


def main(words: list[str]) -> int:
    """Measure, print, and write the document; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", metavar="TEXT", help="kernels whose name has this, no document")
    parser.add_argument("--dynamic", action="store_true", help="sizes are dynamic, no document")
    parser.add_argument("--cpu", default="host", help="such as x86-64-v3, no document")
    options = parser.parse_args(words)
    chosen = [each for each in KERNELS if options.only is None or options.only in each.name]
    if not chosen:
        parser.error("no kernel has this name")
    console = Console(width=None if sys.stdout.isatty() else 150)
    rows = []
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        for kernel in track(chosen, "kernels", console=console):
            rows.append(measure(kernel, None, options.dynamic, options.cpu))
    table = Table()
    for column in _COLUMNS:
        table.add_column(column, justify="left" if column in _COLUMNS[:2] else "right")
    for row in rows:
        table.add_row(*row.cells(), style=None if row.is_reached else "yellow")
    console.print(table)
    if options.only is None and not options.dynamic and options.cpu == "host":
        DOCUMENT.write_text(document(rows), encoding="utf-8")
    return int(not all(row.is_reached for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
