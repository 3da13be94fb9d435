"""Attach the CPU target record to the module."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir
from torch_refine.passes.base import Pass, PassFailure, RunState, option
from torch_refine.passes.lowering.kernels.targets.host import target
from torch_refine.passes.lowering.kernels.targets.record import (
    ATTRIBUTE,
    DEFAULT,
    TargetError,
    set_target,
    target_of,
)


@dataclass
class SetCpuTarget(Pass):
    """Attach the CPU target record to the module.

    Schedules and code generation depend on this record only, so that code for one processor is the
    same on any build machine. `cpu` is `host`, or a name that `python -m torch_refine.target
    --list` prints; `features` are changes, as `+avx512bf16,-fma`. An existing record on the module,
    such as one written by hand, is kept.

    Before:

    ```mlir
    module {
    }
    ```

    After:

    ```mlir
    module attributes {torch_refine.cpu = {architecture = "x86-64", crossing_load = 2 : i64, \
features = ["avx", "avx2", "bmi", "bmi2", "cmov", "crc32", "cx16", "cx8", "f16c", "fma", "fxsr", \
"lzcnt", "mmx", "movbe", "popcnt", "sahf", "sse", "sse2", "sse3", "sse4.1", "sse4.2", "ssse3", \
"xsave"], fma_latency = 4 : i64, fma_ports = 2 : i64, l1_bytes = 32768 : i64, l2_bytes = 524288 : \
i64, l3_bytes = 16777216 : i64, line_bytes = 64 : i64, load_ports = 2 : i64, name = "x86-64-v3", \
vector_bits = 256 : i64, vector_registers = 16 : i64}} {
    }
    ```
    """

    name: ClassVar[str] = "set-cpu-target"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    cpu: str = option(DEFAULT.name, "host, or the name of a processor or level")
    features: str = option("", "features to add and to remove, as +avx512bf16,-fma")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Attach the record to a module; raises PassFailure for unknown names."""
        try:
            if ATTRIBUTE in op.attributes:
                target_of(op)
                return
            found = target(self.cpu, self.features)
        except (ValueError, ImportError, TargetError) as error:
            state.diagnostics.error(op.location, str(error))
            raise PassFailure(self.name) from None
        set_target(op, found)
        state.count(self.name, "records written")
