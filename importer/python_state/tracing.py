"""Export of models that change state in Python: it is part of the program, or refused.

An exported program has no Python: it has the values that attributes had in the trace, and does not
change them. That is right if later calls do not depend on what a call changes, which a second
trace tells that begins with what the first one left. Tensors on which they depend become buffers
for the export, whose new values the program returns. Other models are refused.

This module loads PyTorch.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch._subclasses.functional_tensor import FunctionalTensor
from torch.export import ExportedProgram
from torch.fx.experimental.proxy_tensor import get_proxy_mode, get_proxy_slot
from torch_refine.importer.python_state.comparing import compute_the_same, written_constants
from torch_refine.importer.python_state.reads import Reads, recorded_reads
from torch_refine.importer.python_state.snapshot import Change, Snapshot, mapped, random_states

_log = logging.getLogger("torch_refine")
_SHOWN = 4
Export = Callable[[], ExportedProgram]


class PythonStateError(Exception):
    """Later calls depend on state in Python that a call changes; the message names it."""


@dataclass(frozen=True)
class Exported:
    """An exported program of a model."""

    program: ExportedProgram
    assigned: frozenset[str] = frozenset()
    """The buffers and attributes to which `forward` assigns new tensors, by name."""
    unread: frozenset[str] = frozenset()
    """Buffers that hold what `forward` computed before, and the program computes again."""
    reads: Reads = field(default_factory=Reads)
    """What the program was compiled for."""


def export_with_state(model: torch.nn.Module, export: Export) -> Exported:
    """Export a model, and again where state in Python changes; the model stays as it was.

    Raises:
        PythonStateError: a program cannot keep that state.
        Exception: what `export` raises.
    """
    attributes: list[tuple[torch.nn.Module, str]] = []
    written: list[torch.Tensor] = []
    while True:
        with _as_buffers(attributes, written):
            trace = _Trace(model)
            with trace:
                program = export()
            constants = written_constants(program)
            wanted = _attributes_of(model, constants)
            if not wanted:
                if trace.leaves_all() or _is_settled(model, export, trace, program):
                    return trace.exported(program)
                wanted = [
                    (each.module, each.path.rpartition(".")[2])
                    for each in trace.changes
                    if each.module is not None
                    and isinstance(each.before, torch.Tensor)
                    and isinstance(each.after, torch.Tensor)
                ]
        if not wanted or trace.retyped:
            raise PythonStateError(_message(trace))
        # Each turn makes buffers of more attributes, so that this ends.
        attributes = [*attributes, *wanted]
        written += constants


@dataclass
class _Trace:
    """Records what the call of a model changes; the model is as before when it ends."""

    model: torch.nn.Module
    changes: list[Change] = field(default_factory=list)
    later: list[tuple[int, Any]] = field(default_factory=list)
    nodes: dict[int, str] = field(default_factory=dict)
    """The nodes that compute the changed tensors, by identity."""
    assigned: list[str] = field(default_factory=list)
    drew_numbers: bool = False
    retyped: dict[str, tuple[torch.Tensor, Any]] = field(default_factory=dict)
    """Buffers that are of another type now: what they were, and what they are."""

    def exported(self, program: ExportedProgram) -> Exported:
        """A program with what was recorded."""
        changed = {each.path.removeprefix("self.") for each in self.changes}
        kept = {name: each for name, each in self._reads.values.items() if name not in changed}
        return Exported(
            program,
            frozenset(self.assigned),
            frozenset(self.retyped),
            Reads(
                self._reads.modules,
                kept,
                self._reads.containers,
                frozenset(each.place for each in self.changes),
            ),
        )

    def leaves_all(self) -> bool:
        """Whether a call leaves all state that is not in buffers as it was."""
        return not (self.changes or self.drew_numbers or self.retyped)

    def __enter__(self) -> None:
        self._before = Snapshot(self.model, with_values=True)
        self._reads = Reads()
        self._reading = ExitStack()
        # A model may call itself.
        self._depth = 0
        self._hooks = [
            self.model.register_forward_pre_hook(self._begin, prepend=True),
            self.model.register_forward_hook(self._end, always_call=True),
        ]

    def __exit__(self, *error: object) -> None:
        for hook in self._hooks:
            hook.remove()
        self._reading.close()
        self.restore()

    def restore(self) -> None:
        """Set the state of the model to what it was before the trace."""
        self._before.restore()

    def _begin(self, module: torch.nn.Module, arguments: Any) -> None:
        self._depth += 1
        if self._depth > 1:
            return
        self.assigned, self.retyped, self.nodes = [], {}, {}
        # Weights are symbolic ones by now.
        self.snapshot = Snapshot(module)
        self._buffers, self._random = _buffers(module), random_states()
        self._reading.close()
        self._reads = self._reading.enter_context(recorded_reads(module))

    def _end(self, module: torch.nn.Module, arguments: Any, results: Any) -> None:
        self._depth -= 1
        if self._depth:
            return
        self._reading.close()
        self.changes, self.later = self.snapshot.changes(), self.snapshot.later()
        self.drew_numbers = random_states() != self._random
        present = _buffers(module)
        for name, buffer in self._buffers.items():
            assigned = present.get(name)
            if assigned is not buffer:
                self._note_assigned(name, buffer, assigned)
        changed = [*self.later, *self.retyped.values()]
        mode = get_proxy_mode()
        if mode is not None:
            for _, content in changed:
                mapped(content, lambda value: self._note_node(value, mode.tracer))

    def _note_assigned(self, name: str, buffer: torch.Tensor, assigned: Any) -> None:
        """Note that a buffer is another tensor now, which the program must return."""
        if not isinstance(assigned, torch.Tensor) or (
            (assigned.shape, assigned.dtype) != (buffer.shape, buffer.dtype)
        ):
            self.retyped[name] = buffer, assigned
            return
        self.assigned.append(name)
        # PyTorch does this for the buffers of the model itself, if the trace is not below
        # transforms, and loses those of modules in it.
        if "." in name or isinstance(assigned, FunctionalTensor):
            buffer.copy_(assigned)

    def _note_node(self, value: Any, tracer: Any) -> None:
        if isinstance(value, torch.Tensor):
            slot = get_proxy_slot(value, tracer, default=None)
            node = getattr(getattr(slot, "proxy", None), "node", None)
            if node is not None:
                self.nodes[id(value)] = node.name


def _is_settled(
    model: torch.nn.Module, export: Export, trace: _Trace, program: ExportedProgram
) -> bool:
    """Whether a call after the first computes the same as the first."""
    kept: dict[int, str | None] = {}
    alive: list[torch.Tensor] = []

    def real(value: Any) -> Any:
        if isinstance(value, torch.Tensor) and id(value) in trace.nodes:
            made = _arbitrary([_hint(size) for size in value.shape], value)
            kept[id(made)] = trace.nodes[id(value)]
            alive.append(made)
            return made
        return _hint(value)

    try:
        buffers = {name: real(assigned) for name, (_, assigned) in trace.retyped.items()}
        trace.snapshot.add([(place, mapped(content, real)) for place, content in trace.later])
        with _replaced_buffers(model, buffers), _Trace(model):
            again = export()
    except Exception as error:
        _log.debug("a trace that begins with what the first one left fails: %s", error)
        return False
    finally:
        trace.restore()
    return compute_the_same(program, again, kept)


def _arbitrary(sizes: Sequence[int], like: torch.Tensor) -> torch.Tensor:
    """A tensor of values that no model has, so that a copy of it is not taken for another."""
    generator = torch.Generator().manual_seed(0)
    if like.is_floating_point() or like.is_complex():
        kind = torch.complex64 if like.is_complex() else torch.float32
        made = torch.rand(sizes, generator=generator, dtype=kind)
    else:
        made = torch.randint(0, 2 if like.dtype == torch.bool else 99, sizes, generator=generator)
    return made.to(like.device, like.dtype)


def _hint(value: Any) -> Any:
    """The example's number, for a symbolic one."""
    if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        return value.node.hint
    return value


