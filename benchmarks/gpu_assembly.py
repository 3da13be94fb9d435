"""Assemble every case for GPUs, and print the resources of its kernels. No GPU is needed, or used.

    python benchmarks/gpu_assembly.py [--chip sm_90]... [--case NAME]...

For NVIDIA's chips, PTX goes through `ptxas` of the package `nvidia-cuda-nvcc-cu12`; for AMD's, LLVM
writes an ELF object. Registers, shared memory and spilled bytes are the maximum of the kernels of
the case.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from typing import Any

import torch
from codegen_cases import CASES, HALF_CASES, Case
from rich.console import Console
from rich.table import Table
from torch_refine.build_tools.code.assembling import AssemblerError, assemble, ptxas
from torch_refine.dialect.bindings import ir, operations
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import import_for_lowering
from torch_refine.passes.base import RunState
from torch_refine.passes.lowering.gpu.code.assembly import object_of
from torch_refine.passes.lowering.gpu.code.binaries import assembly_in
from torch_refine.passes.lowering.gpu.code.chips import is_nvidia
from torch_refine.pipelines.lowering.gpu import TorchToAmdgpuPipeline, TorchToNvgpuPipeline
from torch_refine.pipelines.runner import RunFailure, Runner

CHIPS = ("sm_80", "sm_90", "gfx942")


@dataclass(frozen=True)
class Assembled:
    """The result of a case for a chip; `wrong` is the reason why it did not assemble."""

    case: Case
    chip: str
    seconds: float
    kernels: int = 0
    registers: int = 0
    shared: int = 0
    spilled: int = 0
    wrong: str = ""


def module_of(case: Case) -> ir.Module:
    """A case as a program of the torch dialect."""
    torch.manual_seed(0)
    model, inputs = case.make()
    shapes: Any = None
    if case.dynamic:
        shapes = ({0: torch.export.Dim("batch", min=2, max=8192)},)
    return import_for_lowering(export_program(model.eval(), inputs, {}, shapes)).module


def assemble_case(case: Case, chip: str) -> Assembled:
    """Lower a case for a chip, and assemble it."""
    module = module_of(case).operation
    start = time.perf_counter()
    state = RunState()
    runner = Runner(state, verify_each=False)
    try:
        if is_nvidia(chip):
            runner.run(TorchToNvgpuPipeline(chip=chip).elements(), module)
            return _by_ptxas(case, chip, module, start)
        # The last pass writes text; an object is needed here.
        runner.run(TorchToAmdgpuPipeline(chip=chip).elements()[:-1], module)
        kernels = next(op for op in operations(module.regions[0].blocks[0]) if _is_device(op))
        content = object_of(kernels, chip)
        wrong = "" if content.startswith(b"\x7fELF") else "not an ELF object"
        count = sum(op.name == "llvm.func" and "rocdl.kernel" in op.attributes
                    for op in operations(kernels.regions[0].blocks[0]))  # fmt: skip
        return Assembled(case, chip, time.perf_counter() - start, count, wrong=wrong)
    except RunFailure as error:
        said = "; ".join(str(each) for each in state.diagnostics.reported)
        return Assembled(case, chip, time.perf_counter() - start, wrong=f"{error}: {said}")


def _is_device(op: ir.Operation) -> bool:
    return bool(op.name == "gpu.module")


def _by_ptxas(case: Case, chip: str, module: ir.Operation, start: float) -> Assembled:
    seconds = time.perf_counter() - start
    assembler = ptxas()
    if assembler is None:
        raise SystemExit("install the package nvidia-cuda-nvcc-cu12, which contains ptxas")
    try:
        found = [each for text in assembly_in(module) for each in assemble(text, chip, assembler)]
    except AssemblerError as error:
        return Assembled(case, chip, seconds, wrong=str(error))
    return Assembled(
        case,
        chip,
        seconds,
        len(found),
        max(each.registers for each in found),
        max(each.shared for each in found),
        sum(each.spilled for each in found),
    )


def table_of(found: list[Assembled]) -> Table:
    """The results, a row per case and chip."""
    table = Table("case", "chip", "assembles", "kernels", "registers", "shared", "spilled", "time")
    for each in found:
        is_known = is_nvidia(each.chip) and not each.wrong
        figures = [str(each.registers), f"{each.shared} B", f"{each.spilled} B"]
        table.add_row(
            each.case.name,
            each.chip,
            f"no: {each.wrong}" if each.wrong else "yes",
            str(each.kernels),
            *(figures if is_known else ["", "", ""]),
            f"{each.seconds:.1f} s",
        )
    return table


def main(arguments: list[str]) -> int:
    """Assemble the cases; the exit code is 1 if one does not."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--chip", action="append", help=f"one of the chips; {', '.join(CHIPS)}")
    parser.add_argument("--case", action="append", help="a case by its name")
    given = parser.parse_args(arguments)
    every = (*CASES, *HALF_CASES)
    cases = [case for case in every if given.case is None or case.name in given.case]
    found = [assemble_case(case, chip) for case in cases for chip in given.chip or CHIPS]
    Console(width=140).print(table_of(found))
    return 1 if any(each.wrong for each in found) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
