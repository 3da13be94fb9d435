"""Tile kernels for the blocks and threads of a GPU by their schedules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.structured_ops import GENERIC
from torch_refine.passes.base import Pass, RunState, option
from torch_refine.passes.lowering.gpu.operands import (
    contraction_of,
    fold_extensions,
    fold_operand_transposes,
    structured_ops,
)
from torch_refine.passes.lowering.gpu.padding import lower_pads_to_bounds_checks, mark_tiles
from torch_refine.passes.lowering.gpu.tiling import (
    ROOT,
    contraction_parameters,
    elementwise_parameters,
    rows_parameters,
)
from torch_refine.passes.lowering.gpu.warpgroups.plan import WARPGROUPS, plan_of_kernel
from torch_refine.passes.lowering.kernels.groups import PRODUCT
from torch_refine.passes.lowering.kernels.layouts import clear_layouts
from torch_refine.passes.lowering.kernels.outlining import KERNEL, SCHEDULED, kernels
from torch_refine.passes.lowering.kernels.schedules import Schedules
from torch_refine.passes.program import symbol_name


@dataclass
class ScheduleGpuKernels(Pass):
    """Tile kernels for the blocks and threads of a GPU by their schedules.

    The schedules are in `schedules/gpu`: one for contractions, one for row reductions, one for
    elementwise ops. A kernel whose schedule does not apply stays as it is: `map-loops-to-gpu` gives
    each of its parallel iterations a thread.

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
        False, "whether contractions of 16-bit floats are left to `contractions-to-mma-sync`"
    )
    warpgroups: bool = option(
        False, "whether large contractions of them are left to `contractions-to-warpgroups`"
    )

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Schedule the kernels of a module."""
        schedules = Schedules(self.name, state)
        for kind, kernel in kernels(op):
            kernel.attributes[KERNEL] = ir.StringAttr.get(SCHEDULED, op.context)
            if kind == "product":
                done = _contraction(kernel, self, schedules)
            else:
                done = (_rows if kind == "rows" else _loops)(kernel, schedules)
            state.count(self.name, f"kernels of kind {kind}{'' if done else ' left as loops'}")


def _contraction(kernel: ir.Operation, options: ScheduleGpuKernels, schedules: Schedules) -> bool:
    """Tile a contraction; if a step fails, previous steps are undone."""
    block = kernel.block
    name = symbol_name(kernel)
    with ir.InsertionPoint(kernel):
        before = kernel.clone()
    if _tile_contraction(kernel, options, schedules):
        before.erase()
        return True
    for each in list(operations(block)):
        if symbol_name(each) == name and each != before:
            each.erase()
    return False


def _tile_contraction(
    kernel: ir.Operation, options: ScheduleGpuKernels, schedules: Schedules
) -> bool:
    """Apply one step after the other; False as soon as one does not apply."""
    root = structured_ops(kernel)[-1]
    root.attributes[ROOT] = ir.UnitAttr.get(kernel.context)
    blocks = "product_blocks" if PRODUCT in root.attributes else "epilogue_blocks"
    if contraction_of(kernel).name != GENERIC and not schedules.apply("gpu/generalize", kernel):
        return False
    fold_operand_transposes(kernel)
    if options.tensor_cores:
        fold_extensions(kernel)
        fold_operand_transposes(kernel)
    if options.warpgroups and plan_of_kernel(kernel) is not None:
        contraction_of(kernel).attributes[WARPGROUPS] = ir.UnitAttr.get(kernel.context)
        # Copies of 16 bytes need rows that start at multiples of them.
        clear_layouts(kernel)
        return True
    parameters = contraction_parameters(kernel, options.tensor_cores)
    if (
        parameters is None
        or not schedules.apply(f"gpu/{blocks}", kernel, parameters)
        or not lower_pads_to_bounds_checks(kernel)
        or not schedules.apply(f"gpu/{parameters['SCHEDULE']}", kernel, parameters)
    ):
        return False
    mark_tiles(kernel)
    return True


def _rows(kernel: ir.Operation, schedules: Schedules) -> bool:
    parameters = rows_parameters(kernel)
    return parameters is not None and schedules.apply("gpu/rows", kernel, parameters)


def _loops(kernel: ir.Operation, schedules: Schedules) -> bool:
    """A kernel of a single op: a row reduction, or an elementwise op."""
    parameters = elementwise_parameters(kernel)
    if parameters is not None:
        return schedules.apply("gpu/elementwise", kernel, parameters)
    return _rows(kernel, schedules)
