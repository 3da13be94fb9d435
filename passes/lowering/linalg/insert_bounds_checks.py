"""Assert that data-dependent indices are in bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    assert_that,
    at_least,
    at_least_zero,
    both,
    create_op,
    create_value,
    either,
    equal,
    index_type,
    index_value,
    is_index,
    less_than,
    multiply,
    subtract,
)
from torch_refine.dialect.structured_ops import GENERIC, defining_op
from torch_refine.passes.base import Pass, RunState, option
from torch_refine.passes.lowering.kernels.slices import Slice
from torch_refine.passes.lowering.linalg.index_ranges import Range, Ranges, without_casts
from torch_refine.passes.lowering.linalg.index_sizes import (
    Size,
    integer_of,
    size_of,
    size_of_number,
)

CHECKED = "torch_refine.checked"
"""On a scatter: its indices are asserted to be in range."""

_ASSERT = "cf.assert"
_VIEWS = ("tensor.cast", "tensor.expand_shape", "tensor.collapse_shape", "tensor.extract_slice")
_SCATTER = "tm_tensor.scatter"
_CONSTANTS = ("arith.constant", "linalg.fill", "torch.vtensor.literal")
# Accesses of one element, with the operand number of the tensor; indices follow.
_ELEMENTS = {"tensor.extract": 0, "tensor.insert": 1}
# Accesses of a slice, with the operand number of the tensor.
_SLICES = {"tensor.extract_slice": 0, "tensor.insert_slice": 1}
# The wheel's assertions on some indices, in two halves.
_HALVES = ("index must be smaller than dim size", "index must be larger or equal to 0")


@dataclass
class InsertBoundsChecks(Pass):
    """Assert that data-dependent indices are in bounds.

    Every index of `tensor.extract` and `tensor.insert`, every offset and size of
    `tensor.extract_slice` and `tensor.insert_slice`, and every index of `tm_tensor.scatter` is
    proven in bounds by an interval analysis (`index_ranges.py`), or asserted in front of the
    access: in the same block, so that it moves with the access. The indices of a scatter, which has
    no block for it, pass through a `linalg.generic` that asserts.

    Assertions that are proven to hold are removed.

    Before:

    ```mlir
    func.func @f(%arg0: tensor<5x7xf32>, %arg1: index, %arg2: index) -> f32 {
      %0 = tensor.extract %arg0[%arg1, %arg2] : tensor<5x7xf32>
      return %0 : f32
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: tensor<5x7xf32>, %arg1: index, %arg2: index) -> f32 {
      %c5 = arith.constant 5 : index
      %0 = arith.cmpi ult, %arg1, %c5 : index
      cf.assert %0, "index is out of bounds for dimension 0 with size 5"
      %c7 = arith.constant 7 : index
      %1 = arith.cmpi ult, %arg2, %c7 : index
      cf.assert %1, "index is out of bounds for dimension 1 with size 7"
      %extracted = tensor.extract %arg0[%arg1, %arg2] : tensor<5x7xf32>
      return %extracted : f32
    }
    ```
    """

    name: ClassVar[str] = "insert-bounds-checks"

    constants_only: bool = option(
        False, "check accesses to constants, which upstream folds, and leave others for later"
    )

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Insert the assertions in a module, or in one function."""
        inserter = _Inserter(Ranges(), self.constants_only)
        inserter.visit(op)
        state.count(self.name, "assertions inserted", inserter.inserted)
        state.count(self.name, "accesses proven", inserter.proven)


