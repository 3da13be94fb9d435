"""Split asserts on a kernel's operands into a loop in front of the kernel's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import (
    Number,
    assert_that,
    create_value,
    either,
    equal,
    finish,
    for_loop,
    index_type,
    index_value,
)
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    is_structured,
    iterators,
    maps,
    num_inputs,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.outlining import KERNEL

_ASSERT = "cf.assert"
_CLONED = ("arith.", "math.", "tensor.dim", "tensor.extract", "linalg.index")
# An index tensor of this size stays in the nearest caches until it is read again.
_FEW = 1 << 14


@dataclass
class FissionAsserts(Pass):
    """Split asserts on a kernel's operands into a loop in front of the kernel's.

    A loop with an early exit is neither vectorized nor distributed over threads. The condition of
    an assertion in a `linalg.generic` is computed in loops over only those dimensions that it
    depends on, such as the indices of gathered rows, but not their elements. If that is as much
    work as the whole kernel, and does not fit into the nearest caches, the assertion stays in
    place. A kernel with an empty iteration space asserts nothing.

    Before:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0)>
    #map1 = affine_map<(d0, d1) -> (d0, d1)>
    func.func private @kernel(%arg0: tensor<4xindex>, %arg1: tensor<50x64xf32>, \
%arg2: tensor<4x64xf32>) -> tensor<4x64xf32> attributes {torch_refine.kernel = "loops"} {
      %c50 = arith.constant 50 : index
      %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", \
"parallel"]} ins(%arg0 : tensor<4xindex>) outs(%arg2 : tensor<4x64xf32>) {
      ^bb0(%in: index, %out: f32):
        %1 = linalg.index 1 : index
        %2 = arith.cmpi ult, %in, %c50 : index
        cf.assert %2, "index is out of bounds"
        %3 = tensor.extract %arg1[%in, %1] : tensor<50x64xf32>
        linalg.yield %3 : f32
      } -> tensor<4x64xf32>
      return %0 : tensor<4x64xf32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0)>
    #map1 = affine_map<(d0, d1) -> (d0, d1)>
    func.func private @kernel(%arg0: tensor<4xindex>, %arg1: tensor<50x64xf32>, %arg2: \
tensor<4x64xf32>) -> tensor<4x64xf32> attributes {torch_refine.kernel = "loops"} {
      %c50 = arith.constant 50 : index
      %c0_i64 = arith.constant 0 : i64
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %arg3 = %c0 to %c4 step %c1 iter_args(%arg4 = %c0_i64) -> (i64) {
        %extracted = tensor.extract %arg0[%arg3] : tensor<4xindex>
        %3 = arith.cmpi ult, %extracted, %c50 : index
        %true = arith.constant true
        %4 = arith.xori %3, %true : i1
        %5 = arith.extui %4 : i1 to i64
        %6 = arith.ori %arg4, %5 : i64
        scf.yield %6 : i64
      }
      %1 = arith.cmpi eq, %0, %c0_i64 : i64
      cf.assert %1, "index is out of bounds"
      %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", \
"parallel"]} ins(%arg0 : tensor<4xindex>) outs(%arg2 : tensor<4x64xf32>) {
      ^bb0(%in: index, %out: f32):
        %3 = linalg.index 1 : index
        %extracted = tensor.extract %arg1[%in, %3] : tensor<50x64xf32>
        linalg.yield %extracted : f32
      } -> tensor<4x64xf32>
      return %2 : tensor<4x64xf32>
    }
    ```
    """

    name: ClassVar[str] = "fission-asserts"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the kernels of a module."""
        for function in operations(op.regions[0].blocks[0]):
            if KERNEL not in function.attributes:
                continue
            for each in list(operations(function.regions[0].blocks[0])):
                if each.name == GENERIC:
                    state.count(self.name, "assertions moved", _Fission(each).run())


class _Fission:
    """A `linalg.generic` whose assertions move in front of it."""

    def __init__(self, op: ir.Operation) -> None:
        self.op = op
        self.body = op.regions[0].blocks[0]
        self.loops = len(iterators(op))

    def run(self) -> int:
        """Move the assertions, in order, up to the first that has to stay; returns how many
        moved."""
        moved = 0
        for each in list(operations(self.body)):
            if each.name != _ASSERT:
                continue
            needed = self._backward_slice(each)
            if needed is None:
                break
            dims = self._dims(needed)
            if not self._is_worth_it(dims):
                break
            with ir.InsertionPoint(self.op), each.location:
                self._assert(each, needed, dims)
            each.erase()
            moved += 1
        if moved:
            self._erase_unused()
        return moved

    def _backward_slice(self, assertion: ir.Operation) -> list[ir.Operation] | None:
        """The backward slice of an assertion's condition, in order; None if it cannot be cloned."""
        found: set[ir.Operation] = set()
        pending = [assertion]
        while pending:
            for operand in pending.pop().operands:
                source = defining_op(operand)
                if source is None:
                    if operand.owner == self.body and not self._is_readable(operand):
                        return None
                elif source.block == self.body and source not in found:
                    if not source.name.startswith(_CLONED):
                        return None
                    found.add(source)
                    pending.append(source)
        return [each for each in operations(self.body) if each in found]

    def _is_readable(self, argument: ir.Value) -> bool:
        """Whether an element comes from an operand that is defined outside the kernel."""
        place = ir.BlockArgument(argument).arg_number
        if place >= num_inputs(self.op):
            return False
        source = defining_op(self.op.operands[place])
        if source is not None and is_structured(source) and source.name != "linalg.fill":
            # It may be computed at its use.
            return False
        return all(
            isinstance(each, ir.AffineDimExpr | ir.AffineConstantExpr)
            for each in maps(self.op)[place].results
        )

    def _dims(self, needed: Sequence[ir.Operation]) -> list[int]:
        """The loops that a backward slice depends on."""
        found = {
            ir.IntegerAttr(each.attributes["dim"]).value
            for each in needed
            if each.name == "linalg.index"
        }
        for argument in self._read(needed):
            results = maps(self.op)[argument.arg_number].results
            found |= {each.position for each in results if isinstance(each, ir.AffineDimExpr)}
        return sorted(found)

    def _read(self, needed: Sequence[ir.Operation]) -> list[ir.BlockArgument]:
        """The elements that a backward slice reads."""
        taken = [operand for each in needed for operand in each.operands]
        arguments = list(self.body.arguments)
        return [ir.BlockArgument(each) for each in arguments if each in taken]

    def _is_worth_it(self, dims: Sequence[int]) -> bool:
        if len(dims) < self.loops:
            return True
        sizes = [self._static_size(dim) for dim in dims]
        return None not in sizes and prod(size or 0 for size in sizes) <= _FEW

    def _place(self, dim: int) -> tuple[ir.Value, int] | None:
        """An operand and its dimension that give the trip count of a loop."""
        for operand, indexing in zip(self.op.operands, maps(self.op), strict=True):
            for place, result in enumerate(indexing.results):
                if isinstance(result, ir.AffineDimExpr) and result.position == dim:
                    return operand, place
        return None

    def _static_size(self, dim: int) -> int | None:
        found = self._place(dim)
        if found is None:
            return None
        type = ir.RankedTensorType(found[0].type)
        return None if type.is_dynamic_dim(found[1]) else int(type.get_dim_size(found[1]))

    def _size(self, dim: int) -> Number:
        known = self._static_size(dim)
        if known is not None:
            return known
        found = self._place(dim)
        assert found is not None, "the trip count of a loop must be the size of an operand"
        return create_value("tensor.dim", index_type(), [found[0], index_value(found[1])])

    def _assert(
        self, assertion: ir.Operation, needed: Sequence[ir.Operation], dims: Sequence[int]
    ) -> None:
        """Assert in front of the kernel that no iteration fails."""
        message = ir.StringAttr(assertion.attributes["msg"]).value
        others = [self._size(dim) for dim in range(self.loops) if dim not in dims]
        if 0 in others:
            return
        unknown = [equal(size, 0) for size in others if not isinstance(size, int)]
        empty = reduce(either, unknown) if unknown else None
        condition = assertion.operands[0]
        if not dims:
            holds = self._copies(needed, {}).get(condition, condition)
            assert_that(holds if empty is None else either(empty, holds), message)
            return
        sizes = [self._size(dim) for dim in dims]
        if empty is not None:
            chosen = [empty, index_value(0), index_value(sizes[0])]
            sizes[0] = create_value("arith.select", index_type(), chosen)
        number = ir.IntegerType.get_signless(64)
        none = create_value("arith.constant", number, [], {"value": ir.IntegerAttr.get(number, 0)})
        failed = self._loops(dims, sizes, needed, condition, none, {})
        assert_that(equal(failed, none), message)

    def _loops(
        self,
        dims: Sequence[int],
        sizes: Sequence[Number],
        needed: Sequence[ir.Operation],
        condition: ir.Value,
        failed: ir.Value,
        at: dict[int, ir.Value],
    ) -> ir.Value:
        """Loops over some dimensions; returns nonzero if an iteration failed.

        It is an integer, as a loop that reduces one is vectorized.
        """
        if not dims:
            holds = self._copies(needed, at).get(condition, condition)
            true = create_value(
                "arith.constant", holds.type, [], {"value": ir.IntegerAttr.get(holds.type, -1)}
            )
            fails = create_value("arith.xori", holds.type, [holds, true])
            here = create_value("arith.extui", failed.type, [fails])
            return create_value("arith.ori", failed.type, [failed, here])
        loop, body = for_loop(0, sizes[0], 1, [failed])
        with ir.InsertionPoint(body):
            inner = {**at, dims[0]: body.arguments[0]}
            carried = body.arguments[1]
            result = self._loops(dims[1:], sizes[1:], needed, condition, carried, inner)
        finish(body, [result])
        return loop.results[0]

    def _copies(
        self, needed: Sequence[ir.Operation], at: dict[int, ir.Value]
    ) -> dict[ir.Value, ir.Value]:
        """Clone the backward slice for an iteration."""
        found: dict[ir.Value, ir.Value] = {}
        for argument in self._read(needed):
            results = maps(self.op)[argument.arg_number].results
            indices = [
                at[each.position] if isinstance(each, ir.AffineDimExpr) else index_value(each.value)
                for each in results
            ]
            operand = self.op.operands[argument.arg_number]
            element = ir.RankedTensorType(operand.type).element_type
            found[self.body.arguments[argument.arg_number]] = create_value(
                "tensor.extract", element, [operand, *indices]
            )
        for each in needed:
            if each.name == "linalg.index":
                found[each.results[0]] = at[ir.IntegerAttr(each.attributes["dim"]).value]
                continue
            copy = each.clone()
            for place, operand in enumerate(copy.operands):
                if operand in found:
                    copy.operands[place] = found[operand]
            found[each.results[0]] = copy.results[0]
        return found

    def _erase_unused(self) -> None:
        """Erase operands that only the assertions used."""
        for each in reversed(list(operations(self.body))):
            if each.name.startswith(_CLONED) and not any(True for _ in each.results[0].uses):
                each.erase()
