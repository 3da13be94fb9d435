"""Functions and the calls between them.

A call is followed: its results are what the callee gives for the facts of just these operands. A
private function is then written for all of its calls together, after everything that calls it; a
public one keeps the signature that it declares. Functions that call each other are brought to a
fixed point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from torch_refine.abstract_interpreter.facts import Fact, Tensor
from torch_refine.dialect.bindings import attributes_of, ir, operations, walk
from torch_refine.passes.branching import components
from torch_refine.passes.program import (
    LIBRARY_ATTRIBUTE,
    device_of,
    enclosing_module,
    is_private,
    returns_of,
    symbol_name,
)
from torch_refine.passes.type_refinement.arguments import declared_arguments, state_bounds
from torch_refine.passes.type_refinement.joining import Joiner
from torch_refine.passes.type_refinement.recursion import Recursion

if TYPE_CHECKING:
    from torch_refine.passes.type_refinement.sweep import Sweep

# Past these, calls are not followed: their results are what the callee declares.
_SIGNATURE_LIMIT = 32
_DEPTH_LIMIT = 50

Results = tuple[Fact, ...]
# What a call gives: facts, None if only what is declared is known, or that it never returns.
Outcome = Results | Literal["never"] | None

_CALL = "func.call"
# Ops that refer to no symbol; a look at their attributes would cost time in every program.
_WITHOUT_SYMBOLS = ("torch.aten.", "torch.constant.", "torch.prims.", "func.return", _CALL)


class Calls:
    """The functions of a module, and what their calls give."""

    def __init__(self, sweep: Sweep, module: ir.Operation) -> None:
        self.sweep = sweep
        self.module = enclosing_module(module)
        self.functions = {
            symbol_name(op) or "": op
            for op in operations(self.module.regions[0].blocks[0])
            if _is_of_the_program(op)
        }
        self.call_sites: dict[str, list[ir.Operation]] = {}
        self.operands: dict[str, Results] = {}
        # The functions that call each other and are visited now.
        self.recursion: Recursion | None = None
        self._results: dict[str, dict[Results, Outcome]] = {}
        self._open: list[str] = []
        # The function that is written, where no callee waits for its callers, and those before it.
        self._written: str | None = None
        self._done: set[str] = set()
        self._not_followed: set[str] = set()

    @cached_property
    def _referred(self) -> set[str]:
        """Functions that are used other than by a call in a function: anybody may call them."""
        if len(self.functions) < 2:
            return set()
        found: set[str] = set()
        for outer in operations(self.module.regions[0].blocks[0]):
            ours = _is_of_the_program(outer)
            for op in walk(outer):
                if op.name == _CALL and not ours:
                    found.add(_callee(op))
                elif not op.name.startswith(_WITHOUT_SYMBOLS):
                    found.update(_symbols(op))
            if not ours:
                found.update(_symbols(outer))
        return found

    @cached_property
    def _callees(self) -> dict[str, list[str]]:
        """The functions that each one calls."""
        return {
            symbol: list(
                dict.fromkeys(
                    _callee(op)
                    for op in walk(function)
                    if op.name == _CALL and _callee(op) in self.functions
                )
            )
            for symbol, function in self.functions.items()
        }

    @cached_property
    def _components(self) -> list[list[str]]:
        """Functions that call each other together, callers before callees."""
        return components(self.functions, self._callees.__getitem__)

    @cached_property
    def _recursive(self) -> dict[str, list[str]]:
        """For each function that may be called again in a call of it, those that it does so by."""
        return {
            symbol: component
            for component in self._components
            if len(component) > 1 or component[0] in self._callees[component[0]]
            for symbol in component
        }

    def is_open(self, symbol: str) -> bool:
        """Whether a function may be called from outside, so that its signature must stay."""
        return not is_private(self.functions[symbol]) or symbol in self._referred

    @property
    def are_all(self) -> bool:
        """Whether the module holds nothing but these functions."""
        return all(map(_is_of_the_program, operations(self.module.regions[0].blocks[0])))

    def signature(self, symbol: str) -> tuple[list[ir.Type], list[ir.Type]]:
        """The types that a function declares of its arguments and results."""
        attribute = self.functions[symbol].attributes["function_type"]
        type = ir.FunctionType(ir.TypeAttr(attribute).value)
        return list(type.inputs), list(type.results)

    # Following calls.

    def outcome(self, symbol: str, operands: Results) -> Outcome:
        """What a call gives for these operands."""
        if self.recursion is None and self._written is not None:
            self._find_recursion(self._written)
        if self.recursion is not None and symbol in self.recursion.members:
            results = self.recursion.results(symbol, operands)
            return "never" if results is None else results
        names, renumbered = self.sweep.inference.renumbered(operands)
        found = self._renumbered(symbol, renumbered)
        return self.sweep.inference.restored(found, names) if isinstance(found, tuple) else found

    def _find_recursion(self, symbol: str) -> None:
        """Bring the function that is written, and those that call each other with it, to a fixed
        point, since its visit, which goes on, found a call.

        To look for calls before would cost time in every program.
        """
        component = self._recursive.get(symbol)
        if component is not None:
            known = dict(self.sweep.known)
            recursion = Recursion(self, component)
            functions = self.functions
            recursion.solve({s: declared_arguments(self.sweep, functions[s]) for s in component})
            self.sweep.known = known
            self.recursion = recursion

    def _renumbered(self, symbol: str, operands: Results) -> Outcome:
        known = self._results.setdefault(symbol, {})
        if operands in known:
            return known[operands]
        if len(self._open) >= _DEPTH_LIMIT or len(known) >= _SIGNATURE_LIMIT:
            self._not_followed.add(symbol)
            return None
        # Noted first, so that the calls of a callee are bounded even where each is another one.
        known[operands] = None
        known[operands] = self._follow(symbol, operands)
        return known[operands]

    def _follow(self, symbol: str, operands: Results) -> Outcome:
        if symbol in self._recursive:
            recursion = Recursion(self, self._recursive[symbol])
            recursion.solve({symbol: operands})
            found = recursion.results(symbol, operands)
        else:
            found = self.look_at(symbol, operands)
        return "never" if found is None else found

    def look_at(self, symbol: str, operands: Results) -> Results | None:
        """Visit a function for certain operands, without writing; None if it never returns."""
        sweep = self.sweep
        device = sweep.inference.device
        # What holds for one call must not stay known of a function that was written for all.
        known = dict(sweep.known) if symbol in self._done else None
        saved = sweep.writing, sweep.certain, sweep.regions.settled
        sweep.writing, sweep.certain, sweep.regions.settled = False, False, {}
        sweep.enter(device_of(self.functions[symbol]))
        self._open.append(symbol)
        try:
            return self.visit_body(symbol, operands)
        finally:
            self._open.pop()
            sweep.writing, sweep.certain, sweep.regions.settled = saved
            sweep.enter(device)
            if known is not None:
                sweep.known = known

    def visit_body(self, symbol: str, operands: Results) -> Results | None:
        """Visit a function with facts of its arguments: what it returns, None if it never does."""
        exits = self.sweep.regions.visit(self.functions[symbol].regions[0], operands)
        returned = [facts for op, facts in exits if op.name == "func.return"]
        if not returned:
            return None
        joiner = Joiner(self.sweep.facts)
        results = returned[0]
        for other in returned[1:]:
            results = tuple(joiner.join(a, b, "any") for a, b in zip(results, other, strict=True))
        return results

    def look_at_all(self) -> None:
        """Visit all functions that anybody may call, and what they call, without writing."""
        self._results.clear()
        self._not_followed.clear()
        for symbol in self.functions:
            if self.is_open(symbol):
                self._follow(symbol, declared_arguments(self.sweep, self.functions[symbol]))
        seen: set[str] = set()
        while self._not_followed - seen:
            symbol = min(self._not_followed - seen)
            seen.add(symbol)
            self._follow(symbol, declared_arguments(self.sweep, self.functions[symbol]))

    # Writing functions.

    def refine_all(self) -> None:
        """Visit all functions, callees after their callers."""
        if not any(map(is_private, self.functions.values())):
            for symbol in self.functions:
                self.recursion, self._written = None, symbol
                self.write(symbol, None)
                self._done.add(symbol)
            self.recursion, self._written = None, None
            self.fit_calls()
            return
        for component in self._components:
            if component[0] in self._recursive:
                self._write_recursive(component)
                continue
            (symbol,) = component
            operands = None if self.is_open(symbol) else self.operands.get(symbol)
            self.write(symbol, operands)
        self.fit_calls()

    def _write_recursive(self, component: list[str]) -> None:
        """Write functions that call each other, for all calls of them."""
        entries = {}
        for symbol in component:
            if self.is_open(symbol):
                entries[symbol] = declared_arguments(self.sweep, self.functions[symbol])
            elif symbol in self.operands:
                entries[symbol] = self.operands[symbol]
        recursion = Recursion(self, component)
        recursion.solve(entries)
        self.recursion = recursion
        for symbol in component:
            operands = None if self.is_open(symbol) else recursion.operands(symbol)
            self.write(symbol, operands)
        self.recursion = None

    def write(self, symbol: str, operands: Results | None) -> None:
        """Refine a function's body and, for all operands that it is called with, its signature.

        Without operands the signature stays.
        """
        sweep, function = self.sweep, self.functions[symbol]
        sweep.certain, sweep.ended, sweep.regions.settled = True, False, {}
        sweep.enter(device_of(function))
        if operands is None or not sweep.refines:
            facts = declared_arguments(sweep, function) if operands is None else operands
            if sweep.refines:
                state_bounds(sweep, function, facts)
            shared = sweep.calculations
            with nullcontext() if shared is None else shared.in_function(function):
                self.visit_body(symbol, facts)
            for returned in returns_of(function):
                sweep.writer.keep_operands(returned)
            return
        arguments = function.regions[0].blocks[0].arguments
        for argument, fact in zip(arguments, operands, strict=True):
            sweep.writer.set_type(argument, sweep.refined(fact, argument.type))
        found = self.visit_body(symbol, operands)
        results = self._result_types(symbol, found)
        for returned in returns_of(function):
            sweep.writer.fit(returned, 0, results)
        _declare(function, [argument.type for argument in arguments], results)

    def _result_types(self, symbol: str, found: Results | None) -> list[ir.Type]:
        """The types of what a function returns, which `found` is known of."""
        _, declared = self.signature(symbol)
        if found is None:
            return declared
        pairs = zip(found, declared, strict=True)
        return [self.sweep.refined(fact, type) for fact, type in pairs]

    def fit_calls(self) -> None:
        """Have every call agree with what its callee declares now."""
        for symbol, calls in self.call_sites.items():
            inputs, results = self.signature(symbol)
            for call in calls:
                self.sweep.writer.fit(call, 0, inputs)
                for result, type in zip(call.results, results, strict=True):
                    if result.type != type:
                        self.sweep.writer.change_result(result, type)

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


def _is_of_the_program(op: ir.Operation) -> bool:
    """Whether an op is a function with a body that reification did not put there."""
    return (
        op.name == "func.func"
        and len(op.regions[0].blocks) > 0
        and LIBRARY_ATTRIBUTE not in op.attributes
    )


def _callee(call: ir.Operation) -> str:
    return str(ir.FlatSymbolRefAttr(call.attributes["callee"]).value)


def _symbols(op: ir.Operation) -> Iterator[str]:
    """The symbols that an op's attributes refer to, the outermost of each."""
    pending = list(attributes_of(op).values())
    while pending:
        attribute = pending.pop()
        if isinstance(attribute, ir.ArrayAttr):
            pending.extend(attribute)
        elif isinstance(attribute, ir.DictAttr):
            pending.extend(each.attr for each in attribute)
        elif isinstance(attribute, ir.FlatSymbolRefAttr):
            yield attribute.value
        elif isinstance(attribute, ir.SymbolRefAttr):
            yield from attribute.value


