"""What inference knows of a module: the lattice value of each value, and names for messages."""

from __future__ import annotations

import re
from contextlib import closing

from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import Lattice, LatticeValue, Tensor
from torch_refine.abstract_interpreter.numbers.expressions import (
    Expression,
    Symbol,
    single_atom,
    symbols_in,
)
from torch_refine.abstract_interpreter.numbers.printing import expression_text
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.diagnostics import location_text
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.base import PassFailure, RunState
from torch_refine.passes.program import device_of, modules, program_functions, symbol_name
from torch_refine.passes.refine_types import RefineTypes, deep_recursion
from torch_refine.passes.type_refinement.declared import Declared
from torch_refine.passes.type_refinement.sweep import Sweep
from torch_refine.pipelines.declared_sizes import declared_symbols, module_values

_NAME = re.compile(r'loc\("(?P<name>[A-Za-z_][\w.]*)"')


class Analysis:
    """A module, unchanged, with the lattice values that inference finds on a copy of it.

    If the program is invalid, `is_valid` is false, and only declared types are known.
    """

    def __init__(self, module: ir.Operation, programs: Programs, text: str = "") -> None:
        self.module = module
        self.programs = programs
        self.text = text
        self.types = Types(module.context)
        self.inference = Inference(programs, Lattice())
        self.declared = Declared(self.types, self.inference.lattice)
        self.functions = list(program_functions(module))
        self.values = list(module_values(module))
        self._facts: dict[ir.Value, LatticeValue] = {}
        self._state: ir.AsmState | None = None
        self._functions: dict[ir.Value, ir.Operation] = {}
        self._symbol_names: dict[Symbol, str] = {}
        self.is_valid = self._infer()
        # The symbols that the sizes of arguments declare, with their names.
        self.symbols = {
            symbol: self._symbol_names.get(symbol, name)
            for symbol, name in declared_symbols(module, self._facts).items()
        }
        self._name_sizes()

    def _infer(self) -> bool:
        """Refine a copy, and keep the lattice values for the values of the module."""
        copied = self.module.clone().operation
        copies = list(module_values(copied))
        state = RunState()
        known: dict[ir.Value, LatticeValue] = {}
        try:
            with deep_recursion(copied, RefineTypes.name, state):
                for each in modules(copied):
                    with closing(
                        Sweep(each, self.inference, state, RefineTypes.name, strict=True)
                    ) as sweep:
                        sweep.refine()
                        known |= sweep.known
                        self._symbol_names |= sweep.symbol_names
        except PassFailure:
            known = {}
        for value, copy in zip(self.values, copies, strict=True):
            found = known.get(copy)
            if found is not None:
                self._facts[value] = found
        return not state.diagnostics.has_errors

    def _name_sizes(self) -> None:
        """Name the sizes of arguments that the program gives no name: `x.size(0)`."""
        for value in self.values:
            fact = self._facts.get(value)
            if not isinstance(value.owner, ir.Block) or not isinstance(fact, Tensor):
                continue
            for dim, size in enumerate(fact.sizes or ()):
                atom = single_atom(size)
                if (
                    isinstance(atom, Symbol)
                    and atom not in self._symbol_names
                    and atom in self.symbols
                ):
                    self._symbol_names[atom] = f"{self.argument_name(value)}.size({dim})"
                    self.symbols[atom] = self._symbol_names[atom]

    # Values.

    def fact(self, value: ir.Value) -> LatticeValue:
        """The lattice value of a value; that of its type if inference did not visit it."""
        found = self._facts.get(value)
        if found is None:
            found = self._facts[value] = self.declared.lattice_value(value.type)
        return found

    def facts(self, op: ir.Operation) -> tuple[LatticeValue, ...]:
        """The lattice values of an op's operands."""
        return tuple(map(self.fact, op.operands))

    def tensor(self, value: ir.Value) -> TensorType | None:
        """The tensor type of a value, None if it is no tensor."""
        return self.types.tensor(value.type)

    def is_declared(self, number: object) -> bool:
        """Whether a size follows from the declared sizes of arguments."""
        return isinstance(number, Expression) and all(
            symbol in self.symbols for symbol in symbols_in(number)
        )

    def is_known(self, value: ir.Value) -> bool:
        """Whether a tensor's type is complete, or its sizes follow from declared ones."""
        tensor = self.tensor(value)
        if tensor is None or tensor.is_complete:
            return True
        fact = self.fact(value)
        return isinstance(fact, Tensor) and bool(fact.symbols) and self.is_inferred(value)

    def is_inferred(self, value: ir.Value) -> bool:
        """Whether all of a tensor is inferred: numbers, or sizes that follow from declared ones."""
        fact = self.fact(value)
        return not isinstance(fact, Tensor) or (
            fact.dtype is not None
            and fact.sizes is not None
            and all(isinstance(size, int) or self.is_declared(size) for size in fact.sizes)
        )

    # Names and places.

    def name(self, value: ir.Value) -> str:
        """The name of a value as printed; with its function's if the module has several."""
        function = self.function_of(value)
        plain = self.plain_name(value)
        if len(self.functions) < 2:
            return plain
        return f"{symbol_name(function) or '?'}:{plain}"

    def plain_name(self, value: ir.Value) -> str:
        """The name of a value as printed."""
        if self._state is None:
            self._state = ir.AsmState(self.module)
        return str(value.get_name(self._state))

    def function_of(self, value: ir.Value) -> ir.Operation:
        """The function that a value is in."""
        if not self._functions:
            for function in self.functions:
                for each in (function, *walk(function)):
                    for region in each.regions:
                        for block in region:
                            self._functions.update((a, function) for a in block.arguments)
                    if each != function:
                        self._functions.update((result, function) for result in each.results)
        return self._functions[value]

    def argument_name(self, value: ir.Value) -> str:
        """How an argument is called: the name in its location, or as printed."""
        found = _NAME.match(str(value.location))
        return found["name"] if found is not None else self.plain_name(value)

    def place(self, value: ir.Value) -> str | None:
        """The source line of a value."""
        owner = value.owner
        location = value.location if isinstance(owner, ir.Block) else owner.operation.location
        return location_text(location, self.text)

    def symbol_text(self, symbol: Symbol) -> str:
        """The name of a symbol: a declared one, or `?`."""
        return self.symbols.get(symbol, "?")

    def number_text(self, number: object) -> str:
        """A size as text, over declared names."""
        if isinstance(number, Expression):
            return expression_text(number, self.symbol_text)
        return str(number)

    def device(self, value: ir.Value) -> str | None:
        """The device that a value's function was exported for."""
        return device_of(self.function_of(value))
