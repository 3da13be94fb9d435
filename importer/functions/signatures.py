"""The signature that a library function must have, from its operator's schema."""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable
from typing import Any, Optional, Union

import torch
from torch_refine.abstract_interp_lib.declaration import Declaration, FunctionKind
from torch_refine.dialect.schemas import Argument, Schema, schema
from torch_refine.importer.functions.user_code import UserCodeError

Number = Union[int, float, complex]

# The Python types that a parameter may have, by the schema's type; the first one is the default.
_SCALARS: dict[str, tuple[Any, ...]] = {
    "int": (int,),
    "SymInt": (int,),
    "bool": (bool,),
    "SymBool": (bool,),
    "float": (float,),
    "complex": (complex,),
    "str": (str,),
    "ScalarType": (int,),
    "Layout": (int,),
    "MemoryFormat": (int,),
    "Device": (torch.device,),
    "Generator": (Any,),
    # A process group: its name, in programs.
    "Any": (Any,),
    "Stream": (Any,),
    "Storage": (Any,),
    "QScheme": (int,),
    "Dimname": (str,),
}
_TENSOR: dict[FunctionKind, tuple[Any, ...]] = {
    "shape": (list[int], tuple[list[int], int]),
    "dtype": (tuple[int, int],),
    "decomposition": (torch.Tensor,),
}
_SCALAR: dict[FunctionKind, tuple[Any, ...]] = {
    "shape": (float, Number),
    "dtype": (Number,),
    "decomposition": (Number,),
}
_RESULT: dict[FunctionKind, Any] = {
    "shape": list[int],
    "dtype": int,
    "decomposition": torch.Tensor,
}


class SignatureError(UserCodeError):
    """A function's signature differs from its operator's schema; the message shows both."""


def allowed_types(kind: FunctionKind, schema_type: str) -> tuple[Any, ...]:
    """The annotations that a parameter for an argument of `schema_type` may carry."""
    if schema_type.endswith("?"):
        if schema_type == "Generator?":
            return (Any,)
        return tuple(Optional[inner] for inner in allowed_types(kind, schema_type[:-1]))
    listed = re.fullmatch(r"(.*)\[\d*\]", schema_type)
    if listed:
        inside = allowed_types(kind, listed[1])
        return tuple(types.GenericAlias(list, (inner,)) for inner in inside)
    if schema_type == "Tensor":
        return _TENSOR[kind]
    if schema_type == "Scalar":
        return _SCALAR[kind]
    if schema_type not in _SCALARS:
        raise SignatureError(f"no library function can take a {schema_type}")
    return _SCALARS[schema_type]


def result_type(kind: FunctionKind, operator_schema: Schema) -> Any:
    """The annotation of what a function returns: one entry per tensor that the operator returns."""
    one = _RESULT[kind]
    entries = []
    for returned in operator_schema.returns:
        if returned == "Tensor":
            entries.append(one)
        elif returned == "Tensor[]":
            entries.append(types.GenericAlias(list, (one,)))
    return entries[0] if len(entries) == 1 else types.GenericAlias(tuple, tuple(entries))


