"""The sweep: every op is visited once, in program order, and its results' facts are found."""

from __future__ import annotations

from collections.abc import Callable, Collection
from collections.abc import Sequence as Several
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import zip_longest

from torch_refine.abstract_interpreter import elements
from torch_refine.abstract_interpreter.facts import Anything, Fact, Facts, Sequence, Tensor
from torch_refine.abstract_interpreter.inference import Inference, Inferred
from torch_refine.abstract_interpreter.numbers.expressions import Symbol
from torch_refine.abstract_interpreter.running import folding
from torch_refine.abstract_interpreter.running.errors import Raised
from torch_refine.abstract_interpreter.tensors import QUESTIONS
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.calculate_ops import BODY_YIELDS, OP_NAMES
from torch_refine.dialect.diagnostics import diagnostic
from torch_refine.dialect.names import Kind, name_of, operator_name
from torch_refine.dialect.tensor_type import Contradiction, Types
from torch_refine.passes.base import RunState, Seen
from torch_refine.passes.casts import CAST, is_free
from torch_refine.passes.list_uses import only_read
from torch_refine.passes.program import device_of
from torch_refine.passes.reshaping import reshapes_in_place
from torch_refine.passes.type_refinement import (
    calls,
    containers,
    control_flow,
    scalars,
    slots,
)
from torch_refine.passes.type_refinement.calculations.visiting import Calculations
from torch_refine.passes.type_refinement.declared import Declared
from torch_refine.passes.type_refinement.regions import Regions
from torch_refine.passes.type_refinement.writing import Writer

Visit = Callable[[ir.Operation, str], None]


@dataclass(frozen=True)
class Visited:
    """What an op gives: a fact for each result, and its type where that becomes more precise."""

    results: tuple[tuple[Fact, ir.Type | None], ...]


