"""Lower scatters of elements with the indices of each written once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.elements.converting import builtin, builtin_tensor
from torch_refine.passes.lowering.linalg.insert_bounds_checks import CHECKED
from torch_refine.passes.lowering.templates import Templates
from torch_refine.passes.lowering.torch.seen_ops import constant_of

_FLOATS = ("f16", "bf16", "f32", "f64")
_INTEGERS = ("si8", "ui8", "si16", "si32", "si64")
_SUM = "torch.aten.scatter_add"
_REDUCTION = "torch.aten.scatter_reduce.two"
_OPERATORS = ("torch.aten.scatter.src", _SUM, _REDUCTION)
# The new value of an element, of the one that is there and the one that is scattered: for floats,
# signed and unsigned integers.
_COMBINED = {
    "sum": ("arith.addf", "arith.addi", "arith.addi"),
    "prod": ("arith.mulf", "arith.muli", "arith.muli"),
    "amax": ("arith.maximumf", "arith.maxsi", "arith.maxui"),
    "amin": ("arith.minimumf", "arith.minsi", "arith.minui"),
}
# The elements of the index are places in one dimension; their own places are those in others.
_FUNCTION = """
func.func private @scatter(%memory: {memory}, %index: {index}, %source: {source}) -> {memory} {{
  {sizes}
  %empty = tensor.empty({unknown}) : {tuples}
  %tuples = linalg.generic {{indexing_maps = [affine_map<({dims}, column) -> ({dims})>,
      affine_map<({dims}, column) -> ({dims}, column)>], iterator_types = [{parallel}]}}
      ins(%index : {index}) outs(%empty : {tuples}) {{
  ^bb0(%place: i64, %out: i64):
    %at = arith.index_cast %place : i64 to index
    %ok = arith.cmpi ult, %at, %o{dim} : index
    cf.assert %ok, "index is out of bounds for dimension {dim}{size}"
    %column = linalg.index {rank} : index
    {columns}
    linalg.yield {last} : i64
  }} -> {tuples}
  %places = tensor.collapse_shape %tuples [[{group}], [{rank}]] : {tuples} into {places}
  {part}
  %values = tensor.collapse_shape {given} [[{group}]] : {part_type} into {values}
  %scattered = tm_tensor.scatter {{dimension_map = array<i64: {map}>, {checked}}}
      unique_indices(false) ins(%values, %places : {values}, {places}) outs(%memory : {memory}) {{
  ^bb0(%new: {element}, %old: {element}):
    {combined}
    tm_tensor.yield {found} : {element}
  }} -> {memory}
  return %scattered : {memory}
}}
"""


@dataclass
class LowerElementScatters(Pass):
    """Lower scatters of elements with the indices of each written once.

    `torch-mlir`'s conversion divides the number of each element by the sizes of the index, fills
    tensors that it overwrites, and copies the indices. Here a loop over the index writes the
    indices of each element, and asserts that they are in bounds. Other scatters are left to it:
    those with a dimension that is no constant, of tensors of rank 0, bools or unknown types.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[3,4],f32>, %arg1: !torch.vtensor<[2,4],si64>, \
