"""Put all kernels of a program into one module for the GPU."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.program import symbol_name

KERNELS = "kernels"


@dataclass
class MergeGpuModules(Pass):
    """Put all kernels of a program into one module for the GPU.

    Upstream's `gpu-kernel-outlining` creates a module for each; together they are compiled and
    loaded once. Kernels with the same text become one.

    Before:

    ```mlir
    module attributes {gpu.container_module} {
      gpu.module @a_kernel {
        gpu.func @a_kernel() kernel {
          gpu.return
        }
      }
      gpu.module @b_kernel {
        gpu.func @b_kernel() kernel {
          gpu.return
        }
      }
      func.func @main() {
        %c1 = arith.constant 1 : index
        gpu.launch_func @a_kernel::@a_kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        gpu.launch_func @b_kernel::@b_kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        return
      }
    }
    ```

    After:

    ```mlir
    gpu.module @kernels {
      gpu.func @a_kernel() kernel {
        gpu.return
      }
      gpu.func @b_kernel() kernel {
        gpu.return
      }
    }
    func.func @main() {
      %c1 = arith.constant 1 : index
      gpu.launch_func  @kernels::@a_kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      gpu.launch_func  @kernels::@b_kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      return
    }
    ```
    """

    name: ClassVar[str] = "merge-gpu-modules"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Merge the GPU modules of a module."""
        block = op.regions[0].blocks[0]
        modules = [each for each in operations(block) if each.name == "gpu.module"]
        if not modules or str(symbol_name(modules[0])) == KERNELS:
            return
        merged = modules[0]
        names: dict[str, str] = {}
        known: dict[str, str] = {}
        for module in modules:
            of = str(symbol_name(module))
            for each in list(operations(module.regions[0].blocks[0])):
                name = str(symbol_name(each))
                # SSA values are numbered per printed op, so a clone is printed on its own.
                copy = each.clone(ip=False)
                text = str(copy).replace(f"@{name}(", "@(", 1)
                if each.name == "gpu.func" and text in known:
                    names[f"@{of}::@{name}"] = known[text]
                    each.erase()
                    continue
                new = next(new for new in _names(name) if new not in known.values())
                each.attributes["sym_name"] = ir.StringAttr.get(new, op.context)
                known[text] = new
                names[f"@{of}::@{name}"] = new
                if module != merged:
                    each.detach_from_parent()
                    merged.regions[0].blocks[0].append(each)
            if module != merged:
                module.erase()
        merged.attributes["sym_name"] = ir.StringAttr.get(KERNELS, op.context)
        for each in walk(op):
            if each.name == "gpu.launch_func":
                name = names[str(each.attributes["kernel"])]
                each.attributes["kernel"] = ir.Attribute.parse(f"@{KERNELS}::@{name}", op.context)
        state.count(self.name, "modules merged", len(modules))
        state.count(self.name, "kernels", len(known))


def _names(name: str) -> Iterator[str]:
    yield name
    for number in itertools.count(1):
        yield f"{name}_{number}"
