"""Check that inferred results are correct, and as precise as others."""

from torch_refine.abstract_interpreter.lattice import Sequence, Tensor
from torch_refine.abstract_interpreter.numbers.expressions import (
    Expression,
    Symbol,
    single_atom,
    substitute,
    symbols_in,
)

from .valuations import value_of


def tensors(lattice_value):
    """The tensors of a result, in order; None for each that may be missing."""
    if isinstance(lattice_value, Tensor):
        return [lattice_value]
    if isinstance(lattice_value, Sequence) and lattice_value.items is not None:
        return list(lattice_value.items)
    return None


def show_lattice_values(lattice_values):
    """Lattice values for messages."""
    return f"({', '.join(map(_show_lattice_value, lattice_values))})"


def _show_lattice_value(lattice_value):
    if isinstance(lattice_value, Tensor):
        return f"tensor({lattice_value.sizes}, {lattice_value.dtype})"
    if isinstance(lattice_value, Sequence):
        items = lattice_value.element if lattice_value.items is None else lattice_value.items
        return (
            f"{show_lattice_values(items)}"
            if isinstance(items, tuple)
            else f"any {_show_lattice_value(items)}"
        )
    for name in ("value", "expression", "kind"):
        if hasattr(lattice_value, name):
            return (
                f"any {lattice_value.kind}"
                if name == "kind"
                else repr(getattr(lattice_value, name))
            )
    return repr(lattice_value)


def shown(inferred):
    """A result for messages."""
    if inferred.raised is not None:
        return f"raises {inferred.raised!r}"
    remarks = f" ({'; '.join(inferred.remarks)})" if inferred.remarks else ""
    return show_lattice_values(inferred.results) + remarks


def untrue(inferred, actual, valuation):
    """The reason why a result does not describe a call, or None.

    `valuation` has the values of the symbols of the call's arguments.
    """
    if inferred.raised is not None:
        return f"it is said to raise {inferred.raised!r}"
    known, pairs = dict(valuation), []
    for found, true in zip(inferred.results, actual.results, strict=True):
        ours, theirs = tensors(found), tensors(true)
        if theirs is None:
            continue
        if ours is None:
            element = getattr(found, "element", None)
            if isinstance(element, Tensor):
                for one in theirs:
                    wrong = _untrue_tensor(element, one, dict(known))
                    if wrong:
                        return wrong
            continue
        if len(ours) != len(theirs):
            return f"{len(ours)} tensors were found where there are {len(theirs)}"
        pairs += zip(ours, theirs, strict=True)
    # Symbols that stand alone as sizes are bound first, before sums and products are checked.
    for _ in range(2):
        for ours, theirs in pairs:
            wrong = _untrue_tensor(ours, theirs, known)
            if wrong:
                return wrong
    return None


def _untrue_tensor(found, actual, known):
    if found.dtype is not None and actual.dtype not in (None, found.dtype):
        return f"dtype {found.dtype} was found where it is {actual.dtype}"
    if found.sizes is None or actual.sizes is None:
        return None
    if len(found.sizes) != len(actual.sizes):
        return f"rank {len(found.sizes)} was found where it is {len(actual.sizes)}"
    for axis, (size, true) in enumerate(zip(found.sizes, actual.sizes, strict=True)):
        if isinstance(true, Expression):
            continue
        atom = single_atom(size)
        if isinstance(atom, Symbol) and not atom.low <= known.setdefault(atom, true) <= atom.high:
            return f"size {axis} is {true}, which is not from {atom.low} to {atom.high}"
        try:
            value = value_of(size, known)
        except KeyError:
            continue
        except ZeroDivisionError:
            return f"size {axis} was found to be {size}, which divides by zero"
        if value != true:
            return f"size {axis} was found to be {size}, which is {value} where it is {true}"
    return None


def lost(less, more, names, valuation):
    """What a result lacks that one inferred from less information has, or None.

    `names` maps the symbols of the latter to expressions of the former; `valuation` has the
    former's values.
    """
    if less.raised is not None or more.raised is not None:
        return None
    for one, other in zip(less.results, more.results, strict=True):
        ours, theirs = tensors(one), tensors(other)
        if ours is None:
            continue
        if theirs is None or len(ours) != len(theirs):
            return f"the number of tensors, {len(ours)}"
        for number, (before, after) in enumerate(zip(ours, theirs, strict=True)):
            wrong = _lost_of_tensor(before, after, names, valuation)
            if wrong:
                return f"{wrong} of tensor {number}"
    return None


def _lost_of_tensor(before, after, names, valuation):
    if before.dtype is not None and after.dtype != before.dtype:
        return f"dtype {before.dtype}"
    if before.sizes is None:
        return None
    if after.sizes is None or len(before.sizes) != len(after.sizes):
        return f"rank {len(before.sizes)}"
    for axis, (size, later) in enumerate(zip(before.sizes, after.sizes, strict=True)):
        if not all(symbol in names for symbol in symbols_in(size)):
            continue
        expected = substitute(size, names)
        if later == expected or (isinstance(expected, int) and expected < 0):
            # A negative size means that a function is wrong; nothing is concluded from it.
            continue
        if isinstance(later, Expression) and not isinstance(expected, Expression):
            return f"size {axis}, {expected}"
        try:
            if value_of(later, valuation) != value_of(expected, valuation):
                return f"size {axis}, {expected}"
        except KeyError:
            return f"size {axis}, {expected}"
    return None