@dataclass
class _Inserter:
    """Visits the ops of a program in order, with the ranges that the assertions so far imply."""

    ranges: Ranges
    constants_only: bool
    inserted: int = 0
    proven: int = 0

    def visit(self, op: ir.Operation) -> None:
        """Visit the regions of an op; assumptions inside do not hold after it."""
        facts = dict(self.ranges.facts)
        for region in op.regions:
            for block in region:
                self.ranges.restore(dict(facts))
                for each in list(operations(block)):
                    self._visit_op(each)
        self.ranges.restore(facts)

    def _visit_op(self, op: ir.Operation) -> None:
        if op.name == _ASSERT:
            if _is_half_of_ours(op) or self.ranges.holds(op.operands[0]):
                op.erase()
            else:
                self.ranges.assume(op.operands[0])
            return
        if self.constants_only:
            self._visit_constant(op)
        elif op.name in _ELEMENTS:
            self._check_element(op)
        elif op.name in _SLICES:
            self._check_slice(op, op.operands[_SLICES[op.name]])
        elif op.name == _SCATTER and len(op.results):
            # Accesses to memrefs were checked when they were tensors.
            self._check_scatter(op)
        if len(op.regions):
            self.visit(op)

    def _visit_constant(self, op: ir.Operation) -> None:
        if op.name in _ELEMENTS and _is_constant(op.operands[_ELEMENTS[op.name]]):
            self._check_element(op)

    def _check_element(self, op: ir.Operation) -> None:
        tensor, *indices = list(op.operands)[_ELEMENTS[op.name] :]
        for dim, index in enumerate(indices):
            self._check_index(op, tensor, dim, index)

    def _check_index(self, op: ir.Operation, tensor: ir.Value, dim: int, index: ir.Value) -> None:
        size = size_of(tensor, dim)
        if self.ranges.of(index).is_within(size):
            self.proven += 1
            return
        with ir.InsertionPoint(op), op.location:
            self._assert(is_index(index, _size(tensor, dim)), _message(dim, size))

    def _assert(self, condition: ir.Value, message: str) -> None:
        assert_that(condition, message)
        self.ranges.assume(condition)
        self.inserted += 1

    def _check_slice(self, op: ir.Operation, tensor: ir.Value) -> None:
        slice = Slice.of(op)
        numbers = zip(slice.offsets, slice.sizes, slice.strides, strict=True)
        for dim, (offset, size, stride) in enumerate(numbers):
            if self._is_inside(tensor, dim, offset, size, stride):
                self.proven += 1
                continue
            with ir.InsertionPoint(op), op.location:
                inside = _is_slice_inside(_size(tensor, dim), offset, size, stride)
                self._assert(inside, _message(dim, size_of(tensor, dim), "slice"))

    def _is_inside(
        self, tensor: ir.Value, dim: int, offset: Number, size: Number, stride: Number
    ) -> bool:
        """Whether a slice is proven in bounds of a dimension."""
        whole = size_of(tensor, dim)
        first, count = self._range(offset), self._range(size)
        if first.low < 0 or count.low < 0:
            return False
        if not isinstance(stride, int) or stride < 1:
            return False
        if size == 1 or size == 0:
            return first.is_within(whole) or (size == 0 and first.high == 0)
        if not whole.unknown and first.high + (count.high - 1) * stride < whole.known:
            return True
        if stride != 1:
            return False
        if offset == 0 and _size_of_number(size) == whole:
            return True
        return self._is_clamped(offset, size, whole)

    def _is_clamped(self, offset: Number, size: Number, whole: Size) -> bool:
        """Whether a slice is clamped to the end of its dimension, as slices in Python are.

        Its size is an end that is no larger than the dimension, less the offset, or zero.
        """
        if isinstance(size, int) or not self._is_at_most(offset, whole):
            return False
        source = defining_op(without_casts(size))
        if source is None or source.name != "arith.maxsi":
            return False
        length = defining_op(without_casts(source.operands[0]))
        if integer_of(source.operands[1]) != 0 or length is None or length.name != "arith.subi":
            return False
        end, start = length.operands
        same = (
            integer_of(start) == offset
            if isinstance(offset, int)
            else without_casts(start) == without_casts(offset)
        )
        return same and self._is_at_most(end, whole)

    def _is_at_most(self, number: Number, whole: Size) -> bool:
        found = self._range(number)
        if found.is_within(whole) or (not whole.unknown and found.high <= whole.known):
            return True
        if isinstance(number, int):
            return number == 0
        source = defining_op(without_casts(number))
        if source is None or source.name != "arith.minsi":
            return False
        return any(size_of_number(each) == whole for each in source.operands)

    def _range(self, number: Number) -> Range:
        return Range(number, number) if isinstance(number, int) else self.ranges.of(number)

    def _check_scatter(self, op: ir.Operation) -> None:
        if CHECKED in op.attributes:
            return
        updates, indices, original = op.operands[0], op.operands[1], op.operands[2]
        scattered = list(ir.DenseI64ArrayAttr(op.attributes["dimension_map"]))
        with ir.InsertionPoint(op), op.location:
            self._assert_rows(updates, indices)
            windows = self._windows(updates, original, scattered)
            passed = [
                self.ranges.of_elements(indices).is_within(size_of(original, dim))
                and windows[dim] == 1
                for dim in scattered
            ]
            if all(passed):
                self.proven += 1
                return
            op.operands[1] = _checked_indices(indices, original, scattered, windows)
        op.attributes[CHECKED] = ir.UnitAttr.get(op.context)
        self.inserted += 1

    def _assert_rows(self, updates: ir.Value, indices: ir.Value) -> None:
        """Assert that there are as many rows of indices as updates."""
        if size_of(updates, 0) != size_of(indices, 0):
            self._assert(
                equal(_size(updates, 0), _size(indices, 0)),
                "the indices and the scattered updates have different sizes",
            )

    def _windows(
        self, updates: ir.Value, original: ir.Value, scattered: Sequence[int]
    ) -> dict[int, Number]:
        """The size of an update along each scattered dimension; unproven ones are asserted."""
        rank = ir.RankedTensorType(original.type).rank
        first = ir.RankedTensorType(updates.type).rank - rank
        windows: dict[int, Number] = {}
        for dim in range(rank):
            # An update has the trailing dimensions; the leading ones have one element.
            place = first + dim
            window = _size(updates, place) if place >= 1 else 1
            if dim in scattered:
                windows[dim] = window
            elif size_of(updates, place) != size_of(original, dim):
                fits = at_least(_size(original, dim), window)
                self._assert(fits, _message(dim, size_of(original, dim), "slice"))
        return windows


