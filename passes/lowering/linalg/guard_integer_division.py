"""Assert that integer divisors are not zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import (
    assert_that,
    compare,
    constant,
    constant_int_value,
    create_op,
    create_value,
)
from torch_refine.dialect.structured_ops import (
    GENERIC,
    defining_op,
    maps,
    operation_of,
)
from torch_refine.passes.base import Pass, RunState, option

MESSAGE = "ZeroDivisionError"

_SIGNED = ("arith.divsi", "arith.floordivsi", "arith.ceildivsi", "arith.remsi")
_UNSIGNED = ("arith.divui", "arith.ceildivui", "arith.remui")
_REMAINDER = "arith.remsi"
_PURE = ("arith.", "math.")


@dataclass
class GuardIntegerDivision(Pass):
    """Assert that integer divisors are not zero.

    Processors trap on integer division by zero, and on that of the least integer by -1, and LLVM
    defines neither. The divisors of a loop are checked by a reduction in front of it. The division
    itself then uses 1 for 0, so later passes may move it, and negates instead of dividing by -1, as
    PyTorch's integers wrap around. Divisors proven to be neither are not changed.

    On a GPU (`asserts=false`) only divisions outside of loops are asserted: PyTorch does not check
    those of its kernels.

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
            divisor = constant_int_value(each.operands[1])
            if divisor is not None and (divisor > 0 or divisor < -1):
                continue
            if _is_guarded(each):
                continue
            if divisor != -1:
                self._assert(each)
            _make_safe(each)
            state.count(self.name, "divisions guarded")

    def _assert(self, op: ir.Operation) -> None:
        """Assert that a divisor is not zero, in front of the enclosing loop if there is one."""
        parent = operation_of(op.parent)
        is_inside = parent.name != "func.func"
        if is_inside and not self.asserts:
            return
        if parent.name == GENERIC and _Loop(parent, op).check():
            return
        with ir.InsertionPoint(op), op.location:
            _assert_not_zero(op.operands[1])


def _is_guarded(op: ir.Operation) -> bool:
    """Whether the division is guarded already: the divisor is replaced by 1 if it is 0."""
    divisor = defining_op(op.operands[1])
    if (
        divisor is None
        or divisor.name != "arith.select"
        or constant_int_value(divisor.operands[1]) != 1
    ):
        return False
    condition = defining_op(divisor.operands[0])
    if condition is None or condition.name != "arith.cmpi":
        return False
    compared = defining_op(condition.operands[0])
    given = divisor.operands[2]
    return condition.operands[0] == given or (
        compared is not None and compared.name == "arith.addi" and compared.operands[0] == given
    )


def _assert_not_zero(divisor: ir.Value, or_else: ir.Value | None = None) -> None:
    """Assert that an integer is not zero, or that the other condition holds."""
    holds = compare("ne", divisor, constant(divisor.type, 0))
    if or_else is not None:
        holds = create_value("arith.ori", holds.type, [holds, or_else])
    assert_that(holds, MESSAGE)


def _make_safe(op: ir.Operation) -> None:
    """Replace a divisor of 0 or -1 by 1."""
    dividend, divisor = op.operands
    type = divisor.type
    with ir.InsertionPoint(op), op.location:
        one = constant(type, 1)
        if op.name in _UNSIGNED:
            wrong = compare("eq", divisor, constant(type, 0))
        else:
            wrong = compare("ule", create_value("arith.addi", type, [divisor, one]), one)
        op.operands[1] = create_value("arith.select", type, [wrong, one, divisor])
    if op.name in _UNSIGNED or op.name == _REMAINDER:
        return
    users = [(operation_of(use.owner), use.operand_number) for use in op.results[0].uses]
    with ir.InsertionPoint.after(op), op.location:
        negates = compare("eq", divisor, constant(type, -1))
        negative = create_value("arith.subi", type, [constant(type, 0), dividend])
        quotient = create_value("arith.select", type, [negates, negative, op.results[0]])
    for user, place in users:
        user.operands[place] = quotient


