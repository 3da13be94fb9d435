"""Lower recurrent layers to loops over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.ir_builder import (
    Number,
    assert_that,
    at_least,
    create_op,
    create_value,
    equal,
    for_loop,
    index_type,
    index_value,
    subtract,
)
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, PassFailure, RunState
from torch_refine.passes.lowering.kernels.slices import Slice
from torch_refine.passes.lowering.torch.seen_ops import constant_of

_PREFIX = "torch.torch_refine."
_FLOATS = ("f16", "bf16", "f32", "f64")
_EMPTY = "Expected sequence length to be larger than 0 in RNN"
_SIZES = "the batch sizes of a recurrent layer and its states differ"
# Layers of so few steps are not loops: the first product is known where the state is zero, and the
# copies of states between steps are saved (2 steps of 256 features take 0.8 of the time, 4 take
# 0.9, 8 the same).
_UNROLLED = 4
_UNKNOWN = ir.ShapedType.get_dynamic_size()


@dataclass(frozen=True)
class _Cell:
    """A cell: its gates, its states, and their new values.

    The function maps one element of each gate's inputs and sums, then those of a bias and of the
    last of the states, to the new states. An operator may have one more operand: a projection of
    the hidden state, or a bias.
    """

    gates: int
    states: int
    compute: Callable[[Sequence[ir.Value], Sequence[ir.Value], Sequence[ir.Value]], list[ir.Value]]
    others: str = ""


@dataclass
class LowerRecurrences(Pass):
    """Lower recurrent layers to loops over time.

    `torch_refine::lstm_steps`, `projected_lstm_steps`, `gru_steps`, `tanh_steps` and `relu_steps`
    are the steps of one direction of a layer, whose inputs are multiplied by their weight already
    (`passes/lowering/exported/recurrent.py`). An iteration multiplies the hidden state by the
    recurrent weight, computes the gates in one elementwise op, and inserts the new state into the
    output. At most 4 steps are unrolled. 16-bit floats are summed and computed in f32. Like
    PyTorch, a program raises for sequences of length 0.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?,2,3],f32>, %arg1: !torch.vtensor<[3,3],f32>, %arg2: \
