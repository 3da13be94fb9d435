"""Run a Python function as the interpreter runs its exported form, and see that it was right.

A test hands over a function and calls of it. The function runs once, on values that are not known,
and as Python on every call; what the interpreter found must describe what Python gives.
"""

from functools import cache

import torch
from torch_refine.abstract_interpreter.conditions.formulas import FORMULAS, Opaque
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Expression, Symbol, fresh
from torch_refine.abstract_interpreter.running.decoder import decode
from torch_refine.abstract_interpreter.running.errors import GivenUp, Raised
from torch_refine.abstract_interpreter.running.evaluator import Evaluator
from torch_refine.abstract_interpreter.values import ListObject, Maybe, Unknown
from torch_refine.build_tools.torchscript import LibraryBuilder
from torch_refine.dialect.bindings import ir, new_context, operations
from torch_refine.dialect.tensor_type import Types

from .valuations import truth_of, value_of


@cache
def programs(function):
    """The programs of a function, named `f`, and of those that it calls."""
    return decoded(torch.jit.script(function))


def decoded(compiled):
    """The programs of a compiled function."""
    context = new_context()
    builder = LibraryBuilder(context)
    builder.add_function(compiled, "f")
    found = {}
    for op in operations(builder.module.body):
        symbol = ir.StringAttr(op.attributes["sym_name"]).value
        found[symbol] = decode(op.regions[0].blocks[0], Types(context)).without_ir()
    return found


class Some:
    """Stands for an argument of which nothing is known, or only a lower bound."""

    def __init__(self, low=expressions.INT_MIN):
        self.low = low

    def __repr__(self):
        return "some" if self.low < 0 else "sizes"


SOME = Some()


def argument(wanted, kind):
    """An argument of a parameter of `kind`: SOME of it, a list with SOME in it, or known."""
    if isinstance(wanted, Some):
        if kind == "int":
            return fresh(wanted.low)
        if kind == "bool":
            return Opaque()
        assert kind == "list<int>"
        # As the sizes of a tensor of unknown rank are, it has no other name.
        return ListObject(kind, None, nonnegative=wanted.low >= 0)
    if isinstance(wanted, list):
        return ListObject(kind, [argument(item, kind[len("list<") : -1]) for item in wanted])
    return wanted


class Ran:
    """What the interpreter found: `results`, or the message `raised`, or why it `gave_up`."""

    def __init__(self, function, *wanted, functions=None):
        found = decoded(function) if hasattr(function, "graph") else programs(function)
        program = found["f"]
        self.arguments = [
            argument(value, kind) for value, kind in zip(wanted, program.parameters, strict=True)
        ]
        # Lists may change while the function runs; what they were is what callers chose.
        self.given = [_kept(value) for value in self.arguments]
        self.evaluator = Evaluator((functions or found).get)
        self.results = self.raised = self.gave_up = None
        try:
            (self.results,) = self.evaluator.run(program, self.arguments)
        except Raised as error:
            self.raised = str(error)
        except GivenUp as error:
            self.gave_up = str(error)

    def shown(self):
        """What was found, for messages."""
        if self.gave_up or self.raised:
            return self.gave_up or self.raised
        return _shown(self.results)

    def describes(self, result, *arguments):
        """Whether all that was found holds for a call: the reason if not, else None.

        `result` is what Python gave, an exception where it raised.
        """
        if self.gave_up is not None or isinstance(result, Exception):
            return None
        known = {}
        for given, value in zip(self.given, arguments, strict=True):
            if not _bind(given, value, known):
                return None
        if self.raised is not None:
            return f"said to raise {self.raised!r}"
        return _wrong(self.results, result, known, self.evaluator.assumptions)


def _shown(value):
    if isinstance(value, tuple):
        return tuple(map(_shown, value))
    if _is_list(value):
        return (
            (value.length, value.pattern) if value.items is None else list(map(_shown, value.items))
        )
    return value


def _kept(value):
    if not _is_list(value):
        return value
    items = None if value.items is None else list(value.items)
    return items, value.length, value.nonnegative


