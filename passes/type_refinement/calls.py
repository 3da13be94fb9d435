"""Interprocedural refinement: functions and calls.

A call is analyzed for the lattice values of its own operands. A private function is then written
once, for the join of all of its calls, after all of its callers; a public one keeps its declared
signature. Recursive functions are iterated to a fixed point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from functools import cached_property
from typing import Literal

from torch_refine.abstract_interpreter.lattice import LatticeValue, Tensor
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
from torch_refine.passes.type_refinement.calculations.visiting import Calculations
from torch_refine.passes.type_refinement.joining import Joiner
from torch_refine.passes.type_refinement.recursion import Recursion
from torch_refine.passes.type_refinement.regions import Regions

# Beyond this number of signatures, calls are not followed: their results are the declared ones.
_SIGNATURE_LIMIT = 32
_DEPTH_LIMIT = 50

Results = tuple[LatticeValue, ...]
# The outcome of a call: lattice values, None if only declared types are known, or that it never
# returns.
Outcome = Results | Literal["never"] | None

_CALL = "func.call"
# Ops that refer to no symbol; reading their attributes would cost time in every program.
_WITHOUT_SYMBOLS = ("torch.aten.", "torch.constant.", "torch.prims.", "func.return", _CALL)


class Calls:
    """The functions of a module, and the results of their calls."""

    def __init__(
        self, regions: Regions, module: ir.Operation, calculations: Calculations | None
    ) -> None:
        self.regions = regions
        self.sweep = regions.sweep
        self.calculations = calculations
        self.module = enclosing_module(module)
        self.functions = {
            symbol_name(op) or "": op
            for op in operations(self.module.regions[0].blocks[0])
            if _is_of_the_program(op)
        }
        self.call_sites: dict[str, list[ir.Operation]] = {}
        self.operands: dict[str, Results] = {}
        # The recursive functions that are visited now.
        self.recursion: Recursion | None = None
        self._results: dict[str, dict[Results, Outcome]] = {}
        self._open: list[str] = []
        # The function being written, all of whose callers, except recursive ones, have been
        # written.
        self._written: str | None = None
        self._done: set[str] = set()
        self._not_followed: set[str] = set()

    @cached_property
    def _referred(self) -> set[str]:
        """Functions with uses other than calls in functions, which may have unknown callers."""
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
        """The callees of each function."""
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
        """The strongly connected components of the call graph, callers before callees."""
        return components(self.functions, self._callees.__getitem__)

    @cached_property
    def _recursive(self) -> dict[str, list[str]]:
        """The strongly connected component of each recursive function."""
        return {
            symbol: component
            for component in self._components
            if len(component) > 1 or component[0] in self._callees[component[0]]
            for symbol in component
        }

    def is_open(self, symbol: str) -> bool:
        """Whether a function may have unknown callers, so that it must keep its signature."""
        return not is_private(self.functions[symbol]) or symbol in self._referred

    @property
    def are_all(self) -> bool:
        """Whether the module contains nothing but these functions."""
        return all(map(_is_of_the_program, operations(self.module.regions[0].blocks[0])))

    def signature(self, symbol: str) -> tuple[list[ir.Type], list[ir.Type]]:
        """The declared argument and result types of a function."""
        attribute = self.functions[symbol].attributes["function_type"]
        type = ir.FunctionType(ir.TypeAttr(attribute).value)
        return list(type.inputs), list(type.results)

    # Following calls.

    def outcome(self, symbol: str, operands: Results) -> Outcome:
        """The outcome of a call for these operands."""
        if self.recursion is None and self._written is not None:
            self._find_recursion(self._written)
        if self.recursion is not None and symbol in self.recursion.members:
            results = self.recursion.results(symbol, operands)
            return "never" if results is None else results
        names, renumbered = self.sweep.inference.renumbered(operands)
        found = self._renumbered(symbol, renumbered)
        return self.sweep.inference.restored(found, names) if isinstance(found, tuple) else found

    def _find_recursion(self, symbol: str) -> None:
        """Iterate the function being written and those of its component to a fixed point.

        Called when a visit in progress first finds a recursive call; searching for them eagerly
        would cost time in every program.
        """
        component = self._recursive.get(symbol)
        if component is not None:
            known = dict(self.sweep.known)
            recursion = self._recursion(component)
            functions = {symbol: self.functions[symbol] for symbol in component}
            entries = {s: declared_arguments(self.sweep, op) for s, op in functions.items()}
            self._solve(recursion, entries)
            self.sweep.known = known
            self.recursion = recursion

    def _recursion(self, members: list[str]) -> Recursion:
        return Recursion(self.sweep, {symbol: self.signature(symbol) for symbol in members})

    def _solve(self, recursion: Recursion, entries: Mapping[str, Results]) -> None:
        outer, self.recursion = self.recursion, recursion
        try:
            recursion.solve(entries, self.analyze)
        finally:
            self.recursion = outer

    def _renumbered(self, symbol: str, operands: Results) -> Outcome:
        known = self._results.setdefault(symbol, {})
        if operands in known:
            return known[operands]
        if len(self._open) >= _DEPTH_LIMIT or len(known) >= _SIGNATURE_LIMIT:
            self._not_followed.add(symbol)
            return None
        # Recorded first, so that the calls of a callee are bounded even if all differ.
        known[operands] = None
        known[operands] = self._follow(symbol, operands)
        return known[operands]

    def _follow(self, symbol: str, operands: Results) -> Outcome:
        if symbol in self._recursive:
            recursion = self._recursion(self._recursive[symbol])
            self._solve(recursion, {symbol: operands})
            found = recursion.results(symbol, operands)
        else:
            found = self.analyze(symbol, operands)
        return "never" if found is None else found

    def analyze(self, symbol: str, operands: Results) -> Results | None:
        """Analyze a function for certain operands, without writing; None if it never returns."""
        sweep = self.sweep
        device = sweep.inference.device
        # Lattice values of one call must not replace those of a function written for all calls.
        known = dict(sweep.known) if symbol in self._done else None
        saved = sweep.writing, sweep.certain, self.regions.fixed_points
        sweep.writing, sweep.certain, self.regions.fixed_points = False, False, {}
        sweep.enter(device_of(self.functions[symbol]))
        self._open.append(symbol)
        try:
            return self.visit_body(symbol, operands)
        finally:
            self._open.pop()
            sweep.writing, sweep.certain, self.regions.fixed_points = saved
            sweep.enter(device)
            if known is not None:
                sweep.known = known

    def visit_body(self, symbol: str, operands: Results) -> Results | None:
        """Visit a function with these arguments; returns its results, None if it never returns."""
        exits = self.regions.visit(self.functions[symbol].regions[0], operands)
        returned = [lattice_values for op, lattice_values in exits if op.name == "func.return"]
        if not returned:
            return None
        joiner = Joiner(self.sweep.facts)
        results = returned[0]
        for other in returned[1:]:
            results = tuple(joiner.join(a, b, "any") for a, b in zip(results, other, strict=True))
        return results

    def analyze_all(self) -> None:
        """Analyze all public functions and their callees, without writing."""
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
        """Visit all functions, callees after callers."""
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
        """Write mutually recursive functions, for all of their calls."""
        entries = {}
        for symbol in component:
            if self.is_open(symbol):
                entries[symbol] = declared_arguments(self.sweep, self.functions[symbol])
            elif symbol in self.operands:
                entries[symbol] = self.operands[symbol]
        recursion = self._recursion(component)
        self._solve(recursion, entries)
        self.recursion = recursion
        for symbol in component:
            operands = None if self.is_open(symbol) else recursion.operands(symbol)
            self.write(symbol, operands)
        self.recursion = None

    def write(self, symbol: str, operands: Results | None) -> None:
        """Refine a function's body and, for the operands of all of its calls, its signature.

        Without operands, the signature is kept.
        """
        sweep, function = self.sweep, self.functions[symbol]
        sweep.certain, sweep.ended, self.regions.fixed_points = True, False, {}
        sweep.enter(device_of(function))
        if operands is None or not sweep.refines:
            lattice_values = declared_arguments(sweep, function) if operands is None else operands
            if sweep.refines:
                state_bounds(sweep, function, lattice_values)
            shared = self.calculations
            with nullcontext() if shared is None else shared.in_function(function):
                self.visit_body(symbol, lattice_values)
            for returned in returns_of(function):
                sweep.writer.keep_operands(returned)
            return
        arguments = function.regions[0].blocks[0].arguments
        for argument, lattice_value in zip(arguments, operands, strict=True):
            sweep.writer.set_type(argument, sweep.refined(lattice_value, argument.type))
        # Its operands have symbols of callers, which may not always call it.
        learned, sweep.learned = sweep.learned, None
        found = self.visit_body(symbol, operands)
        sweep.learned = learned
        results = self._result_types(symbol, found)
        for returned in returns_of(function):
            sweep.writer.fit(returned, 0, results)
        _declare(function, [argument.type for argument in arguments], results)

    def _result_types(self, symbol: str, found: Results | None) -> list[ir.Type]:
        """The types of a function's results, refined by their lattice values."""
        _, declared = self.signature(symbol)
        if found is None:
            return declared
        pairs = zip(found, declared, strict=True)
        return [self.sweep.refined(lattice_value, type) for lattice_value, type in pairs]

    def fit_calls(self) -> None:
        """Update every call to its callee's current signature."""
        for symbol, calls in self.call_sites.items():
            inputs, results = self.signature(symbol)
            for call in calls:
                self.sweep.writer.fit(call, 0, inputs)
                for result, type in zip(call.results, results, strict=True):
                    if result.type != type:
                        self.sweep.writer.change_result(result, type)

    def note(self, symbol: str, call: ir.Operation, operands: Results) -> None:
        """Record a call that is written, for when its callee is."""
        self.call_sites.setdefault(symbol, []).append(call)
        before = self.operands.get(symbol)
        if before is not None:
            joiner = Joiner(self.sweep.facts)
            kinds = [self.sweep.declared.kind(operand.type) for operand in call.operands]
            triples = zip(before, operands, kinds, strict=True)
            operands = tuple(joiner.join(a, b, kind) for a, b, kind in triples)
        self.operands[symbol] = operands


