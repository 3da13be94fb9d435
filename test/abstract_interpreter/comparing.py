"""What an inferred result says, and whether it is true, or as much as another one says."""

from torch_refine.abstract_interpreter.facts import Sequence, Tensor
from torch_refine.abstract_interpreter.numbers.expressions import (
    Expression,
    Symbol,
    single_atom,
    substitute,
    symbols_in,
)

from .valuations import value_of


def tensors(fact):
    """The tensors of a result, in order; None for each that is not known to be there."""
    if isinstance(fact, Tensor):
        return [fact]
    if isinstance(fact, Sequence) and fact.items is not None:
        return list(fact.items)
    return None


def show_facts(facts):
    """Facts for messages."""
    return f"({', '.join(map(_show_fact, facts))})"


def _show_fact(fact):
    if isinstance(fact, Tensor):
        return f"tensor({fact.sizes}, {fact.dtype})"
    if isinstance(fact, Sequence):
        items = fact.element if fact.items is None else fact.items
        return f"{show_facts(items)}" if isinstance(items, tuple) else f"any {_show_fact(items)}"
    for name in ("value", "expression", "kind"):
        if hasattr(fact, name):
            return f"any {fact.kind}" if name == "kind" else repr(getattr(fact, name))
    return repr(fact)


def shown(inferred):
    """A result for messages."""
    if inferred.raised is not None:
        return f"raises {inferred.raised!r}"
    remarks = f" ({'; '.join(inferred.remarks)})" if inferred.remarks else ""
    return show_facts(inferred.results) + remarks


def untrue(inferred, actual, valuation):
    """Why a result does not describe what a call gives; None if it does.

    `valuation` has the symbols of the call's arguments.
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
    # Names are bound by the sizes that they are alone, before sums and products are looked at.
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
    """What a result says and one of which more is known does not say; None if there is nothing.

    `names` are the symbols of the one as numbers of the other; `valuation` has the latter's.
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
            # Below zero is no size: a function that gives one is wrong, and nothing is taken of it.
            continue
        if isinstance(later, Expression) and not isinstance(expected, Expression):
            return f"size {axis}, {expected}"
        try:
            if value_of(later, valuation) != value_of(expected, valuation):
                return f"size {axis}, {expected}"
        except KeyError:
            return f"size {axis}, {expected}"
    return None
