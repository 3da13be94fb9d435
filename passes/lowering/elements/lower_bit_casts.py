"""Lower views of tensors with another dtype."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.element_types import FLOAT8, bits_of_element
from torch_refine.dialect.ir_builder import (
    Number,
    assert_that,
    create_value,
    divide,
    equal,
    index_type,
    index_value,
    multiply,
    remainder,
)
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.elements.converting import builtin, builtin_tensor
from torch_refine.passes.lowering.elements.loops import elementwise
from torch_refine.passes.lowering.kernels.slices import Slice

_VIEWS = ("torch.aten.view.dtype", "torch.aten.view_copy.dtype", "torch.prims.view_of_dtype")
_FLOATS = ("f16", "bf16", "f32", "f64", *FLOAT8)
_INTEGERS = ("si8", "ui8", "si16", "ui16", "si32", "ui32", "si64", "ui64")


@dataclass
class LowerBitCasts(Pass):
    """Lower views of tensors with another dtype.

    The bits of elements are read as integers. If the new elements are wider, each is made of some
    neighbours of the last dimension, the first of which has its lowest bits; if they are narrower,
    each old one becomes some neighbours.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],si32> {
      %int3 = torch.constant.int 3
      %0 = torch.aten.view.dtype %arg0, %int3 : !torch.vtensor<[?],f32>, !torch.int -> \
!torch.vtensor<[?],si32>
      return %0 : !torch.vtensor<[?],si32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],si32> {
      %int3 = torch.constant.int 3
      %0 = torch_c.to_builtin_tensor %arg0 : !torch.vtensor<[?],f32> -> tensor<?xf32>
      %c0 = arith.constant 0 : index
      %dim = tensor.dim %0, %c0 : tensor<?xf32>
      %1 = tensor.empty(%dim) : tensor<?xi32>
      %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} \
