"""Read and write the parts of complex numbers without tensors of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import Number, constant_int_value
from torch_refine.dialect.structured_ops import (
    defining_op,
    dims_of,
    iterators,
    maps,
    num_inputs,
)
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.fusion.images.building import (
    built,
    collapsed,
    empty,
    expanded_to,
    sizes_of,
)
from torch_refine.passes.lowering.kernels.slices import Slice

_GENERIC, _SLICE, _CONCAT = "linalg.generic", "tensor.extract_slice", "tensor.concat"
_PAIRS = (
    "complex.re",
    "complex.im",
    "linalg.index",
    "arith.cmpi",
    "arith.select",
    "linalg.yield",
)
_PARTS = ("re", "im")


@dataclass
class FoldComplexParts(Pass):
    """Read and write the parts of complex numbers without tensors of pairs.

    Complex arithmetic is decomposed into that of parts, which are slices of a tensor of pairs; the
    pairs of a program's complex inputs are copied into it, and those of its results out of it. A
    slice with one of the parts is now an elementwise op on the complex numbers, and a complex
    number is created from its parts, so that all of it is fused.

    Before:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0)>
    #map1 = affine_map<(d0, d1) -> (d0, d1)>
    module {
      func.func @f(%arg0: tensor<9xcomplex<f32>>) -> tensor<9x1xf32> {
        %c0 = arith.constant 0 : index
        %0 = tensor.empty() : tensor<9x2xf32>
        %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", \
"parallel"]} ins(%arg0 : tensor<9xcomplex<f32>>) outs(%0 : tensor<9x2xf32>) {
        ^bb0(%in: complex<f32>, %out: f32):
          %2 = complex.re %in : complex<f32>
          %3 = complex.im %in : complex<f32>
          %4 = linalg.index 1 : index
          %5 = arith.cmpi eq, %4, %c0 : index
          %6 = arith.select %5, %2, %3 : f32
          linalg.yield %6 : f32
        } -> tensor<9x2xf32>
        %extracted_slice = tensor.extract_slice %1[0, 1] [9, 1] [1, 1] : tensor<9x2xf32> to \
tensor<9x1xf32>
        return %extracted_slice : tensor<9x1xf32>
      }
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    module {
      func.func @f(%arg0: tensor<9xcomplex<f32>>) -> tensor<9x1xf32> {
        %c0 = arith.constant 0 : index
        %0 = tensor.empty() : tensor<9x2xf32>
        %1 = tensor.empty() : tensor<9xf32>
        %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} \
ins(%arg0 : tensor<9xcomplex<f32>>) outs(%1 : tensor<9xf32>) {
        ^bb0(%in: complex<f32>, %out: f32):
          %3 = complex.im %in : complex<f32>
          linalg.yield %3 : f32
        } -> tensor<9xf32>
        %expanded = tensor.expand_shape %2 [[0, 1]] output_shape [9, 1] : tensor<9xf32> into \
tensor<9x1xf32>
        return %expanded : tensor<9x1xf32>
      }
    }
    ```
    """

    name: ClassVar[str] = "fold-complex-parts"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        for each in [each for each in walk(op) if each.name in (_SLICE, _GENERIC)]:
            kind = "parts" if each.name == _SLICE else "complex numbers"
            with ir.InsertionPoint(each), each.location:
                made = _part(each) if each.name == _SLICE else _created(each)
            if made is not None:
                # Pairs come before what reads them.
                pairs = defining_op(each.operands[0])
                each.results[0].replace_all_uses_with(made)
                each.erase()
                if pairs is not None and _are_pairs(pairs) and not list(pairs.results[0].uses):
                    pairs.erase()
                state.count(self.name, kind)


def _part(slice: ir.Operation) -> ir.Value | None:
    """A slice of a tensor of pairs that has all first or second numbers, from the complex ones."""
    pairs = defining_op(slice.operands[0])
    if pairs is None or not _are_pairs(pairs):
        return None
    found = Slice.of(slice)
    numbers = pairs.operands[0]
    complex = ir.RankedTensorType(numbers.type)
    whole = ir.RankedTensorType(slice.results[0].type)
    rank = complex.rank
    if (
        list(whole.shape) != [*complex.shape, 1]
        or rank == 0
        or list(found.offsets[:-1]) != [0] * rank
        or found.offsets[-1] not in (0, 1)
        or list(found.strides[:-1]) != [1] * rank
        or not all(_is_whole(found.sizes[dim], pairs, dim) for dim in range(rank))
    ):
        return None
    type = ir.RankedTensorType.get(complex.shape, whole.element_type)
    part = _elementwise(
        slice,
        f"%r = complex.{_PARTS[found.offsets[-1]]} %x0 : {complex.element_type}",
        [numbers],
        type,
    )
    groups = [[dim] for dim in range(rank - 1)] + [[rank - 1, rank]]
    return expanded_to(slice, part, groups, whole, sizes_of(slice, numbers))


def _is_whole(size: Number, pairs: ir.Operation, dim: int) -> bool:
    """Whether a size is that of a dimension, so that a slice has all of it."""
    found = ir.RankedTensorType(pairs.results[0].type).shape[dim]
    if isinstance(size, int):
        return bool(size == found)
    op = defining_op(size)
    return (
        op is not None
        and op.name == "tensor.dim"
        and op.operands[0] in (pairs.results[0], pairs.operands[0])
        and constant_int_value(op.operands[1]) == dim
    )


def _created(op: ir.Operation) -> ir.Value | None:
    """Complex numbers from their parts, if they were concatenated only for that."""
    pairs = _read_pairs(op)
    if pairs is None:
        return None
    type = ir.RankedTensorType(op.results[0].type)
    if _are_pairs(pairs) and pairs.operands[0].type == type:
        return pairs.operands[0]
    if pairs.name != _CONCAT or len(pairs.operands) != 2 or type.rank == 0:
        return None
    if ir.IntegerAttr(pairs.attributes["dim"]).value != type.rank:
        return None
    if any(ir.RankedTensorType(each.type).shape != [*type.shape, 1] for each in pairs.operands):
        return None
    groups = [[dim] for dim in range(type.rank - 1)] + [[type.rank - 1, type.rank]]
    parts = [collapsed(op, each, groups) for each in pairs.operands]
    return _elementwise(op, f"%r = complex.create %x0, %x1 : {type.element_type}", parts, type)


def _elementwise(
    before: ir.Operation, text: str, inputs: Sequence[ir.Value], type: ir.RankedTensorType
) -> ir.Value:
    """The elementwise op of a scalar one, which is written as text."""
    memory = empty(before, type, sizes_of(before, inputs[0]))
    loops = ", ".join(f"d{dim}" for dim in range(type.rank))
    maps = ", ".join([f"affine_map<({loops}) -> ({loops})>"] * (len(inputs) + 1))
    kinds = ", ".join(['"parallel"'] * type.rank)
    elements = [ir.RankedTensorType(each.type).element_type for each in inputs]
    arguments = ", ".join(f"%x{index}: {each}" for index, each in enumerate(elements))
    given = ", ".join(f"%a{index}" for index in range(len(inputs)))
    types = ", ".join(str(each.type) for each in inputs)
    whole = f"""linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
        ins({given} : {types}) outs(%a{len(inputs)} : {type}) {{
      ^bb0({arguments}, %out: {type.element_type}):
        {text}
        linalg.yield %r : {type.element_type}
      }} -> {type}"""
    return built(before, whole, [*inputs, memory], type)


def _are_pairs(op: ir.Operation) -> bool:
    """Whether an op copies complex numbers to pairs along a last dimension."""
    if op.name != _GENERIC or num_inputs(op) != 1:
        return False
    *sizes, last = ir.RankedTensorType(op.results[0].type).shape
    rank = len(sizes)
    body = op.regions[0].blocks[0]
    ops = list(operations(body))
    if last != 2 or tuple(each.name for each in ops) != _PAIRS:
        return False
    real, imaginary, place, test, choice, _ = ops
    number = body.arguments[0]
    return (
        len(iterators(op)) == rank + 1
        and [dims_of(map) for map in maps(op)] == [list(range(rank)), list(range(rank + 1))]
        and real.operands[0] == number
        and imaginary.operands[0] == number
        and ir.IntegerAttr(place.attributes["dim"]).value == rank
        and ir.IntegerAttr(test.attributes["predicate"]).value == 0
        and test.operands[0] == place.results[0]
        and constant_int_value(test.operands[1]) == 0
        and list(choice.operands) == [test.results[0], real.results[0], imaginary.results[0]]
    )


def _read_pairs(op: ir.Operation) -> ir.Operation | None:
    """The producer of the pairs that an op copies to complex numbers."""
    if op.name != _GENERIC or num_inputs(op) != 0 or len(op.results) != 1:
        return None
    rank = ir.RankedTensorType(op.results[0].type).rank
    ops = list(operations(op.regions[0].blocks[0]))
    if [each.name for each in ops] != [
        *["linalg.index"] * rank,
        *["tensor.extract"] * 2,
        "complex.create",
        "linalg.yield",
    ]:
        return None
    *indices, first, second, number, _ = ops
    dims = [ir.IntegerAttr(each.attributes["dim"]).value for each in indices]
    if dims != list(range(rank)) or len(iterators(op)) != rank or dims_of(maps(op)[0]) != dims:
        return None
    for place, each in enumerate((first, second)):
        source, *at, part = each.operands
        if (
            source != first.operands[0]
            or at != [index.results[0] for index in indices]
            or constant_int_value(part) != place
            or number.operands[place] != each.results[0]
        ):
            return None
    return defining_op(first.operands[0])