!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[?,2,3],f32> {
      %int0 = torch.constant.int 0
      %false = torch.constant.bool false
      %0:2 = torch.operator "torch.torch_refine.tanh_steps"(%arg0, %arg1, %arg2, %int0, %false) : \
(!torch.vtensor<[?,2,3],f32>, !torch.vtensor<[3,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int, \
!torch.bool) -> (!torch.vtensor<[?,2,3],f32>, !torch.vtensor<[2,3],f32>)
      return %0#0 : !torch.vtensor<[?,2,3],f32>
    }
    ```

    After:

    ```mlir
    #map = affine_map<(d0, d1) -> (d0, d1)>
    func.func @f(%arg0: !torch.vtensor<[?,2,3],f32>, %arg1: !torch.vtensor<[3,3],f32>, %arg2: \
!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[?,2,3],f32> {
      // ...
      cf.assert %3, "Expected sequence length to be larger than 0 in RNN"
      %4 = tensor.empty(%dim) : tensor<?x2x3xf32>
      // ...
      %5:2 = scf.for %arg3 = %c0_0 to %dim step %c1_1 iter_args(%arg4 = %4, %arg5 = %2) -> \
(tensor<?x2x3xf32>, tensor<2x3xf32>) {
        %8 = tensor.empty() : tensor<2x3xf32>
        %cst = arith.constant 0.000000e+00 : f32
        %9 = linalg.fill ins(%cst : f32) outs(%8 : tensor<2x3xf32>) -> tensor<2x3xf32>
        %10 = linalg.matmul ins(%arg5, %1 : tensor<2x3xf32>, tensor<3x3xf32>) \
outs(%9 : tensor<2x3xf32>) -> tensor<2x3xf32>
        %extracted_slice = tensor.extract_slice %0[%arg3, 0, 0] [1, 2, 3] [1, 1, 1] : \
tensor<?x2x3xf32> to tensor<2x3xf32>
        %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", \
"parallel"]} ins(%extracted_slice, %10 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%arg5 : \
tensor<2x3xf32>) {
        ^bb0(%in: f32, %in_2: f32, %out: f32):
          %12 = arith.addf %in, %in_2 : f32
          %13 = math.tanh %12 : f32
          linalg.yield %13 : f32
        } -> tensor<2x3xf32>
        %inserted_slice = tensor.insert_slice %11 into %arg4[%arg3, 0, 0] [1, 2, 3] [1, 1, 1] : \
tensor<2x3xf32> into tensor<?x2x3xf32>
        scf.yield %inserted_slice, %11 : tensor<?x2x3xf32>, tensor<2x3xf32>
      }
      // ...
    }
    ```
    """

    name: ClassVar[str] = "torch-lower-recurrences"

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Rewrite in a module, or in one function."""
        types = Types(op.context)
        failed = False
        for each in list(walk(op)):
            cell = _cell_of(each)
            if cell is None:
                continue
            reason = _why_not(each, cell, types)
            if reason is not None:
                message = f"{name_of(each)} is not lowered: {reason}"
                state.diagnostics.error(each.location, message)
                failed = True
                continue
            with each.location, ir.InsertionPoint(each):
                _lower(each, cell, types)
            state.count(self.name, "layers")
        if failed:
            raise PassFailure(self.name)


def _cell_of(op: ir.Operation) -> _Cell | None:
    if op.name != "torch.operator":
        return None
    name = str(ir.StringAttr(op.attributes["name"]).value)
    return _CELLS.get(name.removeprefix(_PREFIX)) if name.startswith(_PREFIX) else None


def _why_not(op: ir.Operation, cell: _Cell, types: Types) -> str | None:
    """Why an op cannot be lowered; None if it can."""
    *tensors, time, reverse = op.operands
    sizes, elements = [], set()
    for each in tensors:
        type = types.tensor(each.type)
        if type is None or type.sizes is None or type.element not in _FLOATS:
            return f"for an operand of type {each.type}"
        sizes.append(type.sizes)
        elements.add(type.element)
    if len(elements) > 1:
        return "for operands of different dtypes"
    if not _do_match(cell, sizes):
        return f"for operands of sizes {', '.join(str(list(each)) for each in sizes)}"
    if constant_of(time) not in (0, 1) or not isinstance(constant_of(reverse), bool | int):
        return "for a direction that is not constant"
    return None


def _do_match(cell: _Cell, sizes: Sequence[Sequence[int | None]]) -> bool:
    """Whether the operands have the sizes of a layer; batches are compared when it runs."""
    inputs, weight, *others = sizes
    states = others[len(others) - cell.states :]
    if len(inputs) != 3 or len(weight) != 2 or any(len(each) != 2 for each in states):
        return False
    hidden, width = weight
    if hidden is None or width is None or width % cell.gates or inputs[2] != width:
        return False
    features = width // cell.gates
    wanted = [[features, hidden]] if "projection" in cell.others else []
    wanted += [[features]] if "bias" in cell.others else []
    if [list(each) for each in others[: len(others) - cell.states]] != wanted:
        return False
    last = hidden if cell.states == 1 or not wanted else features
    return states[0][1] == hidden and states[-1][1] == last and (features == hidden or bool(wanted))


def _lower(op: ir.Operation, cell: _Cell, types: Types) -> None:
    """Replace an operator by a loop."""
    *tensors, time, reverse = op.operands
    inputs, weight, *others = (_builtin(each, types) for each in tensors)
    first = len(others) - cell.states
    layer = _Layer(cell, inputs, weight, others[:first], constant_of(time) == 1)
    results = layer.run(others[first:], bool(constant_of(reverse)))
    for old, new in zip(op.results, results, strict=True):
        type = _builtin_type(old, types)
        if new.type != type:
            new = create_value("tensor.cast", type, [new])
        old.replace_all_uses_with(create_value("torch_c.from_builtin_tensor", old.type, [new]))
    op.erase()


@dataclass
class _Layer:
    """One direction of a layer; ops are created at the current insertion point.

    `inputs` is `[time, batch, gates * features]`, or `[batch, time, ...]` if the batch is first.
    """

    cell: _Cell
    inputs: ir.Value
    weight: ir.Value
    others: Sequence[ir.Value]
    """A projection of two dimensions, or a bias of one."""
    batch_first: bool

    def run(self, states: Sequence[ir.Value], reverse: bool) -> list[ir.Value]:
        """The outputs of all steps, and the last states."""
        steps, self.batch = (_size(self.inputs, dim) for dim in range(2))
        if self.batch_first:
            steps, self.batch = self.batch, steps
        for each in states:
            size = _size(each, 0)
            if not isinstance(size, int) or size != self.batch:
                assert_that(equal(size, self.batch), _SIZES)
        if not isinstance(steps, int) or steps < 1:
            assert_that(at_least(steps, 1), _EMPTY)
        hidden = _size(states[0], 1)
        sizes = [self.batch, steps] if self.batch_first else [steps, self.batch]
        output = _empty([*sizes, hidden], _element(states[0]))
        if isinstance(steps, int) and steps <= _UNROLLED:
            for step in range(steps):
                at = steps - 1 - step if reverse else step
                states = self._step(at, states)
                output = self._slice(at, 0, hidden).insert(states[0], output)
            return [output, *states]
        loop, body = for_loop(0, steps, 1, [output, *states])
        with ir.InsertionPoint(body):
            step, output, *carried = body.arguments
            at = subtract(subtract(steps, 1), step) if reverse else step
            new = self._step(at, carried)
            written = self._slice(at, 0, hidden).insert(new[0], output)
            create_op("scf.yield", [written, *new])
        return list(loop.results)

    def _slice(self, at: Number, start: int, size: Number) -> Slice:
        """The features of one step from `start` on."""
        offsets: list[Number] = [at, 0]
        sizes: list[Number] = [1, self.batch]
        if self.batch_first:
            offsets, sizes = offsets[::-1], sizes[::-1]
        return Slice([*offsets, start], [*sizes, size], [1, 1, 1])

    def _step(self, at: Number, states: Sequence[ir.Value]) -> list[ir.Value]:
        """The new states."""
        element = _element(states[0])
        gates = self.cell.gates
        features = int(ir.RankedTensorType(self.weight.type).shape[1]) // gates
        sums = _product(states[0], self.weight, self.batch)
        part = _type(_shape([self.batch, features]), element)
        inputs = [
            self._slice(at, gate * features, features).extract(self.inputs, part)
            for gate in range(gates)
        ]
        parts = [
            Slice([0, gate * features], [self.batch, features], [1, 1]).extract(sums)
            if gates > 1
            else sums
            for gate in range(gates)
        ]
        projection = [each for each in self.others if ir.RankedTensorType(each.type).rank == 2]
        biases = [each for each in self.others if each not in projection]
        results = list(states)
        if projection:
            results[0] = _empty([self.batch, features], element)
        new = _elementwise(
            [*inputs, *parts, *biases],
            results,
            lambda given, old: self.cell.compute(
                given[:gates], given[gates : 2 * gates], [*given[2 * gates :], old[-1]]
            ),
        )
        if projection:
            new[0] = _rounded(_product(new[0], projection[0], self.batch), states[0])
        return new


def _lstm(
    inputs: Sequence[ir.Value], sums: Sequence[ir.Value], others: Sequence[ir.Value]
) -> list[ir.Value]:
    a, b, c, d = map(_add, inputs, sums)
    cell = _add(_multiply(_sigmoid(b), others[-1]), _multiply(_sigmoid(a), _tanh(c)))
    return [_multiply(_sigmoid(d), _tanh(cell)), cell]


def _gru(
    inputs: Sequence[ir.Value], sums: Sequence[ir.Value], others: Sequence[ir.Value]
) -> list[ir.Value]:
    bias, old = others
    reset, update = (_sigmoid(_add(*each)) for each in zip(inputs[:2], sums[:2], strict=True))
    new = _tanh(_add(inputs[2], _multiply(_add(sums[2], bias), reset)))
    return [_add(_multiply(_binary("arith.subf", old, new), update), new)]


def _with_tanh(
    inputs: Sequence[ir.Value], sums: Sequence[ir.Value], others: Sequence[ir.Value]
) -> list[ir.Value]:
    return [_tanh(_add(inputs[0], sums[0]))]


def _with_relu(
    inputs: Sequence[ir.Value], sums: Sequence[ir.Value], others: Sequence[ir.Value]
) -> list[ir.Value]:
    total = _add(inputs[0], sums[0])
    # The maximum of NaN is NaN, as in PyTorch.
    return [_binary("arith.maximumf", total, _number(total.type, 0.0))]


_CELLS = {
    "lstm_steps": _Cell(4, 2, _lstm),
    "projected_lstm_steps": _Cell(4, 2, _lstm, "projection"),
    "gru_steps": _Cell(3, 1, _gru, "bias"),
    "tanh_steps": _Cell(1, 1, _with_tanh),
    "relu_steps": _Cell(1, 1, _with_relu),
}


def _binary(name: str, a: ir.Value, b: ir.Value) -> ir.Value:
    return create_value(name, a.type, [a, b])


def _add(a: ir.Value, b: ir.Value) -> ir.Value:
    return _binary("arith.addf", a, b)


def _multiply(a: ir.Value, b: ir.Value) -> ir.Value:
    return _binary("arith.mulf", a, b)


def _tanh(value: ir.Value) -> ir.Value:
    return create_value("math.tanh", value.type, [value])


def _sigmoid(value: ir.Value) -> ir.Value:
    negated = create_value("arith.negf", value.type, [value])
    one = _number(value.type, 1.0)
    total = _add(create_value("math.exp", value.type, [negated]), one)
    return _binary("arith.divf", one, total)


def _number(type: ir.Type, value: float) -> ir.Value:
    return create_value("arith.constant", type, [], {"value": ir.FloatAttr.get(type, value)})


def _product(left: ir.Value, right: ir.Value, rows: Number) -> ir.Value:
    """A matmul; 16-bit floats are summed in f32."""
    wide = _wide(_element(left))
    memory = _empty([rows, _size(right, 1)], wide)
    filled = _structured("linalg.fill", [_number(wide, 0.0)], [memory], lambda given, _: [*given])
    row, column, depth = (ir.AffineExpr.get_dim(dim) for dim in range(3))
    indexing = [
        ir.AffineMapAttr.get(ir.AffineMap.get(3, 0, dims))
        for dims in ([row, depth], [depth, column], [row, column])
    ]
    return _structured(
        "linalg.matmul",
        [left, right],
        filled,
        lambda given, old: [_add(old[0], _multiply(*map(_widened, given)))],
        {"indexing_maps": ir.ArrayAttr.get(indexing)},
    )[0]


def _structured(
    name: str,
    inputs: Sequence[ir.Value],
    memory: Sequence[ir.Value],
    compute: Callable[[Sequence[ir.Value], Sequence[ir.Value]], list[ir.Value]],
    attributes: dict[str, ir.Attribute] | None = None,
) -> list[ir.Value]:
    """A structured op, whose body maps its elements to those of its results."""
    segments = ir.DenseI32ArrayAttr.get([len(inputs), len(memory)])
    op = create_op(
        name,
        [*inputs, *memory],
        {**(attributes or {}), "operandSegmentSizes": segments},
        results=[each.type for each in memory],
        regions=1,
    )
    elements = [_element(each) for each in (*inputs, *memory)]
    places = [ir.Location.current] * len(elements)
    block = ir.Block.create_at_start(op.regions[0], elements, places)
    with ir.InsertionPoint(block):
        arguments = list(block.arguments)
        create_op("linalg.yield", compute(arguments[: len(inputs)], arguments[len(inputs) :]))
    return list(op.results)


def _elementwise(
    inputs: Sequence[ir.Value],
    memory: Sequence[ir.Value],
    compute: Callable[[Sequence[ir.Value], Sequence[ir.Value]], list[ir.Value]],
) -> list[ir.Value]:
    """A loop over all elements of matrices, computed in f32 at least; a vector is broadcast."""
    whole = ir.AffineMap.get_identity(2)
    row = ir.AffineMap.get(2, 0, [ir.AffineExpr.get_dim(1)])
    ranks = [ir.RankedTensorType(each.type).rank for each in (*inputs, *memory)]
    parallel = ir.Attribute.parse("#linalg.iterator_type<parallel>")
    indexing = [ir.AffineMapAttr.get(row if rank == 1 else whole) for rank in ranks]

    def widened(given: Sequence[ir.Value], old: Sequence[ir.Value]) -> list[ir.Value]:
        found = compute([_widened(each) for each in given], [_widened(each) for each in old])
        pairs = zip(found, old, strict=True)
        return [_narrowed(new, before.type) for new, before in pairs]

    return _structured(
        "linalg.generic",
        inputs,
        memory,
        widened,
        {
            "indexing_maps": ir.ArrayAttr.get(indexing),
            "iterator_types": ir.ArrayAttr.get([parallel] * 2),
        },
    )


def _rounded(sums: ir.Value, memory: ir.Value) -> ir.Value:
    """Sums in the dtype of a state."""
    if sums.type == memory.type:
        return sums
    return _elementwise([sums], [memory], lambda given, _: list(given))[0]


def _wide(element: ir.Type) -> ir.Type:
    """The type of sums."""
    return ir.F32Type.get() if element.width == 16 else element


def _widened(value: ir.Value) -> ir.Value:
    wide = _wide(value.type)
    return value if value.type == wide else create_value("arith.extf", wide, [value])


def _narrowed(value: ir.Value, type: ir.Type) -> ir.Value:
    return value if value.type == type else create_value("arith.truncf", type, [value])


def _builtin(value: ir.Value, types: Types) -> ir.Value:
    return create_value("torch_c.to_builtin_tensor", _builtin_type(value, types), [value])


def _builtin_type(value: ir.Value, types: Types) -> ir.RankedTensorType:
    type = types.tensor(value.type)
    assert type is not None and type.sizes is not None, "ranks must be known"
    shape = [_UNKNOWN if size is None else size for size in type.sizes]
    return _type(shape, ir.Type.parse(str(type.element)))


def _element(value: ir.Value) -> ir.Type:
    """The element type of a tensor, or the type of a scalar."""
    type = value.type
    return type.element_type if isinstance(type, ir.RankedTensorType) else type


def _type(shape: Sequence[int], element: ir.Type) -> ir.RankedTensorType:
    return ir.RankedTensorType.get(list(shape), element)


def _shape(sizes: Sequence[Number]) -> list[int]:
    return [each if isinstance(each, int) else _UNKNOWN for each in sizes]


def _empty(sizes: Sequence[Number], element: ir.Type) -> ir.Value:
    dynamic = [each for each in sizes if not isinstance(each, int)]
    return create_value("tensor.empty", _type(_shape(sizes), element), dynamic)


def _size(value: ir.Value, dim: int) -> Number:
    known = ir.RankedTensorType(value.type).shape[dim]
    if known != _UNKNOWN:
        return int(known)
    return create_value("tensor.dim", index_type(), [value, index_value(dim)])
