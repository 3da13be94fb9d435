"""Matrices in a batch, and calls of LAPACK on them, as IR on tensors.

All tensors here have dynamic sizes: `[batch, rows, columns]` are matrices, `[batch, size]` vectors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.ir_builder import (
    Number,
    assert_that,
    create_op,
    create_value,
    index_type,
    index_value,
    less_than,
    multiply,
)
from torch_refine.passes.lowering.lapack import LAPACK, PREFIXES, ROUTINES, real_element
from torch_refine.passes.lowering.templates import Templates
from torch_refine.passes.program import symbol_name

_HERE = Path(__file__).parent
_UNKNOWN = ir.ShapedType.get_dynamic_size()


def element_of(value: ir.Value) -> str:
    """The element type of a tensor."""
    return str(ir.RankedTensorType(value.type).element_type)


def size_of(value: ir.Value, dim: int) -> Number:
    """A size of a tensor; `dim` may count from the end."""
    type = ir.RankedTensorType(value.type)
    dim %= type.rank
    known = type.shape[dim]
    if known != _UNKNOWN:
        return int(known)
    return create_value("tensor.dim", index_type(), [value, index_value(dim)])


def sizes_of(value: ir.Value) -> list[Number]:
    """All sizes of a tensor."""
    return [size_of(value, dim) for dim in range(ir.RankedTensorType(value.type).rank)]


def flattened(value: ir.Value, kept: int) -> ir.Value:
    """A tensor whose dimensions before the last `kept` are one, the batch."""
    type = ir.RankedTensorType(value.type)
    rank = type.rank
    batch = rank - kept
    sizes = sizes_of(value)
    whole: Number = 1
    for size in sizes[:batch]:
        whole = multiply(whole, size)
    shape = _static([whole, *sizes[batch:]])
    wanted = ir.RankedTensorType.get(shape, type.element_type)
    if batch == 0:
        groups = [[0, 1], *([dim] for dim in range(2, kept + 1))] if kept else []
        value = _expanded(value, wanted, groups, [1, *sizes])
    elif batch > 1:
        groups = [list(range(batch)), *([dim] for dim in range(batch, rank))]
        value = create_value(
            "tensor.collapse_shape", wanted, [value], {"reassociation": _groups(groups)}
        )
    return _cast(value, [None] * (kept + 1))


def unflattened(value: ir.Value, batch: Sequence[Number], type: ir.RankedTensorType) -> ir.Value:
    """The same values with the sizes of a batch, as a tensor of a type."""
    kept = ir.RankedTensorType(value.type).rank - 1
    own = sizes_of(value)[1:]
    count = len(batch)
    if count == 0:
        shape = list(type.shape) or []
        flat = _cast(value, [1, *[None if s == _UNKNOWN else int(s) for s in shape]])
        groups = [[0, 1], *([dim] for dim in range(2, kept + 1))] if kept else []
        return create_value(
            "tensor.collapse_shape", type, [flat], {"reassociation": _groups(groups)}
        )
    if count > 1:
        sizes = [*batch, *own]
        wanted = ir.RankedTensorType.get(_static(sizes), type.element_type)
        groups = [list(range(count)), *([dim] for dim in range(count, count + kept))]
        whole: Number = 1
        for size in batch:
            whole = multiply(whole, size)
        value = _cast(value, [whole if isinstance(whole, int) else None, *[None] * kept])
        value = _expanded(value, wanted, groups, sizes)
    return value if value.type == type else create_value("tensor.cast", type, [value])


def _expanded(
    value: ir.Value, type: ir.Type, groups: list[list[int]], sizes: Sequence[Number]
) -> ir.Value:
    dynamic = [each for each in sizes if not isinstance(each, int)]
    shape = ir.DenseI64ArrayAttr.get(_static(sizes))
    attributes = {"reassociation": _groups(groups), "static_output_shape": shape}
    return create_value("tensor.expand_shape", type, [value, *dynamic], attributes)


def _static(sizes: Sequence[Number]) -> list[int]:
    return [each if isinstance(each, int) else _UNKNOWN for each in sizes]


def _groups(groups: list[list[int]]) -> ir.Attribute:
    return ir.Attribute.parse(str(groups))


def _cast(value: ir.Value, sizes: Sequence[int | None]) -> ir.Value:
    shape = [_UNKNOWN if size is None else size for size in sizes]
    wanted = ir.RankedTensorType.get(shape, ir.RankedTensorType(value.type).element_type)
    return value if value.type == wanted else create_value("tensor.cast", wanted, [value])


@dataclass
class Matrices:
    """Builders for matrices of an element type; ops are created at the current insertion point.

    `module` gets declarations of the routines that are called.
    """

    element: str
    module: ir.Operation

    def __post_init__(self) -> None:
        context = self.module.context
        real = real_element(self.element)
        values = {
            "$ZERO": f"arith.constant 0.0 : {real}",
            "$ONE": f"arith.constant 1.0 : {real}",
            "$PARTS": "",
            "$CONJUGATE": "",
            "$CONJUGATED": "%across",
            "$ONE_PART": "%in",
            "$OTHER_PART": "%in",
        }
        if self.is_complex:
            for name, number in (("$ZERO", "0.0"), ("$ONE", "1.0")):
                parts = f"[{number} : {real}, 0.0 : {real}]"
                values[name] = f"complex.constant {parts} : {self.element}"
            values["$PARTS"] = "\n".join(
                f"%{part} = complex.{part} %in : {self.element}" for part in ("re", "im")
            )
            values |= {"$ONE_PART": "%re", "$OTHER_PART": "%im", "$CONJUGATED": "%conjugate"}
            values["$CONJUGATE"] = (
                f"%left = complex.re %across : {self.element}\n"
                f"%right = complex.im %across : {self.element}\n"
                f"%turned = arith.negf %right : {real}\n"
                f"%conjugate = complex.create %left, %turned : {self.element}"
            )
        values |= {"$T": self.element, "$R": real}
        text = (_HERE / "matrices.mlir").read_text(encoding="utf-8")
        text = re.sub(r"\$[A-Z_]+", lambda found: values[found[0]], text)
        self._templates = Templates(text, context)

    @property
    def is_complex(self) -> bool:
        """Whether elements are complex."""
        return self.element.startswith("complex")

    def put(self, name: str, *values: Number) -> ir.Value:
        """The result of a function of `matrices.mlir`."""
        operands = [index_value(each) for each in values]
        return self._templates.put(name, operands).results[0]

    def paired(self, name: str, *values: ir.Value) -> ir.Value:
        """The result of a function of `eigenvectors.mlir`."""
        text = (_HERE / "eigenvectors.mlir").read_text(encoding="utf-8")
        templates = Templates(text.replace("$T", self.element), self.module.context)
        return templates.put(name, values).results[0]

    def call(
        self, routine: str, letters: str, arrays: Sequence[ir.Value]
    ) -> tuple[list[ir.Value], ir.Value]:
        """Call a routine for each matrix of a batch; what the arrays are then, and the infos.

        An info is 0 where the routine succeeded. Sizes must fit into 32 bits.
        """
        for each in arrays:
            self._check_sizes(each)
        operands = [*arrays, self.put("info", size_of(arrays[0], 0))]
        types = [each.type for each in operands]
        name = self._declared(routine, letters, types)
        callee = ir.FlatSymbolRefAttr.get(name)
        found = list(create_op("func.call", operands, {"callee": callee}, results=types).results)
        return found[:-1], found[-1]

    def _check_sizes(self, array: ir.Value) -> None:
        """Assert that sizes of matrices fit into the integers of LAPACK."""
        for size in sizes_of(array)[1:]:
            assert_that(less_than(size, 2**31), "a matrix is too large for LAPACK")

    def _declared(self, routine: str, letters: str, types: Sequence[ir.Type]) -> str:
        """The name of the function that stands for a routine, declared in the module."""
        kind = ROUTINES[routine]
        assert len(kind.kinds()) + 1 == len(types), "arrays, and the infos"
        name = ".".join(["lapack", routine, *letters, PREFIXES[self.element]])
        body = self.module.regions[0].blocks[0]
        if any(symbol_name(each) == name for each in operations(body)):
            return name
        context = self.module.context
        with ir.InsertionPoint.at_block_begin(body), ir.Location.unknown(context):
            create_op(
                "func.func",
                attributes={
                    "sym_name": ir.StringAttr.get(name),
                    "function_type": ir.TypeAttr.get(ir.FunctionType.get(types, types)),
                    "sym_visibility": ir.StringAttr.get("private"),
                    LAPACK: ir.StringAttr.get(f"{routine} {letters}"),
                },
                regions=1,
            )
        return name
