"""Export of models that call the transforms of `torch.func`, such as `vmap` and `grad`.

`torch.export` records the operators before autograd sees them. A transform is then a series of
calls that change the state of the process and wrap tensors; only a trace below it has none.

This module loads PyTorch.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch._C._functorch import (
    get_dynamic_layer_stack_depth,
    pop_dynamic_layer_stack_and_undo_to_depth,
)
from torch.autograd import forward_ad
from torch.export import ExportedProgram
from torch_refine.passes.lowering.exported.inlining import graphs_of

_TRANSFORMS = ("torch._functorch.", "torch._C._functorch")
_FILES = ("vmap.py", "eager_transforms.py", "apis.py", "predispatch.py", "pyfunctorch.py")
# What PyTorch says of a program with wrapped tensors, after the trace.
_WRAPPED = "We found a fake tensor in the exported program constant's list"


def export_below_transforms(
    model: torch.nn.Module,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    dynamic_shapes: Any,
) -> ExportedProgram:
    """Export a model as the operators that its transforms call; raises as `torch.export` does."""
    from torch.export._trace import _export

    found: ExportedProgram = _export(
        model, arguments, dict(keywords), dynamic_shapes, strict=False, pre_dispatch=False
    )
    return found


def has_transforms(program: ExportedProgram) -> bool:
    """Whether a program has calls of transforms."""
    return any(
        str(getattr(node.target, "__module__", None)).startswith(_TRANSFORMS)
        for module in graphs_of(program.graph_module)
        for node in module.graph.nodes
        if node.op == "call_function"
    )


def failed_in_transforms(error: BaseException) -> bool:
    """Whether an export failed because the model calls transforms."""
    if _WRAPPED in str(error):
        return True
    errors: list[BaseException | None] = [error, error.__cause__, error.__context__]
    return any(
        Path(frame.filename).parent.name == "_functorch" and Path(frame.filename).name in _FILES
        for each in errors
        if each is not None
        for frame in traceback.extract_tb(each.__traceback__)
    )


@contextmanager
def undone_transforms() -> Iterator[None]:
    """Leave transforms that a failed trace entered: all later computations would be in them."""
    depth, level = get_dynamic_layer_stack_depth(), _dual_level()
    try:
        yield
    finally:
        if get_dynamic_layer_stack_depth() > depth:
            pop_dynamic_layer_stack_and_undo_to_depth(depth)
        while _dual_level() > level:
            forward_ad.exit_dual_level(level=_dual_level())  # type: ignore[no-untyped-call]


def _dual_level() -> int:
    """The level of forward differentiation, -1 for none."""
    return int(forward_ad._current_level)
