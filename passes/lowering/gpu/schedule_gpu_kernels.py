"""Cut kernels into blocks and threads of a GPU, by the schedule of their kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.passes.base import Pass, RunState, option
from torch_refine.passes.lowering.gpu.operands import (
    product_of,
    read_narrow,
    read_transposed,
    structured_ops,
)
from torch_refine.passes.lowering.gpu.padding import load_guarded
from torch_refine.passes.lowering.gpu.tiling import (
    ROOT,
    elementwise_parameters,
    product_parameters,
    rows_parameters,
)
from torch_refine.passes.lowering.kernels.groups import PRODUCT
from torch_refine.passes.lowering.kernels.indexing import GENERIC
from torch_refine.passes.lowering.kernels.outlining import KERNEL, SCHEDULED, kernels
from torch_refine.passes.lowering.schedules import apply_schedule
from torch_refine.passes.program import symbol_name


@dataclass
class ScheduleGpuKernels(Pass):
    """Cut kernels into blocks and threads of a GPU, by the schedule of their kind.

    The schedules are in `schedules/gpu`: one for products of matrices, one for rows that are
    reduced, one for elementwise operators. A kernel whose schedule does not apply stays as it is:
    `map-loops-to-gpu` gives each of its parallel turns a thread.

    Before:

    ```mlir
    func.func private @kernel(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> \
attributes {torch_refine.kernel = "loops"} {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], \
iterator_types = ["parallel"]} ins(%arg0 : tensor<8xf32>) outs(%arg1 : tensor<8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %1 = arith.addf %in, %in : f32
        linalg.yield %1 : f32
      } -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0) -> (d0 * 4)>
    func.func private @kernel(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> \
attributes {torch_refine.kernel = "scheduled"} {
      %0 = ub.poison : f32
      %c0 = arith.constant 0 : index
      %1 = scf.forall (%arg2) in (2) shared_outs(%arg3 = %arg1) -> (tensor<8xf32>) {
        %2 = affine.apply #map(%arg2)
        %extracted_slice = tensor.extract_slice %arg3[%2] [4] [1] : tensor<8xf32> to tensor<4xf32>
        %3 = affine.apply #map(%arg2)
        %4 = vector.transfer_read %arg0[%3], %0 {in_bounds = [true]} : tensor<8xf32>, \
vector<4xf32>
        %5 = arith.addf %4, %4 : vector<4xf32>
        %6 = vector.transfer_write %5, %extracted_slice[%c0] {in_bounds = [true]} : \
vector<4xf32>, tensor<4xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %6 into %arg3[%2] [4] [1] : tensor<4xf32> into \
tensor<8xf32>
        }
      }
      return %1 : tensor<8xf32>
    }
    ```
    """

    name: ClassVar[str] = "schedule-gpu-kernels"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    tensor_cores: bool = option(
        False, "whether products of 16-bit floats are left to `multiply-in-warps`"
    )

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Schedule the kernels of a module."""
        for kind, kernel in kernels(op):
            kernel.attributes[KERNEL] = ir.StringAttr.get(SCHEDULED, op.context)
            if kind == "product":
                done = _product(kernel, self.tensor_cores)
            else:
                done = _rows(kernel) if kind == "rows" else _loops(kernel)
            state.count(self.name, f"kernels of kind {kind}{'' if done else ' left as loops'}")


def _product(kernel: ir.Operation, tensor_cores: bool) -> bool:
    """Cut a product; what was done to it before a step that fails is undone."""
    block = kernel.block
    name = symbol_name(kernel)
    with ir.InsertionPoint(kernel):
        before = kernel.clone()
    if _cut_product(kernel, tensor_cores):
        before.erase()
        return True
    for each in list(operations(block)):
        if symbol_name(each) == name and each != before:
            each.erase()
    return False


def _cut_product(kernel: ir.Operation, tensor_cores: bool) -> bool:
    """One step after the other; False as soon as one does not apply."""
    root = structured_ops(kernel)[-1]
    root.attributes[ROOT] = ir.UnitAttr.get(kernel.context)
    blocks = "product_blocks" if PRODUCT in root.attributes else "epilogue_blocks"
    if product_of(kernel).name != GENERIC and not apply_schedule("gpu/generalize", kernel):
        return False
    read_transposed(kernel)
    if tensor_cores:
        read_narrow(kernel)
        read_transposed(kernel)
    parameters = product_parameters(kernel, tensor_cores)
    return (
        parameters is not None
        and apply_schedule(f"gpu/{blocks}", kernel, parameters)
        and load_guarded(kernel)
        and apply_schedule(f"gpu/{parameters['SCHEDULE']}", kernel, parameters)
    )


def _rows(kernel: ir.Operation) -> bool:
    parameters = rows_parameters(kernel)
    return parameters is not None and apply_schedule("gpu/rows", kernel, parameters)


def _loops(kernel: ir.Operation) -> bool:
    """A single op: a reduction of rows, or something done to each number."""
    parameters = elementwise_parameters(kernel)
    if parameters is not None:
        return apply_schedule("gpu/elementwise", kernel, parameters)
    return _rows(kernel)