def parameters_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The parameters of a library function and their annotations; None for one that has none.

    Raises SignatureError for an annotation that cannot be evaluated.
    """
    hints = _hints(function)
    return {name: _normal(hints.get(name)) for name in inspect.signature(function).parameters}


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function)
    except Exception as error:  # annotations are expressions of the user's
        said = " ".join(str(error).split())
        raise SignatureError(f"an annotation is wrong: {type(error).__name__}: {said}") from None


def _normal(annotation: Any) -> Any:
    """An annotation with `List` and `Tuple` as the built-in generics that they stand for."""
    origin = typing.get_origin(annotation)
    inner = tuple(map(_normal, typing.get_args(annotation)))
    if origin in (list, tuple):
        return origin[inner]
    if origin in (Union, types.UnionType):
        return Union[inner]
    return annotation


def check_signature(declaration: Declaration) -> None:
    """Compare a function with its operator's schema.

    Raises SignatureError, showing both, when they differ; KeyError when PyTorch has no such
    operator.
    """
    operator_schema = schema(declaration.operator)
    given = inspect.signature(declaration.function).parameters
    arguments = {argument.name: argument for argument in operator_schema.arguments}
    order = [name for name in arguments if name in given]
    for parameter in given.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise SignatureError(f"takes {parameter}; parameters are those of {operator_schema}")
    if declaration.derived:
        constants = declaration.constants
        unknown = [name for name in given if name not in arguments and name not in constants]
        if unknown:
            raise SignatureError(f"the rule takes {unknown}, which {operator_schema} does not have")
        unused = [name for name in constants if name not in given or name in arguments]
        if unused:
            raise SignatureError(f"{unused[0]}= is no parameter of the rule that can be constant")
    elif list(given) != list(arguments):
        raise SignatureError(
            f"the signature ({', '.join(given)}) differs from the schema {operator_schema}: "
            + _difference(list(given), list(arguments))
        )
    parameters = parameters_of(declaration.function)
    for name in declaration.constants:
        if parameters[name] is not int:
            raise SignatureError(f"{name}: {_show(parameters[name])} stands for a constant int")
    for name in order:
        allowed = allowed_types(declaration.kind, arguments[name].type)
        needed = f"it can be {' or '.join(map(_show, allowed))}"
        stands = f"stands for {arguments[name].type} in {operator_schema}; {needed}"
        if given[name].annotation is inspect.Parameter.empty:
            raise SignatureError(f"{name} has no annotation, and {stands}")
        if parameters[name] not in allowed:
            raise SignatureError(f"{name}: {_show(parameters[name])} {stands}")
        if not declaration.derived:
            _check_default(operator_schema, arguments[name], given[name].default)
    if not any(returned.startswith("Tensor") for returned in operator_schema.returns):
        raise SignatureError(f"{operator_schema} returns no tensor, so it needs no functions")
    expected = result_type(declaration.kind, operator_schema)
    hints = _hints(declaration.function)
    returned = _normal(hints.get("return"))
    if returned != expected:
        said = f"returns {_show(returned)}" if "return" in hints else "says not what it returns"
        raise SignatureError(f"{said}, where {operator_schema} needs {_show(expected)}")


def _difference(given: list[str], needed: list[str]) -> str:
    """How the names of parameters differ from those of the schema."""
    missing = [name for name in needed if name not in given]
    unknown = [name for name in given if name not in needed]
    if not missing and not unknown:
        return "the order is another"
    if len(missing) == len(unknown):
        return ", ".join(f"{a} should be {b}" for a, b in zip(unknown, missing, strict=True))
    parts = [f"{name} is missing" for name in missing]
    parts += [f"{name} is no parameter of it" for name in unknown]
    return ", ".join(parts)


def signature_text(kind: FunctionKind, operator_schema: Schema) -> str:
    """The parameters and the result of a function for an operator, as Python writes them."""
    parameters = [
        f"{each.name}: {_typing(allowed_types(kind, each.type)[0])}"
        + ("" if each.default is None else f" = {_python_default(each)}")
        for each in operator_schema.arguments
    ]
    line = f"{', '.join(parameters)}) -> {_typing(result_type(kind, operator_schema))}"
    if len(line) + len(operator_schema.name) < 80:
        return line
    body = "".join(f"    {each},\n" for each in parameters)
    return f"\n{body}) -> {_typing(result_type(kind, operator_schema))}"


def _python_default(argument: Argument) -> str:
    text = argument.default or ""
    plain = text in ("None", "True", "False") or re.fullmatch(r"-?[\d.e-]+|\[.*\]|\".*\"", text)
    return text if plain else "0"


def _typing(annotation: Any) -> str:
    """An annotation as TorchScript reads it: with `List` and `Tuple`."""
    text = _show(annotation)
    text = re.sub(r"\blist\[", "List[", re.sub(r"\btuple\[", "Tuple[", text))
    return re.sub(r"Union\[(.*), NoneType\]", r"Optional[Union[\1]]", text)


def _check_default(operator_schema: Schema, argument: Argument, default: Any) -> None:
    if (default is not inspect.Parameter.empty) != (argument.default is not None):
        raise SignatureError(
            f"{argument.name}: has {'a' if argument.default is None else 'no'} default, "
            f"unlike the schema {operator_schema}"
        )
    if argument.default is None:
        return
    needed = default_value(argument.default, argument.type)
    if type(default) is not type(needed) or default != needed:
        raise SignatureError(
            f"{argument.name}: the default is {default!r}, that of the schema {operator_schema} "
            f"is {needed!r}"
        )


_NAMED_DEFAULTS = {"None": None, "True": True, "False": False, "Mean": 1, "Sum": 2}


def default_value(text: str, kind: str) -> Any:
    """The value of a schema's default as a library function sees it; enums become numbers."""
    if text in _NAMED_DEFAULTS:
        return _NAMED_DEFAULTS[text]
    if text.startswith('"'):
        return text[1:-1]
    if text.startswith("["):
        items = text[1:-1].replace(" ", "").split(",")
        return [default_value(item, kind.partition("[")[0]) for item in items if item]
    if text == "contiguous_format":
        return 0
    try:
        value: Any = int(text)
    except ValueError:
        value = float(text)
    if kind.rstrip("?").endswith("]") and not text.startswith("["):
        return [value]
    return value


def _show(kind: Any) -> str:
    return str(kind).replace("typing.", "").replace("<class '", "").replace("'>", "")
