"""Lower views of dynamic sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import (
    Number,
    assert_that,
    at_least,
    create_value,
    equal,
    index_type,
    index_value,
    multiply,
)
from torch_refine.dialect.structured_ops import defining_op
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.torch.seen_ops import constant_of

_VIEWS = ("torch.aten.view", "torch.aten.reshape", "torch.aten._unsafe_view")
_INFERRED = -1

Sizes = tuple[int | None, ...]


@dataclass
class ViewsToTensor(Pass):
    """Lower views of dynamic sizes.

    The wheel's conversion guesses which dimensions correspond: it takes a view of [?,?,30] as
    [?,30] for one whose second size is 1, and reads wrong elements. Here, only dimensions that
    provably correspond are kept: sizes at the ends, or products of some. All others are collapsed
    into one dimension, which is then expanded into the requested sizes; both are free, as tensors
    are contiguous. That the number of elements does not change is asserted.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?,?,6],f32>, %arg1: !torch.int) -> \
!torch.vtensor<[?,2,3],f32> {
      %int2 = torch.constant.int 2
      %int3 = torch.constant.int 3
      %0 = torch.prim.ListConstruct %arg1, %int2, %int3 : (!torch.int, !torch.int, !torch.int) \
-> !torch.list<int>
      %1 = torch.aten.view %arg0, %0 : !torch.vtensor<[?,?,6],f32>, !torch.list<int> -> \
!torch.vtensor<[?,2,3],f32>
      return %1 : !torch.vtensor<[?,2,3],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?,?,6],f32>, %arg1: !torch.int) -> \
