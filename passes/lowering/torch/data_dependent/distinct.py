"""Unique values and slices: sort, compare with the predecessor, count."""

from __future__ import annotations

from dataclasses import dataclass

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import create_op
from torch_refine.dialect.tensor_type import TensorType
from torch_refine.dialect.torch_builder import LAST, Size, TorchBuilder
from torch_refine.passes.lowering.torch.data_dependent.positions import flag, positions
from torch_refine.passes.lowering.torch.seen_ops import constant_of

# Unsigned integers and bools, which the sort compares as signed.
_SORTED_AS = {"ui8": "si32", "i1": "si32"}


def unique(build: TorchBuilder, op: ir.Operation) -> list[ir.Value] | None:
    """`_unique` and `_unique2`: always sorted, as on the CPU."""
    value = op.operands[0]
    wanted = [flag(each) for each in list(op.operands)[2:]]
    ordered, order = sort(build, build.flatten(value))
    runs = _Runs.of(build, ordered, _differs(build, ordered))
    results = [runs.values(ordered, 0)]
    results.append(runs.inverse(value, order) if wanted[0] else _empty_result(build))
    if len(wanted) > 1:
        results.append(runs.counts() if wanted[1] else _empty_result(build))
    return results


def unique_consecutive(build: TorchBuilder, op: ir.Operation) -> list[ir.Value] | None:
    """Runs of equal values, or of equal slices of a dimension."""
    value = op.operands[0]
    wanted = [flag(each) for each in list(op.operands)[1:3]]
    dim = constant_of(op.operands[3])
    rank = len(build.sizes(value))
    if isinstance(dim, int) and not (dim == 0 and rank == 1):
        return _runs_of_slices(build, value, dim % rank)
    flat = build.flatten(value)
    runs = _Runs.of(build, flat, _differs(build, flat))
    return [
        runs.values(flat, 0),
        runs.inverse(value) if wanted[0] else _empty_result(build),
        runs.counts() if wanted[1] else _empty_result(build),
    ]


def unique_dim_consecutive(build: TorchBuilder, op: ir.Operation) -> list[ir.Value] | None:
    """Runs of equal slices of a dimension."""
    dim = constant_of(op.operands[1])
    if not isinstance(dim, int):
        return None
    return _runs_of_slices(build, op.operands[0], dim % len(build.sizes(op.operands[0])))


def unique_dim(build: TorchBuilder, op: ir.Operation) -> list[ir.Value] | None:
    """Unique slices of a dimension, in lexicographic order."""
    value, dim = op.operands[0], constant_of(op.operands[1])
    if not isinstance(dim, int):
        return None
    dim %= len(build.sizes(value))
    slices = _slices(build, value, dim)
    order = _lexicographic_order(build, slices)
    ordered = build.index_select(slices, 0, order)
    runs = _Runs.of(build, ordered, _differs(build, ordered))
    places = build.index_select(order, 0, runs.starts)
    return [build.index_select(value, dim, places), runs.inverse(order, order), runs.counts()]


def _runs_of_slices(build: TorchBuilder, value: ir.Value, dim: int) -> list[ir.Value]:
    slices = _slices(build, value, dim)
    runs = _Runs.of(build, slices, _differs(build, slices))
    return [runs.values(value, dim), runs.inverse(), runs.counts()]


