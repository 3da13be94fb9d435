"""Statistics of the innermost loops of generated code: multiply-adds, and spilled vectors.

    python -m torch_refine.build_tools.code.inner_loops MODULE.mlir --cpu x86-64-v3

The module is of the torch dialect. llvmlite generates code for any architecture, independent of the
host's.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch_refine.dialect.bindings import ir, new_context, translate_to_llvm_ir
from torch_refine.dialect.diagnostics import Diagnostics
from torch_refine.passes.base import RunState
from torch_refine.passes.lowering.gpu.code.older_llvm import for_older_llvm
from torch_refine.passes.lowering.kernels.targets.named import named
from torch_refine.passes.lowering.kernels.targets.record import CpuTarget
from torch_refine.pipelines.lowering.cpu import TorchToCpuPipeline
from torch_refine.pipelines.runner import Runner
from torch_refine.runtime.disassembly import disassemble

_TRIPLES = {"x86-64": "x86_64-unknown-linux-gnu", "aarch64": "aarch64-unknown-linux-gnu"}
_INSTRUCTION = re.compile(r"^\s+([0-9a-f]+): (\S+) ?(.*)$")
_TARGET = re.compile(r"#?0x([0-9a-f]+)$")
_BRANCH = re.compile(r"^(j\w+|b(\.\w+)?|cbn?z|tbn?z)$")
_MULTIPLY_ADD = re.compile(
    r"^(vfn?m(add|sub)\d+p[sd]|fml[as]|vdpbf16ps|vpdpbusd|vpmaddwd|sdot|mla)$"
)
_ON_STACK = re.compile(r"\b[xyz]mm\d+.*\[rsp|\[rsp.*\b[xyz]mm\d+|\bq\d+.*\[sp\b")


@dataclass(frozen=True)
class InnerLoop:
    """An innermost loop: its function, and the numbers of its instructions by kind."""

    function: str
    instructions: int
    multiply_adds: int
    spills: int
    """Instructions that load or store a vector on the stack."""


def inner_loops(assembly: str) -> list[InnerLoop]:
    """The innermost loops with multiply-adds, in the output of `disassemble`."""
    found: list[InnerLoop] = []
    name, body = "", list[tuple[int, str, str]]()
    for line in [*assembly.splitlines(), ":"]:
        match = _INSTRUCTION.match(line)
        if match:
            operands = match[3].partition("  #")[0].strip()
            body.append((int(match[1], 16), match[2], operands))
        elif line.endswith(":"):
            found += _loops_of(name, body)
            name, body = line[:-1], []
    return found


def _loops_of(name: str, body: list[tuple[int, str, str]]) -> list[InnerLoop]:
    spans = []
    for address, mnemonic, operands in body:
        target = _TARGET.search(operands)
        if _BRANCH.match(mnemonic) and target and body[0][0] <= int(target[1], 16) <= address:
            spans.append((int(target[1], 16), address))
    found = []
    for start, end in spans:
        if any(start <= a and b <= end and (a, b) != (start, end) for a, b in spans):
            continue
        inside = [each for each in body if start <= each[0] <= end]
        sums = sum(1 for _, mnemonic, _ in inside if _MULTIPLY_ADD.match(mnemonic))
        spills = sum(1 for _, _, operands in inside if _ON_STACK.search(operands))
        if sums:
            found.append(InnerLoop(name, len(inside), sums, spills))
    return found


def object_for(text: str, target: CpuTarget, **options: Any) -> bytes:
    """The object file of a module of the torch dialect, for a processor of any architecture.

    Raises RunFailure if it cannot be lowered, RuntimeError if LLVM rejects it.
    """
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    diagnostics = Diagnostics()
    context = new_context()
    handler = diagnostics.capture(context)
    try:
        module = ir.Module.parse(text, context)
        pipeline = TorchToCpuPipeline(cpu=target.name, **options)
        Runner(RunState(diagnostics), verify_each=False).run(pipeline.elements(), module.operation)
    finally:
        handler.detach()
    triple = _TRIPLES[target.architecture]
    machine = llvm.Target.from_triple(triple).create_target_machine(opt=3, reloc="pic")
    code = for_older_llvm(translate_to_llvm_ir(module.operation))
    program = llvm.parse_assembly(f'target triple = "{triple}"\n{code}')
    program.data_layout = str(machine.target_data)
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(program, builder)
    return bytes(machine.emit_object(program))


def main(arguments: list[str] | None = None) -> int:
    """Print the loops of a module."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("module", type=Path, help="a module of the torch dialect")
    parser.add_argument("--cpu", default="x86-64-v3", help="a name of torch_refine.target --list")
    given = parser.parse_args(arguments)
    try:
        target = named(given.cpu)
        text = given.module.read_text(encoding="utf-8")
    except (ValueError, OSError) as error:
        print(f"inner_loops: {error}", file=sys.stderr)
        return 2
    for loop in inner_loops(disassemble(object_for(text, target))):
        print(
            f"{loop.function}: {loop.instructions} instructions, "
            f"{loop.multiply_adds} multiply-adds, {loop.spills} spills"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