@contextmanager
def _replaced_buffers(model: torch.nn.Module, tensors: Mapping[str, Any]) -> Iterator[None]:
    """Replace buffers meanwhile, by name."""
    owners = {name: model.get_submodule(name.rpartition(".")[0])._buffers for name in tensors}
    before = {name: owners[name][name.rpartition(".")[2]] for name in tensors}
    try:
        for name, tensor in tensors.items():
            owners[name][name.rpartition(".")[2]] = tensor
        yield
    finally:
        for name, tensor in before.items():
            owners[name][name.rpartition(".")[2]] = tensor


@contextmanager
def _as_buffers(
    attributes: Sequence[tuple[torch.nn.Module, str]], written: Sequence[torch.Tensor]
) -> Iterator[None]:
    """Register attributes as buffers meanwhile; `written` are written to in place."""
    tensors = [module.__dict__.pop(name) for module, name in attributes]
    try:
        for place, ((module, name), tensor) in enumerate(zip(attributes, tensors, strict=True)):
            # Those that are one tensor are two once one of them is assigned.
            is_shared = any(tensor is each for each in tensors[:place]) and not any(
                tensor is each for each in written
            )
            value = tensor.clone() if is_shared else tensor
            module.register_buffer(name, value, persistent=False)
        yield
    finally:
        for (module, name), tensor in zip(attributes, tensors, strict=True):
            module._buffers.pop(name, None)
            module._non_persistent_buffers_set.discard(name)
            module.__dict__[name] = tensor


def _attributes_of(
    model: torch.nn.Module, tensors: Sequence[torch.Tensor]
) -> list[tuple[torch.nn.Module, str]]:
    """The attributes of modules that are these tensors."""
    wanted = {id(each) for each in tensors}
    return [
        (module, name)
        for module in model.modules()
        for name, value in vars(module).items()
        if id(value) in wanted
    ]


def _buffers(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    return dict(model.named_buffers(remove_duplicate=False))


def _shown(value: Any) -> str:
    if not isinstance(value, torch.Tensor):
        return str(value)
    return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"


def _message(trace: _Trace) -> str:
    for name, (buffer, assigned) in trace.retyped.items():
        return (
            f"forward assigns {_shown(assigned)} to the buffer {name!r}, which is "
            f"{_shown(buffer)}, and a program is compiled for the types of its buffers"
        )
    paths = [each.path for each in trace.changes] or ["the state of Python's random numbers"]
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    return (
        f"forward changes {', '.join(paths[:_SHOWN])}{more}, and what a later call computes "
        "depends on it: a program has no Python. Keep it in a buffer (register_buffer), pass it "
        'as an input and return it, or use torch.compile(model, backend="torch_refine"), which '
        "leaves it to Python"
    )
