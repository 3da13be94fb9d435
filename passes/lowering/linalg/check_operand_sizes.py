"""Assert that dynamic sizes of structured ops' operands agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import (
    assert_that,
    compare,
    create_value,
    index_type,
    index_value,
)
from torch_refine.dialect.structured_ops import is_structured
from torch_refine.passes.base import Pass, RunState, option
from torch_refine.passes.lowering.kernels.slices import INSERT, Slice
from torch_refine.passes.lowering.linalg.index_sizes import (
    EqualSizes,
    Size,
    is_outermost,
    size_of,
    size_of_number,
)

MESSAGE = "sizes of tensors that are computed together do not match"

_CONCAT = "tensor.concat"
# Ops that give numbers of tensors, outside of loops.
_NUMBERS_OF_TENSORS = (
    "tensor.extract",
    "torch.aten.item",
    "torch.aten.Int.Tensor",
    "torch.aten.IntImplicit",
    "torch.aten._local_scalar_dense",
)

# Where the bindings provide no maps: the dimensions of operands that share a loop.
_NAMED = {
    "linalg.matmul": (((0, 0), (2, 0)), ((0, 1), (1, 0)), ((1, 1), (2, 1))),
    "linalg.dot": (((0, 0), (1, 0)),),
    "linalg.matvec": (((0, 0), (2, 0)), ((0, 1), (1, 0))),
    "linalg.vecmat": (((0, 0), (1, 0)), ((1, 1), (2, 0))),
    "linalg.batch_matmul": (
        ((0, 0), (1, 0), (2, 0)),
        ((0, 1), (2, 1)),
        ((0, 2), (1, 1)),
        ((1, 2), (2, 2)),
    ),
}


@dataclass
class CheckOperandSizes(Pass):
    """Assert that dynamic sizes of structured ops' operands agree.

    The trip counts of an op are the sizes of one of its operands. The conversion to linalg assumes
    that dynamic sizes are equal, as the exported program does; with unequal sizes a call would read
    operands out of bounds, and so would insertions into slices of another size. Sizes that are
    products of the same symbols, or compared by an assertion, are not checked again.

    Before:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
      %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} \
ins(%arg0 : tensor<?xf32>) outs(%arg1 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
      %c0_0 = arith.constant 0 : index
      %dim_1 = tensor.dim %arg1, %c0_0 : tensor<?xf32>
      %0 = arith.cmpi eq, %dim, %dim_1 : index
      cf.assert %0, "sizes of tensors that are computed together do not match"
      %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} \
ins(%arg0 : tensor<?xf32>) outs(%arg1 : tensor<?xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<?xf32>
      return %1 : tensor<?xf32>
    }
    ```
    """

    name: ClassVar[str] = "check-operand-sizes"

    of_values: bool = option(
        False,
        "only in functions where sizes may depend on values, before `canonicalize` takes what "
        "must equal a static size to be it",
    )

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Check the operands in a module, or in one function."""
        known = EqualSizes()
        is_asked = not self.of_values
        for each in list(walk(op)):
            if each.name == "func.func":
                known = EqualSizes()
                is_asked = not self.of_values or _has_sizes_of_values(each)
            elif not is_asked:
                continue
            elif each.name == "cf.assert" and is_outermost(each):
                known.assume(each.operands[0])
            elif is_structured(each) or (self.of_values and each.name == _CONCAT):
                for one, other in _pairs(each):
                    if known.are_equal(size_of(*one), size_of(*other)):
                        continue
                    with ir.InsertionPoint(each), each.location:
                        condition = compare("eq", _dim(*one), _dim(*other))
                        assert_that(condition, MESSAGE)
                    if is_outermost(each):
                        known.assume(condition)
                    state.count(self.name, "pairs of sizes checked")
            elif each.name == INSERT:
                self._check_slice(each, known, state)

    def _check_slice(self, op: ir.Operation, known: EqualSizes, state: RunState) -> None:
        """Check that the source of an insertion has the size of the slice."""
        source, slice = op.operands[0], Slice.of(op)
        for place, dim in enumerate(slice.kept(list(ir.RankedTensorType(source.type).shape))):
            wanted = slice.sizes[dim]
            size = Size(wanted) if isinstance(wanted, int) else size_of_number(wanted)
            if known.are_equal(size_of(source, place), size):
                continue
            with ir.InsertionPoint(op), op.location:
                condition = compare("eq", _dim(source, place), index_value(wanted))
                assert_that(condition, MESSAGE)
            if is_outermost(op):
                known.assume(condition)
            state.count(self.name, "pairs of sizes checked")


def _has_sizes_of_values(function: ir.Operation) -> bool:
    """Whether a number of a tensor is known to the function, which may be a size."""
    return any(
        each.name in _NUMBERS_OF_TENSORS and (each.name != "tensor.extract" or is_outermost(each))
        for each in walk(function)
    )


_Dim = tuple[ir.Value, int]


def _pairs(op: ir.Operation) -> Iterator[tuple[_Dim, _Dim]]:
    """Dimensions that must be equal: for each loop, its first dimension and each other one."""
    operands = list(op.operands)
    if any(isinstance(each.type, ir.MemRefType) for each in operands):
        # Bufferized; it was checked when it was on tensors.
        return
    if op.name in _NAMED:
        loops = [[(operands[i], dim) for i, dim in each] for each in _NAMED[op.name]]
    elif op.name == _CONCAT:
        # The sizes of the other dimensions.
        rank = ir.RankedTensorType(operands[0].type).rank
        axis = ir.IntegerAttr(op.attributes["dim"]).value
        tensors = [*operands, op.results[0]]
        loops = [[(each, dim) for each in tensors] for dim in range(rank) if dim != axis]
        loops = [
            [each for each in followed if each[0] != op.results[0] or not _is_dynamic(each)]
            for followed in loops
        ]
    elif "indexing_maps" in op.attributes:
        loops = _loops(op, operands)
    else:
        return
    for followed in loops:
        first = next((each for each in followed if not _is_dynamic(each)), followed[0])
        for each in followed:
            if each is not first and (_is_dynamic(each) or _is_dynamic(first)):
                yield first, each


def _loops(op: ir.Operation, operands: list[ir.Value]) -> list[list[_Dim]]:
    found: dict[int, list[_Dim]] = {}
    for operand, attribute in zip(operands, op.attributes["indexing_maps"], strict=True):
        if not isinstance(operand.type, ir.RankedTensorType):
            continue
        for dim, result in enumerate(ir.AffineMapAttr(attribute).value.results):
            if isinstance(result, ir.AffineDimExpr):
                found.setdefault(result.position, []).append((operand, dim))
    return list(found.values())


def _is_dynamic(dim: _Dim) -> bool:
    return bool(dim[0].type.is_dynamic_dim(dim[1]))


def _dim(tensor: ir.Value, dim: int) -> ir.Value:
    if not _is_dynamic((tensor, dim)):
        return index_value(tensor.type.get_dim_size(dim))
    return create_value("tensor.dim", index_type(), [tensor, index_value(dim)])
