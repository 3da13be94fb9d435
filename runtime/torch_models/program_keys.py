"""The hash of all that the import of an exported program depends on.

A program is described by its nodes, in order: their operators, arguments, sizes, strides, memory
and source lines; by its weights, without their values; and by its literals, whose values are folded
into the program. What is not known here has no description, so that its import is never reused:
operators of other packages, whose decompositions may be any Python, and arguments and tensors of
other classes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

import torch
from torch._ops import HigherOrderOperator, OpOverload
from torch._subclasses.fake_tensor import FakeTensor
from torch.export import ExportedProgram
from torch.export.graph_signature import ConstantArgument, InputKind
from torch.fx import GraphModule, Node
from torch_refine.dialect.guards import Guard
from torch_refine.importer.guards import guards_of
from torch_refine.importer.lowering import literals_of
from torch_refine.importer.symbolic_arguments import source_name
from torch_refine.runtime.compiling.cache_key import compiler, source_hashes

# Operators whose decompositions are PyTorch's and ours.
_NAMESPACES = ("aten", "prims")
_REGIONS = ("cond", "while_loop", "scan", "map_impl", "wrap_with_set_grad_enabled")
# Python functions on sizes.
_SIZES = ("_operator", "math", "torch", "torch._C", "torch.sym")
_PLAIN = (bool, int, float, complex, str, type(None))
_NAMED = (torch.dtype, torch.device, torch.layout, torch.memory_format)
_SYMBOLIC = (torch.SymInt, torch.SymFloat, torch.SymBool)
_TENSORS = (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer)

# PyTorch numbers the files of code that it generates, in which no line is the user's.
_GENERATED = re.compile(r"(?<=<eval_with_key>)\.\d+")


class _Unknown(Exception):
    """There is no description of something."""


def program_key(program: ExportedProgram, guards: Sequence[Guard] | None) -> str | None:
    """The hash of a program of the CPU, and of the importer; None if it has no description."""
    digest = hashlib.sha256()
    try:
        for part in (_importer(), _settings(), *_Description(program, guards).parts()):
            digest.update(hashlib.sha256(part.encode()).digest())
    except _Unknown:
        return None
    return digest.hexdigest()


@cache
def _importer() -> str:
    """The compiler, the importer, and PyTorch."""
    import torch_refine.importer as importer

    parts = [compiler(), *source_hashes(importer), version("torch"), torch.version.git_version]
    return json.dumps(parts)


def _settings() -> str:
    """PyTorch's settings that decompositions depend on."""
    return str(
        (
            torch.get_default_dtype(),
            torch.get_default_device(),
            torch.are_deterministic_algorithms_enabled(),
            torch.is_autocast_enabled("cpu"),
            torch.get_autocast_dtype("cpu"),
        )
    )


