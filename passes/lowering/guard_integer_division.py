"""Assert that integers are not divided by zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.passes.base import Pass, RunState, option
from torch_refine.passes.lowering.building import assert_that, made
from torch_refine.passes.lowering.integers import compare, integer_constant, known_integer
from torch_refine.passes.lowering.kernels.indexing import (
    GENERIC,
    maker_of,
    maps,
    operation_of,
)

MESSAGE = "ZeroDivisionError"

_SIGNED = ("arith.divsi", "arith.floordivsi", "arith.ceildivsi", "arith.remsi")
_UNSIGNED = ("arith.divui", "arith.ceildivui", "arith.remui")
_REMAINDER = "arith.remsi"
_PURE = ("arith.", "math.")


@dataclass
class GuardIntegerDivision(Pass):
    """Assert that integers are not divided by zero, as in PyTorch.

    Processors stop a process that divides an integer by zero, or the least one by -1, and LLVM
    takes neither to happen. The divisors of a loop are checked by a reduction in front of it.
    The division itself then takes 1 for 0, wherever later passes move it, and negates instead
    of dividing by -1, as PyTorch's numbers wrap around. Divisors known to be neither stay.

    On a GPU (`asserts=false`) only divisions outside of loops are asserted: PyTorch does not
    check those of its kernels.

    Before:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%arg0: tensor<3xi32>, %arg1: tensor<3xi32>) -> tensor<3xi32> {
      %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} \
ins(%arg0 : tensor<3xi32>) outs(%arg1 : tensor<3xi32>) {
      ^bb0(%in: i32, %out: i32):
        %1 = arith.remsi %in, %in : i32
        linalg.yield %1 : i32
      } -> tensor<3xi32>
      return %0 : tensor<3xi32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    #map1 = affine_map<(d0) -> ()>
    func.func @f(%arg0: tensor<3xi32>, %arg1: tensor<3xi32>) -> tensor<3xi32> {
      %c1_i32 = arith.constant 1 : i32
      %0 = tensor.empty() : tensor<i32>
      %1 = linalg.fill ins(%c1_i32 : i32) outs(%0 : tensor<i32>) -> tensor<i32>
      %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} \
ins(%arg0 : tensor<3xi32>) outs(%1 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %5 = arith.minui %in, %out : i32
        linalg.yield %5 : i32
      } -> tensor<i32>
      %extracted = tensor.extract %2[] : tensor<i32>
      %c0_i32 = arith.constant 0 : i32
      %3 = arith.cmpi ne, %extracted, %c0_i32 : i32
      cf.assert %3, "ZeroDivisionError"
      %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} \
