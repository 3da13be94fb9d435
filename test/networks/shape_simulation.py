"""Shape functions by other means: emitted IR run with ints, and live bytes of a static program."""

from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.names import name_of, operator_name
from torch_refine.dialect.schemas import schema
from torch_refine.dialect.tensor_type import Types

BYTES = {"f32": 4, "f16": 2, "bf16": 2, "f64": 8, "si64": 8, "si32": 4, "i1": 1}
_ARITHMETIC = {
    "torch.aten.add.int": lambda a, b: a + b,
    "torch.aten.sub.int": lambda a, b: a - b,
    "torch.aten.mul.int": lambda a, b: a * b,
    "torch.aten.neg.int": lambda a: -a,
    "torch.aten.floordiv.int": lambda a, b: a // b,
    "torch.aten.remainder.int": lambda a, b: a % b,
    "torch.prim.min.int": min,
    "torch.prim.max.int": max,
    "torch.aten.eq.int": lambda a, b: a == b,
    "torch.aten.ne.int": lambda a, b: a != b,
    "torch.aten.ge.int": lambda a, b: a >= b,
    "torch.aten.gt.int": lambda a, b: a > b,
    "torch.aten.le.int": lambda a, b: a <= b,
    "torch.aten.lt.int": lambda a, b: a < b,
    "torch.aten.__not__": lambda a: not a,
    "torch.aten.__and__.bool": lambda a, b: a and b,
    "torch.aten.__or__.bool": lambda a, b: a or b,
    "torch.prim.ListConstruct": lambda *a: tuple(a),
}


class Rejected(Exception):
    """An assertion failed."""


def run_ints(function, arguments):
    """The results of a function on ints; raises Rejected with the message of an assertion."""
    block = function.regions[0].blocks[0]
    return _run(block, dict(zip(block.arguments, arguments, strict=True)))


def _run(block, values):
    for op in operations(block):
        operands = [values[value] for value in op.operands]
        if op.name in ("func.return", "torch.prim.If.yield"):
            return operands
        if op.name == "torch.runtime.assert":
            if not operands[0]:
                raise Rejected(ir.StringAttr(op.attributes["message"]).value)
        elif op.name.startswith("torch.constant."):
            values[op.result] = ir.IntegerAttr(op.attributes["value"]).value
        elif op.name == "torch.prim.If":
            side = op.regions[0 if operands[0] else 1].blocks[0]
            for result, value in zip(op.results, _run(side, values), strict=True):
                values[result] = value
        else:
            values[op.result] = _ARITHMETIC[op.name](*operands)
    raise AssertionError("no terminator")


# By hand, from PyTorch's documentation.
VIEWS = {
    "aten::view": True,
    "aten::_unsafe_view": True,
    "aten::unsqueeze": True,
    "aten::squeeze.dim": True,
    "aten::squeeze.dims": True,
    "aten::detach": True,
    "aten::alias": True,
    "aten::lift_fresh": True,
    "aten::unflatten.int": True,
    "aten::transpose.int": False,
    "aten::permute": False,
    "aten::expand": False,
    "aten::slice.Tensor": False,
    "aten::select.int": False,
    "aten::narrow": False,
    "aten::t": False,
    "aten::split.Tensor": False,
    "aten::split_with_sizes": False,
    "aten::chunk": False,
    "aten::unbind.int": False,
    "aten::diagonal": False,
    "aten::unfold": False,
}
MAYBE = {"aten::reshape", "aten::flatten.using_ints", "aten::contiguous"}
CONVERSIONS = {"aten::to.dtype", "aten::to.dtype_layout", "aten::to.device"}
PASSING = {
    "torch.prim.ListConstruct",
    "torch.prim.ListUnpack",
    "torch.prim.TupleConstruct",
    "torch.aten.__getitem__.t",
    "torch.tensor_static_info_cast",
    "torch.derefine",
}


def simulated_peak(function):
    """The peak of live bytes of a static program: inputs, weights, and the other tensors."""
    types = Types(function.context)

    def size(value):
        type = types.tensor(value.type)
        if type is None:
            return 0
        total = BYTES[type.element]
        for each in type.sizes:
            total *= each
        return total

    block = function.regions[0].blocks[0]
    ops = [op for op in operations(block) if op.name != "torch.bind_symbolic_shape"]
    # By value: the storages that it keeps alive, and whether it is contiguous.
    kept = {argument: (frozenset(), True) for argument in block.arguments}
    weights, made, uses = {}, {}, {}
    for time, op in enumerate(ops):
        name = operator_name(name_of(op))
        operands = [kept.get(value, (frozenset(), True)) for value in op.operands]
        for storages, _ in operands:
            for storage in storages:
                uses[storage] = time
        for result in op.results:
            everything = (frozenset().union(*(s for s, _ in operands)), all(c for _, c in operands))
            if op.name.endswith("tensor.literal"):
                weights[op.attributes["value"]] = size(result)
                kept[result] = (frozenset(), True)
            elif op.name in PASSING:
                kept[result] = everything
            elif name in VIEWS:
                kept[result] = (operands[0][0], operands[0][1] and VIEWS[name])
            elif (name in MAYBE and operands[0][1]) or (
                name in CONVERSIONS
                and types.tensor(result.type).element == types.tensor(op.operands[0].type).element
            ):
                kept[result] = (operands[0][0], name in MAYBE)
            else:
                assert name in MAYBE | CONVERSIONS or not _annotated(name), name
                if size(result):
                    made[result], uses[result] = (time, size(result)), time
                    kept[result] = (frozenset([result]), True)
    peak = 0
    for time in range(len(ops)):
        peak = max(peak, sum(n for each, (start, n) in made.items() if start <= time <= uses[each]))
    return sum(map(size, block.arguments)), sum(weights.values()), peak


def _annotated(name):
    """Whether PyTorch says that an operator may return a view."""
    from torch_refine.dialect.schemas import aliases

    try:
        schema(name)
    except KeyError:
        return False
    return any(aliases(name))
