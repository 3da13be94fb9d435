"""Lower operators whose result sizes depend on the values of a tensor."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import (
    Number,
    assert_that,
    at_least_one,
    create_value,
    equal,
    index_type,
    index_value,
    multiply,
)
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.templates import Templates
from torch_refine.passes.lowering.torch.data_dependent.gathering import gather, gathers
from torch_refine.passes.lowering.torch.seen_ops import constant_of

_FUNCTIONS = Path(__file__).with_name("data_dependent_sizes.mlir")
_NONZERO = "torch.aten.nonzero"
_REPETITIONS = "torch.aten.repeat_interleave.Tensor"


@dataclass
class LowerDataDependentSizes(Pass):
    """Lower operators whose result sizes depend on the values of a tensor.

    `nonzero` of bools counts true elements, allocates the result, and writes positions in a loop
    whose stores are always in bounds; multi-dimensional indices are computed from the positions.
    `repeat_interleave` does the same with a count per position. Other operators with such sizes are
    decomposed into these two by `torch-decompose-data-dependent-sizes`. Indexing by several tensors
    of dynamic sizes, for which the wheel has no conversion, is a loop over its result. The wheel's
    conversions of masks do not terminate, so remaining ones are an error.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[4],i1>) -> !torch.vtensor<[?,1],si64> {
      %0 = torch.aten.nonzero %arg0 : !torch.vtensor<[4],i1> -> !torch.vtensor<[?,1],si64>
      return %0 : !torch.vtensor<[?,1],si64>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    #map1 = affine_map<(d0) -> ()>
    func.func @f(%arg0: !torch.vtensor<[4],i1>) -> !torch.vtensor<[?,1],si64> {
      %0 = torch_c.to_builtin_tensor %arg0 : !torch.vtensor<[4],i1> -> tensor<4xi1>
      %cast = tensor.cast %0 : tensor<4xi1> to tensor<?xi1>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c0_i64 = arith.constant 0 : i64
      %dim = tensor.dim %cast, %c0 : tensor<?xi1>
      %1 = tensor.empty() : tensor<i64>
      %2 = linalg.fill ins(%c0_i64 : i64) outs(%1 : tensor<i64>) -> tensor<i64>
      %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} \
ins(%cast : tensor<?xi1>) outs(%2 : tensor<i64>) {
      ^bb0(%in: i1, %out: i64):
        %11 = arith.extui %in : i1 to i64
        %12 = arith.addi %out, %11 : i64
        linalg.yield %12 : i64
      } -> tensor<i64>
      %extracted = tensor.extract %3[] : tensor<i64>
      %4 = arith.index_cast %extracted : i64 to index
      %5 = tensor.empty(%4) : tensor<?xi64>
      %6 = arith.subi %4, %c1 : index
      %7 = arith.cmpi eq, %4, %c0 : index
      %8 = arith.select %7, %c0, %dim : index
      %9:3 = scf.for %arg1 = %c0 to %8 step %c1 iter_args(%arg2 = %c0, %arg3 = %c0, %arg4 = %5) \
-> (index, index, tensor<?xi64>) {
        %extracted_2 = tensor.extract %cast[%arg1] : tensor<?xi1>
        %11 = arith.select %extracted_2, %arg1, %arg3 : index
        %12 = arith.minui %arg2, %6 : index
        %13 = arith.index_cast %11 : index to i64
        %inserted = tensor.insert %13 into %arg4[%12] : tensor<?xi64>
        %14 = arith.addi %arg2, %c1 : index
        %15 = arith.select %extracted_2, %14, %arg2 : index
        scf.yield %15, %11, %inserted : index, index, tensor<?xi64>
      }
      %c0_0 = arith.constant 0 : index
      %dim_1 = tensor.dim %9#2, %c0_0 : tensor<?xi64>
      %expanded = tensor.expand_shape %9#2 [[0, 1]] output_shape [%dim_1, 1] : tensor<?xi64> into \
tensor<?x1xi64>
      %10 = torch_c.from_builtin_tensor %expanded : tensor<?x1xi64> -> !torch.vtensor<[?,1],si64>
      return %10 : !torch.vtensor<[?,1],si64>
    }
    ```
    """

    name: ClassVar[str] = "torch-lower-data-dependent-sizes"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        types = Types(op.context)
        found = [each for each in walk(op) if each.name in (_NONZERO, _REPETITIONS)]
        failed = False
        templates = Templates(_FUNCTIONS, op.context) if found else None
        for each in found:
            reason = _why_not(each, types)
            if reason is not None:
                message = f"{name_of(each)} is not lowered: {reason}"
                state.diagnostics.error(each.location, message)
                failed = True
                continue
            assert templates is not None, "a gather must have indices"
            with each.location, ir.InsertionPoint(each):
                _lower(each, types, templates)
            state.count(self.name, "operators")
        for each in [each for each in walk(op) if gathers(each, types)]:
            with each.location, ir.InsertionPoint(each):
                gather(each, types)
            state.count(self.name, "operators")
        for each in [each for each in walk(op) if _is_masked(each, types)]:
            message = f"{name_of(each)} is not lowered: for a mask among its indices"
            state.diagnostics.error(each.location, message)
            failed = True
        if failed:
            raise PassFailure(self.name)


def _why_not(op: ir.Operation, types: Types) -> str | None:
    """Why an op cannot be lowered; None if it can."""
    given, result = types.tensor(op.operands[0].type), types.tensor(op.results[0].type)
    if given is None or given.sizes is None or result is None or result.sizes is None:
        return "for a tensor of unknown rank"
    wanted = "i1" if op.name == _NONZERO else "si64"
    if given.element != wanted or not given.sizes:
        return f"for {given.element} in {len(given.sizes)} dimensions"
    return None


def _is_masked(op: ir.Operation, types: Types) -> bool:
    """Whether an op indexes with bools, or with bytes, which mean the same."""
    if not op.name.startswith(("torch.aten.index.", "torch.aten.index_put", "torch.aten._index_")):
        return False
    lists = [value.owner for value in op.operands if str(value.type).startswith("!torch.list")]
    indices = [
        types.tensor(each.type)
        for owner in lists
        if not isinstance(owner, ir.Block)
        for each in owner.operands
    ]
    return any(each is not None and each.element in ("i1", "ui8") for each in indices)


def _lower(op: ir.Operation, types: Types, templates: Templates) -> None:
    given, result = types.tensor(op.operands[0].type), types.tensor(op.results[0].type)
    assert given is not None and given.sizes is not None, "ranks must be known"
    assert result is not None and result.sizes is not None, "ranks must be known"
    source = create_value(
        "torch_c.to_builtin_tensor", _builtin(given.sizes, given.element), [op.operands[0]]
    )
    if op.name == _NONZERO:
        found = _indices(source, given.sizes, templates)
    else:
        (found,) = templates.put("repetitions", [_cast(source, (None,), "i64")]).results
        _assert_size(found, _stated_size(op.operands[1]))
    _assert_size(found, result.sizes[0])
    found = _cast(found, result.sizes, "i64")
    value = create_value("torch_c.from_builtin_tensor", op.results[0].type, [found])
    op.results[0].replace_all_uses_with(value)
    op.erase()


def _indices(mask: ir.Value, sizes: tuple[int | None, ...], templates: Templates) -> ir.Value:
    """The result of `nonzero` of a mask."""
    flat = mask
    if len(sizes) > 1:
        count = None if None in sizes else _product([size or 0 for size in sizes])
        assert count is None or isinstance(count, int)
        attributes = {"reassociation": _reassociation([list(range(len(sizes)))])}
        flat = create_value("tensor.collapse_shape", _builtin((count,), "i1"), [mask], attributes)
    (positions,) = templates.put("positions", [_cast(flat, (None,), "i1")]).results
    if len(sizes) == 1:
        count = create_value("tensor.dim", index_type(), [positions, index_value(0)])
        assert isinstance(count, ir.Value)
        return _as_column(positions, count)
    # Without elements there are no positions to divide by the sizes.
    extents = [at_least_one(_size(mask, dim, size)) for dim, size in enumerate(sizes)]
    steps: list[Number] = [_product(extents[dim + 1 :]) for dim in range(len(extents))]
    rows = [_cast(_sizes_tensor(each), (None,), "i64") for each in (steps, extents)]
    return templates.put("indices", [positions, *rows]).results[0]


def _as_column(positions: ir.Value, count: ir.Value) -> ir.Value:
    return create_value(
        "tensor.expand_shape",
        _builtin((None, 1), "i64"),
        [positions, count],
        {
            "reassociation": _reassociation([[0, 1]]),
            "static_output_shape": ir.DenseI64ArrayAttr.get([ir.ShapedType.get_dynamic_size(), 1]),
        },
    )


def _sizes_tensor(values: list[Number]) -> ir.Value:
    """A tensor of the given sizes."""
    wide = ir.IntegerType.get_signless(64)
    elements = [create_value("arith.index_cast", wide, [index_value(each)]) for each in values]
    return create_value("tensor.from_elements", _builtin((len(values),), "i64"), elements)


def _stated_size(value: ir.Value) -> Number | None:
    """The size of a result that the program states."""
    constant = constant_of(value)
    if isinstance(constant, int):
        return constant
    if str(value.type) != "!torch.int":
        return None
    number = create_value("torch_c.to_i64", ir.IntegerType.get_signless(64), [value])
    return create_value("arith.index_cast", index_type(), [number])


def _assert_size(value: ir.Value, size: Number | None) -> None:
    if size is not None:
        count = create_value("tensor.dim", index_type(), [value, index_value(0)])
        assert_that(equal(count, size), "a result has another size than the program states")


def _size(value: ir.Value, dim: int, known: int | None) -> Number:
    return (
        create_value("tensor.dim", index_type(), [value, index_value(dim)])
        if known is None
        else known
    )


def _product(sizes: list[Number] | list[int]) -> Number:
    total: Number = 1
    for size in sizes:
        total = multiply(total, size)
    return total


def _cast(value: ir.Value, sizes: tuple[int | None, ...], element: str) -> ir.Value:
    wanted = _builtin(sizes, element)
    return value if value.type == wanted else create_value("tensor.cast", wanted, [value])


def _builtin(sizes: tuple[int | None, ...], element: str | None) -> ir.Type:
    """A tensor with a signless integer element type."""
    unknown = ir.ShapedType.get_dynamic_size()
    shape = [unknown if size is None else size for size in sizes]
    return ir.RankedTensorType.get(shape, ir.Type.parse(str(element).removeprefix("s")))


def _reassociation(groups: list[list[int]]) -> ir.Attribute:
    return ir.Attribute.parse("[" + ", ".join(str(group) for group in groups) + "]")
