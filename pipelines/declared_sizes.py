"""Unknown sizes that follow from the declared sizes of a program's arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from torch_refine.abstract_interpreter.lattice import LatticeValue, Tensor
from torch_refine.abstract_interpreter.numbers.expressions import Expression, Symbol, symbols_in
from torch_refine.dialect.bindings import ir, walk
from torch_refine.passes.program import program_functions
from torch_refine.passes.refine_types import inferred_lattice_values

_MAP = re.compile(r"affine_map<\(\)\[(?P<names>[^\]]*)\] -> \((?P<sizes>.*)\)>")


class DeclaredSizes:
    """The tensor values of a refined module whose sizes all follow from its arguments' sizes.

    A program with a dynamic batch has incomplete types, although all sizes are determined by the
    declared ones. Data-dependent sizes, and results of operators without a function, are not.
    """

    def __init__(self, module: ir.Operation, extra_library: Iterable[Path] = ()) -> None:
        """Run the inference again, on a copy: types do not say which sizes are the same."""
        self._names: dict[ir.Value, tuple[str, ...]] = {}
        copied = module.clone()
        copies = list(module_values(copied))
        lattice_values = inferred_lattice_values(copied, extra_library)
        declared = declared_symbols(copied, lattice_values)
        for value, copy in zip(module_values(module), copies, strict=True):
            lattice_value = lattice_values.get(copy)
            if (
                not isinstance(lattice_value, Tensor)
                or lattice_value.sizes is None
                or lattice_value.dtype is None
            ):
                continue
            symbols = {s for size in lattice_value.sizes for s in _symbols(size)}
            if symbols and symbols <= declared.keys():
                self._names[value] = tuple(sorted({declared[symbol] for symbol in symbols}))

    def names_of(self, value: ir.Value) -> tuple[str, ...]:
        """The names of the declared sizes that a value's sizes follow from; empty if they do
        not."""
        return self._names.get(value, ())


def module_values(module: ir.Operation) -> Iterator[ir.Value]:
    """The values of a module's functions, each after those that it is computed from."""
    for function in program_functions(module):
        for each in (function, *walk(function)):
            for region in each.regions:
                for block in region:
                    yield from block.arguments
            if each != function:
                yield from each.results


def _symbols(size: object) -> Iterator[Symbol]:
    if isinstance(size, Expression):
        yield from symbols_in(size)


def declared_symbols(
    module: ir.Operation, lattice_values: Mapping[ir.Value, LatticeValue]
) -> dict[Symbol, str]:
    """The symbols of argument sizes, with their names."""
    found: dict[Symbol, str] = {}
    for function in program_functions(module):
        if "sym_visibility" in function.attributes:
            continue
        # Global slots and other symbols may have no region, declarations have an empty one.
        if not len(function.regions) or not len(function.regions[0].blocks):
            continue
        for place, argument in enumerate(function.regions[0].blocks[0].arguments):
            lattice_value = lattice_values.get(argument)
            if not isinstance(lattice_value, Tensor) or lattice_value.sizes is None:
                continue
            bound = _bound_names(argument, len(lattice_value.sizes))
            for dim, size in enumerate(lattice_value.sizes):
                for symbol in _symbols(size):
                    name = bound.get(dim, f"dim {dim} of argument {place}")
                    if dim in bound or symbol not in found:
                        found[symbol] = name
    return found


def _bound_names(argument: ir.Value, rank: int) -> dict[int, str]:
    """The names that `torch.bind_symbolic_shape` gives to dimensions that are a single symbol."""
    for use in argument.uses:
        op = use.owner.operation
        match = None
        if op.name == "torch.bind_symbolic_shape":
            match = _MAP.fullmatch(str(op.attributes["shape_expressions"]))
        if match is None:
            continue
        symbols = [name.strip() for name in match["names"].split(",")]
        given = {
            symbol: ir.StringAttr(operand.owner.attributes["symbol_name"]).value
            for symbol, operand in zip(symbols, list(op.operands)[1:], strict=False)
            if not isinstance(operand.owner, ir.Block)
            and operand.owner.name == "torch.symbolic_int"
        }
        sizes = [size.strip() for size in match["sizes"].split(",")]
        if len(sizes) == rank:
            return {dim: given[size] for dim, size in enumerate(sizes) if size in given}
    return {}