class _Description:
    """A program, described in parts."""

    def __init__(self, program: ExportedProgram, guards: Sequence[Guard] | None) -> None:
        self._program = program
        self._guards = guards
        # The memory of tensors, numbered in the order in which it is met.
        self._storages: dict[int, int] = {}
        self._environment: Any = None

    def parts(self) -> Iterator[str]:
        """The parts; raises _Unknown."""
        program = self._program
        yield from self._graph(program.graph_module)
        signature = program.graph_signature
        for specs in (signature.input_specs, signature.output_specs):
            for spec in specs:
                if isinstance(spec.arg, ConstantArgument):
                    self._value(spec.arg.value)
                yield repr(spec)
        yield from self._state()
        yield str(guards_of(program, 0) if self._guards is None else self._guards)
        yield str(program.range_constraints)
        if self._environment is not None:
            yield from _sizes(self._environment)

    def _graph(self, module: GraphModule) -> Iterator[str]:
        yield f"graph of {len(module.graph.nodes)} nodes"
        for node in module.graph.nodes:
            meta = node.meta
            yield "\n".join(
                (
                    f"{node.op} {node.name} {self._target(node)}",
                    self._value(node.args),
                    self._value(node.kwargs),
                    self._value(meta.get("val")),
                    str(meta.get("unbacked_bindings")),
                    _GENERATED.sub("", str(meta.get("stack_trace"))),
                    str(meta.get("nn_module_stack")),
                )
            )
            if node.op == "get_attr":
                found = getattr(module, node.target, None)
                if not isinstance(found, GraphModule):
                    raise _Unknown
                yield from self._graph(found)

    def _target(self, node: Node) -> str:
        target: Any = node.target
        if node.op != "call_function":
            return str(target)
        if isinstance(target, OpOverload) and target.namespace in _NAMESPACES:
            return str(target)
        if isinstance(target, HigherOrderOperator) and str(target) in _REGIONS:
            return str(target)
        module, name = getattr(target, "__module__", None), getattr(target, "__qualname__", None)
        if isinstance(target, (OpOverload, HigherOrderOperator)) or module not in _SIZES:
            raise _Unknown
        return f"{module}.{name}"

    def _value(self, value: Any) -> str:
        """An argument, or the value of a node."""
        kind = type(value)
        if kind in _PLAIN:
            return repr(value)
        if kind is Node:
            return f"%{value.name}"
        if isinstance(value, FakeTensor):
            return self._tensor(value)
        if isinstance(value, _SYMBOLIC):
            self._environment = value.node.shape_env
            return f"{kind.__name__} {value.node.expr}"
        if kind in _NAMED:
            return str(value)
        if isinstance(value, (list, tuple)):
            return f"[{', '.join(map(self._value, value))}]"
        if isinstance(value, Mapping):
            return f"{{{', '.join(f'{k!r}: {self._value(each)}' for k, each in value.items())}}}"
        if kind is slice:
            return self._value(("slice", value.start, value.stop, value.step))
        raise _Unknown

    def _tensor(self, tensor: torch.Tensor) -> str:
        if tensor.layout != torch.strided or tensor.device.type != "cpu":
            raise _Unknown
        memory = self._storages.setdefault(tensor.untyped_storage()._cdata, len(self._storages))
        numbers = (*tensor.shape, *tensor.stride(), tensor.storage_offset())
        bits = (tensor.is_conj(), tensor.is_neg(), tensor.requires_grad)
        return f"{tensor.dtype} {list(map(self._size, numbers))} {memory} {bits}"

    def _size(self, size: Any) -> Any:
        return size if type(size) is int else self._value(size)

    def _state(self) -> Iterator[str]:
        """The weights, and the values of literals."""
        program = self._program
        literals = literals_of(program)
        for spec in program.graph_signature.input_specs:
            if spec.kind == InputKind.USER_INPUT:
                continue
            name = str(spec.target)
            tensor = program.state_dict.get(name, program.constants.get(name))
            if type(tensor) not in _TENSORS:
                raise _Unknown
            yield f"{name} {type(tensor).__name__} {self._tensor(tensor)}"
            if name in literals:
                plain = tensor.detach().resolve_conj().resolve_neg().contiguous()
                yield hashlib.sha256(plain.view(-1).view(torch.uint8).numpy()).hexdigest()


def _sizes(environment: Any) -> Iterator[str]:
    """What a trace knows of its sizes."""
    for name in ("var_to_range", "replacements", "divisible", "unbacked_renamings"):
        yield f"{name} {getattr(environment, name, None)}"
    hints = {**environment.backed_var_to_val, **getattr(environment, "unbacked_var_to_val", {})}
    yield str(hints)
    sources = environment.var_to_sources.items()
    yield str({str(symbol): [source_name(each) for each in known] for symbol, known in sources})
    yield str(environment.source_name_to_debug_name)
    yield str([str(each.expr) for each in environment.guards])
    asserted = environment.deferred_runtime_asserts
    yield str({str(k): [str(each.expr) for each in asserts] for k, asserts in asserted.items()})
