"""Name the sizes of a program's inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.abstract_interpreter.lattice import Lattice
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import (
    INT_MAX,
    Expression,
    Number,
    symbols_in,
)
from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import Pass, PassFailure, RunState, option
from torch_refine.passes.program import program_functions, symbol_name
from torch_refine.passes.symbolic_shapes.naming import (
    InvalidNamesError,
    NamedInput,
    NamedSize,
    parse_inputs,
)
from torch_refine.passes.symbolic_shapes.reading import (
    SYMBOL,
    DeclaredSymbols,
    binding_of,
    declared_symbol,
)
from torch_refine.passes.symbolic_shapes.writing import SymbolicShapes


@dataclass
class NameSymbolicInputs(Pass):
    """Name the sizes of a program's inputs.

    Programs that were exported with dynamic shapes declare which sizes of their inputs are equal,
    and within which bounds. This states it for others: `inputs=main:0=[batch,seq%8];main:1=[batch]`
    names the sizes of the first two arguments of `main`. Equal names are equal sizes; `seq%8` is a
    multiple of 8, `seq>=2<=512` is from 2 to 512, and `?` is left unnamed. Lowered code asserts it.

    Before, with `inputs=main:0=[batch,seq%8];main:1=[batch]`:

    ```mlir
    func.func @main(%arg0: !torch.vtensor<[?,?],f32>, %arg1: !torch.vtensor<[?],f32>) {
      return
    }
    ```

    After:

    ```mlir
    func.func @main(%arg0: !torch.vtensor<[?,?],f32>, %arg1: !torch.vtensor<[?],f32>) {
      %0 = torch.symbolic_int "batch" {min_val = 0, max_val = 9223372036854775807} : !torch.int
      %1 = torch.symbolic_int "_seq" {min_val = 0, max_val = 9223372036854775807} : !torch.int
      torch.bind_symbolic_shape %arg0, [%0, %1], affine_map<()[s0, s1] -> (s0, s1 * 8)> : !torch.vtensor<[?,?],f32>
      torch.bind_symbolic_shape %arg1, [%0], affine_map<()[s0] -> (s0)> : !torch.vtensor<[?],f32>
      return
    }
    ```
    """

    name: ClassVar[str] = "torch-name-symbolic-inputs"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    inputs: str = option("", "the sizes of arguments: main:0=[batch,seq%8];main:1=[batch]")

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Bind the sizes of the named arguments."""
        functions = {symbol_name(each): each for each in program_functions(op)}
        try:
            inputs = parse_inputs(self.inputs)
            for name in dict.fromkeys(each.function for each in inputs):
                function = functions.get(name)
                if function is None or not len(function.regions[0].blocks):
                    raise InvalidNamesError(f"no function {name} with a body")
                _name(function, [each for each in inputs if each.function == name])
        except InvalidNamesError as error:
            state.diagnostics.error(op.location, f"{self.name}: {error}")
            raise PassFailure(str(error)) from None
        state.count(self.name, "arguments named", len(inputs))


def _name(function: ir.Operation, inputs: list[NamedInput]) -> None:
    """Bind the arguments of one function."""
    named: dict[str, NamedSize] = {}
    for each in inputs:
        for size in each.sizes:
            if isinstance(size, NamedSize):
                named[size.name] = size.met(named.get(size.name, size))
    declared = _declared(function)
    numbers = {name: _number(size, declared) for name, size in named.items()}
    names = {
        symbol: _symbol_name(size)
        for name, size in named.items()
        for symbol in symbols_in(numbers[name])
    }
    types = Types(function.context)
    symbols = DeclaredSymbols()
    lattice = Lattice()
    shapes = SymbolicShapes(function, types, lambda value: lattice.anything("any"), names)
    shapes.names.taken.update(declared)
    for each in inputs:
        argument = _argument(function, each, types)
        sizes = _sizes(argument, each, numbers, types, symbols)
        names.update(symbols.names)
        if not all(isinstance(size, int) for size in sizes):
            shapes.add_argument(argument, sizes)
    shapes.write({})


def _declared(function: ir.Operation) -> dict[str, ir.Operation]:
    """The symbols that a function declares, by name."""
    block = function.regions[0].blocks[0]
    return {declared_symbol(op)[0]: op for op in operations(block) if op.name == SYMBOL}


def _number(size: NamedSize, declared: Mapping[str, ir.Operation]) -> Expression:
    """The number of a named size; raises InvalidNamesError."""
    symbol, factor = _symbol_name(size), size.divisor
    low = -(-(size.low or 0) // factor)
    high = INT_MAX if size.high is None else size.high // factor
    if low > high:
        raise InvalidNamesError(
            f"no multiple of {factor} is at least {size.low} and at most {size.high}"
        )
    if symbol in declared:
        _, *bounds = declared_symbol(declared[symbol])
        if [low, high] != bounds and (size.low, size.high) != (None, None):
            raise InvalidNamesError(
                f"torch.symbolic_int declares {symbol} from {bounds[0]} to {bounds[1]}"
            )
        low, high = max(bounds[0], 0), max(*bounds, 0)
    found = expressions.multiply(expressions.fresh(low, high), factor)
    assert isinstance(found, Expression)
    return found


def _symbol_name(size: NamedSize) -> str:
    """The name of the symbol of a size; `torch.export` names that of `8*_seq` so, too."""
    return size.name if size.divisor == 1 else f"_{size.name}"


def _argument(function: ir.Operation, named: NamedInput, types: Types) -> ir.Value:
    """The tensor that an entry names; raises InvalidNamesError."""
    arguments = list(function.regions[0].blocks[0].arguments)
    if named.argument >= len(arguments):
        raise InvalidNamesError(
            f"{named.function} has {len(arguments)} arguments, and none with number "
            f"{named.argument}"
        )
    argument: ir.Value = arguments[named.argument]
    type = types.tensor(argument.type)
    if type is None or not type.value_semantics:
        raise InvalidNamesError(
            f"argument {named.argument} of {named.function} is no tensor with value semantics, "
            f"but {argument.type}"
        )
    if type.sizes is None or len(type.sizes) != len(named.sizes):
        rank = "an unknown number of" if type.sizes is None else len(type.sizes)
        raise InvalidNamesError(
            f"argument {named.argument} of {named.function} has {rank} sizes, "
            f"and {len(named.sizes)} are named"
        )
    return argument


def _sizes(
    argument: ir.Value,
    named: NamedInput,
    numbers: Mapping[str, Expression],
    types: Types,
    symbols: DeclaredSymbols,
) -> tuple[Number, ...]:
    """The sizes of an argument; raises InvalidNamesError if its type has others.

    An unnamed size stays what it is bound to.
    """
    type = types.tensor(argument.type)
    assert type is not None and type.sizes is not None
    op = binding_of(argument)
    bound = [] if op is None else symbols.sizes(op)
    if len(bound) != len(named.sizes):
        bound = [None] * len(named.sizes)
    found: list[Number] = []
    for dim, (known, size) in enumerate(zip(type.sizes, named.sizes, strict=True)):
        if known is not None and size not in (None, known):
            shown = size.name if isinstance(size, NamedSize) else size
            raise InvalidNamesError(
                f"size {dim} of argument {named.argument} of {named.function} is {known}, "
                f"not {shown}"
            )
        if known is not None:
            found.append(known)
        elif isinstance(size, NamedSize):
            found.append(numbers[size.name])
        else:
            kept = bound[dim] if size is None else size
            found.append(expressions.dimension() if kept is None else kept)
    return tuple(found)
