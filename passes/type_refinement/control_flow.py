"""Ops with regions, and the lattice values of their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from torch_refine.abstract_interpreter.lattice import LatticeValue, Scalar
from torch_refine.abstract_interpreter.numbers.expressions import INT_MAX, fresh
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.calculate_ops import terminator
from torch_refine.passes.branching import YIELDS
from torch_refine.passes.type_refinement.fixed_point import FixedPoint
from torch_refine.passes.type_refinement.joining import Joiner
from torch_refine.passes.type_refinement.regions import Exit, Regions
from torch_refine.passes.type_refinement.sweep_state import SweepState

Values = tuple[LatticeValue, ...]

# Unreachable terminators.
_UNREACHABLE = {"ub.unreachable", "llvm.unreachable"}


def _side(
    regions: Regions,
    region: ir.Region,
    arguments: Sequence[LatticeValue],
    types: Sequence[ir.Type],
) -> list[Values]:
    """Visit a region that may not run; the yielded values, none if it always raises."""
    sweep = regions.sweep
    certain, sweep.certain = sweep.certain, False
    exits = regions.visit(region, arguments)
    sweep.certain = certain
    return _yielded(sweep, exits, types)


def _yielded(sweep: SweepState, exits: list[Exit], types: Sequence[ir.Type]) -> list[Values]:
    """The lattice values that terminators yield for values of these types."""
    found = []
    for op, operands in exits:
        values = operands[YIELDS[op.name] :] if op.name in YIELDS else None
        if values is not None and len(values) == len(types):
            found.append(values)
        elif op.name not in _UNREACHABLE:
            found.append(tuple(sweep.declared.lattice_value(type) for type in types))
    return found


def _joined(sweep: SweepState, possible: list[Values], types: Sequence[ir.Type]) -> Values | None:
    """The join of the possible values; None if there are none."""
    if not possible:
        return None
    joiner = Joiner(sweep.facts)
    found = possible[0]
    for other in possible[1:]:
        triples = zip(found, other, map(sweep.declared.kind, types), strict=True)
        found = tuple(joiner.join(a, b, kind) for a, b, kind in triples)
    return found


def _learn(sweep: SweepState, op: ir.Operation, results: Values | None, source: str) -> None:
    """Record the results of an op; without any, code after it is unreachable."""
    if results is None:
        sweep.ended = True
        results = tuple(sweep.declared.lattice_value(result.type) for result in op.results)
    sweep.learn(op, results, source)


def _fit_yields(sweep: SweepState, region: ir.Region, types: Sequence[ir.Type]) -> None:
    """Cast the operands of a region's terminators to the expected types."""
    for block in region:
        if len(block.operations):
            last = terminator(block)
            if last.name in YIELDS:
                sweep.writer.fit(last, YIELDS[last.name], types)


def _types(values: Sequence[ir.Value]) -> list[ir.Type]:
    return [value.type for value in values]


def _branches(regions: Regions, op: ir.Operation, name: str) -> None:
    """Visit all regions; the results are joined over the feasible ones."""
    sweep = regions.sweep
    types = _types(op.results)
    chosen = _chosen(sweep, op)
    possible: list[Values] = []
    for index, region in enumerate(op.regions):
        if chosen in (None, index):
            # `scf.if` may omit an empty else region.
            possible += _side(regions, region, (), types) if len(region.blocks) else [()]
        elif sweep.writing:
            _side(regions, region, (), types)
    _learn(sweep, op, _joined(sweep, possible, types), "its branches yield")
    if sweep.writing:
        for region in op.regions:
            _fit_yields(sweep, region, _types(op.results))


def _chosen(sweep: SweepState, op: ir.Operation) -> int | None:
    """The index of the region that is always taken, None if unknown."""
    condition = sweep.fact(op.operands[0])
    if not isinstance(condition, Scalar):
        return None
    if op.name == "scf.index_switch":
        cases = list(ir.DenseI64ArrayAttr(op.attributes["cases"]))
        return cases.index(condition.value) + 1 if condition.value in cases else 0
    return 0 if condition.value else 1


def _execute(regions: Regions, op: ir.Operation, name: str) -> None:
    """A region that runs exactly once."""
    sweep = regions.sweep
    types = _types(op.results)
    exits = regions.visit(op.regions[0])
    _learn(sweep, op, _joined(sweep, _yielded(sweep, exits, types), types), "its region yields")
    if sweep.writing:
        _fit_yields(sweep, op.regions[0], _types(op.results))


def _loop(regions: Regions, op: ir.Operation, name: str) -> None:
    """Iterate loop-carried values to a fixed point without writing, then write the body."""
    sweep = regions.sweep
    region = op.regions[0]
    arguments = list(region.blocks[0].arguments)
    types = _types(op.results)
    first = len(op.operands) - len(types)
    counter = _counter(sweep, op, arguments[0])

    def iteration(carried: Values) -> list[Values]:
        return _side(regions, region, (counter, *carried), types)

    fixed_point = FixedPoint(sweep, types)
    fixed_point.add(_entry(sweep, op, first))
    if not _runs_never(sweep, op):
        _iterate(regions, region.blocks[0], fixed_point, iteration)
    carried = fixed_point.state
    assert carried is not None
    if sweep.writing:
        _set_types(sweep, arguments[1:], carried)
        iteration(carried)
    sweep.learn(op, carried, "its iterations yield")
    if sweep.writing:
        types = _types(op.results)
        sweep.writer.fit(op, first, types)
        _fit_yields(sweep, region, types)


