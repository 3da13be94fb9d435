"""Give kernels copies of a program's constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import create_op
from torch_refine.passes.base import Pass, RunState


@dataclass
class CopyConstantsToGpu(Pass):
    """Give kernels copies of a program's constants.

    A constant is in host memory, which a GPU cannot read. It is copied to a new buffer, which later
    becomes GPU memory (`allocate-on-gpu`) and is freed like any other.

    Before:

    ```mlir
    module {
      memref.global "private" constant @c : memref<2xf32> = dense<[1.0, 2.0]>
      func.func @f() -> memref<2xf32> {
        %0 = memref.get_global @c : memref<2xf32>
        return %0 : memref<2xf32>
      }
    }
    ```

    After:

    ```mlir
    memref.global "private" constant @c : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>
    func.func @f() -> memref<2xf32> {
      %0 = memref.get_global @c : memref<2xf32>
      %alloc = memref.alloc() : memref<2xf32>
      gpu.memcpy  %alloc, %0 : memref<2xf32>, memref<2xf32>
      return %alloc : memref<2xf32>
    }
    ```
    """

    name: ClassVar[str] = "copy-constants-to-gpu"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Copy the constants that a module's functions use."""
        segments = ir.DenseI32ArrayAttr.get([0, 0], op.context)
        for function in operations(op.regions[0].blocks[0]):
            for each in [each for each in walk(function) if each.name == "memref.get_global"]:
                if _is_copied(each):
                    continue
                with ir.InsertionPoint(each), each.location:
                    copy = create_op(
                        "memref.alloc",
                        attributes={"operandSegmentSizes": segments},
                        results=[each.result.type],
                    )
                each.result.replace_all_uses_with(copy.result)
                with ir.InsertionPoint(copy), each.location:
                    each.detach_from_parent()
                    ir.InsertionPoint(copy).insert(each)
                following = list(operations(copy.block))
                after = following[following.index(copy) + 1]
                with ir.InsertionPoint(after), each.location:
                    create_op("gpu.memcpy", [copy.result, each.result])
                state.count(self.name, "constants copied")


def _is_copied(op: ir.Operation) -> bool:
    """Whether a constant is only copied."""
    return all(use.owner.name == "gpu.memcpy" for use in op.result.uses)
