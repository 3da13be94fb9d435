"""Simplifying calculations, and refining types by what they give.

Each calculation is run by the abstract interpreter, which rewrites it to what is not known; one
sweep in program order reaches the fixed point, because a calculation reads only what stands before
it. A result that is visible then refines the calculate op, its body and, through them, the program.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from torch_refine.abstract_interpreter.running.decoder import Program, decode
from torch_refine.abstract_interpreter.running.errors import GivenUp, Raised
from torch_refine.abstract_interpreter.running.folding import FOLDS
from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.calculate_ops import (
    CALCULATE,
    OP_NAMES,
    body,
    calculation,
)
from torch_refine.dialect.element_types import element_of_dtype
from torch_refine.dialect.names import Kind, name_of
from torch_refine.dialect.tensor_type import Contradiction, TensorType, Types
from torch_refine.passes.base import PassFailure, RunState
from torch_refine.passes.casts import refine_value
from torch_refine.passes.partial_evaluation.evaluator import Evaluator, Memo
from torch_refine.passes.partial_evaluation.facts import Facts
from torch_refine.passes.partial_evaluation.remembered import key_of
from torch_refine.passes.partial_evaluation.residual import Residual
from torch_refine.passes.partial_evaluation.values import ListObject, Value, freeze, is_known
from torch_refine.passes.program import (
    device_of,
    enclosing_module,
    program_functions,
    symbol_name,
)

_PURE = {
    *FOLDS,
    "torch.constant.int",
    "torch.constant.float",
    "torch.constant.bool",
    "torch.constant.str",
    "torch.constant.none",
    "torch.prim.ListConstruct",
    "torch.prim.TupleConstruct",
    "torch.prim.TupleIndex",
    "torch.prim.TupleUnpack",
    "torch.prim.Uninitialized",
    "torch.prim.dtype",
    "torch.aten.__getitem__.t",
    "torch.aten.len.t",
    "torch.aten.slice.t",
    "torch.aten.list.t",
    "torch.aten.add.t",
    "torch.aten.size",
    "torch.aten.size.int",
    "torch.aten.dim",
    "torch.promote_dtypes",
}


class Simplifier:
    """Simplifies the calculations of one kind in one module."""

    def __init__(self, kind: Kind, name: str, module: ir.Operation, state: RunState) -> None:
        self.kind: Kind = kind
        self.name = name
        self.state = state
        self.types = Types(module.context)
        self.facts = Facts(self.types)
        self.memo = Memo()
        self._functions = {
            symbol_name(op): op
            for op in operations(enclosing_module(module).regions[0].blocks[0])
            if op.name == "func.func"
        }
        self._programs: dict[str, Program | None] = {}
        self.device: str | None = None
        # What calculations gave, all of it known, by what they do and read.
        self.remembered: dict[tuple[Hashable, str | None], list[Value]] = {}
        self._refined: dict[Hashable, ir.Type | None] = {}

    def program(self, symbol: str) -> Program | None:
        """The decoded function of a symbol, None when the module has no body for it."""
        if symbol not in self._programs:
            op = self._functions.get(symbol)
            blocks = [] if op is None else list(op.regions[0].blocks)
            # A function with branches between blocks is no library function.
            self._programs[symbol] = decode(blocks[0], self.types) if len(blocks) == 1 else None
        return self._programs[symbol]

    def sweep(self, op: ir.Operation) -> None:
        """Simplify all calculations inside `op`, in program order."""
        for region in op.regions:
            for block in region:
                for inner in list(operations(block)):
                    if not len(inner.regions):
                        continue
                    if inner.name == CALCULATE[self.kind].op:
                        self.sweep_block(body(inner))
                        self.simplify(inner)
                    elif inner.name in OP_NAMES:
                        self.sweep_block(body(inner))
                    else:
                        self.sweep(inner)

    def sweep_block(self, block: ir.Block) -> None:
        """Simplify the calculations in the body of a calculate op."""
        for inner in list(operations(block)):
            if inner.name == CALCULATE[self.kind].op:
                self.sweep_block(body(inner))
                self.simplify(inner)
            elif inner.name in OP_NAMES:
                self.sweep_block(body(inner))

    def simplify(self, calculate: ir.Operation) -> None:
        """Run one calculation, write what is left of it, and refine by what it gives."""
        old = calculation(calculate)
        key = key_of(old, self.facts)
        remembered = None if key is None else self.remembered.get((key, self.device))
        # Written outside of the program, so that a run that fails leaves nothing behind.
        draft = ir.Operation.create(calculate.name, regions=2, loc=calculate.location, ip=False)
        residual = Residual(self.types, draft.regions[0].blocks.append(), calculate.location)
        evaluator = Evaluator(self.program, residual, self.memo, self.device)
        try:
            values = remembered or evaluator.run(decode(old, self.types), self.facts.of)
        except Raised as error:
            self.report(calculate, f"{self.operator(calculate)} always raises: {error}")
            self.state.count(self.name, "calculations that raise")
            return
        except RecursionError:
            self.report(
                calculate,
                f"the {self.kind} of {self.operator(calculate)} stays: "
                "its function is nested too deeply",
            )
            return
        except GivenUp as error:
            self.report(calculate, f"the {self.kind} of {self.operator(calculate)} stays: {error}")
            return
        yielded = CALCULATE[self.kind].yielded
        operands = [residual.value(value, yielded) for value in values]
        residual.emit(CALCULATE[self.kind].calculation_yield, [], operands)
        if remembered is None:
            erase_unused(residual.block)
            if key is not None and all(map(is_known, values)):
                self.remembered[key, self.device] = [evaluator.fresh(value) for value in values]
        else:
            self.state.count(self.name, "calculations remembered")
        old.append_to(draft.regions[1])
        residual.block.append_to(calculate.regions[1])
        self.refine(calculate, values)

    def operator(self, calculate: ir.Operation) -> str:
        """The name of the operator that a calculate op is about."""
        inner = next(operations(body(calculate)))
        return self.operator(inner) if inner.name in OP_NAMES else name_of(inner)

    def report(self, calculate: ir.Operation, message: str) -> None:
        """A warning at the operator, with the types of its operands."""
        inner = next(operations(body(calculate)))
        while inner.name in OP_NAMES:
            inner = next(operations(body(inner)))
        operands = ", ".join(self.types.text(operand.type) for operand in inner.operands)
        self.state.diagnostics.warning(calculate.location, f"{message} (operands: {operands})")

    def refine(self, calculate: ir.Operation, values: list[Value]) -> None:
        """Meet the types of the results with what the calculation gave."""
        for result, value in zip(calculate.results, values, strict=True):
            key = (result.type, freeze(value)) if is_known(value) else None
            if key is None or key not in self._refined:
                refined = self.refined_type(calculate, result, value)
                if key is not None:
                    self._refined[key] = refined
            else:
                refined = self._refined[key]
            if refined is not None:
                refine_value(result, refined, self.types)
                self.state.count(self.name, "types refined")

    def refined_type(
        self, calculate: ir.Operation, result: ir.Value, value: Value
    ) -> ir.Type | None:
        """The type that a result has now, None if it says no more than before."""
        declared = self.types.tensor(result.type)
        inferred = None if declared is None else self.inferred(value, declared)
        if declared is None or inferred is None:
            return None
        try:
            refined = declared.meet(inferred)
        except Contradiction as error:
            message = (
                f"{self.operator(calculate)} is declared {declared}, but its {self.kind} "
                f"function gives {inferred}: {error}"
            )
            self.state.diagnostics.error(calculate.location, message)
            raise PassFailure(message) from None
        return None if refined == declared else self.types.parse(refined)

    def inferred(self, value: Value, declared: TensorType) -> TensorType | None:
        """What a calculation's result says about the tensor, None when it says nothing."""
        unknown = replace(declared, sizes=None, element=None, encoding=None)
        if self.kind == "dtype":
            element = element_of_dtype(value) if type(value) is int else None
            return None if element is None else replace(unknown, element=element)
        if not isinstance(value, ListObject) or value.items is None:
            return None
        sizes = tuple(size if type(size) is int else None for size in value.items)
        if any(size is not None and size < 0 for size in sizes):
            # A function that is wrong must not make the program wrong.
            return None
        return replace(unknown, sizes=sizes)


def erase_unused(block: ir.Block) -> None:
    """Erase the ops of a block, last to first, that are pure and that nothing uses."""
    for op in reversed(list(operations(block))):
        for region in op.regions:
            for inner in region:
                erase_unused(inner)
        if any(next(iter(result.uses), None) is not None for result in op.results):
            continue
        if name_of(op) in _PURE or (op.name == "torch.prim.If" and _is_empty(op)):
            op.erase()


def _is_empty(op: ir.Operation) -> bool:
    """Whether both sides of an `If` only yield."""
    return all(len(region.blocks[0].operations) == 1 for region in op.regions)


def simplify_calculations(kind: Kind, name: str, op: ir.Operation, state: RunState) -> None:
    """Simplify all calculations of a kind in a module or a function."""
    simplifier = Simplifier(kind, name, op, state)
    for function in program_functions(op):
        simplifier.device = device_of(function)
        simplifier.sweep(function)
    state.count(name, "calls remembered", simplifier.memo.hits)
    state.count(name, "calls run", simplifier.memo.misses)