def _entry(sweep: SweepState, op: ir.Operation, first: int) -> Values:
    """The initial loop-carried values; an error if they contradict their declared types."""
    entry = sweep.operands(op)[first:]
    for lattice_value, result in zip(entry, op.results, strict=True):
        error = sweep.contradiction(lattice_value, result.type)
        if error is not None:
            sweep.report(op, f"{op.name} declares its loop-carried value {result.type}: {error}")
    return entry


def _iterate(
    regions: Regions,
    place: ir.Block,
    fixed_point: FixedPoint,
    iteration: Callable[[Values], list[Values]],
) -> None:
    """Visit a loop's body, without writing, until its loop-carried values reach a fixed point."""
    sweep = regions.sweep
    regions.begin(place, fixed_point)
    writing, sweep.writing = sweep.writing, False
    try:
        changed = True
        while changed:
            assert fixed_point.state is not None
            after = iteration(fixed_point.state)
            changed = any([fixed_point.add(values) for values in after])
    finally:
        sweep.writing = writing
    regions.end(place, fixed_point)


def _set_types(sweep: SweepState, arguments: Sequence[ir.Value], lattice_values: Values) -> None:
    for argument, lattice_value in (
        zip(arguments, lattice_values, strict=True) if sweep.refines else ()
    ):
        sweep.writer.set_type(argument, sweep.declared.refined(lattice_value, argument.type))


def _runs_never(sweep: SweepState, op: ir.Operation) -> bool:
    """Whether a loop always has trip count zero."""
    low, high = (
        lattice_value.value if isinstance(lattice_value, Scalar) else None
        for lattice_value in sweep.operands(op)[:2]
    )
    if op.name == "torch.prim.Loop":
        return (type(low) is int and low <= 0) or high is False
    if type(low) is not int or type(high) is not int or "unsignedCmp" in op.attributes:
        return False
    return low >= high


def _counter(sweep: SweepState, op: ir.Operation, argument: ir.Value) -> LatticeValue:
    """The induction variable."""
    if op.name != "torch.prim.Loop":
        return sweep.declared.lattice_value(argument.type)
    limit, high = sweep.fact(op.operands[0]), INT_MAX
    if isinstance(limit, Scalar) and type(limit.value) is int:
        high = max(limit.value - 1, 0)
    return sweep.facts.integer(fresh(0, high))


def _while(regions: Regions, op: ir.Operation, name: str) -> None:
    """`scf.while`: the condition forwards the results, which are also the second region's
    arguments.
    """
    sweep = regions.sweep
    before, after = op.regions
    carried_types = _types(before.blocks[0].arguments)
    result_types = _types(op.results)

    def tested(carried: Values) -> Values | None:
        found = regions.visit(before, carried)
        return _joined(sweep, _yielded(sweep, found, result_types), result_types)

    passed: Values | None = None

    def iteration(carried: Values) -> list[Values]:
        nonlocal passed
        passed = tested(carried)
        return [] if passed is None else _side(regions, after, passed, carried_types)

    fixed_point = FixedPoint(sweep, carried_types)
    fixed_point.add(sweep.operands(op))
    _iterate(regions, before.blocks[0], fixed_point, iteration)
    carried = fixed_point.state
    assert carried is not None
    if sweep.writing:
        _set_types(sweep, list(before.blocks[0].arguments), carried)
        passed = tested(carried)
        lattice_values = regions.declared(after.blocks[0])
        if passed is not None:
            pairs = zip(passed, result_types, strict=True)
            lattice_values = tuple(sweep.met(lattice_value, type) for lattice_value, type in pairs)
        _set_types(sweep, list(after.blocks[0].arguments), lattice_values)
        _side(regions, after, lattice_values, carried_types)
    _learn(sweep, op, passed, "its condition forwards")
    if sweep.writing:
        carried_types = _types(before.blocks[0].arguments)
        sweep.writer.fit(op, 0, carried_types)
        _fit_yields(sweep, before, _types(op.results))
        _fit_yields(sweep, after, carried_types)


def _passed_on(regions: Regions, op: ir.Operation, name: str) -> None:
    """Forwarded operands are handled with the terminator's target, which determines their types."""


VISITS: dict[str, Callable[[Regions, ir.Operation, str], None]] = {
    **dict.fromkeys(YIELDS, _passed_on),
    **dict.fromkeys(("cf.br", "cf.cond_br", "cf.switch"), _passed_on),
    "torch.prim.If": _branches,
    "scf.if": _branches,
    "scf.index_switch": _branches,
    "scf.execute_region": _execute,
    "torch.prim.Loop": _loop,
    "scf.for": _loop,
    "scf.while": _while,
}