%arg2: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[3,4],f32> {
      %int0 = torch.constant.int 0
      %0 = torch.aten.scatter_add %arg0, %int0, %arg1, %arg2 : !torch.vtensor<[3,4],f32>, \
!torch.int, !torch.vtensor<[2,4],si64>, !torch.vtensor<[2,4],f32> -> !torch.vtensor<[3,4],f32>
      return %0 : !torch.vtensor<[3,4],f32>
    }
    ```

    After:

    ```mlir
    // ...
    func.func @f(%arg0: !torch.vtensor<[3,4],f32>, %arg1: !torch.vtensor<[2,4],si64>, \
%arg2: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[3,4],f32> {
      // ...
      ^bb0(%in: i64, %out: i64):
        %7 = arith.index_cast %in : i64 to index
        %8 = arith.cmpi ult, %7, %c3 : index
        cf.assert %8, "index is out of bounds for dimension 0 with size 3"
        %9 = linalg.index 2 : index
        %10 = linalg.index 1 : index
        %11 = arith.index_cast %10 : index to i64
        %c1 = arith.constant 1 : index
        %12 = arith.cmpi eq, %9, %c1 : index
        %13 = arith.select %12, %11, %in : i64
        linalg.yield %13 : i64
      } -> tensor<2x4x2xi64>
      // ...
    }
    ```
    """

    name: ClassVar[str] = "torch-lower-element-scatters"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        types = Types(op.context)
        for each in [each for each in walk(op) if name_of(each) in _OPERATORS]:
            own, index, source = (types.tensor(each.operands[place].type) for place in (0, 2, 3))
            dim = constant_of(each.operands[1])
            if own is None or index is None or source is None or not isinstance(dim, int):
                continue
            reduction = _reduction(each)
            if reduction is None or not _is_lowered(own, index, source):
                continue
            if types.tensor(each.results[0].type) == own:
                with each.location, ir.InsertionPoint(each):
                    _lower(each, [own, index, source], dim % len(own.sizes or ()), reduction)
                state.count(self.name, "operators")


def _reduction(op: ir.Operation) -> str | None:
    """How elements are combined; nothing if they are replaced, None if that has no code here."""
    if name_of(op) != _REDUCTION:
        return "sum" if name_of(op) == _SUM else ""
    reduce, include_self = map(constant_of, list(op.operands)[4:])
    return reduce if include_self is True and reduce in _COMBINED else None


def _is_lowered(own: TensorType, index: TensorType, source: TensorType) -> bool:
    if own.element not in (*_FLOATS, *_INTEGERS) or source.element != own.element:
        return False
    if own.sizes is None or index.sizes is None or source.sizes is None:
        return False
    return index.element == "si64" and 0 < len(own.sizes) == len(index.sizes) == len(source.sizes)


def _lower(op: ir.Operation, given: list[TensorType], dim: int, reduction: str) -> None:
    own, index, source = given
    assert own.sizes is not None and index.sizes is not None, "ranks must be known"
    rank = len(own.sizes)
    numbers = [
        f"%i{place}" if size is None else str(size) for place, size in enumerate(index.sizes)
    ]
    count = _product(index.sizes)
    element = str(own.element)
    part = TensorType(sizes=index.sizes, element=source.element)
    is_whole = source.sizes == index.sizes and None not in index.sizes
    columns: list[str] = []
    found = "%place"
    for place in (place for place in range(rank) if place != dim):
        columns += [
            f"%dim{place} = linalg.index {place} : index",
            f"%own{place} = arith.index_cast %dim{place} : index to i64",
            f"%number{place} = arith.constant {place} : index",
            f"%is{place} = arith.cmpi eq, %column, %number{place} : index",
            f"%found{place} = arith.select %is{place}, %own{place}, {found} : i64",
        ]
        found = f"%found{place}"
    combined = ""
    if reduction:
        of_floats, of_signed, of_unsigned = _COMBINED[reduction]
        operation = of_signed if element.startswith("s") else of_unsigned
        operation = of_floats if element in _FLOATS else operation
        combined = f"%found = {operation} %old, %new : {builtin(element)}"
    text = _FUNCTION.format(
        memory=builtin_tensor(own),
        index=builtin_tensor(index),
        source=builtin_tensor(source),
        sizes="\n  ".join(_sizes(own, index, source, dim)),
        unknown=", ".join(number for number in numbers if number.startswith("%")),
        tuples=builtin_tensor(TensorType(sizes=(*index.sizes, rank), element="si64")),
        dims=", ".join(f"d{place}" for place in range(rank)),
        parallel=", ".join(['"parallel"'] * (rank + 1)),
        dim=dim,
        size="" if own.sizes[dim] is None else f" with size {own.sizes[dim]}",
        rank=rank,
        columns="\n    ".join(columns),
        last=found,
        group=", ".join(map(str, range(rank))),
        places=builtin_tensor(TensorType(sizes=(count, rank), element="si64")),
        part="" if is_whole else _part(builtin_tensor(source), builtin_tensor(part), numbers),
        given="%source" if is_whole else "%part",
        part_type=builtin_tensor(part),
        values=builtin_tensor(TensorType(sizes=(count,), element=source.element)),
        map=", ".join(map(str, range(rank))),
        checked=CHECKED,
        element=builtin(element),
        combined=combined,
        found="%found" if combined else "%new",
    )
    operands = [
        create_value("torch_c.to_builtin_tensor", builtin_tensor(type), [op.operands[place]])
        for place, type in zip((0, 2, 3), given, strict=True)
    ]
    (value,) = Templates(text, op.context).put("scatter", operands).results
    result = op.results[0]
    result.replace_all_uses_with(create_value("torch_c.from_builtin_tensor", result.type, [value]))
    op.erase()


def _product(sizes: tuple[int | None, ...]) -> int | None:
    found = 1
    for size in sizes:
        if size is None:
            return None
        found *= size
    return found


def _part(source: ir.Type, part: ir.Type, numbers: list[str]) -> str:
    """The elements of the source at the places of the index."""
    zeros, ones = (", ".join([digit] * len(numbers)) for digit in "01")
    sizes = ", ".join(numbers)
    return f"%part = tensor.extract_slice %source[{zeros}] [{sizes}] [{ones}] : {source} to {part}"


def _sizes(own: TensorType, index: TensorType, source: TensorType, dim: int) -> list[str]:
    """The sizes that are used, and assertions that the other tensors hold the index."""
    tensors = {"o": ("%memory", own), "i": ("%index", index), "s": ("%source", source)}
    sizes = {name: type.sizes or () for name, (_, type) in tensors.items()}
    used = {("o", dim)} | {("i", place) for place, size in enumerate(sizes["i"]) if size is None}
    asserted: list[str] = []
    for place, taken in enumerate(sizes["i"]):
        for name in "os":
            held = sizes[name][place]
            if (name == "o" and place == dim) or (held is not None and held == taken):
                continue
            used |= {(name, place), ("i", place)}
            asserted += [
                f"%fits_{name}{place} = arith.cmpi sge, %{name}{place}, %i{place} : index",
                f'cf.assert %fits_{name}{place}, "the index of a scatter has more elements in '
                f'dimension {place} than the tensor or the source"',
            ]
    lines: list[str] = []
    for name, place in sorted(used):
        tensor, type = tensors[name]
        size = sizes[name][place]
        found = f"arith.constant {size} : index"
        if size is None:
            lines.append(f"%n_{name}{place} = arith.constant {place} : index")
            found = f"tensor.dim {tensor}, %n_{name}{place} : {builtin_tensor(type)}"
        lines.append(f"%{name}{place} = {found}")
    return lines + asserted
