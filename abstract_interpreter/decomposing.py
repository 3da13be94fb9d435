"""Decompose operators: run their decomposition functions, and record the operators they call.

A decomposition function is a library function over tensors. Its conditions depend on ranks, dtypes,
sizes and optionals; they are resolved as those of shape functions are, while each operator that it
calls is inferred by its own shape and dtype functions and added to the trace. An operator of the
trace that has a decomposition function itself is decomposed in the same run, but not one that calls
itself: that is how a function expresses a form of an operator by another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from torch_refine.abstract_interpreter.capturing import (
    Captured,
    capture,
    size_steps,
    value_of,
    with_names,
)
from torch_refine.abstract_interpreter.conditions.conditions import SymbolicCondition
from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import Lattice, LatticeValue, Tensor
from torch_refine.abstract_interpreter.materialising.demand import Demand
from torch_refine.abstract_interpreter.numbers.expressions import Expression
from torch_refine.abstract_interpreter.operands import NotAdaptable, check_count, is_tensor
from torch_refine.abstract_interpreter.outcomes import (
    Applied,
    Branched,
    Looped,
    Made,
    Operation,
    Raising,
    Trace,
    snapshot,
)
from torch_refine.abstract_interpreter.running.decoder import Instruction, Program
from torch_refine.abstract_interpreter.running.errors import GivenUp, Raised
from torch_refine.abstract_interpreter.running.evaluator import HANDLERS, KNOWN, Evaluator, Handler
from torch_refine.abstract_interpreter.running.folding import dtype_of_kind
from torch_refine.abstract_interpreter.running.recording import Recorder, UnrecordedError
from torch_refine.abstract_interpreter.tensors import QUESTIONS
from torch_refine.abstract_interpreter.values import (
    SCALARS,
    ListObject,
    TensorValue,
    Value,
    kind_of,
)
from torch_refine.dialect.element_types import element_of_dtype
from torch_refine.dialect.names import library_symbol, operator_name
from torch_refine.dialect.tensor_type import TensorType

_NUMBER_TO_TENSOR = "torch.prim.NumToTensor.Scalar"
# How the assertions of functions begin that do not concern all operands.
CONCERNS_ONLY = "concerns only "


@dataclass(frozen=True)
class Decomposed:
    """The operators that compute an operator: `trace`, with `results` in terms of it, of which
    `demand` tells the live part.

    `facts` are the lattice values of the results, `captured` stands for the operands. `remark` says
    why there is no trace; it is empty where the function does not concern such operands.
    """

    captured: Captured
    trace: Trace | None = None
    results: tuple[Value, ...] = ()
    facts: tuple[LatticeValue, ...] = ()
    demand: Demand | None = None
    remark: str | None = None


class Decomposer:
    """Decomposes operators; `is_kept` tells which ones remain."""

    def __init__(self, inference: Inference, is_kept: Callable[[str], bool]) -> None:
        self.inference = inference
        self.is_kept = is_kept
        self._memo: dict[Any, Decomposed] = {}
        self._has: dict[str, bool] = {}

    def decomposes(self, operator: str) -> bool:
        """Whether an operator has a decomposition function and is not kept."""
        found = self._has.get(operator)
        if found is None:
            symbol = library_symbol("decomposition", operator)
            found = symbol in self.inference.programs and not self.is_kept(operator)
            self._has[operator] = found
        return found

    def program(self, operator: str) -> Program | None:
        """The decomposition function of an operator that is not kept."""
        if not self.decomposes(operator):
            return None
        return self.inference.programs.find(library_symbol("decomposition", operator))

    def decompose(self, operator: str, operands: tuple[LatticeValue, ...]) -> Decomposed:
        """Decompose an operator that has a decomposition function.

        Calls that differ only in symbols share a trace, whose atoms are those of `captured`.
        """
        _, canonical = self.inference.renumbered(operands)
        key = (operator, canonical, self.inference.device)
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = self._run(operator, canonical)
        return found

    def _run(self, operator: str, operands: tuple[LatticeValue, ...]) -> Decomposed:
        captured = capture(with_names(self.inference.lattice, operands))
        program = self.program(operator)
        assert program is not None
        recorder = Recorder(KNOWN.__contains__)
        recorder.trace.steps += captured.steps
        evaluator = _Evaluator(self, recorder, operator)
        try:
            check_count(len(program.parameters), len(operands))
            values = evaluator.run(program, captured.values)
            if len(values) == 1 and isinstance(values[0], tuple):
                values = list(values[0])
        except Raised as error:
            if CONCERNS_ONLY in str(error):
                return Decomposed(captured, remark="")
            return Decomposed(captured, remark=f"it always raises: {error}")
        except (GivenUp, NotAdaptable, UnrecordedError) as error:
            return Decomposed(captured, remark=str(error) or "a part of it cannot be written")
        except RecursionError:
            return Decomposed(captured, remark="its function is nested too deeply")
        trace, results = recorder.trace, tuple(map(snapshot, values))
        demand = Demand(trace, results, captured.given)
        for step in demand.kept:
            if isinstance(step, Raising):
                return Decomposed(captured, remark="its function raises for some sizes")
            if isinstance(step, Branched | Looped):
                return Decomposed(captured, remark="its function branches on unknown sizes")
        facts = tuple(map(evaluator.lattice_value, values))
        return Decomposed(captured, trace, results, facts, demand)


class _Handlers:
    """How instructions run: operators that are no calculation are recorded."""

    def get(self, name: str) -> Handler | None:
        """The handler of an instruction, None for an operation on ints and lists."""
        found = HANDLERS.get(name)
        if name == _NUMBER_TO_TENSOR:
            return _Evaluator.number_to_tensor
        if found is not None or name in KNOWN or name in QUESTIONS:
            return found
        return _Evaluator.operator


class _Evaluator(Evaluator):
    """Runs a decomposition function."""

    handlers = _Handlers()

    def __init__(self, decomposer: Decomposer, recorder: Recorder, operator: str) -> None:
        inference = decomposer.inference
        super().__init__(inference.programs.find, inference.device, recorder)
        self.decomposer = decomposer
        self.lattice: Lattice = inference.lattice
        # The operators that are decomposed now, from the outermost.
        self.open = [operator]

    def operator(self, instruction: Instruction, frame: list[Any]) -> None:
        """An operator on tensors."""
        operator = operator_name(instruction.name)
        operands = [frame[slot] for slot in instruction.operands]
        program = None if operator in self.open else self.decomposer.program(operator)
        if program is None:
            values = self._called(operator, instruction, operands)
        else:
            values = self._decomposed(operator, program, instruction, operands)
            if len(values) == 1 and isinstance(values[0], tuple):
                values = list(values[0])
        for slot, value in zip(instruction.results, values, strict=True):
            frame[slot] = value

    def _decomposed(
        self, operator: str, program: Program, instruction: Instruction, operands: list[Value]
    ) -> list[Value]:
        """Run the decomposition function of an operator; where it raises, the operator remains."""
        assert self.recorder is not None
        trace = self.recorder.trace
        before = len(trace.steps)
        self.open.append(operator)
        try:
            return self.nested(operator, partial(self.run, program, operands))
        except Raised as error:
            # A condition that is not known adds another step; without, nothing was assumed so far.
            steps = trace.steps[before:]
            if self.recorder.trace is not trace or not all(map(_is_calculation, steps)):
                # It concerns this call, not the outermost.
                message = str(error).replace(CONCERNS_ONLY, "it concerns ")
                raise Raised(f"{operator}: {message}") from None
            del trace.steps[before:]
        finally:
            # A side of a branch may raise, and the run go on with the other.
            self.open.pop()
        return self._called(operator, instruction, operands)

    def _called(
        self, operator: str, instruction: Instruction, operands: list[Value]
    ) -> list[Value]:
        """Infer an operator and record it; its results."""
        assert self.recorder is not None
        facts = tuple(map(self.lattice_value, operands))
        if not self.decomposer.inference.has_function(operator):
            self.give_up(f"{operator} has no shape and dtype function")
        inferred = self.decomposer.inference.infer(operator, facts, tuple(instruction.kinds))
        if inferred.raised is not None:
            raise Raised(inferred.raised)
        values = [value_of(fact) for fact in inferred.results]
        kinds = list(map(_kind, inferred.results, instruction.kinds))
        operation = Operation(instruction.name, [""] * len(operands), kinds)
        steps = self.recorder.trace.steps
        steps.append(Applied(operation, list(map(snapshot, operands)), values))
        for value in values:
            if isinstance(value, TensorValue):
                steps += size_steps(value)
            elif isinstance(value, ListObject):
                self.give_up(f"{operator} returns a list")
        return values

    def number_to_tensor(self, instruction: Instruction, frame: list[Any]) -> None:
        """A number as a tensor of rank 0, of the dtype of its Python type."""
        assert self.recorder is not None
        number = frame[instruction.operands[0]]
        dtype = dtype_of_kind(kind_of(number))
        if dtype is NotImplemented:
            self.give_up("the type of a number is not known")
        fact = self.lattice.tensor((), dtype)
        operation = Operation(instruction.name, [""], [_kind(fact, instruction.kinds[0])])
        value = TensorValue(fact)
        self.recorder.trace.steps.append(Applied(operation, [snapshot(number)], [value]))
        frame[instruction.results[0]] = value

    def run_both(
        self, instruction: Instruction, condition: SymbolicCondition, frame: list[Any]
    ) -> list[Value]:
        """A branch that is not resolved must not choose between tensors."""
        values = super().run_both(instruction, condition, frame)
        for value, kind in zip(values, instruction.kinds, strict=True):
            if is_tensor(kind) and not isinstance(value, TensorValue):
                self.give_up("which operators it calls depends on unknown sizes")
        return values

    def lattice_value(self, value: Value) -> LatticeValue:
        """A value of this run as an operand of an operator."""
        lattice = self.lattice
        if isinstance(value, TensorValue):
            return value.lattice_value
        if type(value) in SCALARS:
            return lattice.scalar(value)
        if isinstance(value, Expression):
            return lattice.integer(self.assumptions.resolve(value))
        if isinstance(value, ListObject) and value.items is not None:
            return lattice.sequence(value.kind, tuple(map(self.lattice_value, value.items)))
        if isinstance(value, tuple):
            return lattice.sequence(kind_of(value), tuple(map(self.lattice_value, value)))
        return lattice.anything(kind_of(value))


def _is_calculation(step: object) -> bool:
    return isinstance(step, Applied | Made)


def _kind(fact: LatticeValue, kind: str) -> str:
    """The type of a result without `!torch.`, as precise as its lattice value."""
    if not isinstance(fact, Tensor):
        return kind
    sizes = fact.sizes
    known = None if sizes is None else tuple(s if isinstance(s, int) else None for s in sizes)
    element = None if fact.dtype is None else element_of_dtype(fact.dtype)
    return str(TensorType(True, known, element)).removeprefix("!torch.")