!torch.vtensor<[?,2,3],f32> {
      %int2 = torch.constant.int 2
      %int3 = torch.constant.int 3
      %0 = torch.prim.ListConstruct %arg1, %int2, %int3 : (!torch.int, !torch.int, !torch.int) \
-> !torch.list<int>
      %1 = torch_c.to_builtin_tensor %arg0 : !torch.vtensor<[?,?,6],f32> -> tensor<?x?x6xf32>
      %c0 = arith.constant 0 : index
      %dim = tensor.dim %1, %c0 : tensor<?x?x6xf32>
      %c1 = arith.constant 1 : index
      %dim_0 = tensor.dim %1, %c1 : tensor<?x?x6xf32>
      %2 = torch_c.to_i64 %arg1
      %3 = arith.index_cast %2 : i64 to index
      %c0_1 = arith.constant 0 : index
      %4 = arith.cmpi sge, %3, %c0_1 : index
      cf.assert %4, "a size of a view is negative"
      %5 = arith.muli %dim, %dim_0 : index
      %c6 = arith.constant 6 : index
      %6 = arith.muli %5, %c6 : index
      %c2 = arith.constant 2 : index
      %7 = arith.muli %3, %c2 : index
      %c3 = arith.constant 3 : index
      %8 = arith.muli %7, %c3 : index
      %9 = arith.cmpi eq, %6, %8 : index
      cf.assert %9, "a view has another number of elements"
      %collapsed = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<?x?x6xf32> into tensor<?x6xf32>
      %expanded = tensor.expand_shape %collapsed [[0], [1, 2]] output_shape [%3, 2, 3] : \
tensor<?x6xf32> into tensor<?x2x3xf32>
      %10 = torch_c.from_builtin_tensor %expanded : tensor<?x2x3xf32> -> \
!torch.vtensor<[?,2,3],f32>
      return %10 : !torch.vtensor<[?,2,3],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-views-to-tensor"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        types = Types(op.context)
        for each in [each for each in walk(op) if each.name in _VIEWS]:
            view = _View.of(each, types)
            if view is not None:
                with each.location:
                    view.write()
                state.count(self.name, "views")


@dataclass
class _View:
    """A view with the sizes before and after it."""

    op: ir.Operation
    before: Sizes
    after: Sizes
    asked: list[ir.Value]
    result: TensorType
    element: str

    @classmethod
    def of(cls, op: ir.Operation, types: Types) -> _View | None:
        """A view with dynamic sizes, or an empty one; None for others."""
        before, after = types.tensor(op.operands[0].type), types.tensor(op.results[0].type)
        producer = defining_op(op.operands[1])
        if before is None or after is None or producer is None:
            return None
        if producer.name != "torch.prim.ListConstruct":
            return None
        # Quantized types have no builtin type.
        if before.element is None or before.element.startswith("!"):
            return None
        if not before.sizes or not after.sizes or len(after.sizes) != len(producer.operands):
            return None
        # The wheel divides by sizes, so it cannot handle a size of 0 either.
        if not {None, 0} & {*before.sizes, *after.sizes}:
            return None
        asked = list(producer.operands)
        known = tuple(_known(size, value) for size, value in zip(after.sizes, asked, strict=True))
        return cls(op, before.sizes, known, asked, after, _builtin(before))

    def write(self) -> None:
        """Replace the view by ops on builtin tensors."""
        op = self.op
        with ir.InsertionPoint(op):
            value = create_value(
                "torch_c.to_builtin_tensor", self._type(self.before), [op.operands[0]]
            )
            given = [_size(value, dim, size) for dim, size in enumerate(self.before)]
            sizes = self._sizes(given)
            same = equal(_product(given), _product(sizes))
            assert_that(same, "a view has another number of elements")
            if 0 in (*self.before, *self.after):
                self._replace(self._empty_result(sizes))
                return
            groups = _groups(self.before, self.after)
            merged = tuple(_static_product(self.before, group) for group, _ in groups)
            if len(merged) < len(self.before):
                value = create_value(
                    "tensor.collapse_shape",
                    self._type(merged),
                    [value],
                    {"reassociation": _reassociation([group for group, _ in groups])},
                )
            # An expanded dimension has the product of the sizes of its parts, if static.
            cut = tuple(_static_product(self.after, group) for _, group in groups)
            if cut != merged:
                value = create_value("tensor.cast", self._type(cut), [value])
            if len(self.after) > len(groups):
                value = self._expand(value, [group for _, group in groups], sizes)
            wanted = self._type(self.after)
            if value.type != wanted:
                value = create_value("tensor.cast", wanted, [value])
            self._replace(value)

    def _replace(self, value: ir.Value) -> None:
        result = create_value("torch_c.from_builtin_tensor", self._seen(), [value])
        if result.type != self.op.results[0].type:
            result = create_value(
                "torch.tensor_static_info_cast", self.op.results[0].type, [result]
            )
        self.op.results[0].replace_all_uses_with(result)
        self.op.erase()

    def _empty_result(self, sizes: list[Number]) -> ir.Value:
        """An empty tensor. Upstream divides by the sizes of those that it expands."""
        unknown = [
            index_value(size)
            for size, known in zip(sizes, self.after, strict=True)
            if known is None
        ]
        return create_value("tensor.empty", self._type(self.after), unknown)

    def _sizes(self, given: list[Number]) -> list[Number]:
        """The sizes after the view, including the inferred one."""
        sizes: list[Number | None] = []
        for size, value in zip(self.after, self.asked, strict=True):
            if size is not None:
                sizes.append(size)
            elif constant_of(value) == _INFERRED:
                sizes.append(None)
            else:
                number = create_value("torch_c.to_i64", ir.IntegerType.get_signless(64), [value])
                index = create_value("arith.index_cast", index_type(), [number])
                assert_that(at_least(index, 0), "a size of a view is negative")
                sizes.append(index)
        told = [size for size in sizes if size is not None]
        if len(told) == len(sizes):
            return told
        others = index_value(_product(told))
        # If another size is 0, there is nothing to infer from, and the assertion decides.
        divisor = create_value("arith.maxui", index_type(), [others, index_value(1)])
        rest = create_value("arith.divui", index_type(), [index_value(_product(given)), divisor])
        return [rest if size is None else size for size in sizes]

    def _expand(self, value: ir.Value, groups: list[list[int]], sizes: list[Number]) -> ir.Value:
        unknown = ir.ShapedType.get_dynamic_size()
        shape = [unknown if size is None else size for size in self.after]
        numbers = [
            index_value(size)
            for size, known in zip(sizes, self.after, strict=True)
            if known is None
        ]
        return create_value(
            "tensor.expand_shape",
            self._type(self.after),
            [value, *numbers],
            {
                "reassociation": _reassociation(groups),
                "static_output_shape": ir.DenseI64ArrayAttr.get(shape),
            },
        )

    def _type(self, sizes: Sizes) -> ir.Type:
        unknown = ir.ShapedType.get_dynamic_size()
        shape = [unknown if size is None else size for size in sizes]
        return ir.RankedTensorType.get(shape, ir.Type.parse(self.element))

    def _seen(self) -> ir.Type:
        """The result's type, refined by the constant sizes that the program requests."""
        return ir.Type.parse(str(replace(self.result, sizes=self.after)))


def _known(size: int | None, asked: ir.Value) -> int | None:
    """A size of the result, static by its type or by a constant request."""
    constant = constant_of(asked)
    if size is not None or not isinstance(constant, int) or constant < 0:
        return size
    return constant


def _builtin(type: TensorType) -> str:
    """A signless element type, as builtin tensors have it."""
    element = str(type.element)
    return element[1:] if element.startswith(("si", "ui")) else element


def _groups(before: Sizes, after: Sizes) -> list[tuple[list[int], list[int]]]:
    """Groups of corresponding dimensions before and after, in order."""
    left = _aligned(before, after)
    rest_before, rest_after = before[_end(left, 0) :], after[_end(left, 1) :]
    right = _aligned(rest_before[::-1], rest_after[::-1])
    first = (_end(left, 0), _end(left, 1))
    last = (len(before) - _end(right, 0), len(after) - _end(right, 1))
    middle = (list(range(first[0], last[0])), list(range(first[1], last[1])))
    mirrored = [
        (
            sorted(len(before) - 1 - dim for dim in one),
            sorted(len(after) - 1 - dim for dim in other),
        )
        for one, other in reversed(right)
    ]
    return _without_empty([*left, middle, *mirrored])


def _end(groups: list[tuple[list[int], list[int]]], side: int) -> int:
    return sum(len(group[side]) for group in groups)


def _aligned(before: Sizes, after: Sizes) -> list[tuple[list[int], list[int]]]:
    """Groups of static sizes with the same product, as far as they go."""
    found: list[tuple[list[int], list[int]]] = []
    one, other = 0, 0
    start = (0, 0)
    products = [1, 1]
    while True:
        side = 0 if products[0] <= products[1] else 1
        sizes, at = (before, one) if side == 0 else (after, other)
        if at == len(sizes) or not sizes[at]:
            return found
        products[side] *= sizes[at] or 1
        one, other = (one + 1, other) if side == 0 else (one, other + 1)
        if products[0] == products[1] and one > start[0] and other > start[1]:
            found.append((list(range(start[0], one)), list(range(start[1], other))))
            start, products = (one, other), [1, 1]


def _without_empty(
    groups: list[tuple[list[int], list[int]]],
) -> list[tuple[list[int], list[int]]]:
    """Merge sizes of 1 that are on one side only into their neighbours."""
    found: list[tuple[list[int], list[int]]] = []
    for one, other in groups:
        if found and (not one or not other or not found[-1][0] or not found[-1][1]):
            found[-1] = (found[-1][0] + one, found[-1][1] + other)
        elif one or other:
            found.append((one, other))
    return found


def _static_product(sizes: Sizes, group: list[int]) -> int | None:
    """The product of some sizes, if all are static."""
    known = [sizes[dim] for dim in group]
    return None if None in known else math.prod(size or 0 for size in known)


def _size(value: ir.Value, dim: int, known: int | None) -> Number:
    if known is not None:
        return known
    return create_value("tensor.dim", index_type(), [value, index_value(dim)])


def _product(sizes: Sequence[Number]) -> Number:
    total: Number = 1
    for size in sizes:
        total = multiply(total, size)
    return total


def _reassociation(groups: list[list[int]]) -> ir.Attribute:
    return ir.Attribute.parse("[" + ", ".join(str(group) for group in groups) + "]")
