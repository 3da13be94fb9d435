"""Every access of many programs is proven in bounds or asserted: a property of their IR."""

import pytest
import torch
from index_calls import Together, programs
from torch_refine.dialect.bindings import ir, new_context, operations, walk
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import import_for_lowering
from torch_refine.passes.base import RunState
from torch_refine.passes.lowering.buffers.sorts import PERMUTATION
from torch_refine.passes.lowering.linalg.index_ranges import Range, Ranges
from torch_refine.passes.lowering.linalg.index_sizes import Size
from torch_refine.passes.lowering.linalg.insert_bounds_checks import CHECKED, InsertBoundsChecks
from torch_refine.pipelines.lowering.cpu import TorchToCpuPipeline
from torch_refine.pipelines.runner import Runner

LOOPS = "prefetch-operands"
VIEWS = (
    "memref.cast",
    "memref.collapse_shape",
    "memref.expand_shape",
    "memref.reinterpret_cast",
    "memref.subview",
    "memref.view",
)


class More(torch.nn.Module):
    """Operators whose indices follow from sizes, constants and other values."""

    def forward(self, x):
        angles = x[:1, :2, 0, :3]
        grid = torch.nn.functional.affine_grid(angles, (1, 2, 4, 4), align_corners=False)
        places = torch.argsort(x[0, 0], -1)
        return (
            torch.nn.functional.grid_sample(x[:1, :2], grid, align_corners=False),
            torch.nn.functional.interpolate(x, scale_factor=1.7, mode="nearest"),
            torch.nn.functional.interpolate(x, size=(5, 9), mode="bilinear"),
            torch.gather(x[0, 0], 1, places),
            torch.nn.functional.max_pool2d(x, 2, return_indices=True),
            torch.tril(x[0, 0]),
            torch.diagonal(x, 0, 2, 3),
        )


def _lowered(model, inputs, until=None):
    """A program as linalg on tensors, or after a given pass."""
    program = import_for_lowering(export_program(model, inputs, {}, None))
    module = ir.Module.parse(program.module.operation.get_asm(), new_context())
    pipeline = TorchToCpuPipeline()
    stages = pipeline.stages()
    elements = (*stages["contract"], *stages["linalg"])
    if until is not None:
        elements = pipeline.elements()
        steps = next(at for at, each in enumerate(elements) if each.name == until)
        elements = elements[:steps]
    Runner(RunState(), verify_each=False).run(elements, module.operation)
    return module


def _inserted(module):
    state = RunState()
    InsertBoundsChecks().run(module.operation, state)
    return state.statistics[InsertBoundsChecks.name]["assertions inserted"]


def _programs():
    for number, cases in enumerate(programs()):
        inputs = tuple(torch.tensor(case.indices) for case in cases)
        yield pytest.param(Together(cases), inputs, id=f"indices {number}")
    yield pytest.param(More(), (torch.rand(2, 3, 4, 8),), id="more")


PROGRAMS = list(_programs())


@pytest.mark.parametrize(("model", "inputs"), PROGRAMS)
def test_every_access_is_asserted_or_proven(model, inputs):
    """After lowering to linalg, insert-bounds-checks finds nothing to assert."""
    module = _lowered(model, inputs)
    for op in walk(module.operation):
        if op.name == "tm_tensor.scatter":
            assert CHECKED in op.attributes
            del op.attributes[CHECKED]
            assert _asserts(_computing(op.operands[1]))
            op.attributes[CHECKED] = ir.UnitAttr.get(op.context)
    assert _inserted(module) == 0
    del module


def _computing(value):
    """The op that computes the elements of a tensor, of which the value may be another shape."""
    owner = value.owner
    while owner.name == "tensor.collapse_shape":
        owner = owner.operands[0].owner
    return owner


def _asserts(owner):
    return any(each.name == "cf.assert" for each in walk(getattr(owner, "operation", owner)))


@pytest.mark.parametrize(("model", "inputs"), PROGRAMS)
def test_asserts_precede_accesses(model, inputs, monkeypatch):
    """After all passes on loops, an index read from memory was asserted before.

    Contents of memory are only proven for tensors, so here nothing is known about them.
    """
    monkeypatch.setattr(Ranges, "of_elements", lambda *_: Range())
    module = _lowered(model, inputs, until=LOOPS)
    functions = {_name(each): each for each in operations(module.operation.regions[0].blocks[0])}
    seen = sum(_check_function(each, functions) for each in functions.values())
    assert seen > 0, "a program of which nothing is looked at tests nothing"
    del module, functions


def _name(op):
    return ir.StringAttr(op.attributes["sym_name"]).value if "sym_name" in op.attributes else ""


def _check_function(function, functions):
    """Check every data-dependent access of a function; returns their number."""
    found = 0
    for op in walk(function):
        if op.name not in ("memref.load", "memref.store"):
            continue
        memory, *indices = list(op.operands)[op.name == "memref.store" :]
        for dim, index in enumerate(indices):
            sources = _read_for([index])
            size = ir.MemRefType(memory.type).get_dim_size(dim)
            if not sources or Ranges().of(index).is_within(Size(size)):
                continue
            found += 1
            asserted = _asserted_before(op, functions)
            assert sources <= asserted, f"{op} in {_name(function)} is not asserted"
    return found


def _maker(value):
    return None if isinstance(value.owner, ir.Block) else value.owner.operation


def _read_for(values):
    """The memory from which values are computed."""
    found, pending, seen = set(), list(values), set()
    while pending:
        op = _maker(pending.pop())
        if op is None or op in seen:
            continue
        seen.add(op)
        # Places that a sort computed are in bounds by construction.
        if op.name == "memref.load" and PERMUTATION not in op.attributes:
            found.add(_base(op.operands[0]))
        if PERMUTATION not in op.attributes:
            pending.extend(op.operands)
        if op.name == "scf.for":
            pending.extend(operand for each in walk(op) for operand in each.operands)
    return found


def _base(memory):
    """The underlying buffer of a view."""
    op = _maker(memory)
    while op is not None and op.name in VIEWS:
        memory = op.operands[0]
        op = _maker(memory)
    return memory


def _asserted_before(op, functions):
    """The memory about which an assert holds in ops that dominate another."""
    found = set()
    while op.name != "func.func":
        for each in operations(op.block):
            if each == op:
                break
            if each.name == "cf.assert":
                found |= _read_for([each.operands[0]])
            if each.name == "func.call":
                callee = functions[ir.FlatSymbolRefAttr(each.attributes["callee"]).value]
                if _asserts(callee):
                    found.update(map(_base, each.operands))
        op = op.parent.operation
    return found | _asserted_when_prepared(op, functions)


def _asserted_when_prepared(function, functions):
    """The arguments that another function computes from the weights, and asserts."""
    if "torch_refine.prepared" not in function.attributes:
        return set()
    [result] = [
        each for each in walk(functions[f"prepare_{_name(function)}"]) if each.name == "func.return"
    ]
    asserted = _asserted_before(result, functions)
    # The last argument is the workspace.
    arguments = list(function.regions[0].blocks[0].arguments)[:-1]
    prepared = arguments[len(arguments) - len(result.operands) :]
    pairs = zip(prepared, result.operands, strict=True)
    return {argument for argument, made in pairs if _base(made) in asserted}
