"""Time `torch-decompose-ops` on programs of growing size.

    python benchmarks/decompositions.py

A program is a chain of layers, each with a convolution without a batch and two elementwise operators
whose decompositions have some ten operators each, with an unknown size. The time is that of the
pass, which includes a sweep of refinement; refinement alone stands beside it. Writes the section
"Decompositions" of `docs/benchmarks.md`.
"""

from __future__ import annotations

import time
from pathlib import Path

from sections import with_section
from torch_refine.dialect.bindings import ir, new_context, walk
from torch_refine.passes.base import RunState
from torch_refine.passes.decompose_ops import DecomposeOps
from torch_refine.passes.refine_types import RefineTypes

DOCUMENT = Path(__file__).parent.parent / "docs" / "benchmarks.md"
HEADING = "## Decompositions"
_NEXT = "## Symbolic sizes"
_LAYERS = (100, 400, 1_600, 6_400)
_REPEATS = 3

_START = """func.func @main(%x0: !torch.vtensor<[4,?,8],f32>, %w: !torch.vtensor<[4,4,3,3],f32>)
    -> !torch.vtensor {
  %none = torch.constant.none
  %int1 = torch.constant.int 1
  %ones = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
"""
_LAYER = """
  %c{0} = torch.aten.conv2d %x{0}, %w, %none, %ones, %ones, %ones, %int1 : {1}, !torch.vtensor<[4,4,3,3],f32>, !torch.none, !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor
  %h{0} = torch.operator "torch.aten.hypot"(%c{0}, %x{0}) : (!torch.vtensor, {1}) -> !torch.vtensor
  %x{2} = torch.operator "torch.aten.xlogy.Tensor"(%h{0}, %c{0}) : (!torch.vtensor, !torch.vtensor) -> !torch.vtensor
"""


def program(layers: int) -> str:
    """The text of a program, three operators a layer."""
    first = "!torch.vtensor<[4,?,8],f32>"
    text = "".join(
        _LAYER.format(place, first if place == 0 else "!torch.vtensor", place + 1)
        for place in range(layers)
    )
    return f"{_START}{text}  return %x{layers} : !torch.vtensor\n}}\n"


def measure(layers: int) -> tuple[int, int, float, float]:
    """Operators before and after, and the least seconds of refining and of decomposing."""
    text = program(layers)
    refining, decomposing = [], []
    for _ in range(_REPEATS):
        module = ir.Module.parse(text, new_context()).operation
        before = sum(1 for _ in walk(module))
        start = time.perf_counter()
        RefineTypes().run(module, RunState())
        refining.append(time.perf_counter() - start)
        state = RunState()
        start = time.perf_counter()
        DecomposeOps().run(module, state)
        decomposing.append(time.perf_counter() - start)
        assert state.statistics[DecomposeOps.name]["operators decomposed"] == 3 * layers
    return before, sum(1 for _ in walk(module)), min(refining), min(decomposing)


def section(rows: list[tuple[int, int, float, float]]) -> str:
    """The section of the document."""
    lines = [
        HEADING,
        "",
        "Written by `benchmarks/decompositions.py`: `torch-decompose-ops` on chains of layers with "
        "an unknown size; all types are inferred while operators are written.",
        "",
        "| operators | after decomposition | refinement | decomposition | for each operator written |",
        "| ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {before:,} | {after:,} | {1e3 * one:.0f} ms | {1e3 * two:.0f} ms "
        f"| {1e6 * two / after:.1f} µs |"
        for before, after, one, two in rows
    ]
    return "\n".join(lines) + "\n\n"


def main() -> None:
    """Measure, print, and write the section."""
    text = section([measure(layers) for layers in _LAYERS])
    print(text)
    document = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(with_section(document, HEADING, text, _NEXT), encoding="utf-8")


if __name__ == "__main__":
    main()
