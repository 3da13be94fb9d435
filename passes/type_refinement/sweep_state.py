"""The state of a sweep: the lattice values found so far, and the diagnostics."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from collections.abc import Sequence as Several
from functools import cached_property
from itertools import zip_longest

from torch_refine.abstract_interpreter import elements
from torch_refine.abstract_interpreter.conditions.learning import Learned
from torch_refine.abstract_interpreter.inference import Inference, Inferred
from torch_refine.abstract_interpreter.lattice import Lattice, LatticeValue, Sequence, Tensor
from torch_refine.abstract_interpreter.numbers.expressions import Symbol
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.diagnostics import diagnostic
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import Contradiction, Types
from torch_refine.passes.base import RunState
from torch_refine.passes.list_uses import only_read
from torch_refine.passes.reshaping import reshapes_in_place
from torch_refine.passes.type_refinement.declared import Declared
from torch_refine.passes.type_refinement.writing import Writer

Visit = Callable[[ir.Operation, str], None]


class SweepState(ABC):
    """What visits of ops read and change; a subclass visits the ops.

    `known` holds the lattice values found so far. With `writing` off, nothing is changed, as in the
    iterations of a loop before its fixed point. `certain` tells that every run reaches the current
    op; an error elsewhere only makes the rest of the branch unreachable, which `ended` tells. With
    `only_control_flow`, the results of operators keep their types, and nothing is reported. With
    `by_calculations`, only reified calculations refine types.
    """

    def __init__(
        self,
        module: ir.Operation,
        inference: Inference,
        state: RunState,
        name: str,
        strict: bool,
        only_control_flow: bool,
    ) -> None:
        self.module = module
        self.types = Types(module.context)
        self.facts: Lattice = inference.lattice
        self.inference = inference
        self.declared = Declared(self.types, self.facts)
        self.writer = Writer(self.types, self._precise if only_control_flow else None)
        self.state = state
        self.name = name
        self.strict = strict
        self.only_control_flow = only_control_flow
        self.by_calculations = False
        self.known: dict[ir.Value, LatticeValue] = {}
        self.ints: dict[ir.Attribute, LatticeValue] = {}
        # Whether `known` comes from an earlier pass.
        self.again = False
        self.writing = True
        self.certain = True
        self.ended = False
        # The names that functions declare for symbols of their arguments.
        self.symbol_names: dict[Symbol, str] = {}
        # What certain operators tell of symbols; None if nobody asks.
        self.learned: Learned | None = None
        # By the names of the ops visited so far.
        self._visits: dict[str, Visit] = {}

    @abstractmethod
    def find_visit(self, op: ir.Operation, name: str) -> Visit:
        """The visit of ops with a name."""

    @abstractmethod
    def visit_tied(self, op: ir.Operation, name: str) -> None:
        """Visit an op whose operands must keep their types, and its regions."""

    def enter(self, device: str | None) -> None:
        """Enter a function that was exported for a type of device, if known."""
        self.inference.device = device

    def block(self, block: ir.Block) -> None:
        """Visit the ops of a block; without writing, only up to one that always raises."""
        visits = self._visits
        looking = not self.writing
        for view in block.operations:
            op = view.operation
            name = op.name
            visit = visits.get(name)
            if visit is None:
                visit = visits[name] = self.find_visit(op, name)
            visit(op, name)
            if looking and self.ended:
                return

    def visit_op(self, op: ir.Operation) -> None:
        """Visit one op."""
        name = op.name
        visit = self._visits.get(name)
        if visit is None:
            visit = self._visits[name] = self.find_visit(op, name)
        visit(op, name)

    def enter_block(self, block: ir.Block, arguments: Several[LatticeValue]) -> bool:
        """Visit a block with lattice values of its arguments; whether its end is reachable."""
        for argument, fact in zip_longest(block.arguments, arguments):
            if argument is not None:
                self.known[argument] = (
                    self.declared.lattice_value(argument.type) if fact is None else fact
                )
        ended, self.ended = self.ended, False
        self.block(block)
        completes, self.ended = not self.ended, ended
        return completes

    def visit_unknown(self, op: ir.Operation, name: str) -> None:
        """An op of which only the declared types are known."""
        for result in op.results:
            self.known[result] = self.declared.lattice_value(result.type)

    @property
    def refines(self) -> bool:
        """Whether types are refined now, other than by calculations."""
        return self.writing and not self.by_calculations

    # Lattice values.

    def fact(self, value: ir.Value) -> LatticeValue:
        """The lattice value of a value; that of its declared type if it was not visited."""
        found = self.known.get(value)
        if found is None:
            found = self.known[value] = self.declared.lattice_value(value.type)
        return found

    def operands(self, op: ir.Operation) -> tuple[LatticeValue, ...]:
        """The lattice values of an op's operands."""
        return tuple([self.fact(operand) for operand in op.operands])

    def met(self, fact: LatticeValue, type: ir.Type) -> LatticeValue:
        """The meet of a lattice value's persistent part and a type; the type if they contradict."""
        try:
            return self.declared.meet(self._lasting(fact, type), type)
        except Contradiction:
            return self.declared.lattice_value(type)

    def refined(self, fact: LatticeValue, type: ir.Type) -> ir.Type:
        """The type of a value with this lattice value, at least as precise as `type`."""
        return self.declared.refined(self.met(fact, type), type)

    def _precise(self, value: ir.Value) -> ir.Type:
        """The most precise type of a value that keeps its type."""
        return self.refined(self.fact(value), value.type)

    def contradiction(self, fact: LatticeValue, type: ir.Type) -> Contradiction | None:
        """The contradiction between a lattice value and a type; None if there is none."""
        try:
            self.declared.meet(fact, type)
        except Contradiction as error:
            return error
        return None

    def learn(
        self,
        op: ir.Operation,
        results: tuple[LatticeValue, ...],
        source: str,
        operator: bool = False,
    ) -> None:
        """Record the meets of the results' lattice values and declared types."""
        writing = self.refines and not (operator and self.only_control_flow)
        for result, fact in zip(op.results, results, strict=True):
            try:
                met = self.declared.meet(self.lasting(fact, result), result.type)
            except Contradiction as error:
                assert isinstance(fact, Tensor)
                self.report_contradiction(op, result, fact, source, error)
                met = self.declared.lattice_value(result.type)
            self.known[result] = self.unchanged(met, result)
            if writing and isinstance(met, Tensor):
                self.writer.set_type(result, self.declared.refined(met, result.type))

    def unchanged(self, fact: LatticeValue, value: ir.Value) -> LatticeValue:
        """The lattice value, if the value is never mutated: a list may grow later."""
        if not isinstance(fact, Sequence) or not fact.kind.startswith("list<"):
            return fact
        return fact if only_read(value, self.types) else self.facts.anything(fact.kind)

    def with_elements(
        self, name: str, operands: tuple[LatticeValue, ...], fact: LatticeValue, result: ir.Value
    ) -> LatticeValue:
        """The lattice value of a result, with its elements if they are a few ints."""
        if name not in elements.RULES or not isinstance(fact, Tensor):
            return fact
        declared = self.types.tensor(result.type)
        if declared is None or not declared.value_semantics:
            # An alias of the tensor may change its contents.
            return fact
        found = elements.compute(name, operands, fact)
        return fact if found is None else self.facts.tensor(fact.sizes, fact.dtype, found)

    def lasting(self, fact: LatticeValue, result: ir.Value) -> LatticeValue:
        """The part of a result's lattice value that holds throughout its lifetime."""
        return self._lasting(fact, result.type)

    def _lasting(self, fact: LatticeValue, type: ir.Type) -> LatticeValue:
        declared = self.types.tensor(type)
        if declared is None or declared.value_semantics or not isinstance(fact, Tensor):
            return fact
        return self.facts.tensor(None, fact.dtype) if self.reshapes else fact

    @cached_property
    def reshapes(self) -> bool:
        """Whether the module changes sizes of tensors without value semantics."""
        return reshapes_in_place(self.module, self.types)

    # Diagnostics.

    def report_raised(self, op: ir.Operation, name: str, inferred: Inferred) -> None:
        """An operator that always raises."""
        operands = ", ".join(self.types.text(operand.type) for operand in op.operands)
        message = f"{name} always raises: {inferred.raised} (operands: {operands})"
        self.report(op, message)

    def report_contradiction(
        self, op: ir.Operation, result: ir.Value, fact: Tensor, source: str, error: Contradiction
    ) -> None:
        """A result whose declared type contradicts the inferred one."""
        declared = self.types.tensor(result.type)
        assert declared is not None
        inferred = self.declared.tensor_type(fact, declared)
        operands = ", ".join(self.types.text(operand.type) for operand in op.operands)
        self.report(
            op,
            f"{name_of(op)} is declared {declared}, but {source} {inferred}: {error} "
            f"(operands: {operands})",
        )

    def report(self, op: ir.Operation, message: str) -> None:
        """Report that the op always fails: an error if every run reaches it and `strict` is set."""
        self.ended = True
        if not self.writing or self.only_control_flow:
            return
        severity = "error" if self.strict and self.certain else "warning"
        self.state.count(self.name, "impossible ops")
        self.state.diagnostics.report(
            diagnostic("error" if severity == "error" else "warning", op.location, message)
        )