def _declare(function: ir.Operation, inputs: list[ir.Type], results: list[ir.Type]) -> None:
    type = ir.FunctionType.get(inputs, results, function.context)
    function.attributes["function_type"] = ir.TypeAttr.get(type, function.context)


def _call(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """A call is followed; its callee is refined later, for all of its calls."""
    symbol = _callee(op)
    function = sweep.calls.functions.get(symbol)
    if function is None:
        sweep.visit_tied(op, op.name)
        return
    arguments = function.regions[0].blocks[0].arguments
    pairs = zip(sweep.operands(op), arguments, strict=True)
    operands = tuple(sweep.met(fact, argument.type) for fact, argument in pairs)
    found = sweep.calls.outcome(symbol, operands)
    facts = [sweep.declared.fact(result.type) for result in op.results]
    if found == "never":
        sweep.ended = True
    elif found is not None:
        facts = [
            sweep.met(fact, result.type) for fact, result in zip(found, op.results, strict=True)
        ]
        if any(map(sweep.contradiction, found, [result.type for result in op.results])):
            sweep.report(op, f"what @{symbol} returns contradicts what it declares")
    for result, fact in zip(op.results, facts, strict=True):
        sweep.known[result] = sweep.unchanged(fact, result)
    if not sweep.writing:
        return
    sweep.calls.note(symbol, op, operands)
    for result, fact in zip(op.results, facts, strict=True):
        refined = sweep.declared.refined(fact, result.type)
        if isinstance(fact, Tensor) and refined != result.type and sweep.refines:
            cast = sweep.writer.cast_result(result, refined)
            if cast is not None:
                sweep.known[cast] = fact


def _return(sweep: Sweep, op: ir.Operation, name: str) -> None:
    """What is returned is looked at with the function."""


VISITS: dict[str, Callable[[Sweep, ir.Operation, str], None]] = {
    _CALL: _call,
    "func.return": _return,
}
