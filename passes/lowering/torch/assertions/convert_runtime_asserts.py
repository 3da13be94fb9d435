"""Convert PyTorch's runtime asserts to `cf.assert`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from torch_refine.abstract_interp_lib import scalar_types
from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.element_types import dtype_of_element
from torch_refine.dialect.ir_builder import assert_that, create_value
from torch_refine.dialect.names import name_of
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.torch.linear_algebra.matrices import Matrices, flattened
from torch_refine.passes.lowering.torch.seen_ops import constant_of

_SCALAR = "torch.aten._assert_scalar"
_TENSORS = ("torch.aten._assert_async", "torch.aten._assert_async.msg")
# The assertion is about the first operand; the result is the last one.
_FUNCTIONAL = "torch.aten._functional_assert_async.msg"
_RANGES = ("torch.aten.sym_constrain_range", "torch.aten.sym_constrain_range_for_size")
_INFOS = "torch.aten._linalg_check_errors"
_METADATA = "torch.aten._assert_tensor_metadata"
_NOT_EQUAL, _AT_MOST, _AT_LEAST, _UNORDERED_OR_NOT_EQUAL = 1, 3, 5, 13


class _RefusedError(Exception):
    """An assertion that cannot be lowered; the message is the reason."""


@dataclass
class ConvertRuntimeAsserts(Pass):
    """Convert PyTorch's runtime asserts to `cf.assert`.

    `torch._check` on tensor values, bounds of scalars that are read from tensors, and assertions on
    tensors are operators of the program, such as `aten._assert_scalar`. Later ops rely on them. The
    dtype of a tensor is static, so an assertion on it is dropped or an error.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.bool) {
      %str = torch.constant.str "too many"
      %0 = torch.aten.Int.bool %arg0 : !torch.bool -> !torch.int
      torch.aten._assert_scalar %0, %str : !torch.int, !torch.str
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.bool) {
      %str = torch.constant.str "too many"
      %0 = torch.aten.Int.bool %arg0 : !torch.bool -> !torch.int
      %1 = torch_c.to_i1 %arg0
      cf.assert %1, "too many"
      return
    }
    ```
    """

    name: ClassVar[str] = "torch-convert-runtime-asserts"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Convert in a module, or in one function."""
        types = Types(op.context)
        failed = False
        for each in list(walk(op)):
            convert = _CONVERSIONS.get(name_of(each))
            if convert is None:
                continue
            try:
                with each.location, ir.InsertionPoint(each):
                    convert(each, types)
            except _RefusedError as error:
                message = f"{name_of(each)} is not lowered: {error}"
                state.diagnostics.error(each.location, message)
                failed = True
                continue
            each.erase()
            state.count(self.name, "assertions")
        if failed:
            raise PassFailure(self.name)


def _assert_scalar(op: ir.Operation, _: Types) -> None:
    assert_that(_is_nonzero(op.operands[0]), _text(op, 1))


def _assert_tensor(op: ir.Operation, types: Types) -> None:
    """Assert that the single element of a tensor is not zero."""
    tensor = types.tensor(op.operands[0].type)
    sizes = None if tensor is None else tensor.sizes
    if tensor is None or tensor.element is None or sizes is None or any(s != 1 for s in sizes):
        raise _RefusedError("its operand must have one element")
    element = str(tensor.element)
    builtin = ir.Type.parse(element[1:] if element.startswith(("si", "ui")) else element)
    if not isinstance(builtin, (ir.IntegerType, ir.FloatType)):
        raise _RefusedError(f"its operand is a tensor of {element}")
    type = ir.RankedTensorType.get(list(sizes), builtin)
    elements = create_value("torch_c.to_builtin_tensor", type, [op.operands[0]])
    first = [_constant(ir.IndexType.get(), 0)] * len(sizes)
    value = create_value("tensor.extract", builtin, [elements, *first])
    assert_that(_is_not_zero(value), _text(op, 1))


def _assert_functional(op: ir.Operation, types: Types) -> None:
    """Assert that the single element of a tensor is not zero, before another one is used."""
    _assert_tensor(op, types)
    value = op.operands[2]
    if value.type != op.results[0].type:
        value = create_value("torch.tensor_static_info_cast", op.results[0].type, [value])
    op.results[0].replace_all_uses_with(value)


def _assert_range(op: ir.Operation, _: Types) -> None:
    """Assert that a scalar is between two bounds, which may be None."""
    value = _number(op.operands[0])
    if not isinstance(value.type, ir.IntegerType):
        raise _RefusedError("its operand is not an integer")
    least = constant_of(op.operands[1])
    if least is None and name_of(op) == _RANGES[1]:
        least = 0
    for predicate, bound, said in (
        (_AT_LEAST, least, ">="),
        (_AT_MOST, constant_of(op.operands[2]), "<="),
    ):
        if bound is None:
            continue
        if type(bound) is not int:
            raise _RefusedError("a bound is not constant")
        other = _constant(value.type, bound)
        assert_that(_compare("arith.cmpi", predicate, value, other), f"must be {said} {bound}")


def _assert_metadata(op: ir.Operation, types: Types) -> None:
    """Check that dtype, and sizes if any, of a tensor are those at tracing."""
    tensor = types.tensor(op.operands[0].type)
    if tensor is None or tensor.element is None:
        raise _RefusedError("its operand's dtype is unknown")
    wanted = constant_of(op.operands[3]) if len(op.operands) > 3 else None
    dtype = dtype_of_element(tensor.element)
    if wanted is not None and dtype != wanted:
        raise _RefusedError(f"the dtype must be {scalar_types.NAMES[wanted]}, got {tensor.element}")
    for place, what in ((1, "sizes"), (2, "strides")):
        if str(op.operands[place].type) != "!torch.none":
            raise _RefusedError(f"its {what} are not supported")


def _assert_infos(op: ir.Operation, types: Types) -> None:
    """Assert that operators of linear algebra succeeded, which is when their infos are 0."""
    infos = types.tensor(op.operands[0].type)
    if infos is None or infos.sizes is None or infos.element != "si32":
        raise _RefusedError("its operand must be a tensor of 32-bit integers")
    unknown = ir.ShapedType.get_dynamic_size()
    shape = [unknown if size is None else size for size in infos.sizes]
    number = ir.IntegerType.get_signless(32)
    type = ir.RankedTensorType.get(shape, number)
    values = create_value("torch_c.to_builtin_tensor", type, [op.operands[0]])
    said = f"{constant_of(op.operands[1])}: it failed for the elements of a matrix"
    build = Matrices("f32", operation_of(op.parent))
    assert_that(build.put("are_zero", flattened(values, 0)), said)


_CONVERSIONS: dict[str, Any] = {
    _INFOS: _assert_infos,
    _SCALAR: _assert_scalar,
    _METADATA: _assert_metadata,
    _FUNCTIONAL: _assert_functional,
    **dict.fromkeys(_TENSORS, _assert_tensor),
    **dict.fromkeys(_RANGES, _assert_range),
}


def _text(op: ir.Operation, place: int) -> str:
    said = constant_of(op.operands[place]) if place < len(op.operands) else None
    return said if isinstance(said, str) else "an assertion of the model failed"


def _is_nonzero(value: ir.Value) -> ir.Value:
    """Whether a scalar is not zero; the importer turns bools into integers."""
    producer = defining_op(value)
    if producer is not None and producer.name == "torch.aten.Int.bool":
        value = producer.operands[0]
    if str(value.type) == "!torch.bool":
        return create_value("torch_c.to_i1", ir.IntegerType.get_signless(1), [value])
    return _is_not_zero(_number(value))


def _number(value: ir.Value) -> ir.Value:
    if str(value.type) == "!torch.int":
        return create_value("torch_c.to_i64", ir.IntegerType.get_signless(64), [value])
    if str(value.type) == "!torch.float":
        return create_value("torch_c.to_f64", ir.F64Type.get(), [value])
    raise _RefusedError(f"its operand is a {value.type}")


def _is_not_zero(value: ir.Value) -> ir.Value:
    if isinstance(value.type, ir.IntegerType):
        if value.type.width == 1:
            return value
        return _compare("arith.cmpi", _NOT_EQUAL, value, _constant(value.type, 0))
    zero = create_value(
        "arith.constant", value.type, [], {"value": ir.FloatAttr.get(value.type, 0.0)}
    )
    # NaN is true.
    return _compare("arith.cmpf", _UNORDERED_OR_NOT_EQUAL, value, zero)


def _compare(name: str, predicate: int, one: ir.Value, other: ir.Value) -> ir.Value:
    attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate)
    truth = ir.IntegerType.get_signless(1)
    return create_value(name, truth, [one, other], {"predicate": attribute})


def _constant(type: ir.Type, number: int) -> ir.Value:
    return create_value("arith.constant", type, [], {"value": ir.IntegerAttr.get(type, number)})
