"""Compare the interpretation of a function's exported form with running it in Python.

A test passes a function and calls of it. The function is interpreted once, on unknown values, and
run as Python for every call; the interpreter's result must describe each Python result.
"""

from functools import cache

import torch
from torch_refine.abstract_interpreter.conditions.conditions import SYMBOLIC_CONDITIONS, Opaque
from torch_refine.abstract_interpreter.numbers import expressions
from torch_refine.abstract_interpreter.numbers.expressions import Expression, Symbol, fresh
from torch_refine.abstract_interpreter.running.decoder import decode
from torch_refine.abstract_interpreter.running.errors import GivenUp, Raised
from torch_refine.abstract_interpreter.running.evaluator import Evaluator
from torch_refine.abstract_interpreter.values import ListObject, Maybe, Unknown
from torch_refine.dialect.bindings import ir, new_context, operations
from torch_refine.dialect.tensor_type import Types
from torch_refine.importer.functions.torchscript import LibraryBuilder

from .valuations import truth_of, value_of


@cache
def programs(function):
    """The programs of a function, named `f`, and of its callees."""
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
    """A placeholder for an argument that is unknown, or has only a lower bound."""

    def __init__(self, low=expressions.INT_MIN):
        self.low = low

    def __repr__(self):
        return "some" if self.low < 0 else "sizes"


SOME = Some()


def argument(wanted, kind):
    """An argument of a parameter of `kind`: unknown for SOME, a list containing SOME, or known."""
    if isinstance(wanted, Some):
        if kind == "int":
            return fresh(wanted.low)
        if kind == "bool":
            return Opaque()
        if kind.startswith("optional<"):
            return Maybe(Opaque(), argument(wanted, kind[len("optional<") : -1]))
        assert kind == "list<int>"
        # Like the sizes of a tensor of unknown rank, it has no alias.
        return ListObject(kind, None, nonnegative=wanted.low >= 0)
    if isinstance(wanted, list):
        return ListObject(kind, [argument(item, kind[len("list<") : -1]) for item in wanted])
    return wanted


class Ran:
    """The interpreter's outcome: `results`, the message `raised`, or the reason it `gave_up`."""

    def __init__(self, function, *wanted, functions=None):
        found = decoded(function) if hasattr(function, "graph") else programs(function)
        program = found["f"]
        self.arguments = [
            argument(value, kind) for value, kind in zip(wanted, program.parameters, strict=True)
        ]
        # Lists may change while the function runs; the callers' originals are kept.
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
        """The outcome, for messages."""
        if self.gave_up or self.raised:
            return self.gave_up or self.raised
        return _shown(self.results)

    def describes(self, result, *arguments):
        """None if the outcome describes a call, else the reason why not.

        `result` is Python's result, or the exception it raised.
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
    """Record the values of an argument's symbols; returns whether `value` is such an argument."""
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
    if isinstance(given, Maybe):
        known[given.absent] = value is None
        return value is None or _bind(given.value, value, known)
    symbol = expressions.single_atom(given)
    if symbol is None:
        return given == value
    known[symbol] = value
    return symbol.low <= value <= symbol.high


def _wrong(found, actual, known, assumptions):
    """The reason why a value contradicts the interpreter's value, or None."""
    if isinstance(found, Unknown):
        return None
    if isinstance(found, Maybe):
        absent = _if_known(truth_of, found.absent, known)
        if absent is not None and absent != (actual is None):
            return f"{actual} where None is {absent}"
        return None if actual is None else _wrong(found.value, actual, known, assumptions)
    if isinstance(found, SYMBOLIC_CONDITIONS):
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
    """Python's result for copies of the arguments, or the exception it raises."""
    copies = [_copied(argument) for argument in arguments]
    try:
        return function(*copies)
    except Exception as error:
        return error


def _copied(value):
    return [_copied(item) for item in value] if isinstance(value, list) else value


def check(function, wanted, calls):
    """Interpret a function on `wanted`, compare with every call, and return the outcome."""
    ran = Ran(function, *wanted)
    for arguments in calls:
        wrong = ran.describes(called(function, arguments), *arguments)
        assert wrong is None, f"for {arguments}: {wrong}"
    return ran