def _is_half_of_ours(op: ir.Operation) -> bool:
    """Whether an assertion of the wheel is half of a bounds check on a following access."""
    if ir.StringAttr(op.attributes["msg"]).value not in _HALVES:
        return False
    condition = defining_op(op.operands[0])
    if condition is None or condition.name != "arith.cmpi":
        return False
    value = without_casts(condition.operands[0])
    bound = size_of_number(condition.operands[1])
    for access in operations(op.block):
        if access.name != "tensor.extract" or not op.is_before_in_block(access):
            continue
        tensor, *indices = access.operands
        for dim, index in enumerate(indices):
            if without_casts(index) == value and bound in (Size(0), size_of(tensor, dim)):
                return True
    return False


def _is_constant(tensor: ir.Value) -> bool:
    """Whether a tensor is a constant, or a fill with one."""
    source = defining_op(tensor)
    while source is not None and (source.name.startswith("torch_c.") or source.name in _VIEWS):
        source = defining_op(source.operands[0])
    return source is not None and source.name in _CONSTANTS


def _message(dim: int, size: Size, what: str = "index") -> str:
    told = "" if size.unknown else f" with size {size.known}"
    return f"{what} is out of bounds for dimension {dim}{told}"


def _size(tensor: ir.Value, dim: int) -> Number:
    type = ir.RankedTensorType(tensor.type)
    if not type.is_dynamic_dim(dim):
        return int(type.get_dim_size(dim))
    return create_value("tensor.dim", index_type(), [tensor, index_value(dim)])


def _size_of_number(number: Number) -> Size:
    return Size(number) if isinstance(number, int) else size_of_number(number)


def _is_slice_inside(whole: Number, offset: Number, size: Number, stride: Number) -> ir.Value:
    """Whether a slice lies inside a dimension."""
    starts = at_least(offset, 0)
    if isinstance(size, int):
        span = multiply(size - 1, stride) if size else -1
        return both(starts, less_than(offset, subtract(whole, span)))
    counts = both(starts, at_least(size, 0))
    if stride == 1:
        return both(counts, at_least(subtract(whole, size), offset))
    last = add(offset, multiply(subtract(size, 1), stride))
    return both(counts, either(equal(size, 0), less_than(last, whole)))


def _checked_indices(
    indices: ir.Value, original: ir.Value, scattered: Sequence[int], windows: dict[int, Number]
) -> ir.Value:
    """The indices of a scatter, [updates, dimensions], after bounds checks."""
    type = ir.RankedTensorType(indices.type)
    ends = [
        add(at_least_zero(subtract(_size(original, dim), windows[dim])), 1)
        if windows[dim] != 1
        else _size(original, dim)
        for dim in scattered
    ]
    ends = [index_value(end) for end in ends]
    unknown = [_size(indices, dim) for dim in range(type.rank) if type.is_dynamic_dim(dim)]
    memory = create_value("tensor.empty", type, list(map(index_value, unknown)))
    identity = ir.AffineMapAttr.get(ir.AffineMap.get_identity(type.rank))
    parallel = ir.Attribute.parse("#linalg.iterator_type<parallel>")
    loop = create_op(
        GENERIC,
        [indices, memory],
        {
            "indexing_maps": ir.ArrayAttr.get([identity] * 2),
            "iterator_types": ir.ArrayAttr.get([parallel] * type.rank),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1]),
        },
        results=[type],
        regions=1,
    )
    places = [ir.Location.current] * 2
    body = ir.Block.create_at_start(loop.regions[0], [type.element_type] * 2, places)
    with ir.InsertionPoint(body):
        index = create_value("arith.index_cast", index_type(), [body.arguments[0]])
        assert_that(is_index(index, _end_of_column(ends)), _scatter_message(original, scattered))
        create_op("linalg.yield", [body.arguments[0]])
    return loop.result


def _end_of_column(ends: Sequence[ir.Value]) -> ir.Value:
    """The upper bound of an index in a loop over [updates, dimensions]."""
    found = ends[-1]
    if len(ends) == 1:
        return found
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 1)
    column = create_value("linalg.index", index_type(), [], {"dim": number})
    for place, end in reversed(list(enumerate(ends[:-1]))):
        found = create_value("arith.select", index_type(), [equal(column, place), end, found])
    return found


def _scatter_message(original: ir.Value, scattered: Sequence[int]) -> str:
    if len(scattered) == 1:
        return _message(scattered[0], size_of(original, scattered[0]))
    return f"index is out of bounds for one of the dimensions {', '.join(map(str, scattered))}"