def _is_of_the_program(op: ir.Operation) -> bool:
    """Whether an op is a user's function with a body."""
    return (
        op.name == "func.func"
        and len(op.regions[0].blocks) > 0
        and LIBRARY_ATTRIBUTE not in op.attributes
    )


def _callee(call: ir.Operation) -> str:
    return str(ir.FlatSymbolRefAttr(call.attributes["callee"]).value)


def _symbols(op: ir.Operation) -> Iterator[str]:
    """The symbols in an op's attributes, the root of each reference."""
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


def _call(calls: Calls, op: ir.Operation, name: str) -> None:
    """Follow a call; its callee is refined later, for all of its calls."""
    sweep = calls.sweep
    symbol = _callee(op)
    function = calls.functions.get(symbol)
    if function is None:
        sweep.visit_tied(op, op.name)
        return
    arguments = function.regions[0].blocks[0].arguments
    pairs = zip(sweep.operands(op), arguments, strict=True)
    operands = tuple(sweep.met(lattice_value, argument.type) for lattice_value, argument in pairs)
    found = calls.outcome(symbol, operands)
    lattice_values = [sweep.declared.lattice_value(result.type) for result in op.results]
    if found == "never":
        sweep.ended = True
    elif found is not None:
        lattice_values = [
            sweep.met(lattice_value, result.type)
            for lattice_value, result in zip(found, op.results, strict=True)
        ]
        if any(map(sweep.contradiction, found, [result.type for result in op.results])):
            sweep.report(op, f"the results of @{symbol} contradict its declared types")
    for result, lattice_value in zip(op.results, lattice_values, strict=True):
        sweep.known[result] = sweep.unchanged(lattice_value, result)
    if not sweep.writing:
        return
    calls.note(symbol, op, operands)
    for result, lattice_value in zip(op.results, lattice_values, strict=True):
        refined = sweep.declared.refined(lattice_value, result.type)
        if isinstance(lattice_value, Tensor) and refined != result.type and sweep.refines:
            cast = sweep.writer.cast_result(result, refined)
            if cast is not None:
                sweep.known[cast] = lattice_value


def _return(calls: Calls, op: ir.Operation, name: str) -> None:
    """Operands of a return are handled with the function."""


VISITS: dict[str, Callable[[Calls, ir.Operation, str], None]] = {
    _CALL: _call,
    "func.return": _return,
}
