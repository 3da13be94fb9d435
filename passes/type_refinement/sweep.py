"""The sweep: visits every op once, in program order, and infers its results' lattice values."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from torch_refine.abstract_interpreter import elements
from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import (
    Anything,
    LatticeValue,
    Sequence,
    Tensor,
)
from torch_refine.abstract_interpreter.numbers.expressions import Symbol
from torch_refine.abstract_interpreter.running import folding
from torch_refine.abstract_interpreter.running.errors import Raised
from torch_refine.abstract_interpreter.tensors import QUESTIONS
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.calculate_ops import BODY_YIELDS, OP_NAMES
from torch_refine.dialect.names import Kind, name_of, operator_name
from torch_refine.dialect.tensor_type import Contradiction
from torch_refine.passes.base import RunState, Seen
from torch_refine.passes.casts import CAST, is_free
from torch_refine.passes.misfits import is_reported, report_misfit
from torch_refine.passes.program import device_of
from torch_refine.passes.type_refinement import (
    calls,
    containers,
    control_flow,
    scalars,
    slots,
)
from torch_refine.passes.type_refinement.calculations.visiting import Calculations
from torch_refine.passes.type_refinement.regions import Regions
from torch_refine.passes.type_refinement.sweep_state import SweepState, Visit


@dataclass(frozen=True)
class Visited:
    """The results of an op: lattice values, and types that become more precise."""

    results: tuple[tuple[LatticeValue, ir.Type | None], ...]


class Sweep(SweepState):
    """Visits the ops of one module.

    With kinds that are `simplified`, reified calculations provide the results of operators, those
    of these kinds are simplified, and only the types of their results are refined.
    """

    def __init__(
        self,
        module: ir.Operation,
        inference: Inference,
        state: RunState,
        name: str,
        strict: bool,
        only_control_flow: bool = False,
        simplified: Collection[Kind] = (),
    ) -> None:
        super().__init__(module, inference, state, name, strict, only_control_flow)
        self.calculations = Calculations(self, simplified) if simplified else None
        self.by_calculations = bool(simplified)
        self._remarks: set[tuple[ir.Value, str]] = set()
        self.regions = Regions(self)
        self.slots = slots.Slots(self.regions, module)
        self.calls = calls.Calls(self.regions, module, self.calculations)
        self._visited: dict[tuple[object, ...], Visited] = {}
        self._visited_on: dict[str | None, dict[tuple[object, ...], Visited]] = {}
        self._structural: dict[str, Visit] = {
            **{name: partial(visit, self) for name, visit in containers.VISITS.items()},
            **{name: partial(visit, self.regions) for name, visit in control_flow.VISITS.items()},
            **{name: partial(visit, self.calls) for name, visit in calls.VISITS.items()},
            **{name: partial(visit, self.slots) for name, visit in slots.VISITS.items()},
        }

    def refine(self) -> None:
        """Refine the module, but not the functions of nested modules."""
        self.slots.find_contents(self.calls.analyze_all)
        self.slots.write()
        self.calls.refine_all()
        if self.regions.all_straight and self.calls.are_all:
            seen = Seen(set(self._visits), self.writer.casts)
            self.state.seen[self.module.regions[0].blocks[0]] = seen

    def refine_again(self, known: dict[ir.Value, LatticeValue]) -> None:
        """Refine by the lattice values of an earlier pass that left the module unchanged."""
        self.known, self.again = known, True
        assert self.calculations is not None
        for function in self.calls.functions.values():
            self.enter(device_of(function))
            with self.calculations.in_function(function):
                for block in function.regions[0]:
                    self.block(block)

    def close(self) -> None:
        """Release the module, which a reference cycle would otherwise keep until collected."""
        vars(self).clear()

    def enter(self, device: str | None) -> None:
        """Enter a function that was exported for a type of device, if known."""
        super().enter(device)
        self._visited = self._visited_on.setdefault(device, {})

    def find_visit(self, op: ir.Operation, name: str) -> Visit:
        """The visit function for ops of a name."""
        if name == _NUMBER_TO_TENSOR:
            return self.visit_number_tensor
        if name in self._structural and not self.again:
            return self._structural[name]
        if name == "torch.operator" and not self.again:
            return self.visit_operator
        if self.calculations is not None and name in OP_NAMES:
            return self.calculations.visit
        if self.calculations is not None and name in BODY_YIELDS:
            # The calculate op handles the values that its body yields.
            return _leave
        if self.again and name == CAST:
            return self.visit_cast_again
        if self.again and not self._is_scalar(op, name):
            return _leave if _takes_all(op) else self.visit_again
        if name in QUESTIONS:
            return self.visit_question
        if self.calculations is None and self.inference.has_function(name):
            return self.visit_function
        if name in elements.RULES and len(op.results) == 1:
            return self.visit_elements
        if self._is_scalar(op, name):
            return self.visit_scalar
        if is_free(name) and not len(op.regions):
            return self.visit_unknown
        return self.visit_tied

    def _is_scalar(self, op: ir.Operation, name: str) -> bool:
        """Whether an op computes a scalar or a list of ints from such values."""
        kinds = [self.declared.kind(result.type) for result in op.results]
        return len(kinds) > 0 and scalars.is_scalar_operation(name, kinds)

    @property
    def refines_numbers(self) -> bool:
        """Whether types of scalars, and of tensors made of them, are refined now."""
        found = self.calculations
        return self.writing and (found is None or ("dtype" in found.written and not found.depth))

    # Visits by kind of op.

    def visit_operator(self, op: ir.Operation, name: str) -> None:
        """An operator that the dialect does not define; an attribute holds its name."""
        name = name_of(op)
        visit = self._visits.get(name)
        if visit is None:
            visit = self._visits[name] = self.find_visit(op, name)
        visit(op, name)

    def visit_function(self, op: ir.Operation, name: str) -> None:
        """An operator with library functions."""
        known = self.known
        try:
            operands = tuple([known[operand] for operand in op.operands])
        except KeyError:
            operands = self.operands(op)
        results = list(op.results)
        key = (name, *operands, *[result.type for result in results])
        found = self._visited.get(key)
        if found is None:
            inferred = self.infer(op, name, operands)
            if inferred is None:
                return
            found = self._visited[key] = inferred
        else:
            self.inference.hits += 1
        writing = self.writing and not self.only_control_flow
        for result, (fact, type) in zip(results, found.results, strict=True):
            known[result] = self.unchanged(fact, result) if isinstance(fact, Sequence) else fact
            if type is not None and writing:
                self.writer.set_type(result, type)

    def infer(
        self, op: ir.Operation, name: str, operands: tuple[LatticeValue, ...]
    ) -> Visited | None:
        """Infer an operator; None if the results hold for this op only, and were recorded."""
        kinds = tuple(self.declared.kind(result.type) for result in op.results)
        start = time.perf_counter()
        inferred = self.inference.infer(operator_name(name), operands, kinds)
        spent = self.state.operator_seconds
        spent[name] = spent.get(name, 0.0) + time.perf_counter() - start
        if inferred.raised is not None:
            self.report_raised(op, name, inferred)
        elif inferred.learned and self.learned is not None and self.certain and self.writing:
            self.learned.add(inferred.learned)
        for remark in () if self.only_control_flow else inferred.remarks:
            if (op.results[0], remark) not in self._remarks:
                self._remarks.add((op.results[0], remark))
                self.state.diagnostics.warning(op.location, remark)
        if inferred.misfits and self.writing and not self.only_control_flow:
            for misfit in inferred.misfits:
                report_misfit(misfit, op, self.name, self.state)
        results = tuple(
            self.lasting(self.with_elements(name, operands, fact, result), result)
            for fact, result in zip(inferred.results, op.results, strict=True)
        )
        known = {symbol for operand in operands for symbol in operand.symbols}
        try:
            found = tuple(
                self._met(fact, r.type) for fact, r in zip(results, op.results, strict=True)
            )
        except Contradiction:
            self.learn(op, results, "its functions infer", operator=True)
            return None
        told = inferred.raised is not None or any(
            is_reported(misfit, self.state) for misfit in inferred.misfits
        )
        if told or _has_new_symbols([fact for fact, _ in found], known):
            # Fresh symbols, and what is reported, differ for every op.
            self.learn(op, results, "its functions infer", operator=True)
            return None
        return Visited(found)

    def _met(self, fact: LatticeValue, type: ir.Type) -> tuple[LatticeValue, ir.Type | None]:
        met = self.declared.meet(fact, type)
        refined = self.declared.refined(met, type)
        return met, None if refined == type else refined

    def visit_elements(self, op: ir.Operation, name: str) -> None:
        """An operator without functions that may return a small tensor of known elements."""
        result = op.results[0]
        fact = self.declared.lattice_value(result.type)
        self.known[result] = self.with_elements(name, self.operands(op), fact, result)

    def visit_question(self, op: ir.Operation, name: str) -> None:
        """A query of a tensor's size, rank or element."""
        operands = self.operands(op)
        found: LatticeValue | None = None
        if isinstance(operands[0], Tensor):
            try:
                found = scalars.ask(self.facts, name, operands)
            except Raised as error:
                self.report(op, f"{name} always raises: {error}")
        if found is None:
            self.visit_unknown(op, name)
        else:
            self.known[op.results[0]] = self.unchanged(found, op.results[0])

    def visit_scalar(self, op: ir.Operation, name: str) -> None:
        """Arithmetic on ints and other scalars."""
        operands = self.operands(op)
        result = op.results[0]
        try:
            found = scalars.compute(self.facts, name, operands, self.declared.kind(result.type))
        except Raised as error:
            self.report(op, f"{name} always raises: {error}")
            self.visit_unknown(op, name)
            return
        if name == _INT_OF_BOOL:
            found = self.facts.bool_or_int(found)
        if self.declared.kind(result.type) == "number":
            narrow = scalars.narrower(name, operands, found)
            if narrow is not None and isinstance(found, Anything):
                found = self.facts.anything(narrow)
            if narrow is not None and self.refines_numbers:
                self.writer.set_type(result, self.types.parse(f"!torch.{narrow}"))
        self.known[result] = self.unchanged(found, result)

    def visit_number_tensor(self, op: ir.Operation, name: str) -> None:
        """A scalar as a zero-dimensional tensor, of the dtype of such scalars."""
        result, (number,) = op.results[0], self.operands(op)
        dtype = folding.dtype_of_kind(scalars.number_kind(number) or "")
        made = self.facts.tensor((), None if dtype is NotImplemented else dtype)
        fact = self.met(made, result.type)
        self.known[result] = self.with_elements(name, (number,), fact, result)
        if self.refines_numbers and not self.contradiction(made, result.type):
            self.writer.set_type(result, self.refined(made, result.type))

    def visit_again(self, op: ir.Operation, name: str) -> None:
        """An op whose results are known, and that needs its operands to keep their types."""
        self.writer.keep_operands(op)
        for region in op.regions:
            for block in region:
                self.block(block)

    def visit_cast_again(self, op: ir.Operation, name: str) -> None:
        """A cast, which may contradict its operand's refined type."""
        known = self.fact(op.result)
        self._structural[name](op, name)
        self.known[op.result] = known

    def visit_tied(self, op: ir.Operation, name: str) -> None:
        """An op that needs its operands to keep their types, and its regions."""
        if self.writing:
            self.writer.keep_operands(op)
        certain, self.certain = self.certain, False
        for region in op.regions:
            self.regions.visit(region)
        self.certain = certain
        self.visit_unknown(op, name)


def _takes_all(op: ir.Operation) -> bool:
    """Whether all ops of a name stay valid when types of operands become more precise."""
    return op.name.startswith("torch.constant.") or (is_free(op.name) and not len(op.regions))


def _leave(op: ir.Operation, name: str) -> None:
    """An op that needs no visit."""


_NUMBER_TO_TENSOR = "torch.prim.NumToTensor.Scalar"
_INT_OF_BOOL = "torch.aten.Int.bool"


def _has_new_symbols(facts: list[LatticeValue], known: set[Symbol]) -> bool:
    return any(symbol not in known for fact in facts for symbol in fact.symbols)
