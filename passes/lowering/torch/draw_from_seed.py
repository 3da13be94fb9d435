"""Lower random operators to a counter-based generator with a seed argument."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import (
    Number,
    add,
    assert_that,
    at_least,
    create_op,
    create_value,
    index_type,
    index_value,
    less_than,
    multiply,
)
from torch_refine.dialect.names import name_of
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.templates import Templates
from torch_refine.passes.lowering.torch.seen_ops import constant_of
from torch_refine.passes.program import program_functions, redeclare, returns_of, symbol_name

_FUNCTIONS = Path(__file__).with_name("random_numbers.mlir")
_FLOATS = ("f16", "bf16", "f32", "f64")


@dataclass(frozen=True)
class _Drawing:
    """The lowering of a random operator.

    The function in `random_numbers.mlir`; the numbers of the operands that are its bounds, or mean
    and standard deviation, or constants for these; the number of the operand that determines the
    sizes.
    """

    function: str
    first: int | float
    second: int | float
    sizes: int = 0


# Ints are operand numbers; floats are constants.
_DRAWINGS = {
    "torch.aten.uniform": _Drawing("uniform", 1, 2),
    "torch.aten.normal_functional": _Drawing("normal", 1, 2),
    "torch.aten.randn": _Drawing("normal", 0.0, 1.0),
    "torch.aten.randn.generator": _Drawing("normal", 0.0, 1.0),
    "torch.aten.randn_like": _Drawing("normal", 0.0, 1.0),
    "torch.aten.randint": _Drawing("integer", 0.0, 0, sizes=1),
    "torch.aten.randint.low": _Drawing("integer", 0, 1, sizes=2),
}


def has_random_ops(function: ir.Operation) -> bool:
    """Whether a function has random operators, so that it gets a seed argument."""
    return any(each.name in _DRAWINGS for each in walk(function))


@dataclass
class DrawFromSeed(Pass):
    """Lower random operators to a counter-based generator with a seed argument.

    A function with random operators gets one more argument, the seed: calls with equal seeds have
    equal results. Each element is a function of the seed, the operator and its index, by Philox
    4x32 with ten rounds (`random_numbers.mlir`), so elements may be computed in any order, or
    twice. The distributions are those of PyTorch, with the same precision; the values differ from
    those of eager mode, whose generator is sequential.

    An operator in a loop is an error, as each iteration would draw the same values; so is one in a
    function that is called by another.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
      %float0.000000e00 = torch.constant.float 0.000000e+00
      %float1.000000e00 = torch.constant.float 1.000000e+00
      %none = torch.constant.none
      %0 = torch.aten.uniform %arg0, %float0.000000e00, %float1.000000e00, %none : \
!torch.vtensor<[4],f32>, !torch.float, !torch.float, !torch.none -> !torch.vtensor<[4],f32>
      return %0 : !torch.vtensor<[4],f32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0) -> (d0)>
    func.func @f(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.int) -> !torch.vtensor<[4],f32> {
      %0 = torch_c.to_i64 %arg1
      // ...
      %1 = tensor.empty() : tensor<4xf32>
      // ...
      %2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%1 : \
tensor<4xf32>) {
      ^bb0(%out: f32):
        %4 = linalg.index 0 : index
        // ...
        linalg.yield %139 : f32
      } -> tensor<4xf32>
      %3 = torch_c.from_builtin_tensor %2 : tensor<4xf32> -> !torch.vtensor<[4],f32>
      return %3 : !torch.vtensor<[4],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-draw-from-seed"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite the functions of a module."""
        found = [
            (function, drawing)
            for function in program_functions(op)
            if (drawing := [each for each in walk(function) if each.name in _DRAWINGS])
        ]
        types = Types(op.context)
        called = _called(op) if found else set()
        failed = False
        for function, drawing in found:
            is_called = symbol_name(function) in called
            for each in drawing:
                reason = _why_not(each, is_called, types)
                if reason is not None:
                    message = f"{name_of(each)} is not lowered: {reason}"
                    state.diagnostics.error(each.location, message)
                    failed = True
        if failed:
            raise PassFailure(self.name)
        for function, drawing in found:
            templates = Templates(_FUNCTIONS, op.context)
            seed = _add_seed_argument(function)
            for stream, each in enumerate(drawing):
                with each.location, ir.InsertionPoint(each):
                    _Draw(each, types, templates, seed, stream).write()
            state.count(self.name, "operators", len(drawing))