def sort(build: TorchBuilder, values: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The values of a vector in order, and their indices; the sort is stable."""
    type = build.type(values)
    given = _SORTED_AS.get(str(type.element))
    keys = values if given is None else build.to(values, given)
    found = create_op(
        "torch.aten.sort",
        [keys, build.number(0), build.boolean(False)],
        results=[keys.type, build.types.parse(TensorType(True, type.sizes, "si64"))],
    )
    ordered, order = found.results
    return build.to(ordered, str(type.element)), order


def _slices(build: TorchBuilder, value: ir.Value, dim: int) -> ir.Value:
    """The slices of a dimension as rows; they must not be empty.

    The other dimensions keep their order, which decides how slices are ordered.
    """
    front = build.to_front(value, dim)
    others = [each for each in range(len(build.sizes(front))) if each]
    length = build.count(front, others)
    count = build.size(front, 0)
    if not isinstance(length, int):
        some = build.at_most(1, length)
        build.assert_that(some, "there are 0-sized dimensions other than that of the slices")
    return build.view(front, [count, length])


def _lexicographic_order(build: TorchBuilder, rows: ir.Value) -> ir.Value:
    """The permutation that sorts rows: stable sorts by each column, from the last to the first."""
    count, length = build.size(rows, 0), build.size(rows, 1)
    start = build.arange(count)
    if isinstance(length, int) and length == 1:
        return sort(build, build.squeeze(rows, 1))[1]
    true = build.boolean(True)
    loop = create_op(
        "torch.prim.Loop", [build.number(length), true, start], results=[start.type], regions=1
    )
    places = [ir.Location.current] * 2
    body = ir.Block.create_at_start(
        loop.regions[0], [build.types.parse("!torch.int"), start.type], places
    )
    with ir.InsertionPoint(body):
        iteration, order = body.arguments
        last = build.subtract(length, 1)
        column = build.select(rows, 1, build.subtract(last, iteration))
        _, moved = sort(build, build.index_select(column, 0, order))
        following = build.retyped(build.index_select(order, 0, moved), start.type)
        create_op("torch.prim.Loop.condition", [true, following])
    return loop.result


def _differs(build: TorchBuilder, values: ir.Value) -> ir.Value:
    """Whether each element, or row, differs from its predecessor; the first one does."""
    count = build.size(values, 0)
    places = build.arange(count)
    before = build.with_number("clamp_min", "si64", build.subtract_one(places), 0)
    previous = build.index_select(values, 0, before)
    differs = build.elementwise("ne.Tensor", "i1", values, previous)
    if len(build.sizes(differs)) > 1:
        number = build.to(differs, "si64")
        none = build.none()
        dims = build.integers([1])
        sums = build.op(
            "sum.dim_IntList",
            build.sizes(values)[:1],
            "si64",
            number,
            dims,
            build.boolean(False),
            none,
        )
        differs = build.with_number("ne.Scalar", "i1", sums, 0)
    is_first = build.with_number("eq.Scalar", "i1", places, 0)
    return build.elementwise("logical_or", "i1", differs, is_first)


@dataclass
class _Runs:
    """Runs of equal values: the start of each run, and the run of each value."""

    build: TorchBuilder
    size: Size
    starts: ir.Value
    numbers: ir.Value

    @classmethod
    def of(cls, build: TorchBuilder, values: ir.Value, differs: ir.Value) -> _Runs:
        """The runs of a vector, or of rows; each starts where `differs` is true."""
        numbers = build.subtract_one(build.cumsum(build.to(differs, "si64")))
        return cls(build, build.size(values, 0), positions(build, differs), numbers)

    def values(self, values: ir.Value, dim: int) -> ir.Value:
        """The first value of each run."""
        return self.build.index_select(values, dim, self.starts)

    def inverse(self, like: ir.Value | None = None, order: ir.Value | None = None) -> ir.Value:
        """The run of each value, at its position before sorting."""
        build, numbers = self.build, self.numbers
        if order is not None:
            indices = build.optional_tensors([order])
            zeros = build.full([self.size], 0, "si64")
            no = build.boolean(False)
            sizes = build.sizes(numbers)
            numbers = build.op("index_put", sizes, "si64", zeros, indices, numbers, no)
        return numbers if like is None else build.like(numbers, like)

    def counts(self) -> ir.Value:
        """The length of each run."""
        build = self.build
        end = build.full([1], self.size, "si64")
        ends = build.slice(build.cat([self.starts, end]), 0, 1, LAST)
        return build.elementwise("sub.Tensor", "si64", ends, self.starts, build.number(1))


def _empty_result(build: TorchBuilder) -> ir.Value:
    """An empty tensor, for a result that is not requested."""
    return build.full([0], 0, "si64")
