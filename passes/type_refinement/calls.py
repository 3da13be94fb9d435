"""Functions and the calls between them.

A call is followed: its results are what the callee gives for the facts of just these operands. A
private function is then written for all of its calls together, after everything that calls it; a
public one keeps the signature that it declares.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.tensor_type import Contradiction
from torch_refine.passes.abstract_interpreter.facts import Fact, Tensor
from torch_refine.passes.casts import CAST
from torch_refine.passes.program import (
    device_of,
    enclosing_module,
    program_functions,
    redeclare,
    returns_of,
    symbol_name,
)
from torch_refine.passes.type_refinement.joining import Joiner
from torch_refine.passes.type_refinement.symbolic_shapes import argument_sizes

if TYPE_CHECKING:
    from torch_refine.passes.type_refinement.sweep import Sweep

# Past these, calls are not followed: their results are what the callee declares.
_SIGNATURE_LIMIT = 32
_DEPTH_LIMIT = 50

Results = tuple[Fact, ...]


class Calls:
    """The functions of a module, and what their calls give."""

    def __init__(self, sweep: Sweep, module: ir.Operation) -> None:
        self.sweep = sweep
        found = list(program_functions(enclosing_module(module)))
        self.functions = {
            symbol_name(op) or "": op
            for op in found
            if op.name == "func.func" and len(op.regions[0].blocks)
        }
        self.call_sites: dict[str, list[ir.Operation]] = {}
        self.operands: dict[str, Results] = {}
        self._results: dict[str, dict[Results, Results | None]] = {}
        self._open: list[str] = []
        self._referred = self._references(module)

    def _references(self, module: ir.Operation) -> set[str]:
        """Functions that are used other than by a direct call, so that anybody may call them."""
        if len(self.functions) < 2:
            return set()
        return {
            ir.FlatSymbolRefAttr(op.attributes["value"]).value
            for op in walk(module)
            if op.name == "func.constant"
        }

    def is_open(self, symbol: str) -> bool:
        """Whether a function may be called from outside, so that its signature must stay."""
        attributes = self.functions[symbol].attributes
        private = (
            "sym_visibility" in attributes
            and ir.StringAttr(attributes["sym_visibility"]).value == "private"
        )
        return not private or symbol in self._referred

    # Following calls.

    def results(self, symbol: str, operands: Results) -> Results | None:
        """What a call gives for these operands; None if only what is declared is known."""
        names, renumbered = self.sweep.inference.renumbered(operands)
        found = self._renumbered_results(symbol, renumbered)
        return None if found is None else self.sweep.inference.restored(found, names)

    def _renumbered_results(self, symbol: str, operands: Results) -> Results | None:
        known = self._results.setdefault(symbol, {})
        if operands in known:
            return known[operands]
        if symbol in self._open or len(self._open) >= _DEPTH_LIMIT:
            return None
        if len(known) >= _SIGNATURE_LIMIT:
            return None
        # Noted first, so that the calls of a callee are bounded even where each is another one.
        known[operands] = None
        known[operands] = self._follow(symbol, operands)
        return known[operands]

    def _follow(self, symbol: str, operands: Results) -> Results | None:
        """Look at a function for certain operands, without writing."""
        sweep = self.sweep
        device = sweep.inference.device
        saved = sweep.writing, sweep.certain, sweep.ended, sweep.returned
        sweep.writing, sweep.certain, sweep.returned = False, False, []
        sweep.enter(device_of(self.functions[symbol]))
        self._open.append(symbol)
        try:
            self.visit_body(symbol, operands)
            return self.joined_returns(symbol)
        finally:
            self._open.pop()
            sweep.writing, sweep.certain, sweep.ended, sweep.returned = saved
            sweep.enter(device)

    def visit_body(self, symbol: str, operands: Results) -> None:
        """Visit the blocks of a function with facts of its arguments."""
        region = self.functions[symbol].regions[0]
        for argument, fact in zip(region.blocks[0].arguments, operands, strict=True):
            self.sweep.known[argument] = fact
        for index, block in enumerate(region):
            if index:
                for argument in block.arguments:
                    self.sweep.known[argument] = self.sweep.declared.fact(argument.type)
            self.sweep.block(block)

    def joined_returns(self, symbol: str) -> Results | None:
        """What holds of the results, whichever return gives them."""
        returned = self.sweep.returned
        if not returned:
            return None
        joiner = Joiner(self.sweep.facts)
        results = returned[0]
        for other in returned[1:]:
            results = tuple(joiner.join(a, b, "any") for a, b in zip(results, other, strict=True))
        return results

    # Writing functions.

    def refine_all(self) -> None:
        """Visit all functions, those that anybody may call first, callees after their callers."""
        pending = [symbol for symbol in self.functions if not self.is_open(symbol)]
        for symbol in self.functions:
            if self.is_open(symbol):
                self.write(symbol, argument_sizes(self.sweep, self.functions[symbol]), False)
        callers = {symbol: self._callees(symbol) for symbol in pending}
        while pending:
            called = {callee for symbol in pending for callee in callers[symbol] - {symbol}}
            ready = [symbol for symbol in pending if symbol not in called]
            # In a circle of calls, all that is known of the arguments is what is declared.
            for symbol in ready or pending[:1]:
                pending.remove(symbol)
                operands = self.operands.get(symbol)
                recursive = not ready or symbol in callers[symbol]
                if operands is None or recursive:
                    operands = self.declared_operands(symbol)
                self.write(symbol, operands, symbol in self.operands and not recursive)
        self.fit_calls()

    def _callees(self, symbol: str) -> set[str]:
        return {
            ir.FlatSymbolRefAttr(op.attributes["callee"]).value
            for op in walk(self.functions[symbol])
            if op.name == "func.call"
        }

    def declared_operands(self, symbol: str) -> Results:
        """What a function declares of its arguments."""
        arguments = self.functions[symbol].regions[0].blocks[0].arguments
        return tuple(self.sweep.declared.fact(argument.type) for argument in arguments)

    def write(self, symbol: str, operands: Results, whole: bool) -> None:
        """Refine a function's body and, if `whole`, its signature and all calls of it."""
        sweep, function = self.sweep, self.functions[symbol]
        sweep.returned, sweep.certain, sweep.ended = [], True, False
        sweep.enter(device_of(function))
        arguments = function.regions[0].blocks[0].arguments
        if whole:
            for argument, fact in zip(arguments, operands, strict=True):
                sweep.writer.set_type(argument, sweep.declared.refined(fact, argument.type))
        self.visit_body(symbol, operands)
        returns = returns_of(function)
        if whole and len(returns) == 1:
            redeclare(function, returns[0])
            return
        for returned in returns:
            sweep.writer.keep_operands(returned)
        if whole:
            results = [operand.type for operand in returns[0].operands] if returns else []
            _declare(function, [argument.type for argument in arguments], results)

    def fit_calls(self) -> None:
        """Have every call agree with what its callee declares now."""
        for symbol, calls in self.call_sites.items():
            attribute = self.functions[symbol].attributes["function_type"]
            signature = ir.FunctionType(ir.TypeAttr(attribute).value)
            for call in calls:
                self.sweep.writer.fit(call, 0, list(signature.inputs))
                for result, type in zip(call.results, signature.results, strict=True):
                    if result.type != type:
                        if not _is_cast(result):
                            self.sweep.writer.cast_result(result, result.type)
                        result.set_type(type)

    def note(self, symbol: str, call: ir.Operation, operands: Results) -> None:
        """Remember a call that is written, for when its callee is."""
        self.call_sites.setdefault(symbol, []).append(call)
        before = self.operands.get(symbol)
        if before is not None:
            joiner = Joiner(self.sweep.facts)
            kinds = [self.sweep.declared.kind(operand.type) for operand in call.operands]
            triples = zip(before, operands, kinds, strict=True)
            operands = tuple(joiner.join(a, b, kind) for a, b, kind in triples)
        self.operands[symbol] = operands