class _Loop:
    """A generic that divides, and the backward slice of the divisor in its body."""

    def __init__(self, generic: ir.Operation, division: ir.Operation) -> None:
        self.generic = generic
        self.division = division
        self.body = generic.regions[0].blocks[0]
        inputs = len(generic.operands) - len(generic.results)
        self.taken: list[int] = []
        """The numbers of the operands that the divisor depends on."""
        self.ops: set[ir.Operation] = set()
        self.is_simple = True
        pending = [division.operands[1]]
        while pending:
            value = pending.pop()
            producer = defining_op(value)
            if producer is None:
                argument = ir.BlockArgument(value)
                if argument.owner != self.body:
                    continue
                if argument.arg_number >= inputs:
                    # A loop-carried value.
                    self.is_simple = False
                elif argument.arg_number not in self.taken:
                    self.taken.append(argument.arg_number)
            elif producer.block == self.body and producer not in self.ops:
                if not producer.name.startswith(_PURE) or len(producer.regions):
                    self.is_simple = False
                self.ops.add(producer)
                pending.extend(producer.operands)
        self.taken.sort()

    def check(self) -> bool:
        """Check the divisors in front of the loop; whether that is possible."""
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
        """Whether dimensions other than these make the iteration space empty."""
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
            size = create_value("tensor.dim", index, [operand, constant(index, axis)])
            empty = compare("eq", size, constant(index, 0))
            found = (
                empty if found is False else create_value("arith.ori", empty.type, [found, empty])
            )
        return found

    def _copy_ops(self, values: dict[ir.Value, ir.Value]) -> ir.Value:
        """Clone the computation of the divisor for other values at the insertion point."""
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
        """The least divisor, as an unsigned integer, or 1 if it is greater."""
        element = self.division.operands[1].type
        if isinstance(element, ir.IndexType):
            element = ir.IntegerType.get_signless(64)
        type = ir.RankedTensorType.get([], element)
        one = constant(element, 1)
        start = _filled(one, create_value("tensor.empty", type, []))
        inputs = [self.generic.operands[place] for place in self.taken]
        accessed = [
            ir.AffineMap.get(
                len(dims), 0, [ir.AffineExpr.get_dim(dims.index(dim)) for dim in _plain_dims(map)]
            )
            for map in self._maps()
        ]
        accessed.append(ir.AffineMap.get(len(dims), 0, []))
        reduction = ir.Attribute.parse("#linalg.iterator_type<reduction>")
        generic = create_op(
            GENERIC,
            [*inputs, start],
            {
                "indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(map) for map in accessed]),
                "iterator_types": ir.ArrayAttr.get([reduction] * len(dims)),
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(inputs), 1]),
            },
            results=[type],
            regions=1,
        )
        types = [*(self.body.arguments[place].type for place in self.taken), element]
        places = [ir.Location.current] * len(types)
        block = ir.Block.create_at_start(generic.regions[0], types, places)
        with ir.InsertionPoint(block):
            given = [self.body.arguments[place] for place in self.taken]
            values = dict(zip(given, list(block.arguments)[:-1], strict=True))
            divisor = self._copy_ops(values)
            if divisor.type != element:
                divisor = create_value("arith.index_cast", element, [divisor])
            least = create_value("arith.minui", element, [divisor, block.arguments[len(inputs)]])
            create_op("linalg.yield", [least])
        return create_value("tensor.extract", element, [generic.results[0]])


def _filled(value: ir.Value, tensor: ir.Value) -> ir.Value:
    fill = create_op(
        "linalg.fill",
        [value, tensor],
        {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1])},
        results=[tensor.type],
        regions=1,
    )
    places = [ir.Location.current] * 2
    block = ir.Block.create_at_start(fill.regions[0], [value.type] * 2, places)
    with ir.InsertionPoint(block):
        create_op("linalg.yield", [block.arguments[0]])
    return fill.results[0]


def _has_plain_dims(map: ir.AffineMap) -> bool:
    return all(isinstance(each, ir.AffineDimExpr) for each in map.results)


def _plain_dims(map: ir.AffineMap) -> list[int]:
    return [each.position for each in map.results if isinstance(each, ir.AffineDimExpr)]


def _sizes(generic: ir.Operation) -> dict[int, tuple[ir.Value, int]]:
    """For each dimension of a loop, an operand and its dimension that give the trip count."""
    found: dict[int, tuple[ir.Value, int]] = {}
    for operand, map in zip(generic.operands, maps(generic), strict=True):
        for axis, each in enumerate(map.results):
            if isinstance(each, ir.AffineDimExpr):
                found.setdefault(each.position, (operand, axis))
    return found