def _called(op: ir.Operation) -> set[str]:
    """The functions that are called by others."""
    return {
        ir.FlatSymbolRefAttr(each.attributes["callee"]).value
        for each in walk(op)
        if each.name == "func.call"
    }


def _why_not(op: ir.Operation, is_called: bool, types: Types) -> str | None:
    """Why an op cannot be lowered; None if it can."""
    parent = operation_of(op.parent)
    while parent.name != "func.func":
        if parent.name.startswith("torch.prim.Loop"):
            return "each iteration of the loop would draw the same random numbers"
        parent = operation_of(parent.parent)
    if is_called:
        return "its function is called by another, and has no seed argument"
    result = types.tensor(op.results[0].type)
    if result is None or result.sizes is None or result.element is None:
        return "the type of its result is unknown"
    drawing = _DRAWINGS[op.name]
    if drawing.function != "integer" and result.element not in _FLOATS:
        return f"the distribution does not support dtype {result.element}"
    if drawing.function == "integer" and result.element.startswith(("!", "complex")):
        return f"integers of dtype {result.element} are not supported"
    sizes = op.operands[drawing.sizes]
    producer = defining_op(sizes)
    is_list = str(sizes.type).startswith("!torch.list")
    if is_list and (producer is None or producer.name != "torch.prim.ListConstruct"):
        return "its sizes are not a constructed list"
    return None


def _add_seed_argument(function: ir.Operation) -> ir.Value:
    """Append a seed argument to the function; returns its value, loaded at the entry."""
    body = function.regions[0].blocks[0]
    unknown = ir.Location.unknown(function.context)
    argument = body.add_argument(ir.Type.parse("!torch.int", function.context), unknown)
    redeclare(function, returns_of(function)[0])
    with ir.InsertionPoint.at_block_begin(body), unknown:
        return _number(argument, "torch_c.to_i64", "i64")


def _number(value: ir.Value, conversion: str, type: str) -> ir.Value:
    return create_value(conversion, ir.Type.parse(type), [value])


