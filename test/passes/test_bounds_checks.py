"""Every access of many programs is proven to be in range, or asserted: a property of their IR."""

import sys
from pathlib import Path

import pytest
import torch
from torch.export import Dim
from torch_refine.dialect.bindings import ir, new_context, operations, walk
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import import_for_lowering
from torch_refine.passes.base import RunState
from torch_refine.passes.lowering.insert_bounds_checks import CHECKED, InsertBoundsChecks
from torch_refine.pipelines.lowering.cpu import TorchToCpuPipeline
from torch_refine.pipelines.runner import Runner

sys.path.insert(0, str(Path(__file__).parent.parent / "runtime"))
from index_calls import Together, programs

LOOPS = "hoist-asserts"


class More(torch.nn.Module):
    """Operators whose places follow from sizes, numbers and other values."""

    def forward(self, x, n):
        grid = torch.nn.functional.affine_grid(x[:1, :2, 0].reshape(1, 2, -1)[:, :, :3], (1, 2, 4, 4))
        places = torch.argsort(x[0, 0], -1)
        return (
            torch.nn.functional.grid_sample(x[:1, :2], grid),
            torch.nn.functional.interpolate(x, scale_factor=1.7, mode="nearest"),
            torch.nn.functional.interpolate(x, size=(5, 9), mode="bilinear"),
            torch.gather(x[0, 0], 1, places),
            torch.nn.functional.max_pool2d(x, 2, return_indices=True),
            x[:, :, n.item() :],
            torch.roll(x, 2, 3),
            torch.nn.functional.pad(x, (1, 1), mode="reflect"),
            torch.tril(x[0, 0]),
            torch.diagonal(x, 0, 2, 3),
        )


def _lowered(model, inputs, dynamic, until=None):
    """A program as linalg on tensors, or until a pass."""
    shapes = None
    if dynamic:
        shapes = ((tuple({0: Dim.AUTO} for _ in inputs)),)
    program = import_for_lowering(export_program(model, inputs, {}, shapes))
    module = ir.Module.parse(program.module.operation.get_asm(), new_context())
    pipeline = TorchToCpuPipeline()
    elements = pipeline.elements()
    steps = pipeline.linalg_steps()
    if until is not None:
        steps = next(at for at, each in enumerate(elements) if each.name == until)
    Runner(RunState(), verify_each=False).run(elements[:steps], module.operation)
    return module


def _inserted(module):
    state = RunState()
    InsertBoundsChecks().run(module.operation, state)
    return state.statistics[InsertBoundsChecks.name]["assertions inserted"]
