"""`torch.prim.If` and `torch.prim.Loop`: what comes out of their regions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.calculate_ops import terminator
from torch_refine.dialect.tensor_type import Contradiction
from torch_refine.passes.abstract_interpreter.expressions import INT_MAX, fresh
from torch_refine.passes.abstract_interpreter.facts import Fact, Scalar
from torch_refine.passes.type_refinement.joining import Joiner

if TYPE_CHECKING:
    from torch_refine.passes.type_refinement.sweep import Sweep

# A loop settles in a few turns, as a number that changes becomes unknown in the first.
_TURN_LIMIT = 16


def _side(sweep: Sweep, block: ir.Block) -> tuple[Fact, ...] | None:
    """Visit a block that may not run: what it yields, None if it always raises."""
    certain, ended = sweep.certain, sweep.ended
    sweep.certain = sweep.ended = False
    sweep.block(block)
    raises, sweep.certain, sweep.ended = sweep.ended, certain, ended
    return None if raises else sweep.operands(terminator(block))


def _if(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """Both sides are visited; the results are what the sides that can be taken agree on."""
    condition = sweep.fact(op.operands[0])
    blocks = [region.blocks[0] for region in op.regions]
    sides = [_side(sweep, block) for block in blocks]
    if isinstance(condition, Scalar):
        sides = [sides[0 if condition.value else 1]]
    possible = [side for side in sides if side is not None]
    if not possible:
        sweep.ended = True
        results = tuple(sweep.declared.fact(result.type) for result in op.results)
    elif len(possible) == 1:
        results = possible[0]
    else:
        joiner = Joiner(sweep.facts)
        kinds = [sweep.declared.kind(result.type) for result in op.results]
        pairs = zip(possible[0], possible[1], kinds, strict=True)
        results = tuple(joiner.join(a, b, kind) for a, b, kind in pairs)
    sweep.learn(op, results, "its branches give")
    if sweep.writing:
        types = [result.type for result in op.results]
        for block in blocks:
            sweep.writer.fit(terminator(block), 0, types)


def _loop(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """Turns are looked at until what is carried settles; then the body is visited for good."""
    limit, _, *given = sweep.operands(op)
    body = op.regions[0].blocks[0]
    arguments = list(body.arguments)
    kinds = [sweep.declared.kind(result.type) for result in op.results]
    carried = _entry(sweep, op, tuple(given))
    if not isinstance(limit, Scalar) or limit.value != 0:
        carried = _settled(sweep, body, carried, limit, kinds)
    types = [
        sweep.declared.refined(fact, result.type)
        for fact, result in zip(carried, op.results, strict=True)
    ]
    for argument, fact, type in zip(arguments[1:], carried, types, strict=True):
        sweep.known[argument] = fact
        if sweep.writing:
            sweep.writer.set_type(argument, type)
    sweep.known[arguments[0]] = _turn(sweep, limit)
    _side(sweep, body)
    sweep.learn(op, carried, "its turns give")
    if sweep.writing:
        types = [result.type for result in op.results]
        sweep.writer.fit(op, 2, types)
        sweep.writer.fit(terminator(body), 1, types)


def _entry(sweep: Sweep, op: ir.Operation, given: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """What is carried into a loop, together with what is declared of it."""
    entry = []
    for fact, result in zip(given, op.results, strict=True):
        try:
            entry.append(sweep.declared.meet(fact, result.type))
        except Contradiction as error:
            sweep.report(op, f"{op.name} declares what it carries to be {result.type}: {error}")
            entry.append(sweep.declared.fact(result.type))
    return tuple(entry)


def _settled(
    sweep: Sweep, body: ir.Block, carried: tuple[Fact, ...], limit: Fact, kinds: list[str]
) -> tuple[Fact, ...]:
    """What holds before and after every turn."""
    joiner = Joiner(sweep.facts, widening=True)
    declared = [argument.type for argument in list(body.arguments)[1:]]
    writing, sweep.writing = sweep.writing, False
    try:
        for _ in range(_TURN_LIMIT):
            for argument, fact in zip(body.arguments, (_turn(sweep, limit), *carried), strict=True):
                sweep.known[argument] = fact
            after = _side(sweep, body)
            if after is None:
                return carried
            turns = zip(carried, after[1:], kinds, strict=True)
            joined = tuple(
                joiner.join(a, b, kind, index) for index, (a, b, kind) in enumerate(turns)
            )
            if joined == carried:
                return carried
            carried = joined
    finally:
        sweep.writing = writing
    return tuple(sweep.declared.fact(type) for type in declared)


def _turn(sweep: Sweep, limit: Fact) -> Fact:
    """The number of any turn."""
    high = INT_MAX
    if isinstance(limit, Scalar) and type(limit.value) is int:
        high = max(limit.value - 1, 0)
    return sweep.facts.integer(fresh(0, high))


def _yield(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """What is yielded is looked at by the op around it, which also says under which types."""


VISITS: dict[str, Callable[[Sweep, ir.Operation, str], None]] = {
    "torch.prim.If.yield": _yield,
    "torch.prim.Loop.condition": _yield,
    "torch.prim.If": _if,
    "torch.prim.Loop": _loop,
}
