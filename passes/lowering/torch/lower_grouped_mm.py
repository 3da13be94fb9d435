"""Lower matmuls of groups of rows, of which each has a matrix of its own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.templates import Templates

_FUNCTION = Path(__file__).with_name("grouped_mm.mlir")
# That of PyTorch, which also takes a bias and a dtype, and that of transformers.
_OPERATORS = ("torch.aten._grouped_mm", "torch.transformers.grouped_mm_fallback")
_FLOATS = ("f16", "bf16", "f32", "f64")
# Sums of these are f32, and are rounded once.
_HALVES = ("f16", "bf16")
_OFFSETS = ("si32", "si64")
_RANKS = (2, 3, 1)


@dataclass
class LowerGroupedMm(Pass):
    """Lower matmuls of groups of rows, of which each has a matrix of its own.

    The offsets are the ends of the groups, which are known at run time only, as in a mixture of
    experts. A loop multiplies the rows of each group by its matrix; rows after the last group are
    zero. The program fails if the offsets decrease, or exceed the rows.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[6,4],f32>, %arg1: !torch.vtensor<[3,4,5],f32>, \
%arg2: !torch.vtensor<[3],si64>) -> !torch.vtensor<[6,5],f32> {
      %0 = torch.operator "torch.transformers.grouped_mm_fallback"(%arg0, %arg1, %arg2) : \
(!torch.vtensor<[6,4],f32>, !torch.vtensor<[3,4,5],f32>, !torch.vtensor<[3],si64>) -> \
!torch.vtensor<[6,5],f32>
      return %0 : !torch.vtensor<[6,5],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[6,4],f32>, %arg1: !torch.vtensor<[3,4,5],f32>, \
%arg2: !torch.vtensor<[3],si64>) -> !torch.vtensor<[6,5],f32> {
      %0 = torch_c.to_builtin_tensor %arg0 : !torch.vtensor<[6,4],f32> -> tensor<6x4xf32>
      // ...
      %8:2 = scf.for %arg3 = %c0 to %dim_1 step %c1 iter_args(%arg4 = %c0_i64, %arg5 = %7) -> \
(i64, tensor<6x5xf32>) {
        %extracted = tensor.extract %2[%arg3] : tensor<3xi64>
        // ...
          %19 = linalg.matmul ins(%extracted_slice, %collapsed : tensor<?x4xf32>, tensor<4x5xf32>) \
outs(%18 : tensor<?x5xf32>) -> tensor<?x5xf32>
        // ...
        scf.yield %11, %17 : i64, tensor<6x5xf32>
      }
      %9 = torch_c.from_builtin_tensor %8#1 : tensor<6x5xf32> -> !torch.vtensor<[6,5],f32>
      return %9 : !torch.vtensor<[6,5],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-lower-grouped-mm"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        types = Types(op.context)
        failed = False
        for each in [each for each in walk(op) if name_of(each) in _OPERATORS]:
            reason = _why_not(each, types)
            if reason is None:
                with each.location, ir.InsertionPoint(each):
                    _lower(each, types)
                state.count(self.name, "operators")
            else:
                message = f"{name_of(each)} is not lowered: {reason}"
                state.diagnostics.error(each.location, message)
                failed = True
        if failed:
            raise PassFailure(self.name)


def _why_not(op: ir.Operation, types: Types) -> str | None:
    """Why an op cannot be lowered; None if it can."""
    if len(op.operands) < len(_RANKS) or len(op.results) != 1:
        return "without offsets"
    if any(str(each.type) != "!torch.none" for each in list(op.operands)[len(_RANKS) :]):
        return "with a bias, or for another dtype"
    given = [types.tensor(each.type) for each in list(op.operands)[: len(_RANKS)]]
    values = [*given, types.tensor(op.results[0].type)]
    ranks = [None if each is None or each.sizes is None else len(each.sizes) for each in values]
    if ranks != [*_RANKS, 2]:
        return "unless rows are multiplied by matrices, with an offset for each"
    rows, matrices, offsets, result = (str(each.element) for each in values if each is not None)
    if not (rows == matrices == result in _FLOATS) or offsets not in _OFFSETS:
        return f"for rows of {rows}, matrices of {matrices} and offsets of {offsets}"
    return None


def _lower(op: ir.Operation, types: Types) -> None:
    given = [types.tensor(each.type) for each in list(op.operands)[: len(_RANKS)]]
    rows, matrices, offsets = (each for each in given if each is not None)
    text = _text(rows, matrices, offsets)
    sources = [
        create_value("torch_c.to_builtin_tensor", _builtin(each), [value])
        for each, value in zip((rows, matrices, offsets), op.operands, strict=False)
    ]
    (found,) = Templates(text, op.context).put("grouped_mm", sources).results
    wanted = types.tensor(op.results[0].type)
    assert wanted is not None, "the result must be a tensor"
    if found.type != _builtin(wanted):
        found = create_value("tensor.cast", _builtin(wanted), [found])
    value = create_value("torch_c.from_builtin_tensor", op.results[0].type, [found])
    op.results[0].replace_all_uses_with(value)
    op.erase()


def _text(rows: TensorType, matrices: TensorType, offsets: TensorType) -> str:
    """The function for given types; the file has names for sizes, elements and what needs them."""
    assert rows.sizes is not None and matrices.sizes is not None, "ranks must be known"
    assert offsets.sizes is not None, "ranks must be known"
    sizes = dict(
        zip(
            ("ROWS", "ROW_DEPTH", "MATRICES", "MATRIX_DEPTH", "COLUMNS", "OFFSETS"),
            (*rows.sizes, *matrices.sizes, *offsets.sizes),
            strict=True,
        )
    )
    dynamic = [f"%{name}" for name in ("ROWS", "COLUMNS") if sizes[name] is None]
    integer = str(offsets.element).removeprefix("s")
    is_narrow = integer == "i32"
    values = {
        "$ELEMENT": str(rows.element),
        "$INTEGER": integer,
        "@RESULT_SIZES": ", ".join(dynamic),
        "@SUM_SIZES": ", ".join(["%count", *(each for each in dynamic if each != "%ROWS")]),
        "@EXTENSION": "%wide = arith.extsi %offset : i32 to i64" if is_narrow else "",
        "@WIDE": "%wide" if is_narrow else "%offset",
    }
    for name, size in sizes.items():
        values[f"${name}"] = "?" if size is None else str(size)
        values[f"@{name}"] = f"%{name}" if size is None else str(size)
    names = "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
    main, plain, rounded = _FUNCTION.read_text(encoding="utf-8").split("// -----")
    text = main.replace("@PRODUCT", rounded if rows.element in _HALVES else plain)
    return re.sub(names, lambda found: values[found[0]], text)


def _builtin(type: TensorType) -> ir.Type:
    """The builtin tensor type, with a signless element type."""
    assert type.sizes is not None, "ranks must be known"
    unknown = ir.ShapedType.get_dynamic_size()
    shape = [unknown if size is None else size for size in type.sizes]
    return ir.RankedTensorType.get(shape, ir.Type.parse(str(type.element).removeprefix("s")))
