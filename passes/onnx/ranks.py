"""Infer result ranks of ONNX operators from their operands.

The wheel's conversion requires the rank of every result; sizes are refined once an operator is
converted. ONNX's own shape inference gives up at data-dependent shapes, and the wheel's importer
declares unknown ranks as scalars. The rules are those of the operators' specification
(https://onnx.ai/onnx/operators/).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import is_onnx, name_of
from torch_refine.dialect.tensor_type import Sizes, TensorType, Types
from torch_refine.passes.onnx.corrections import OPSET
from torch_refine.passes.program import program_functions, redeclare, symbol_name


def _words(text: str) -> list[str]:
    return text.split()


_SAME = frozenset(
    _words("""
    Abs Acos Acosh Asin Asinh Atan Atanh AveragePool BatchNormalization Bernoulli BitShift
    BitwiseNot Cast CastLike Ceil Celu Clip Concat Conv ConvInteger ConvTranspose Cos Cosh CumSum
    DequantizeLinear Dropout DynamicQuantizeLinear Elu Erf Exp Floor Gelu GlobalAveragePool
    GlobalLpPool GlobalMaxPool GroupNormalization HardSigmoid HardSwish Hardmax Identity
    InstanceNormalization IsInf IsNaN LRN LayerNormalization LeakyRelu Log LogSoftmax
    LpNormalization LpPool MaxPool MeanVarianceNormalization Mish Neg Not PRelu Pad QLinearConv
    QuantizeLinear RandomNormalLike RandomUniformLike Reciprocal Relu Resize Round ScatterElements
    ScatterND Selu Shrink Sigmoid Sign Sin Sinh Slice Softmax Softplus Softsign Split Sqrt Tan
    Tanh ThresholdedRelu Tile TopK Transpose Trilu Upsample
""")
)
_BROADCAST = frozenset(
    _words("""
    Add And BitwiseAnd BitwiseOr BitwiseXor Div Equal Greater GreaterOrEqual Less LessOrEqual Max
    Mean Min Mod Mul Or Pow Sub Sum Where Xor
""")
)
_REDUCE = frozenset(
    _words("""
    ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd
    ReduceSum ReduceSumSquare
""")
)
# Of the others with several results, only the first has the rank of the rule.
_ALL_RESULTS = ("Dropout", "MaxPool", "Split", "TopK")
_FIXED = {"Flatten": 2, "Gemm": 2, "NonZero": 2, "Range": 1, "Shape": 1, "Size": 0}


def declare_ranks(module: ir.Operation) -> int:
    """Declare the ranks that follow from operands; returns how many result types changed.

    In a function imported from ONNX, a scalar is declared as such only if a rule says so: otherwise
    the rank of results with a rule is unknown.
    """
    types = Types(module.context)
    found = 0
    called = _called_symbols(module)
    for function in program_functions(module):
        if OPSET in function.attributes:
            is_called = "sym_visibility" in function.attributes or symbol_name(function) in called
            for op in walk(function):
                name = name_of(op).removeprefix("onnx.")
                if is_onnx(name_of(op)) and has_rule(name):
                    count = None if name in _ALL_RESULTS else 1
                    for result in list(op.results)[:count]:
                        found += _declare(result, None if is_called else function, types)
    return found


def _called_symbols(module: ir.Operation) -> set[str]:
    return {
        ir.FlatSymbolRefAttr(op.attributes["callee"]).value
        for op in walk(module)
        if op.name == "func.call"
    }


def _declare(result: ir.OpResult, function: ir.Operation | None, types: Types) -> bool:
    """Declare the rank of a result; `function` is the function whose result type may change."""
    declared = types.tensor(result.type)
    if declared is None or declared.sizes:
        return False
    rank = rank_of(result.owner.operation, types)
    sizes = None if rank is None else _sizes(result.owner.operation, rank, types)
    if declared.sizes == sizes:
        return False
    users = [use.owner.operation for use in result.uses]
    returns = [user for user in users if function is not None and user.name == "func.return"]
    if any(user.name != "torch.operator" for user in users if user not in returns):
        # The types of other users depend on it.
        return False
    result.set_type(types.parse(replace(declared, sizes=sizes)))
    for user in returns:
        if function is not None:
            redeclare(function, user)
    return True


def _sizes(op: ir.Operation, rank: int, types: Types) -> Sizes:
    """Sizes of that rank: unknown, except those that the conversion states itself."""
    given = types.tensor(op.operands[0].type) if len(op.operands) else None
    is_part = any(f"torch.onnx.{name}" in op.attributes for name in ("start", "end"))
    if (
        name_of(op) == "onnx.Shape"
        and given is not None
        and given.sizes is not None
        and not is_part
    ):
        return (len(given.sizes),)
    return (None,) * rank


def has_rule(name: str) -> bool:
    """Whether there is a rule for the result rank of an ONNX operator."""
    return any(name in each for each in (_FIXED, _SAME, _BROADCAST, _REDUCE, _RULES))


def rank_of(op: ir.Operation, types: Types) -> int | None:
    """The rank of an ONNX operator's first result, None if it cannot be inferred."""
    name = name_of(op).removeprefix("onnx.")
    operands = [types.tensor(operand.type) for operand in op.operands]
    given = [None if each is None or each.sizes is None else len(each.sizes) for each in operands]
    if name in _FIXED:
        return _FIXED[name]
    if name in _SAME:
        return given[0] if given else None
    if name in _BROADCAST:
        return None if None in given else max(each for each in given if each is not None)
    if name in _REDUCE:
        return _reduced(op, given, operands)
    rule = _RULES.get(name)
    return None if rule is None else rule(given, operands)


