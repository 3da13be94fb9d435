"""Attach the target CPU and its features to LLVM functions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.kernels.targets.named import llvm_names
from torch_refine.passes.lowering.kernels.targets.record import ATTRIBUTE, TargetError, target_of

_PASSTHROUGH = "passthrough"
_WIDTH = "prefer-vector-width"
# LLVM's tuning flags.
_PREFERRED = {"x86-64": ("prefer-no-gather", "prefer-no-scatter")}


@dataclass
class UseCpuTarget(Pass):
    """Attach the target CPU and its features to LLVM functions.

    Functions are compiled for the lowest level of the architecture with exactly the features of the
    record, and tuned for the processor. The preferred vector width is that of the record: for many
    processors with 512-bit vectors LLVM prefers 256 bits, because occasional use lowers the clock
    frequency; kernels use them throughout. Vectors of elements at any addresses are loaded element
    by element: the instruction for it is several times slower on processors whose microcode keeps
    it from leaking data, and hardly faster on others. Without a record functions do not change, and
    are compiled for the host.

    Before:

    ```mlir
    module attributes {torch_refine.cpu = {features = ["avx2", "fma"], name = "haswell"}} {
      llvm.func @f() {
        llvm.return
      }
    }
    ```

    After:

    ```mlir
    module attributes {torch_refine.cpu = {features = ["avx2", "fma"], name = "haswell"}} {
      llvm.func @f() attributes {passthrough = [["prefer-vector-width", "256"]], \
target_cpu = "x86-64", target_features = #llvm.target_features<["+avx2", "+fma", \
"+prefer-no-gather", "+prefer-no-scatter"]>, tune_cpu = "haswell"} {
        llvm.return
      }
    }
    ```
    """

    name: ClassVar[str] = "use-cpu-target"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Mark the functions of a module that have a body."""
        try:
            target = target_of(op)
        except TargetError as error:
            state.diagnostics.error(op.location, str(error))
            raise PassFailure(self.name) from error
        if ATTRIBUTE not in op.attributes or not target.features:
            return
        preferred = _PREFERRED.get(target.architecture, ())
        listed = ", ".join(json.dumps(f"+{each}") for each in (*target.features, *preferred))
        cpu, tuned = llvm_names(target)
        # LLVM's JIT adds the host's features where there is a name without features.
        attributes: dict[str, ir.Attribute] = {
            "target_cpu": ir.StringAttr.get(cpu, op.context),
            "tune_cpu": ir.StringAttr.get(tuned, op.context),
            "target_features": ir.Attribute.parse(f"#llvm.target_features<[{listed}]>", op.context),
        }
        width = ir.Attribute.parse(f'["{_WIDTH}", "{target.vector_bits}"]', op.context)
        for function in operations(op.regions[0].blocks[0]):
            if function.name != "llvm.func" or not len(function.regions[0].blocks):
                continue
            for name, value in attributes.items():
                if name not in function.attributes:
                    function.attributes[name] = value
            passed = list(function.attributes.get(_PASSTHROUGH) or ())
            if target.architecture == "x86-64" and all(_WIDTH not in str(each) for each in passed):
                function.attributes[_PASSTHROUGH] = ir.ArrayAttr.get([*passed, width], op.context)
            state.count(self.name, "functions marked")
