"""Ops that hold regions: what comes out of these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from torch_refine.abstract_interpreter.facts import Fact, Scalar
from torch_refine.abstract_interpreter.numbers.expressions import INT_MAX, fresh
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.calculate_ops import terminator
from torch_refine.passes.branching import YIELDS
from torch_refine.passes.type_refinement.joining import Joiner
from torch_refine.passes.type_refinement.regions import Exit
from torch_refine.passes.type_refinement.settling import Settling

if TYPE_CHECKING:
    from torch_refine.passes.type_refinement.sweep import Sweep

Values = tuple[Fact, ...]

# Terminators that no run gets to.
_UNREACHABLE = {"ub.unreachable", "llvm.unreachable"}


def _side(
    sweep: Sweep, region: ir.Region, arguments: Sequence[Fact], types: Sequence[ir.Type]
) -> list[Values]:
    """Visit a region that may not run: what it yields, nothing if it always raises."""
    certain, sweep.certain = sweep.certain, False
    exits = sweep.regions.visit(region, arguments)
    sweep.certain = certain
    return _yielded(sweep, exits, types)


def _yielded(sweep: Sweep, exits: list[Exit], types: Sequence[ir.Type]) -> list[Values]:
    """What terminators yield for values of these types."""
    found = []
    for op, operands in exits:
        values = operands[YIELDS[op.name] :] if op.name in YIELDS else None
        if values is not None and len(values) == len(types):
            found.append(values)
        elif op.name not in _UNREACHABLE:
            found.append(tuple(sweep.declared.fact(type) for type in types))
    return found


def _joined(sweep: Sweep, possible: list[Values], types: Sequence[ir.Type]) -> Values | None:
    """What holds whichever of some values it is; None if there are none."""
    if not possible:
        return None
    joiner = Joiner(sweep.facts)
    found = possible[0]
    for other in possible[1:]:
        triples = zip(found, other, map(sweep.declared.kind, types), strict=True)
        found = tuple(joiner.join(a, b, kind) for a, b, kind in triples)
    return found


def _learn(sweep: Sweep, op: ir.Operation, results: Values | None, source: str) -> None:
    """Note what an op gives; if it never does, no run comes by behind it."""
    if results is None:
        sweep.ended = True
        results = tuple(sweep.declared.fact(result.type) for result in op.results)
    sweep.learn(op, results, source)


def _fit_yields(sweep: Sweep, region: ir.Region, types: Sequence[ir.Type]) -> None:
    """Have what a region yields agree with what is expected."""
    for block in region:
        if len(block.operations):
            last = terminator(block)
            if last.name in YIELDS:
                sweep.writer.fit(last, YIELDS[last.name], types)


def _types(values: Sequence[ir.Value]) -> list[ir.Type]:
    return [value.type for value in values]


def _branches(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """All sides are visited; the results are what those that can be taken agree on."""
    types = _types(op.results)
    chosen = _chosen(sweep, op)
    possible: list[Values] = []
    for index, region in enumerate(op.regions):
        if chosen in (None, index):
            # `scf.if` may leave out what does nothing.
            possible += _side(sweep, region, (), types) if len(region.blocks) else [()]
        elif sweep.writing:
            _side(sweep, region, (), types)
    _learn(sweep, op, _joined(sweep, possible, types), "its branches give")
    if sweep.writing:
        for region in op.regions:
            _fit_yields(sweep, region, _types(op.results))


def _chosen(sweep: Sweep, op: ir.Operation) -> int | None:
    """The region that is always taken, if that is known."""
    condition = sweep.fact(op.operands[0])
    if not isinstance(condition, Scalar):
        return None
    if op.name == "scf.index_switch":
        cases = list(ir.DenseI64ArrayAttr(op.attributes["cases"]))
        return cases.index(condition.value) + 1 if condition.value in cases else 0
    return 0 if condition.value else 1


def _execute(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """A region that runs once, where the op stands."""
    types = _types(op.results)
    exits = sweep.regions.visit(op.regions[0])
    _learn(sweep, op, _joined(sweep, _yielded(sweep, exits, types), types), "its region gives")
    if sweep.writing:
        _fit_yields(sweep, op.regions[0], _types(op.results))


def _loop(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """Iterations are looked at until what is carried settles; then the body is visited for good."""
    region = op.regions[0]
    arguments = list(region.blocks[0].arguments)
    types = _types(op.results)
    first = len(op.operands) - len(types)
    counter = _counter(sweep, op, arguments[0])

    def iteration(carried: Values) -> list[Values]:
        return _side(sweep, region, (counter, *carried), types)

    settling = Settling(sweep, types)
    settling.add(_entry(sweep, op, first))
    if not _runs_never(sweep, op):
        _settle(sweep, region.blocks[0], settling, iteration)
    carried = settling.state
    assert carried is not None
    if sweep.writing:
        _set_types(sweep, arguments[1:], carried)
        iteration(carried)
    sweep.learn(op, carried, "its iterations give")
    if sweep.writing:
        types = _types(op.results)
        sweep.writer.fit(op, first, types)
        _fit_yields(sweep, region, types)


def _entry(sweep: Sweep, op: ir.Operation, first: int) -> Values:
    """What is carried into a loop; an error if it is declared to be something else."""
    entry = sweep.operands(op)[first:]
    for fact, result in zip(entry, op.results, strict=True):
        error = sweep.contradiction(fact, result.type)
        if error is not None:
            sweep.report(op, f"{op.name} declares what it carries to be {result.type}: {error}")
    return entry


def _settle(
    sweep: Sweep,
    place: ir.Block,
    settling: Settling,
    iteration: Callable[[Values], list[Values]],
) -> None:
    """Visit a loop's body, without writing, until one more iteration changes nothing."""
    sweep.regions.begin(place, settling)
    writing, sweep.writing = sweep.writing, False
    try:
        changed = True
        while changed:
            assert settling.state is not None
            after = iteration(settling.state)
            changed = any([settling.add(values) for values in after])
    finally:
        sweep.writing = writing
    sweep.regions.end(place, settling)