ins(%arg0 : tensor<3xi32>) outs(%arg1 : tensor<3xi32>) {
      ^bb0(%in: i32, %out: i32):
        %c1_i32_0 = arith.constant 1 : i32
        %5 = arith.addi %in, %c1_i32_0 : i32
        %6 = arith.cmpi ule, %5, %c1_i32_0 : i32
        %7 = arith.select %6, %c1_i32_0, %in : i32
        %8 = arith.remsi %in, %7 : i32
        linalg.yield %8 : i32
      } -> tensor<3xi32>
      return %4 : tensor<3xi32>
    }
    ```
    """

    name: ClassVar[str] = "guard-integer-division"

    asserts: bool = option(True, "whether to check the divisors of loops")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Guard the divisions in a module, or in one function."""
        for each in list(walk(op)):
            if each.name not in _SIGNED and each.name not in _UNSIGNED:
                continue
            divisor = known_integer(each.operands[1])
            if divisor is not None and (divisor > 0 or divisor < -1):
                continue
            if _is_guarded(each):
                continue
            if divisor != -1:
                self._assert(each)
            _make_safe(each)
            state.count(self.name, "divisions guarded")

    def _assert(self, op: ir.Operation) -> None:
        """Assert that a divisor is not zero, in front of the loop if it is in one."""
        parent = operation_of(op.parent)
        is_inside = parent.name != "func.func"
        if is_inside and not self.asserts:
            return
        if parent.name == GENERIC and _Loop(parent, op).check():
            return
        with ir.InsertionPoint(op), op.location:
            _assert_not_zero(op.operands[1])


def _is_guarded(op: ir.Operation) -> bool:
    """Whether this pass ran before: the divisor is 1 where it was 0."""
    divisor = maker_of(op.operands[1])
    if divisor is None or divisor.name != "arith.select" or known_integer(divisor.operands[1]) != 1:
        return False
    condition = maker_of(divisor.operands[0])
    if condition is None or condition.name != "arith.cmpi":
        return False
    compared = maker_of(condition.operands[0])
    given = divisor.operands[2]
    return condition.operands[0] == given or (
        compared is not None and compared.name == "arith.addi" and compared.operands[0] == given
    )


def _assert_not_zero(divisor: ir.Value, or_else: ir.Value | None = None) -> None:
    """Assert that an integer is not zero, or that something else holds."""
    holds = compare("ne", divisor, integer_constant(divisor.type, 0))
    if or_else is not None:
        holds = made("arith.ori", holds.type, [holds, or_else])
    assert_that(holds, MESSAGE)


def _make_safe(op: ir.Operation) -> None:
    """Let a division divide by 1 instead of 0 or -1."""
    dividend, divisor = op.operands
    type = divisor.type
    with ir.InsertionPoint(op), op.location:
        one = integer_constant(type, 1)
        if op.name in _UNSIGNED:
            wrong = compare("eq", divisor, integer_constant(type, 0))
        else:
            wrong = compare("ule", made("arith.addi", type, [divisor, one]), one)
        op.operands[1] = made("arith.select", type, [wrong, one, divisor])
    if op.name in _UNSIGNED or op.name == _REMAINDER:
        return
    users = [(operation_of(use.owner), use.operand_number) for use in op.results[0].uses]
    with ir.InsertionPoint.after(op), op.location:
        negates = compare("eq", divisor, integer_constant(type, -1))
        negative = made("arith.subi", type, [integer_constant(type, 0), dividend])
        quotient = made("arith.select", type, [negates, negative, op.results[0]])
    for user, place in users:
        user.operands[place] = quotient


class _Loop:
    """A generic that divides, and the part of its body that makes the divisor."""

    def __init__(self, generic: ir.Operation, division: ir.Operation) -> None:
        self.generic = generic
        self.division = division
        self.body = generic.regions[0].blocks[0]
        inputs = len(generic.operands) - len(generic.results)
        self.taken: list[int] = []
        """The places of the operands that the divisor is made of."""
        self.ops: set[ir.Operation] = set()
        self.is_simple = True
        pending = [division.operands[1]]
        while pending:
            value = pending.pop()
            maker = maker_of(value)
            if maker is None:
                argument = ir.BlockArgument(value)
                if argument.owner != self.body:
                    continue
                if argument.arg_number >= inputs:
                    # What an earlier iteration left.
                    self.is_simple = False
                elif argument.arg_number not in self.taken:
                    self.taken.append(argument.arg_number)
            elif maker.block == self.body and maker not in self.ops:
                if not maker.name.startswith(_PURE) or len(maker.regions):
                    self.is_simple = False
                self.ops.add(maker)
                pending.extend(maker.operands)
        self.taken.sort()

    def check(self) -> bool:
        """Check the divisors in front of the loop; whether that can be done."""
        if not self.is_simple or not all(_has_plain_dims(map) for map in self._maps()):
            return False
        dims = sorted({dim for map in self._maps() for dim in _plain_dims(map)})
        with ir.InsertionPoint(self.generic), self.division.location:
            is_empty = self._is_empty(dims)
            if is_empty is True:
                return True
            found = self._reduce(dims) if self.taken else self._copy_ops({})
            _assert_not_zero(found, is_empty or None)
        return True

    def _maps(self) -> list[ir.AffineMap]:
        every = maps(self.generic)
        return [every[place] for place in self.taken]

    def _is_empty(self, dims: list[int]) -> ir.Value | bool:
        """Whether the loop has no iteration because of other dimensions than these."""
        found: ir.Value | bool = False
        index = ir.IndexType.get()
        for dim, (operand, axis) in _sizes(self.generic).items():
            type = ir.RankedTensorType(operand.type)
            if dim in dims:
                continue
            if not type.is_dynamic_dim(axis):
                if type.get_dim_size(axis) == 0:
                    return True
                continue
            size = made("tensor.dim", index, [operand, integer_constant(index, axis)])
            empty = compare("eq", size, integer_constant(index, 0))
            found = empty if found is False else made("arith.ori", empty.type, [found, empty])
        return found

    def _copy_ops(self, values: dict[ir.Value, ir.Value]) -> ir.Value:
        """The divisor, computed of other values at the current insertion point."""
        for op in operations(self.body):
            if op not in self.ops:
                continue
            copy = op.clone()
            for place, operand in enumerate(op.operands):
                copy.operands[place] = values.get(operand, operand)
            values.update(zip(op.results, copy.results, strict=True))
        divisor = self.division.operands[1]
        return values.get(divisor, divisor)

    def _reduce(self, dims: list[int]) -> ir.Value:
        """The least divisor, as an unsigned number, or 1 if it is greater."""
        element = self.division.operands[1].type
        if isinstance(element, ir.IndexType):
            element = ir.IntegerType.get_signless(64)
        type = ir.RankedTensorType.get([], element)
        one = integer_constant(element, 1)
        start = _filled(one, made("tensor.empty", type, []))
        inputs = [self.generic.operands[place] for place in self.taken]
        accessed = [
            ir.AffineMap.get(
                len(dims), 0, [ir.AffineExpr.get_dim(dims.index(dim)) for dim in _plain_dims(map)]
            )
            for map in self._maps()
        ]
        accessed.append(ir.AffineMap.get(len(dims), 0, []))
        reduction = ir.Attribute.parse("#linalg.iterator_type<reduction>")
        generic = ir.Operation.create(
            GENERIC,
            results=[type],
            operands=[*inputs, start],
            regions=1,
            attributes={
                "indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(map) for map in accessed]),
                "iterator_types": ir.ArrayAttr.get([reduction] * len(dims)),
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(inputs), 1]),
            },
        )
        types = [*(self.body.arguments[place].type for place in self.taken), element]
        places = [ir.Location.current] * len(types)
        block = ir.Block.create_at_start(generic.regions[0], types, places)
        with ir.InsertionPoint(block):
            given = [self.body.arguments[place] for place in self.taken]
            values = dict(zip(given, list(block.arguments)[:-1], strict=True))
            divisor = self._copy_ops(values)
            if divisor.type != element:
                divisor = made("arith.index_cast", element, [divisor])
            least = made("arith.minui", element, [divisor, block.arguments[len(inputs)]])
            ir.Operation.create("linalg.yield", operands=[least])
        return made("tensor.extract", element, [generic.results[0]])


def _filled(value: ir.Value, tensor: ir.Value) -> ir.Value:
    fill = ir.Operation.create(
        "linalg.fill",
        results=[tensor.type],
        operands=[value, tensor],
        regions=1,
        attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1])},
    )
    places = [ir.Location.current] * 2
    block = ir.Block.create_at_start(fill.regions[0], [value.type] * 2, places)
    with ir.InsertionPoint(block):
        ir.Operation.create("linalg.yield", operands=[block.arguments[0]])
    return fill.results[0]


def _has_plain_dims(map: ir.AffineMap) -> bool:
    return all(isinstance(each, ir.AffineDimExpr) for each in map.results)


def _plain_dims(map: ir.AffineMap) -> list[int]:
    return [each.position for each in map.results if isinstance(each, ir.AffineDimExpr)]


def _sizes(generic: ir.Operation) -> dict[int, tuple[ir.Value, int]]:
    """For each dimension of a loop, the operand and the axis that it is the size of."""
    found: dict[int, tuple[ir.Value, int]] = {}
    for operand, map in zip(generic.operands, maps(generic), strict=True):
        for axis, each in enumerate(map.results):
            if isinstance(each, ir.AffineDimExpr):
                found.setdefault(each.position, (operand, axis))
    return found
