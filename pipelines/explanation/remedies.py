"""Facts that a program could state, and how a copy of it states them for a trial."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from torch_refine.abstract_interpreter.lattice import Integer, Tensor
from torch_refine.abstract_interpreter.numbers.expressions import Symbol, single_atom
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import TensorType, Types
from torch_refine.passes.program import redeclare, returns_of, symbol_name
from torch_refine.pipelines.explanation.analysis import Analysis
from torch_refine.pipelines.explanation.causes import CauseFinder
from torch_refine.pipelines.explanation.model import Cause
from torch_refine.pipelines.explanation.parts import Part
from torch_refine.pipelines.explanation.ranking import Key, key_of

Copies = Mapping[ir.Value, ir.Value]
_DTYPES = ("f32", "si64", "i1")
# The variant of a remedy that gives a result the shape of an operand.
OF_OPERAND = "the shape of its operand"
_RANKS = (2, 4, 3, 1, 5, 0)


@dataclass(frozen=True)
class Remedy:
    """A fact that may complete types; `apply` states it in a copy, with a number to try.

    It is about the causes `keys`. `variants` are the ways to state it that are tried in turn, such
    as ranks; `is_number` tells whether it states a number.
    """

    text: str
    keys: frozenset[Key]
    apply: Callable[[Copies, int, int], None]
    variants: tuple[str, ...] = ("",)
    is_number: bool = True
    how: str | None = None


def remedies(finder: CauseFinder, cause: Cause) -> list[Remedy]:
    """The facts that may remove a cause, the preferred one first."""
    value, part = finder.subjects[cause]
    analysis, keys = finder.analysis, frozenset((key_of(cause),))
    if cause.kind == "condition":
        return _of_condition(finder, cause, keys)
    is_argument = isinstance(value.owner, ir.Block)
    if cause.kind not in ("argument", "no-function", "data-dependent", "call", "slot", "misfit"):
        return []
    tensor = analysis.tensor(value)
    what = f"`{analysis.argument_name(value)}`" if is_argument else f"the result of {cause.subject}"
    if tensor is None:
        return (
            [_number(analysis, value, cause, keys)]
            if isinstance(analysis.fact(value), Integer)
            else []
        )
    if cause.kind in ("no-function", "misfit", "call"):
        return [_typed_results(analysis, value, cause, keys)]
    if not is_argument:
        what += f" ({cause.value})"
    if part.kind == "dtype":
        return [Remedy(f"give {what} a dtype", keys, _with_dtype(value), _DTYPES, False)]
    if part.kind == "rank":
        ranks = tuple(f"rank {rank}" for rank in _RANKS)
        return [Remedy(f"give {what} a shape", keys, _with_rank(value), ranks)]
    return [Remedy(f"give {what} a static {part}", keys, _with_size(value, part))]


def _of_condition(finder: CauseFinder, cause: Cause, keys: frozenset[Key]) -> list[Remedy]:
    """Equal sizes, or a static one, of the sizes that an undecided condition is about."""
    analysis, found = finder.analysis, []
    symbols = [each for each in finder.conditions.get(cause, ()) if each in analysis.symbols]
    # In the order of the arguments.
    symbols.sort(key=list(analysis.symbols).index)
    for index, one in enumerate(symbols):
        for other in symbols[index + 1 :]:
            equal = _equal(analysis, one, other, keys)
            if equal is not None:
                found.append(equal)
    found += [_static(analysis, symbol, keys) for symbol in symbols]
    return found


def _dims(analysis: Analysis, symbol: Symbol) -> list[tuple[ir.Value, int]]:
    """The dimensions of arguments whose size is a symbol."""
    return [
        (value, dim)
        for value in analysis.values
        if isinstance(value.owner, ir.Block) and isinstance(fact := analysis.fact(value), Tensor)
        for dim, size in enumerate(fact.sizes or ())
        if single_atom(size) is symbol
    ]


def _static(analysis: Analysis, symbol: Symbol, keys: frozenset[Key]) -> Remedy:
    dims = _dims(analysis, symbol)
    names = " and ".join(f"dim {dim} of `{analysis.argument_name(v)}`" for v, dim in dims)

    def apply(copies: Copies, number: int, variant: int) -> None:
        for value, dim in dims:
            _set_size(copies[value], dim, number)

    return Remedy(f"give {names or analysis.symbol_text(symbol)} a static size", keys, apply)


def _equal(analysis: Analysis, one: Symbol, other: Symbol, keys: frozenset[Key]) -> Remedy | None:
    """Two sizes of the arguments of one function are equal."""
    pair = [_dims(analysis, symbol)[:1] for symbol in (one, other)]
    if not pair[0] or not pair[1]:
        return None
    dims = [pair[0][0], pair[1][0]]
    functions = [analysis.function_of(value) for value, _ in dims]
    if functions[0] != functions[1]:
        return None
    function = symbol_name(functions[0])
    text = _inputs(analysis, function or "", dims)
    if text is None:
        return None
    names = " and ".join(f"dim {dim} of `{analysis.argument_name(v)}`" for v, dim in dims)

    def apply(copies: Copies, number: int, variant: int) -> None:
        from torch_refine.passes.base import RunState
        from torch_refine.passes.symbolic_shapes.name_symbolic_inputs import NameSymbolicInputs

        op = copies[dims[0][0]].owner.owner.operation
        while op.parent is not None:
            op = op.parent.operation
        NameSymbolicInputs(text).run(op, RunState())

    return Remedy(
        f"state that {names} are equal", keys, apply, ("",), False, f"--symbolic-inputs='{text}'"
    )


def _inputs(analysis: Analysis, function: str, dims: list[tuple[ir.Value, int]]) -> str | None:
    """The text of `--symbolic-inputs` that gives two sizes one name; None if they have names."""
    by_argument: dict[ir.Value, list[str]] = {}
    for value, _ in dims:
        fact = analysis.fact(value)
        if not isinstance(fact, Tensor) or fact.sizes is None:
            return None
        if any(use.owner.operation.name == "torch.bind_symbolic_shape" for use in value.uses):
            return None
        by_argument[value] = [str(s) if isinstance(s, int) else "?" for s in fact.sizes]
    for value, dim in dims:
        by_argument[value][dim] = "n"
    return ";".join(
        f"{function}:{ir.BlockArgument(value).arg_number}=[{','.join(sizes)}]"
        for value, sizes in by_argument.items()
    )


def _number(analysis: Analysis, value: ir.Value, cause: Cause, keys: frozenset[Key]) -> Remedy:
    """A known int in place of one that is not."""
    is_argument = isinstance(value.owner, ir.Block)
    what = (
        f"argument `{analysis.argument_name(value)}`"
        if is_argument
        else (f"the result of {cause.subject} ({cause.value})")
    )

    def apply(copies: Copies, number: int, variant: int) -> None:
        copy = copies[value]
        owner = copy.owner
        block = owner if isinstance(owner, ir.Block) else owner.operation.block
        context = copy.type.context
        integer = ir.IntegerType.get_signless(64, context)
        made = ir.Operation.create(
            "torch.constant.int",
            results=[copy.type],
            attributes={"value": ir.IntegerAttr.get(integer, number)},
            loc=ir.Location.unknown(context),
            ip=ir.InsertionPoint.at_block_begin(block),
        )
        copy.replace_all_uses_with(made.result)

    return Remedy(f"make {what} a constant", keys, apply)


def _typed_results(
    analysis: Analysis, value: ir.Value, cause: Cause, keys: frozenset[Key]
) -> Remedy:
    """The types of the results of all ops of one name."""
    owner = value.owner
    wanted = name_of(owner.operation)
    results = [
        each
        for each in analysis.values
        if not isinstance(each.owner, ir.Block)
        and name_of(each.owner.operation) == wanted
        and (wanted != "func.call" or _same_callee(each.owner.operation, owner.operation))
        and analysis.tensor(each) is not None
    ]

    def apply(copies: Copies, number: int, variant: int) -> None:
        for each in results:
            copy = copies[each]
            types = Types(copy.type.context)
            type = types.tensor(copy.type)
            assert type is not None
            like = None
            if variant == 0:
                operands = [types.tensor(o.type) for o in copy.owner.operation.operands]
                like = next((o for o in operands if o is not None and o.sizes is not None), None)
            rank = _RANKS[max(variant - 1, 0)]
            sizes = type.sizes
            if sizes is None:
                sizes = (None,) * rank if like is None or like.sizes is None else like.sizes
            _set_type(
                copy,
                types,
                TensorType(
                    type.value_semantics,
                    tuple(number if size is None else size for size in sizes),
                    type.element or (like.element if like is not None else None) or "f32",
                ),
            )

    variants = (OF_OPERAND, *(f"rank {rank}" for rank in _RANKS))
    text = f"add a shape and a dtype function for {cause.subject}"
    if cause.kind == "call":
        text = f"give {cause.subject} a body, or declare its results"
    elif cause.kind == "misfit":
        text = f"mend the function of {cause.subject}, or the operator"
    return Remedy(text, keys, apply, variants)


def _same_callee(one: ir.Operation, other: ir.Operation) -> bool:
    return str(one.attributes["callee"]) == str(other.attributes["callee"])


def _with_dtype(value: ir.Value) -> Callable[[Copies, int, int], None]:
    def apply(copies: Copies, number: int, variant: int) -> None:
        copy = copies[value]
        types = Types(copy.type.context)
        type = types.tensor(copy.type)
        assert type is not None
        _set_type(copy, types, TensorType(type.value_semantics, type.sizes, _DTYPES[variant]))

    return apply


def _with_rank(value: ir.Value) -> Callable[[Copies, int, int], None]:
    def apply(copies: Copies, number: int, variant: int) -> None:
        copy = copies[value]
        types = Types(copy.type.context)
        type = types.tensor(copy.type)
        assert type is not None
        sizes = (number,) * _RANKS[variant]
        _set_type(copy, types, TensorType(type.value_semantics, sizes, type.element))

    return apply


def _with_size(value: ir.Value, part: Part) -> Callable[[Copies, int, int], None]:
    def apply(copies: Copies, number: int, variant: int) -> None:
        _set_size(copies[value], part.dim, number)

    return apply


def _set_size(value: ir.Value, dim: int, number: int) -> None:
    types = Types(value.type.context)
    type = types.tensor(value.type)
    if type is not None and type.sizes is not None and dim < len(type.sizes):
        sizes = (*type.sizes[:dim], number, *type.sizes[dim + 1 :])
        _set_type(value, types, TensorType(type.value_semantics, sizes, type.element))


def _set_type(value: ir.Value, types: Types, type: TensorType) -> None:
    """Change a type, and the signature of the function if it is that of an argument."""
    value.set_type(types.parse(type))
    owner = value.owner
    if isinstance(owner, ir.Block) and owner.owner.operation.name == "func.func":
        function = owner.owner.operation
        returned = returns_of(function)
        if returned:
            redeclare(function, returned[0])
