"""The parameters and results of a compiled function."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from torch_refine.abstract_interp_lib import scalar_types
from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.element_types import dtype_of_element
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.lowering.abi import MAIN, PREPARE, STATE
from torch_refine.passes.lowering.kernels.layouts import Layout, layout_of_argument
from torch_refine.passes.lowering.torch.draw_from_seed import has_random_ops
from torch_refine.passes.program import symbol_name

NumberKind = Literal["int", "float", "bool"]
_NUMBERS: dict[str, NumberKind] = {
    "!torch.int": "int",
    "!torch.float": "float",
    "!torch.bool": "bool",
}


class SignatureError(Exception):
    """A function has a parameter or result of an unsupported type; the message names it."""


@dataclass(frozen=True)
class TensorParameter:
    """A tensor: its sizes, None where dynamic, and the name of its dtype, such as `float32`.

    `strides`, in elements, are None where dynamic; None for a row-major contiguous tensor.
    """

    sizes: tuple[int | None, ...]
    dtype: str
    strides: tuple[int | None, ...] | None = None

    def __str__(self) -> str:
        sizes = ",".join("?" if size is None else str(size) for size in self.sizes)
        return f"{self.dtype}[{sizes}]"


@dataclass(frozen=True)
class NumberParameter:
    """A scalar."""

    kind: NumberKind

    def __str__(self) -> str:
        return self.kind


Parameter = TensorParameter | NumberParameter


def _tensor_from(data: dict[str, Any]) -> TensorParameter:
    """The inverse of `asdict` for a tensor."""
    strides = data["strides"]
    return TensorParameter(
        tuple(data["sizes"]), data["dtype"], None if strides is None else tuple(strides)
    )


@dataclass(frozen=True)
class Preparation:
    """A function that is called whenever the state changes.

    It takes the tensors at `places` of the program's arguments; its `results` are passed to the
    program, after its other arguments.
    """

    places: tuple[int, ...]
    results: tuple[TensorParameter, ...]

    @staticmethod
    def from_data(data: dict[str, Any]) -> Preparation:
        """The inverse of `asdict`."""
        return Preparation(tuple(data["places"]), tuple(map(_tensor_from, data["results"])))


@dataclass(frozen=True)
class Signature:
    """The parameters and results of a function, in order.

    A function that generates random numbers takes a seed as its last parameter.
    """

    name: str
    parameters: tuple[Parameter, ...]
    results: tuple[Parameter, ...]
    takes_seed: bool = False

    def as_data(self) -> dict[str, Any]:
        """The signature as JSON data."""
        return asdict(self)

    @staticmethod
    def from_data(data: dict[str, Any]) -> Signature:
        """The inverse of `as_data`."""
        parameters, results = (
            tuple(
                NumberParameter(each["kind"]) if "kind" in each else _tensor_from(each)
                for each in data[key]
            )
            for key in ("parameters", "results")
        )
        return Signature(data["name"], parameters, results, data["takes_seed"])


def preparation_of(module: ir.Operation) -> Preparation | None:
    """The preparation that a module of linalg on tensors requests for its function `main`."""
    found = {symbol_name(each): each for each in operations(module.regions[0].blocks[0])}
    preparing = found.get(f"{PREPARE}{MAIN}")
    if preparing is None:
        return None
    type = ir.FunctionType(ir.TypeAttr(preparing.attributes["function_type"]).value)
    results = map(ir.RankedTensorType, type.results)
    return Preparation(
        tuple(ir.DenseI64ArrayAttr(found[MAIN].attributes[STATE])),
        tuple(TensorParameter(tuple(each.shape), str(each.element_type)) for each in results),
    )


def signature_of(function: ir.Operation) -> Signature:
    """The signature of a function in the torch dialect that satisfies the backend contract.

    Raises SignatureError for a type that cannot be passed.
    """
    type = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
    name = ir.StringAttr(function.attributes["sym_name"]).value
    types = Types(function.context)
    parameters = [
        _as_it_lies(parameter, layout_of_argument(function, place))
        for place, parameter in enumerate(_parameters("argument", type.inputs, types))
    ]
    takes_seed = has_random_ops(function)
    return Signature(
        name,
        (*parameters, *([NumberParameter("int")] if takes_seed else [])),
        tuple(_parameters("result", type.results, types)),
        takes_seed,
    )


def _as_it_lies(parameter: Parameter, layout: Layout | None) -> Parameter:
    if layout is None or isinstance(parameter, NumberParameter):
        return parameter
    return replace(parameter, strides=layout.strides)


def _parameters(what: str, found: Iterable[ir.Type], types: Types) -> Iterable[Parameter]:
    for index, type in enumerate(found):
        tensor = types.tensor(type)
        if tensor is None:
            number = _NUMBERS.get(str(type))
            if number is None:
                raise SignatureError(f"{what} {index} is {type}, which cannot be passed")
            yield NumberParameter(number)
            continue
        if tensor.sizes is None or tensor.element is None:
            raise SignatureError(f"{what} {index} is {tensor}, which is an incomplete type")
        dtype = dtype_of_element(tensor.element)
        if dtype is None:
            raise SignatureError(f"{what} {index} is {tensor}, whose dtype PyTorch does not have")
        yield TensorParameter(tuple(tensor.sizes), scalar_types.NAMES[dtype])