ins(%0 : tensor<?xf32>) outs(%1 : tensor<?xi32>) {
      ^bb0(%in: f32, %out: i32):
        %4 = arith.bitcast %in : f32 to i32
        linalg.yield %4 : i32
      } -> tensor<?xi32>
      %3 = torch_c.from_builtin_tensor %2 : tensor<?xi32> -> !torch.vtensor<[?],si32>
      return %3 : !torch.vtensor<[?],si32>
    }
    ```
    """

    name: ClassVar[str] = "torch-lower-bit-casts"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        types = Types(op.context)
        failed = False
        for each in [each for each in walk(op) if name_of(each) in _VIEWS]:
            source = types.tensor(each.operands[0].type)
            target = types.tensor(each.results[0].type)
            reason = _why_not(source, target)
            if reason is None:
                assert source is not None and target is not None, "views are of tensors"
                with each.location, ir.InsertionPoint(each):
                    _lower(each, source, target)
                state.count(self.name, "views")
            else:
                message = f"{name_of(each)} is not lowered: {reason}"
                state.diagnostics.error(each.location, message)
                failed = True
        if failed:
            raise PassFailure(self.name)


def _why_not(source: TensorType | None, target: TensorType | None) -> str | None:
    """Why a view cannot be lowered; None if it can."""
    for each in (source, target):
        if each is None or each.sizes is None or each.element is None:
            return "a type is unknown"
        if each.element not in ("i1", *_FLOATS, *_INTEGERS):
            return f"for elements of type {each.element}"
    assert source is not None and target is not None, "views are of tensors"
    if target.element == "i1" and source.element != "i1":
        return "as a bool may be other than 0 or 1"
    if source.sizes is None or target.sizes is None or len(source.sizes) != len(target.sizes):
        return "for results of another rank"
    if not source.sizes and _bits(source) != _bits(target):
        return "for a tensor of rank 0 and elements of another size"
    return None


def _bits(type: TensorType) -> int:
    return bits_of_element(str(type.element))


def _lower(op: ir.Operation, source: TensorType, target: TensorType) -> None:
    """Replace a view by its elements."""
    assert source.sizes is not None and target.sizes is not None, "ranks must be known"
    value = create_value("torch_c.to_builtin_tensor", builtin_tensor(source), [op.operands[0]])
    sizes: list[Number] = [
        create_value("tensor.dim", index_type(), [value, index_value(dim)])
        if size is None
        else size
        for dim, size in enumerate(source.sizes)
    ]
    before, after = _bits(source), _bits(target)
    if before == after:
        found = _of_equal_size(value, source, target, sizes)
    elif before < after:
        found = _joined(value, source, target, sizes)
    else:
        found = _split(value, source, target, sizes)
    wanted = builtin_tensor(target)
    if found.type != wanted:
        found = create_value("tensor.cast", wanted, [found])
    result = create_value("torch_c.from_builtin_tensor", op.results[0].type, [found])
    op.results[0].replace_all_uses_with(result)
    op.erase()


def _of_equal_size(
    value: ir.Value, source: TensorType, target: TensorType, sizes: Sequence[Number]
) -> ir.Value:
    """A view in which each element has the bits of one."""
    if builtin(str(source.element)) == builtin(str(target.element)):
        return value
    rank = len(sizes)
    return elementwise(
        [(value, ir.AffineMap.get_identity(rank))],
        _memory(sizes, builtin(str(target.element))),
        lambda given: _of_bits(_bits_of(given[0], source), target),
    )


def _joined(
    value: ir.Value, source: TensorType, target: TensorType, sizes: Sequence[Number]
) -> ir.Value:
    """A view of wider elements, each made of neighbours."""
    width = _bits(source)
    ratio = _bits(target) // width
    *outer, last = sizes
    if not isinstance(last, int):
        message = "the last dimension of a view must be divisible by the ratio of element sizes"
        assert_that(equal(remainder(last, ratio), 0), message)
    shorter = [*outer, divide(last, ratio)]
    rank = len(sizes)
    parts = [
        Slice([*[0] * (rank - 1), each], shorter, [*[1] * (rank - 1), ratio]).extract(value)
        for each in range(ratio)
    ]
    wide = ir.IntegerType.get_signless(_bits(target))

    def element(given: Sequence[ir.Value]) -> ir.Value:
        whole = None
        for number, each in enumerate(given):
            bits = create_value("arith.extui", wide, [_bits_of(each, source)])
            if whole is not None:
                amount = ir.IntegerAttr.get(wide, number * width)
                distance = create_value("arith.constant", wide, [], {"value": amount})
                bits = create_value("arith.shli", wide, [bits, distance])
                bits = create_value("arith.ori", wide, [whole, bits])
            whole = bits
        assert whole is not None, "an element has parts"
        return _of_bits(whole, target)

    identity = ir.AffineMap.get_identity(rank)
    memory = _memory(shorter, builtin(str(target.element)))
    return elementwise([(part, identity) for part in parts], memory, element)


def _split(
    value: ir.Value, source: TensorType, target: TensorType, sizes: Sequence[Number]
) -> ir.Value:
    """A view of narrower elements, neighbours of which make an old one."""
    width = _bits(target)
    ratio = _bits(source) // width
    rank = len(sizes)
    memory = _memory([*sizes, ratio], builtin(str(target.element)))
    narrow = ir.IntegerType.get_signless(width)

    def element(given: Sequence[ir.Value]) -> ir.Value:
        bits = _bits_of(given[0], source)
        place = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), rank)
        index = create_value("linalg.index", index_type(), [], {"dim": place})
        distance = index_value(multiply(index, width))
        amount = create_value("arith.index_cast", bits.type, [distance])
        moved = create_value("arith.shrui", bits.type, [bits, amount])
        return _of_bits(create_value("arith.trunci", narrow, [moved]), target)

    outer = ir.AffineMap.get(rank + 1, 0, [ir.AffineExpr.get_dim(dim) for dim in range(rank)])
    found = elementwise([(value, outer)], memory, element)
    *first, last = sizes
    whole = multiply(last, ratio)
    unknown = ir.ShapedType.get_dynamic_size()
    shape = [each if isinstance(each, int) else unknown for each in (*first, whole)]
    groups = [[dim] for dim in range(rank - 1)] + [[rank - 1, rank]]
    integer = ir.IntegerType.get_signless(64)
    return create_value(
        "tensor.collapse_shape",
        ir.RankedTensorType.get(shape, ir.RankedTensorType(found.type).element_type),
        [found],
        {
            "reassociation": ir.ArrayAttr.get(
                [
                    ir.ArrayAttr.get([ir.IntegerAttr.get(integer, dim) for dim in group])
                    for group in groups
                ]
            )
        },
    )


def _memory(sizes: Sequence[Number], element: ir.Type) -> ir.Value:
    unknown = ir.ShapedType.get_dynamic_size()
    shape = [size if isinstance(size, int) else unknown for size in sizes]
    dynamic = [size for size in sizes if not isinstance(size, int)]
    return create_value("tensor.empty", ir.RankedTensorType.get(shape, element), dynamic)


def _bits_of(value: ir.Value, type: TensorType) -> ir.Value:
    """The bits of an element, as a signless integer."""
    element = str(type.element)
    integer = ir.IntegerType.get_signless(_bits(type))
    if element == "i1":
        return create_value("arith.extui", integer, [value])
    return create_value("arith.bitcast", integer, [value]) if element in _FLOATS else value


def _of_bits(bits: ir.Value, type: TensorType) -> ir.Value:
    """The element with the given bits."""
    element = str(type.element)
    if element in _FLOATS:
        return create_value("arith.bitcast", builtin(element), [bits])
    return bits
