"""Symbolic sizes of a program's inputs.

Each dynamic size is declared with the name of its `torch.export.Dim`, or its symbol in
`torch.export`, and its bounds, and the sizes of each input are bound to expressions of the symbols:

    %0 = torch.symbolic_int "batch" {min_val = 2, max_val = 64} : !torch.int
    torch.bind_symbolic_shape %arg0, [%0], affine_map<()[s0] -> (s0, 4)> : !torch.vtensor<[?,4],f32>
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sympy  # type: ignore[import-untyped]
import torch
from torch.export import ExportedProgram
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.ir_builder import create_value
from torch_refine.dialect.tensor_type import Types

_INT_MAX = 2**63 - 1


def name_sizes(function: ir.Operation, inputs: Sequence[Any], program: ExportedProgram) -> None:
    """Declare and bind symbolic sizes at the start of a function.

    `inputs` are the fake values of the function's arguments, in order.
    """
    block = function.regions[0].blocks[0]
    bindings = []
    for argument, value in zip(block.arguments, inputs, strict=True):
        if not isinstance(value, torch.Tensor):
            continue
        sizes = [sympy.sympify(_expression(size)) for size in value.shape]
        if any(size.free_symbols for size in sizes) and all(map(is_affine, sizes)):
            bindings.append((argument, sizes))
    symbols = sorted(
        {s for _, sizes in bindings for size in sizes for s in size.free_symbols}, key=str
    )
    if not symbols:
        return
    location = function.location
    point = ir.InsertionPoint.at_block_begin(block)
    said = _names_of(symbols, inputs)
    named = {
        symbol: _symbolic_int(symbol, said.get(symbol, str(symbol)), program, point, location)
        for symbol in symbols
    }
    for argument, sizes in bindings:
        used = sorted({s for size in sizes for s in size.free_symbols}, key=str)
        names = {symbol: f"s{index}" for index, symbol in enumerate(used)}
        shape = ", ".join(
            str(size.xreplace({s: sympy.Symbol(n) for s, n in names.items()})) for size in sizes
        )
        text = f"affine_map<()[{', '.join(names.values())}] -> ({shape})>"
        ir.Operation.create(
            "torch.bind_symbolic_shape",
            operands=[argument, *(named[symbol] for symbol in used)],
            attributes={"shape_expressions": ir.Attribute.parse(text, function.context)},
            loc=location,
            ip=point,
        )


def cast_specialized(function: ir.Operation, inputs: Sequence[Any]) -> None:
    """Cast arguments of which the trace specialized dynamic sizes, whose guards say so.

    Their types have unknown sizes there, unlike those of the operators that use them, which the
    wheel's conversions to linalg do not reconcile.
    """
    block = function.regions[0].blocks[0]
    types = Types(function.context)
    for argument, value in zip(block.arguments, inputs, strict=True):
        type = types.tensor(argument.type) if isinstance(value, torch.Tensor) else None
        if type is None or type.sizes is None:
            continue
        known = [_known(_expression(size)) for size in value.shape]
        pairs = zip(type.sizes, known, strict=True)
        sizes = tuple(size if found is None else found for size, found in pairs)
        if sizes == type.sizes:
            continue
        users = [(use.owner, use.operand_number) for use in argument.uses]
        with function.location, ir.InsertionPoint.at_block_begin(block):
            wanted = types.parse(replace(type, sizes=sizes))
            cast = create_value("torch.tensor_static_info_cast", wanted, [argument])
        for user, place in users:
            if user.name != "torch.bind_symbolic_shape":
                user.operands[place] = cast


def _known(size: Any) -> int | None:
    is_number = isinstance(size, int) or size.is_Integer
    return int(size) if is_number else None


def _names_of(symbols: Sequence[Any], inputs: Sequence[Any]) -> dict[Any, str]:
    """The user's names of sizes, by symbol; names with several symbols are dropped."""
    found: dict[Any, str] = {}
    for value in inputs:
        for size in value.shape if isinstance(value, torch.Tensor) else ():
            if not isinstance(size, torch.SymInt) or size.node.expr not in symbols:
                continue
            # PyTorch keeps these for its messages, and may drop them.
            environment = size.node.shape_env
            names = getattr(environment, "source_name_to_debug_name", {})
            sources = getattr(environment, "var_to_sources", {}).get(size.node.expr, ())
            for source in sources:
                name = names.get(source_name(source), "")
                if name.isidentifier():
                    found[size.node.expr] = name
    counts = Counter(found.values())
    return {symbol: name for symbol, name in found.items() if counts[name] == 1}


def source_name(source: Any) -> str:
    """The source of a symbol as text: a property in some versions, a method in others."""
    name = source.name
    return str(name() if callable(name) else name)


def _expression(size: Any) -> Any:
    """A size as a sympy expression."""
    return size.node.expr if isinstance(size, torch.SymInt) else int(size)


def is_affine(size: Any) -> bool:
    """Whether a size is an affine expression of symbols."""
    if size.is_Integer:
        return True
    try:
        polynomial = sympy.Poly(size, *sorted(size.free_symbols, key=str))
    except sympy.PolynomialError:
        return False
    return polynomial.is_linear and all(factor.is_Integer for factor in polynomial.coeffs())


def _symbolic_int(
    symbol: Any,
    name: str,
    program: ExportedProgram,
    point: ir.InsertionPoint,
    location: ir.Location,
) -> ir.Value:
    """A `torch.symbolic_int` for a symbol, with its bounds."""
    bounds = program.range_constraints.get(symbol)
    low, high = 0, _INT_MAX
    if bounds is not None:
        low = max(int(bounds.lower), 0) if bounds.lower.is_Integer else 0
        high = int(bounds.upper) if bounds.upper.is_Integer else _INT_MAX
    context = location.context
    integer = ir.IntegerType.get_signless(64, context)
    return ir.Operation.create(
        "torch.symbolic_int",
        results=[ir.Type.parse("!torch.int", context)],
        attributes={
            "symbol_name": ir.StringAttr.get(name, context),
            "min_val": ir.IntegerAttr.get(integer, low),
            "max_val": ir.IntegerAttr.get(integer, min(high, _INT_MAX)),
        },
        loc=location,
        ip=point,
    ).result
