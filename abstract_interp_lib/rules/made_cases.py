"""Case arguments that must be created first: tensors that `torch.ones` cannot create, with
non-contiguous strides or as an opaque handle, and process groups.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch_refine.abstract_interp_lib.declaration import TensorCase


@dataclass(frozen=True)
class MadeCase(TensorCase):
    """A tensor argument that `make` creates when the case runs in PyTorch."""

    make: Callable[[], torch.Tensor] | None = None


def made(dtype: torch.dtype, *sizes: int, make: Callable[[], torch.Tensor]) -> MadeCase:
    """A tensor for a case that only `make` can create; a function sees a tensor of these sizes."""
    return MadeCase(sizes, dtype, make=make)


class GroupCase(str):
    """A process group as an argument of a case: the name that it is registered under."""

    __slots__ = ("size",)
    size: int

    def make(self) -> str:
        """Register the group in this process, once; its name.

        It has PyTorch's `fake` backend, which checks arguments and moves no data, so a collective
        runs in one process. It replaces no group of the caller's.
        """
        from torch._C import _distributed_c10d as c10d

        name = str(self)
        try:
            c10d._resolve_process_group(name)
        except RuntimeError:
            group = c10d.ProcessGroup(c10d.HashStore(), 0, self.size)
            fake = c10d.FakeProcessGroup._create_internal(0, self.size)
            for device in ("cpu", "meta"):
                kind = c10d.ProcessGroup.BackendType.CUSTOM
                group._register_backend(torch.device(device), kind, fake)
            group._set_group_name(name)
            c10d._register_process_group(name, group)
            # PyTorch refers to registered groups weakly.
            _groups[name] = group
        return name


_groups: dict[str, object] = {}


def process_group(size: int) -> GroupCase:
    """A process group of `size` processes, for a case; a function sees its name."""
    made = GroupCase(f"torch_refine_cases_{size}")
    made.size = size
    return made
