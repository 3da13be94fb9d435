"""Calls of operators with their values, recorded from PyTorch's samples."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import islice
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode
from torch_refine.build_tools.conformance.calls import differentiate_sample, run_sample
from torch_refine.build_tools.conformance.samples import Sample, entries

DTYPES = (
    torch.float32,
    torch.int64,
    torch.bool,
    torch.float64,
    torch.int32,
    torch.bfloat16,
    torch.float16,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.complex64,
    torch.complex128,
)
_NAMESPACES = ("aten::", "prims::", "quantized_decomposed::")
# The modules that define the operators of a namespace that PyTorch does not load by itself.
_DEFINED_BY = {"quantized_decomposed": "torch.ao.quantization.fx._decomposed"}
# The number of samples of an entry that run per dtype; some entries have hundreds of similar ones.
_MOST_SAMPLES = 60
# Larger tensors test nothing more than smaller ones, and take long.
_MOST_ELEMENTS = 20_000


@dataclass(frozen=True)
class ValueCall:
    """One call of an operator: its name in the schema, and its arguments.

    `kind` is equal for calls that differ only in sizes and values.
    """

    operator: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    kind: str
    entry: str

    @property
    def tensors(self) -> list[torch.Tensor]:
        """The tensors among the arguments, in order."""
        leaves = pytree.tree_leaves((self.args, self.kwargs))
        return [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]

    @property
    def dtype(self) -> str:
        """The dtype of the first tensor; of a call without tensors, its dtype argument."""
        for leaf in [*self.tensors, *pytree.tree_leaves(self.kwargs)]:
            found = leaf.dtype if isinstance(leaf, torch.Tensor) else leaf
            if isinstance(found, torch.dtype):
                return str(found).removeprefix("torch.")
        return "float32"

    def with_tensors(self, tensors: list[torch.Tensor]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with their tensors replaced."""
        leaves, spec = pytree.tree_flatten((self.args, self.kwargs))
        others = iter(tensors)
        leaves = [next(others) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        args, kwargs = pytree.tree_unflatten(leaves, spec)
        return args, kwargs

    def __str__(self) -> str:
        """The call, with a type for each tensor."""
        shown = [_shown(value) for value in self.args]
        shown += [f"{name}={_shown(value)}" for name, value in self.kwargs.items()]
        return f"{self.operator}({', '.join(shown)})"


def overload_of(operator: str) -> Any:
    """The callable of an operator's overload, by its name in the schema."""
    namespace, _, name = operator.partition("::")
    base, _, overload = name.partition(".")
    if namespace in _DEFINED_BY:
        import_module(_DEFINED_BY[namespace])
    return getattr(getattr(getattr(torch.ops, namespace), base), overload or "default")


class ValueRecorder(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Records the first call of every kind, with copies of its tensors."""

    def __init__(self, entry: str, found: dict[tuple[str, str, str], ValueCall]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.entry = entry
        self.found = found

    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Run an operator; record the call if it returns and is the first of its kind."""
        kwargs = kwargs or {}
        call = self._new(func.name(), args, kwargs)
        result = func(*args, **kwargs)
        if call is not None and all(map(_is_plain, pytree.tree_leaves(result))):
            self.found[call.operator, call.dtype, call.kind] = call
        return result

    def _new(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ValueCall | None:
        leaves = pytree.tree_leaves((args, kwargs))
        if not name.startswith(_NAMESPACES) or not all(map(_is_plain, leaves)):
            return None
        kind = repr((_kinds(name, args), {key: _kind(each) for key, each in kwargs.items()}))
        call = ValueCall(name, args, kwargs, kind, self.entry)
        if (name, call.dtype, kind) in self.found or _is_number_for_tensor(call):
            return None
        copies = call.with_tensors(list(map(own_copy, call.tensors)))
        return ValueCall(name, *copies, kind, self.entry)


def _is_number_for_tensor(call: ValueCall) -> bool:
    """Whether a scalar is passed for a tensor of the schema; programs have no such calls."""
    arguments = overload_of(call.operator)._schema.arguments
    return any(
        str(argument.type) == "Tensor" and not isinstance(value, torch.Tensor)
        for argument, value in zip(arguments, call.args, strict=False)
    )


def _is_plain(leaf: Any) -> bool:
    """Whether an argument is a scalar, a name, or a small tensor with plain storage."""
    if isinstance(leaf, torch.Tensor):
        return (
            leaf.layout == torch.strided
            and leaf.device.type == "cpu"
            and not leaf.is_nested
            and not leaf.is_quantized
            and leaf.numel() <= _MOST_ELEMENTS
            and leaf.untyped_storage().nbytes() <= 8 * _MOST_ELEMENTS
        )
    simple = (bool, int, float, complex, str, torch.dtype, torch.device, torch.layout)
    return leaf is None or isinstance(leaf, (*simple, torch.memory_format))


def own_copy(tensor: torch.Tensor) -> torch.Tensor:
    """A copy of a tensor with the same values, sizes and strides."""
    plain = tensor.detach().resolve_conj().resolve_neg()
    storage: torch.UntypedStorage = plain.untyped_storage().clone()  # type: ignore[no-untyped-call]
    with torch.inference_mode(False):
        empty = torch.empty(0, dtype=plain.dtype, device=plain.device)
        return empty.set_(storage, plain.storage_offset(), plain.shape, plain.stride())


def _kinds(operator: str, args: tuple[Any, ...]) -> list[Any]:
    """The kinds of a call's arguments; calls with another `reduction` are of another kind."""
    names = [argument.name for argument in overload_of(operator)._schema.arguments]
    return [
        value if name == "reduction" else _kind(value)
        for name, value in zip(names, args, strict=False)
    ]


def _kind(value: Any) -> Any:
    """The part of a call's kind for one argument."""
    if isinstance(value, torch.Tensor):
        sizes = "empty" if value.numel() == 0 else min(value.dim(), 5)
        return str(value.dtype).removeprefix("torch."), sizes, value.is_contiguous()
    if isinstance(value, list | tuple):
        return [*map(_kind, value)][:2]
    if value is None or isinstance(value, bool | str | torch.dtype):
        return value if isinstance(value, bool | str) else str(value)
    return type(value).__name__


def _shown(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        strides = "" if value.is_contiguous() else f" strided {list(value.stride())}"
        return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}{strides}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_shown, value))}]"
    return repr(value)