def _is_cast(result: ir.Value) -> bool:
    """Whether a result is used by a cast alone, which keeps its type from the users."""
    return [use.owner.operation.name for use in result.uses] == [CAST]


def _declare(function: ir.Operation, inputs: list[ir.Type], results: list[ir.Type]) -> None:
    type = ir.FunctionType.get(inputs, results, function.context)
    function.attributes["function_type"] = ir.TypeAttr.get(type, function.context)


def _call(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """A call is followed; its callee is refined later, for all of its calls."""
    symbol = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
    function = sweep.calls.functions.get(symbol)
    if function is None:
        sweep.visit_tied(op, op.name)
        return
    operands = _met_operands(sweep, function, sweep.operands(op))
    found = sweep.calls.results(symbol, operands)
    facts = [sweep.declared.fact(result.type) for result in op.results]
    if found is not None:
        try:
            pairs = zip(found, op.results, strict=True)
            facts = [sweep.declared.meet(fact, result.type) for fact, result in pairs]
        except Contradiction:
            sweep.report(op, f"what @{symbol} returns contradicts what it declares")
    for result, fact in zip(op.results, facts, strict=True):
        sweep.known[result] = sweep.unchanged(fact, result)
    if not sweep.writing:
        return
    sweep.calls.note(symbol, op, operands)
    for result, fact in zip(op.results, facts, strict=True):
        refined = sweep.declared.refined(fact, result.type)
        if isinstance(fact, Tensor) and refined != result.type and not _is_cast(result):
            sweep.known[sweep.writer.cast_result(result, refined)] = fact


def _met_operands(sweep: Sweep, function: ir.Operation, operands: Results) -> Results:
    """What is known of the operands and of the arguments that they become."""
    arguments = function.regions[0].blocks[0].arguments
    try:
        return tuple(
            sweep.declared.meet(fact, argument.type)
            for fact, argument in zip(operands, arguments, strict=True)
        )
    except Contradiction:
        return tuple(sweep.declared.fact(argument.type) for argument in arguments)


def _return(sweep: Sweep, op: ir.Operation, name: str) -> None:
    sweep.returned.append(sweep.operands(op))


VISITS: dict[str, Callable[[Sweep, ir.Operation, str], None]] = {
    "func.call": _call,
    "func.return": _return,
}