def _is_list(value):
    return isinstance(value, ListObject)


def _bind(given, value, known):
    """Note what the symbols of an argument are; whether `value` is such an argument."""
    if isinstance(given, tuple):
        items, length, nonnegative = given
        if items is None:
            at_least = 0 if nonnegative else expressions.INT_MIN
            return _bind(length, len(value), known) and min(value, default=0) >= at_least
        return len(items) == len(value) and all(
            _bind(one, other, known) for one, other in zip(items, value, strict=True)
        )
    if isinstance(given, Opaque):
        known[given] = value
        return True
    symbol = expressions.single_atom(given)
    if symbol is None:
        return given == value
    known[symbol] = value
    return symbol.low <= value <= symbol.high


def _wrong(found, actual, known, assumptions):
    """Why a value is not what was found of it, None if it may be."""
    if isinstance(found, Unknown):
        return None
    if isinstance(found, Maybe):
        absent = _if_known(truth_of, found.absent, known)
        if absent is not None and absent != (actual is None):
            return f"{actual} where None is {absent}"
        return None if actual is None else _wrong(found.value, actual, known, assumptions)
    if isinstance(found, FORMULAS):
        truth = _if_known(truth_of, found, known)
        return None if truth in (None, actual) else f"{actual} where {truth} was found"
    if isinstance(found, Expression):
        return _wrong_number(found, actual, known, assumptions)
    if _is_list(found):
        return _wrong_list(found, actual, known, assumptions)
    if isinstance(found, tuple):
        reasons = [_wrong(*pair, known, assumptions) for pair in zip(found, actual, strict=True)]
        return next(filter(None, reasons), None)
    same = type(found) is type(actual) and found == actual
    return None if same else f"{actual} where {found} was found"


def _wrong_number(found, actual, known, assumptions):
    if actual not in assumptions.range_of(assumptions.resolve(found)):
        return f"{actual} outside of the range of {found}"
    for number in (found, assumptions.resolve(found)):
        value = _if_known(value_of, number, known)
        atom = expressions.single_atom(number)
        if value is None and isinstance(atom, Symbol):
            known[atom] = value = actual
            if not atom.low <= actual <= atom.high:
                return f"{actual} outside of {atom.low} to {atom.high}"
        if value not in (None, actual):
            return f"{actual} where {number} is {value}"
    return None


def _wrong_list(found, actual, known, assumptions):
    length = found.length if found.items is None else len(found.items)
    wrong = _wrong(length, len(actual), known, assumptions)
    if wrong or not actual:
        return wrong and f"{actual}: a length of {wrong}"
    if found.items is not None:
        pairs = list(zip(found.items, actual, strict=True))
    else:
        pairs = [(item, actual[index]) for index, item in found.found.items()
                 if isinstance(index, int) and -len(actual) <= index < len(actual)]  # fmt: skip
        if found.pattern is not None:
            pairs += [(found.new_element(), item) for item in actual]
        if found.nonnegative and any(item < 0 for item in actual):
            return f"{actual} where all are sizes"
    reasons = [_wrong(*pair, known, assumptions) for pair in pairs]
    return next((f"{actual}: {reason}" for reason in reasons if reason), None)


def _if_known(function, value, known):
    try:
        return function(value, known)
    except (KeyError, ZeroDivisionError):
        return None


def called(function, arguments):
    """What Python gives for arguments, which it may change copies of; an exception if it raises."""
    copies = [_copied(argument) for argument in arguments]
    try:
        return function(*copies)
    except Exception as error:
        return error


def _copied(value):
    return [_copied(item) for item in value] if isinstance(value, list) else value


def check(function, wanted, calls):
    """Run a function on what is `wanted`, compare with every call, and return what was found."""
    ran = Ran(function, *wanted)
    for arguments in calls:
        wrong = ran.describes(called(function, arguments), *arguments)
        assert wrong is None, f"for {arguments}: {wrong}"
    return ran