def _set_types(sweep: Sweep, arguments: Sequence[ir.Value], facts: Values) -> None:
    for argument, fact in zip(arguments, facts, strict=True) if sweep.refines else ():
        sweep.writer.set_type(argument, sweep.declared.refined(fact, argument.type))


def _runs_never(sweep: Sweep, op: ir.Operation) -> bool:
    """Whether a loop runs no iteration, whatever the values."""
    low, high = (
        fact.value if isinstance(fact, Scalar) else None for fact in sweep.operands(op)[:2]
    )
    if op.name == "torch.prim.Loop":
        return (type(low) is int and low <= 0) or high is False
    if type(low) is not int or type(high) is not int or "unsignedCmp" in op.attributes:
        return False
    return low >= high


def _counter(sweep: Sweep, op: ir.Operation, argument: ir.Value) -> Fact:
    """The number of any iteration."""
    if op.name != "torch.prim.Loop":
        return sweep.declared.fact(argument.type)
    limit, high = sweep.fact(op.operands[0]), INT_MAX
    if isinstance(limit, Scalar) and type(limit.value) is int:
        high = max(limit.value - 1, 0)
    return sweep.facts.integer(fresh(0, high))


def _while(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """`scf.while`: what leaves its first region are the results, and what its second one takes."""
    before, after = op.regions
    carried_types = _types(before.blocks[0].arguments)
    result_types = _types(op.results)

    def tested(carried: Values) -> Values | None:
        found = sweep.regions.visit(before, carried)
        return _joined(sweep, _yielded(sweep, found, result_types), result_types)

    passed: Values | None = None

    def iteration(carried: Values) -> list[Values]:
        nonlocal passed
        passed = tested(carried)
        return [] if passed is None else _side(sweep, after, passed, carried_types)

    settling = Settling(sweep, carried_types)
    settling.add(sweep.operands(op))
    _settle(sweep, before.blocks[0], settling, iteration)
    carried = settling.state
    assert carried is not None
    if sweep.writing:
        _set_types(sweep, list(before.blocks[0].arguments), carried)
        passed = tested(carried)
        facts = sweep.regions.declared(after.blocks[0])
        if passed is not None:
            pairs = zip(passed, result_types, strict=True)
            facts = tuple(sweep.met(fact, type) for fact, type in pairs)
        _set_types(sweep, list(after.blocks[0].arguments), facts)
        _side(sweep, after, facts, carried_types)
    _learn(sweep, op, passed, "its condition passes on")
    if sweep.writing:
        carried_types = _types(before.blocks[0].arguments)
        sweep.writer.fit(op, 0, carried_types)
        _fit_yields(sweep, before, _types(op.results))
        _fit_yields(sweep, after, carried_types)


def _passed_on(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """What goes with a terminator is looked at by what it leads to, which also says its types."""


VISITS: dict[str, Callable[[Sweep, ir.Operation, str], None]] = {
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
