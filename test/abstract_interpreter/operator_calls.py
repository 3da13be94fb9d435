"""Calls of operators: the library's cases, and variations of them."""

from dataclasses import dataclass, replace

from hypothesis import strategies
from torch_refine.abstract_interp_lib.declaration import TensorCase
from torch_refine.abstract_interp_lib.scalar_types import NUMBERS
from torch_refine.build_tools.check_functions import adapt, bind
from torch_refine.dialect.schemas import schema

DTYPES = ("float32", "float16", "bfloat16", "float64", "int64", "int32", "uint8", "bool",
          "complex64")  # fmt: skip


@dataclass(frozen=True)
class Tensor:
    """A tensor of a call."""

    sizes: tuple[int, ...]
    dtype: int


class NotExpressible(Exception):
    """The dialect cannot express a value of a case."""


@dataclass(frozen=True)
class Call:
    """A call of an operator: the values of its arguments, and their types in IR."""

    operator: str
    values: tuple
    kinds: tuple[str, ...]
    device: str

    @property
    def results(self):
        """The types of the results."""
        names = {"Tensor": "vtensor", "Tensor[]": "list<vtensor>", "SymInt": "int"}
        return tuple(names.get(each, each) for each in schema(self.operator).returns)


_KINDS = (("Tensor?[", "list<optional<vtensor>>"), ("Tensor[", "list<vtensor>"),
          ("Tensor", "vtensor"), ("float", "float"), ("bool", "bool"), ("str", "str"),
          ("Scalar?", "number"), ("Device", "Device"), ("Generator", "Generator"))  # fmt: skip


def _kind(type):
    if type == "Scalar":
        return "number"
    found = next((kind for start, kind in _KINDS if type.startswith(start)), "int")
    return f"list<{found}>" if "[" in type and not found.startswith("list<") else found


def call_of(operator, case):
    """A case as a call; raises NotExpressible."""
    bound = bind(schema(operator), case)
    kinds = tuple(_kind(argument.type) for argument in schema(operator).arguments)
    values = map(_value, (bound[each.name] for each in schema(operator).arguments), kinds)
    return Call(operator, tuple(values), kinds, case.device)


def _value(value, kind):
    if isinstance(value, TensorCase):
        return Tensor(value.sizes, NUMBERS[str(value.dtype).removeprefix("torch.")])
    if isinstance(value, list | tuple):
        return tuple(_value(item, kind[len("list<") : -1]) for item in value)
    value = adapt(value, None)
    if isinstance(value, str):
        # A process group of a case is a string with a size; a function sees its name.
        value = str.__str__(value)
    if isinstance(value, complex):
        raise NotExpressible(f"the dialect has no {value!r}")
    if kind.startswith("list<") and value is not None:
        return (value,)
    return float(value) if kind == "float" and isinstance(value, int) else value


def is_int(value):
    """Whether a value is an int and not a bool."""
    return isinstance(value, int) and not isinstance(value, bool)


_INTS = strategies.integers(-3, 6)
_SIZES = strategies.integers(0, 6)


@strategies.composite
def changed(draw, call):
    """A call with up to three changes, which the operator may reject."""
    values = list(call.values)
    for _ in range(draw(strategies.integers(0, 3))):
        kind = draw(strategies.sampled_from(["sizes", "sizes", "rank", "dtype", "int", "int"]))
        if kind == "sizes":
            # Change all equal sizes and ints together, so that matching shapes still match.
            sizes = sorted({size for value in values for size in _sizes(value)})
            if sizes:
                old, new = draw(strategies.sampled_from(sizes)), draw(_SIZES)
                values = [_renumbered(value, old, new) for value in values]
            continue
        chosen = [place for place, value in enumerate(values) if _applies(kind, value)]
        if chosen:
            place = draw(strategies.sampled_from(chosen))
            values[place] = _changed(draw, kind, values[place])
    return replace(call, values=tuple(values))


def _sizes(value):
    if isinstance(value, Tensor):
        return value.sizes
    return [size for item in value for size in _sizes(item)] if isinstance(value, tuple) else ()


def _applies(kind, value):
    if isinstance(value, tuple):
        return not value or _applies(kind, value[0])
    return is_int(value) if kind == "int" else isinstance(value, Tensor)


def _renumbered(value, old, new):
    if isinstance(value, tuple):
        return tuple(_renumbered(item, old, new) for item in value)
    if isinstance(value, Tensor):
        return replace(value, sizes=tuple(new if size == old else size for size in value.sizes))
    return new if is_int(value) and value == old and old > 1 else value


def _changed(draw, kind, value):
    if isinstance(value, tuple):
        if not value:
            return value
        place = draw(strategies.integers(0, len(value) - 1))
        if draw(strategies.integers(0, 3)) == 0:
            return value[:place] + value[place + 1 :]
        return (*value[:place], _changed(draw, kind, value[place]), *value[place + 1 :])
    if kind == "int":
        return draw(_INTS)
    if value is None:
        return None
    if kind == "dtype":
        return replace(value, dtype=NUMBERS[draw(strategies.sampled_from(DTYPES))])
    sizes = value.sizes[draw(strategies.integers(0, 2)) :]
    more = draw(strategies.lists(_SIZES, max_size=2))
    return replace(value, sizes=(*more, *sizes)[:4])