def _length(operands: list[TensorType | None], number: int) -> int | None:
    """The number of elements of an operand of rank 1."""
    operand = operands[number] if number < len(operands) else None
    if operand is None or operand.sizes is None or len(operand.sizes) != 1:
        return None
    return operand.sizes[0]


def _reduced(
    op: ir.Operation, given: list[int | None], operands: list[TensorType | None]
) -> int | None:
    if _integer(op, "keepdims", 1) or given[0] is None:
        return given[0]
    if "torch.onnx.axes" in op.attributes:
        count: int | None = len(ir.ArrayAttr(op.attributes["torch.onnx.axes"]))
    else:
        has_axes = len(operands) > 1 and operands[1] is not None
        count = _length(operands, 1) if has_axes else 0
    if count == 0:
        return given[0] if _integer(op, "noop_with_empty_axes", 0) else 0
    return None if count is None else given[0] - count


def _integer(op: ir.Operation, name: str, default: int) -> int:
    name = f"torch.onnx.{name}"
    return ir.IntegerAttr(op.attributes[name]).value if name in op.attributes else default


def _sum(*parts: int | None) -> int | None:
    return None if None in parts else sum(part for part in parts if part is not None)


def _matmul(given: list[int | None], operands: list[TensorType | None]) -> int | None:
    left, right = given
    if left is None or right is None:
        return None
    if left == 1 or right == 1:
        return left + right - 2 if left == right else max(left, right) - 1
    return max(left, right)


def _expanded(given: list[int | None], operands: list[TensorType | None]) -> int | None:
    count = _length(operands, 1)
    return None if count is None or given[0] is None else max(given[0], count)


def _squeezed(given: list[int | None], operands: list[TensorType | None]) -> int | None:
    first = operands[0]
    if len(operands) < 2 or operands[1] is None:
        sizes = None if first is None else first.sizes
        is_known = sizes is not None and None not in sizes
        return sum(size != 1 for size in sizes) if sizes is not None and is_known else None
    count = _length(operands, 1)
    return None if count is None or given[0] is None else given[0] - count


_RULES: dict[str, Callable[[list[int | None], list[TensorType | None]], int | None]] = {
    "ConstantOfShape": lambda given, operands: _length(operands, 0),
    "Expand": _expanded,
    "Gather": lambda given, operands: _sum(given[0], given[1], -1),
    "GatherElements": lambda given, operands: given[1],
    "MatMul": _matmul,
    "OneHot": lambda given, operands: _sum(given[0], 1),
    "Reshape": lambda given, operands: _length(operands, 1),
    "Squeeze": _squeezed,
    "Unsqueeze": lambda given, operands: _sum(given[0], _length(operands, 1)),
}