class Sweep:
    """Visits the ops of one module.

    `known` holds what was found of the values. With `writing` off, ops are only looked at, as in
    the iterations of a loop before what it carries has settled. `certain` holds where every run
    comes by; what is wrong elsewhere only ends the branch that it stands in, which `ended` tells.
    With `only_control_flow`, the results of operators keep their types, and nothing is reported.
    With kinds that are `simplified`, reified calculations say what operators give, those of these
    kinds are simplified, and only the types of what they are about are refined.
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
        self.module = module
        self.types = Types(module.context)
        self.facts: Facts = inference.facts
        self.inference = inference
        self.declared = Declared(self.types, self.facts)
        self.writer = Writer(self.types, self._precise if only_control_flow else None)
        self.state = state
        self.name = name
        self.strict = strict
        self.only_control_flow = only_control_flow
        self.known: dict[ir.Value, Fact] = {}
        self.ints: dict[ir.Attribute, Fact] = {}
        self.calculations = Calculations(self, simplified) if simplified else None
        # Whether a pass has found before what is known, and left it.
        self.again = False
        self.writing = True
        self.certain = True
        self.ended = False
        self._remarks: set[tuple[ir.Value, str]] = set()
        self.regions = Regions(self)
        self.slots = slots.Slots(self, module)
        self.calls = calls.Calls(self, module)
        # By the names of the ops that were visited so far.
        self._visits: dict[str, Visit] = {}
        self._visited: dict[tuple[object, ...], Visited] = {}
        self._visited_on: dict[str | None, dict[tuple[object, ...], Visited]] = {}

    def refine(self) -> None:
        """Refine the module; functions of modules in it are left alone."""
        self.slots.settle()
        self.slots.write()
        self.calls.refine_all()
        if self.regions.all_straight and self.calls.are_all:
            seen = Seen(set(self._visits), self.writer.casts)
            self.state.seen[self.module.regions[0].blocks[0]] = seen

    def refine_again(self, known: dict[ir.Value, Fact]) -> None:
        """Refine by what a pass has found that left the module to this one."""
        self.known, self.again = known, True
        assert self.calculations is not None
        for function in self.calls.functions.values():
            self.enter(device_of(function))
            with self.calculations.in_function(function):
                for block in function.regions[0]:
                    self.block(block)

    def close(self) -> None:
        """Let go of the module, which a cycle of objects would hold until Python looks for one."""
        vars(self).clear()

    def enter(self, device: str | None) -> None:
        """Go on in a function that was exported for a type of device, where that is known."""
        self.inference.device = device
        self._visited = self._visited_on.setdefault(device, {})

    def block(self, block: ir.Block) -> None:
        """Visit the ops of a block; only to look at them, up to one that no run gets past."""
        visits = self._visits
        looking = not self.writing
        for view in block.operations:
            op = view.operation
            name = op.name
            visit = visits.get(name)
            if visit is None:
                visit = visits[name] = self._find_visit(op, name)
            visit(op, name)
            if looking and self.ended:
                return

    def visit_op(self, op: ir.Operation) -> None:
        """Visit one op."""
        name = op.name
        visit = self._visits.get(name)
        if visit is None:
            visit = self._visits[name] = self._find_visit(op, name)
        visit(op, name)

    def enter_block(self, block: ir.Block, arguments: Several[Fact]) -> bool:
        """Visit a block for facts of its arguments; whether control gets to its end."""
        for argument, fact in zip_longest(block.arguments, arguments):
            if argument is not None:
                self.known[argument] = self.declared.fact(argument.type) if fact is None else fact
        ended, self.ended = self.ended, False
        self.block(block)
        completes, self.ended = not self.ended, ended
        return completes

    def _find_visit(self, op: ir.Operation, name: str) -> Visit:
        """How ops of a name are visited."""
        if name == _NUMBER_TO_TENSOR:
            return self.visit_number_tensor
        if name in _STRUCTURAL and not self.again:
            return partial(_STRUCTURAL[name], self)
        if name == "torch.operator" and not self.again:
            return self.visit_operator
        if self.calculations is not None and name in OP_NAMES:
            return self.calculations.visit
        if self.calculations is not None and name in BODY_YIELDS:
            # The calculate op looks at what its body yields.
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
        """Whether an op computes an int or the like of such values."""
        kinds = [self.declared.kind(result.type) for result in op.results]
        return len(kinds) > 0 and scalars.is_scalar_operation(name, kinds)

    @property
    def refines(self) -> bool:
        """Whether types are refined now, other than by calculations."""
        return self.writing and self.calculations is None

    @property
    def refines_numbers(self) -> bool:
        """Whether types of numbers are refined now, and of tensors that are made of them."""
        found = self.calculations
        return self.writing and (found is None or ("dtype" in found.written and not found.depth))

    # Facts of values.

    def fact(self, value: ir.Value) -> Fact:
        """What is known of a value; of one that was not visited, what is declared."""
        found = self.known.get(value)
        if found is None:
            found = self.known[value] = self.declared.fact(value.type)
        return found

    def operands(self, op: ir.Operation) -> tuple[Fact, ...]:
        """What is known of an op's operands."""
        return tuple([self.fact(operand) for operand in op.operands])

    def met(self, fact: Fact, type: ir.Type) -> Fact:
        """What lasts of a fact, and what its value is declared to be; that alone if they differ."""
        try:
            return self.declared.meet(self._lasting(fact, type), type)
        except Contradiction:
            return self.declared.fact(type)

    def refined(self, fact: Fact, type: ir.Type) -> ir.Type:
        """The type for a value of which a fact is known, at least as precise as `type`."""
        return self.declared.refined(self.met(fact, type), type)

    def _precise(self, value: ir.Value) -> ir.Type:
        """The type of a value that is left as it is, by all that is known of it."""
        return self.refined(self.fact(value), value.type)

    def contradiction(self, fact: Fact, type: ir.Type) -> Contradiction | None:
        """Why a value of a type cannot be what a fact says; None if it can."""
        try:
            self.declared.meet(fact, type)
        except Contradiction as error:
            return error
        return None

    def learn(
        self, op: ir.Operation, results: tuple[Fact, ...], source: str, operator: bool = False
    ) -> None:
        """Note facts of an op's results, together with what is declared of them."""
        writing = self.refines and not (operator and self.only_control_flow)
        for result, fact in zip(op.results, results, strict=True):
            try:
                met = self.declared.meet(self.lasting(fact, result), result.type)
            except Contradiction as error:
                assert isinstance(fact, Tensor)
                self.report_contradiction(op, result, fact, source, error)
                met = self.declared.fact(result.type)
            self.known[result] = self.unchanged(met, result)
            if writing and isinstance(met, Tensor):
                self.writer.set_type(result, self.declared.refined(met, result.type))

    def unchanged(self, fact: Fact, value: ir.Value) -> Fact:
        """A fact, if nothing in the program changes what it is about: a list may grow later."""
        if not isinstance(fact, Sequence) or not fact.kind.startswith("list<"):
            return fact
        return fact if only_read(value, self.types) else self.facts.anything(fact.kind)

    # Ops by what they are.

    def visit_operator(self, op: ir.Operation, name: str) -> None:
        """An operator that the dialect does not define; it is named by an attribute."""
        name = name_of(op)
        visit = self._visits.get(name)
        if visit is None:
            visit = self._visits[name] = self._find_visit(op, name)
        visit(op, name)

    def visit_function(self, op: ir.Operation, name: str) -> None:
        """An operator that the library has functions for."""
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

    def infer(self, op: ir.Operation, name: str, operands: tuple[Fact, ...]) -> Visited | None:
        """Find what an operator gives; None if that holds for this op only, and was noted."""
        kinds = tuple(self.declared.kind(result.type) for result in op.results)
        inferred = self.inference.infer(operator_name(name), operands, kinds)
        if inferred.raised is not None:
            self.report_raised(op, name, inferred)
        for remark in () if self.only_control_flow else inferred.remarks:
            if (op.results[0], remark) not in self._remarks:
                self._remarks.add((op.results[0], remark))
                self.state.diagnostics.warning(op.location, remark)
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
            self.learn(op, results, "its functions give", operator=True)
            return None
        if inferred.raised is not None or _has_new_symbols([fact for fact, _ in found], known):
            # New symbols are other ones for every op.
            self.learn(op, results, "its functions give", operator=True)
            return None
        return Visited(found)

    def _met(self, fact: Fact, type: ir.Type) -> tuple[Fact, ir.Type | None]:
        met = self.declared.meet(fact, type)
        refined = self.declared.refined(met, type)
        return met, None if refined == type else refined

    def with_elements(
        self, name: str, operands: tuple[Fact, ...], fact: Fact, result: ir.Value
    ) -> Fact:
        """The fact of a result, with its elements where they are a few ints."""
        if name not in elements.RULES or not isinstance(fact, Tensor):
            return fact
        declared = self.types.tensor(result.type)
        if declared is None or not declared.value_semantics:
            # Another name of the tensor may change what it holds.
            return fact
        found = elements.compute(name, operands, fact)
        return fact if found is None else self.facts.tensor(fact.sizes, fact.dtype, found)

    def lasting(self, fact: Fact, result: ir.Value) -> Fact:
        """What will hold of a result for as long as it lives."""
        return self._lasting(fact, result.type)

    def _lasting(self, fact: Fact, type: ir.Type) -> Fact:
        declared = self.types.tensor(type)
        if declared is None or declared.value_semantics or not isinstance(fact, Tensor):
            return fact
        return self.facts.tensor(None, fact.dtype) if self.reshapes else fact

    @cached_property
    def reshapes(self) -> bool:
        """Whether the module changes the sizes of tensors without value semantics."""
        return reshapes_in_place(self.module, self.types)

    def visit_elements(self, op: ir.Operation, name: str) -> None:
        """An operator without functions that may give a small tensor of known elements."""
        result = op.results[0]
        fact = self.declared.fact(result.type)
        self.known[result] = self.with_elements(name, self.operands(op), fact, result)

    def visit_question(self, op: ir.Operation, name: str) -> None:
        """A size, rank or element that the program asks of a tensor."""
        operands = self.operands(op)
        found: Fact | None = None
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
        """Arithmetic on ints and the like."""
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
        """A number as a tensor: one without dimensions, of the dtype that such numbers have."""
        result, (number,) = op.results[0], self.operands(op)
        dtype = folding.dtype_of_kind(scalars.number_kind(number) or "")
        made = self.facts.tensor((), None if dtype is NotImplemented else dtype)
        fact = self.met(made, result.type)
        self.known[result] = self.with_elements(name, (number,), fact, result)
        if self.refines_numbers and not self.contradiction(made, result.type):
            self.writer.set_type(result, self.refined(made, result.type))

    def visit_unknown(self, op: ir.Operation, name: str) -> None:
        """An op of which nothing is known but what it declares."""
        for result in op.results:
            self.known[result] = self.declared.fact(result.type)

    def visit_again(self, op: ir.Operation, name: str) -> None:
        """An op of which all is known already, and that needs its operands to keep their types."""
        self.writer.keep_operands(op)
        for region in op.regions:
            for block in region:
                self.block(block)

    def visit_cast_again(self, op: ir.Operation, name: str) -> None:
        """A cast, which may contradict what its operand has become."""
        known = self.fact(op.result)
        _STRUCTURAL[name](self, op, name)
        self.known[op.result] = known

    def visit_tied(self, op: ir.Operation, name: str) -> None:
        """An op that needs its operands to keep their types, and what it holds."""
        if self.writing:
            self.writer.keep_operands(op)
        certain, self.certain = self.certain, False
        for region in op.regions:
            self.regions.visit(region)
        self.certain = certain
        self.visit_unknown(op, name)

    # What is wrong with the program.

    def report_raised(self, op: ir.Operation, name: str, inferred: Inferred) -> None:
        """An operator that raises whenever it runs."""
        operands = ", ".join(self.types.text(operand.type) for operand in op.operands)
        message = f"{name} always raises: {inferred.raised} (operands: {operands})"
        self.report(op, message)

    def report_contradiction(
        self, op: ir.Operation, result: ir.Value, fact: Tensor, source: str, error: Contradiction
    ) -> None:
        """A result that is declared to be what it cannot be."""
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
        """Something that no run survives: an error where every run comes by, if asked for."""
        self.ended = True
        if not self.writing or self.only_control_flow:
            return
        severity = "error" if self.strict and self.certain else "warning"
        self.state.count(self.name, "impossible ops")
        self.state.diagnostics.report(
            diagnostic("error" if severity == "error" else "warning", op.location, message)
        )


def _takes_all(op: ir.Operation) -> bool:
    """Whether all ops of a name stay valid when types of operands become more precise."""
    return op.name.startswith("torch.constant.") or (is_free(op.name) and not len(op.regions))


def _leave(op: ir.Operation, name: str) -> None:
    """An op that nothing has to be done about."""


_NUMBER_TO_TENSOR = "torch.prim.NumToTensor.Scalar"
_INT_OF_BOOL = "torch.aten.Int.bool"


def _has_new_symbols(facts: list[Fact], known: set[Symbol]) -> bool:
    return any(symbol not in known for fact in facts for symbol in fact.symbols)


_STRUCTURAL: dict[str, Callable[[Sweep, ir.Operation, str], None]] = {
    **containers.VISITS,
    **control_flow.VISITS,
    **calls.VISITS,
    **slots.VISITS,
}