@dataclass
class _Draw:
    """A random operator; ops are created at the current insertion point."""

    op: ir.Operation
    types: Types
    templates: Templates
    seed: ir.Value
    stream: int

    def write(self) -> None:
        """Replace the operator by a loop over all elements."""
        result = self.types.tensor(self.op.results[0].type)
        assert result is not None and result.sizes is not None, "the result must be a tensor"
        element = _builtin(str(result.element))
        sizes = self._sizes(result.sizes)
        dynamic = ir.ShapedType.get_dynamic_size()
        shape = [size if isinstance(size, int) else dynamic for size in sizes]
        type = ir.RankedTensorType.get(shape, element)
        memory = create_value(
            "tensor.empty", type, [size for size in sizes if not isinstance(size, int)]
        )
        given = [self.seed, _constant("i64", self.stream)]
        bounds = self._bounds()
        loop, body = _loop(type, memory)
        with ir.InsertionPoint(body):
            drawn = self._sample(element, [*given, _linear_index(sizes), *bounds])
            create_op("linalg.yield", [drawn])
        told = replace(
            result, sizes=tuple(size if isinstance(size, int) else None for size in sizes)
        )
        value = create_value("torch_c.from_builtin_tensor", self.types.parse(told), [loop.result])
        if value.type != self.op.results[0].type:
            value = create_value("torch.tensor_static_info_cast", self.op.results[0].type, [value])
        self.op.results[0].replace_all_uses_with(value)
        self.op.erase()

    def _sizes(self, known: Sequence[int | None]) -> list[Number]:
        """The sizes of the result, static ones as ints."""
        value = self.op.operands[_DRAWINGS[self.op.name].sizes]
        tensor = self.types.tensor(value.type)
        if tensor is None:
            producer = defining_op(value)
            assert producer is not None, "the sizes must be a list"
            return [
                _size(asked) if size is None else size
                for size, asked in zip(known, producer.operands, strict=True)
            ]
        if None not in known:
            return [size for size in known if size is not None]
        dynamic = ir.ShapedType.get_dynamic_size()
        shape = [dynamic if size is None else size for size in known]
        type = ir.RankedTensorType.get(shape, _builtin(str(tensor.element)))
        builtin = create_value("torch_c.to_builtin_tensor", type, [value])
        return [
            create_value("tensor.dim", index_type(), [builtin, index_value(dim)])
            if size is None
            else size
            for dim, size in enumerate(known)
        ]

    def _bounds(self) -> list[ir.Value]:
        """The parameters of the function: its bounds, or mean and standard deviation."""
        drawing = _DRAWINGS[self.op.name]
        is_whole = drawing.function == "integer"
        found = [self._bound(each, is_whole) for each in (drawing.first, drawing.second)]
        if is_whole:
            low, high = found
            assert_that(less_than(low, high), "random numbers from an empty range")
        return found

    def _bound(self, given: int | float, is_whole: bool) -> ir.Value:
        type = "i64" if is_whole else "f64"
        if isinstance(given, float):
            return _constant(type, given)
        value = self.op.operands[given]
        constant = constant_of(value)
        if constant is not None:
            return _constant(type, constant)
        if is_whole:
            return _number(value, "torch_c.to_i64", type)
        if str(value.type) == "!torch.int":
            value = create_value("torch.aten.Float.Scalar", ir.Type.parse("!torch.float"), [value])
        return _number(value, "torch_c.to_f64", type)

    def _sample(self, element: ir.Type, values: list[ir.Value]) -> ir.Value:
        """One random value."""
        function = _DRAWINGS[self.op.name].function
        if function != "integer":
            return self.templates.put(f"{function}.{element}", values).results[0]
        (number,) = self.templates.put("integer.i64", values).results
        if number.type == element:
            return number
        is_float = str(element) in _FLOATS
        return create_value("arith.sitofp" if is_float else "arith.trunci", element, [number])


def _builtin(element: str) -> ir.Type:
    """A signless element type, as builtin tensors have it."""
    return ir.Type.parse(element[1:] if element.startswith(("si", "ui")) else element)


def _constant(type: str, value: int | float) -> ir.Value:
    parsed = ir.Type.parse(type)
    is_float = type.startswith("f")
    number = ir.FloatAttr.get(parsed, value) if is_float else ir.IntegerAttr.get(parsed, int(value))
    return create_value("arith.constant", parsed, [], {"value": number})


def _size(asked: ir.Value) -> Number:
    index = create_value(
        "arith.index_cast", index_type(), [_number(asked, "torch_c.to_i64", "i64")]
    )
    assert_that(at_least(index, 0), "a size of random numbers is negative")
    return index


def _loop(type: ir.RankedTensorType, memory: ir.Value) -> tuple[ir.Operation, ir.Block]:
    """A loop over all elements of a tensor; its body has no terminator."""
    identity = ir.AffineMapAttr.get(ir.AffineMap.get_identity(type.rank))
    loop = create_op(
        "linalg.generic",
        [memory],
        {
            "indexing_maps": ir.ArrayAttr.get([identity]),
            "iterator_types": ir.ArrayAttr.get(
                [ir.Attribute.parse("#linalg.iterator_type<parallel>")] * type.rank
            ),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 1]),
        },
        results=[type],
        regions=1,
    )
    places = [ir.Location.current]
    return loop, ir.Block.create_at_start(loop.regions[0], [type.element_type], places)


def _linear_index(sizes: Sequence[Number]) -> ir.Value:
    """The row-major linear index of an iteration."""
    total: Number = 0
    for dim, size in enumerate(sizes):
        place = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), dim)
        at = create_value("linalg.index", index_type(), [], {"dim": place})
        total = add(multiply(total, size), at) if dim else at
    return create_value("arith.index_cast", ir.IntegerType.get_signless(64), [index_value(total)])