def record(name: str) -> list[ValueCall]:
    """The calls that the samples of an entry dispatch, the first of every kind."""
    found: dict[tuple[str, str, str], ValueCall] = {}
    entry = entries()[name]
    for dtype in DTYPES:
        if dtype not in entry.supported_dtypes("cpu"):
            continue
        for sample in _samples(name, entry, dtype, entry.op):
            _run(ValueRecorder(name, found), partial(run_sample, sample), torch.no_grad)
            # Without gradients, composite operators are not decomposed.
            _run(ValueRecorder(name, found), partial(run_sample, sample), torch.inference_mode)
            if dtype == torch.float32 and entry.supports_autograd:
                run = partial(differentiate_sample, sample)
                _run(ValueRecorder(name, found), run, torch.enable_grad)
        if entry.inplace_variant is not None:
            for sample in islice(_samples(name, entry, dtype, entry.inplace_variant), 12):
                _run(ValueRecorder(name, found), partial(run_sample, sample), torch.no_grad)
    return list(found.values())


def _samples(
    name: str, entry: Any, dtype: torch.dtype, called: Callable[..., Any]
) -> Iterator[Sample]:
    torch.manual_seed(0)
    short = str(dtype).removeprefix("torch.")
    with suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = entry.sample_inputs("cpu", dtype, requires_grad=False)
        for index, sample in enumerate(islice(given, _MOST_SAMPLES)):
            args = (sample.input, *sample.args)
            yield Sample(name, short, index, called, args, dict(sample.kwargs))


def recorded_calls_of(
    entry: str, call: Callable[[], Any], found: dict[tuple[str, str, str], ValueCall]
) -> None:
    """Add the operators that a call dispatches to, the first of every kind."""
    _run(ValueRecorder(entry, found), call, torch.inference_mode)


def _run(
    recorder: ValueRecorder, run: Callable[[], Any], mode: Callable[[], AbstractContextManager[Any]]
) -> None:
    with warnings.catch_warnings(), mode():
        warnings.simplefilter("ignore")
        # Calls before the exception count.
        with suppress(Exception), recorder:
            run()


def key_of(call: ValueCall) -> str:
    """A short deterministic name of a call."""
    content = repr((call.operator, call.dtype, call.kind, call.entry, str(call)))
    return hashlib.sha256(content.encode()).hexdigest()[:16]
