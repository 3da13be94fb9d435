"""How many schedules are applied to the cases of the benchmark; none of them may be skipped.

Code for fixed processors, which is not run: a schedule that no longer applies is no error.
"""

import re
from collections import Counter

import pytest
import torch
from codegen_cases import CASES
from torch_refine.dialect.diagnostics import RemarkFilter
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import import_for_lowering
from torch_refine.passes.base import RunState
from torch_refine.pipelines.lowering.cpu import TorchToCpuPipeline
from torch_refine.pipelines.runner import Runner

# AVX2 and AVX-512.
LEVELS = ("x86-64-v3", "x86-64-v4")
LAST = "lower-vectors"
"""The last pass that applies schedules."""
_SCHEDULE = re.compile(r"schedule (\S+) (applied|skipped)")

_ROWS = {"rows": 1}
_MATMUL = {"contraction": 1, "packing": 1, "vectors": 3}
_LINEAR = {"contraction": 1, "packing": 1, "transposes": 1, "vectors": 5}
_CONVOLUTION = {"contraction": 1, "packing": 1, "transposes": 3, "vectors": 9}
_ENCODER = {"attention": 1, "contraction": 4, "packing": 6, "rows": 1, "transposes": 4}
_RESNET = {"contraction": 18, "packing": 12, "rows": 1, "transposes": 12, "windows": 1}
APPLIED = {
    # What is elementwise is left to LLVM's vectorizer.
    "gelu(x*w+b) 4096x1024": {},
    "softmax 4096x1024": _ROWS,
    "layer norm 4096x1024": _ROWS,
    "matmul 1024x1024x1024": _MATMUL,
    "linear+relu 512x1024x1024": _LINEAR,
    "conv2d 64x56x56, 64 3x3": _CONVOLUTION,
    "encoder layer 128x256": {**_ENCODER, "vectors": 27},
    "ResNet-18 224x224": {**_RESNET, "vectors": 66},
    "gelu(x*w+b) 1000x1023": {},
    "softmax 1000x1023": _ROWS,
    "layer norm 1000x1023": _ROWS,
    "matmul 1000x999x1023": _MATMUL,
    "linear+relu, batch 3": _LINEAR,
    "conv2d 64x57x57, 64 3x3": _CONVOLUTION,
    "softmax, dynamic rows": _ROWS,
    "linear+relu, dynamic batch": _LINEAR,
}
"""By case, how many times each schedule is applied, for either level."""
THREADED = ("gelu(x*w+b) 4096x1024", "softmax 4096x1024", "layer norm 4096x1024")
"""Cases of one kernel, no contraction, that is distributed over threads by a schedule."""


def _module(name):
    """A case as linalg on tensors, which is the same for all processors."""
    (case,) = (case for case in CASES if case.name == name)
    shapes = None if case.dynamic_shapes is None else case.dynamic_shapes()
    with torch.no_grad():
        model, inputs = case.make()
        program = export_program(model.eval(), inputs, {}, shapes)
    module = import_for_lowering(program).module
    stages = TorchToCpuPipeline().stages()
    for stage in ("contract", "linalg"):
        Runner(verify_each=False).run(stages[stage], module.operation)
    return module


def _counts(module, **options):
    """How many times each schedule is applied to a copy of a module, and remarks on the others."""
    state = RunState(remarks=RemarkFilter(missed=re.compile(".*")))
    stages = TorchToCpuPipeline(**options).stages()
    elements = [element for name in ("fusion", "packing", "code") for element in stages[name]]
    names = [getattr(element, "name", None) for element in elements]
    copy = module.operation.clone()
    Runner(state, verify_each=False).run(elements[: names.index(LAST) + 1], copy)
    applied, skipped = Counter(), Counter()
    for counted in state.statistics.values():
        for what, number in counted.items():
            found = _SCHEDULE.fullmatch(what)
            if found is not None:
                (applied if found[2] == "applied" else skipped)[found[1]] += number
    reported = map(str, state.diagnostics.reported)
    remarks = [each for each in reported if 'Reason="no schedule:' not in each]
    assert bool(remarks) == bool(skipped)
    del copy
    return dict(applied), remarks


def test_each_case_has_its_counts():
    assert set(APPLIED) == {case.name for case in CASES}
    assert set(THREADED) <= set(APPLIED)


@pytest.mark.parametrize("name", APPLIED)
def test_no_schedule_is_skipped(name, no_context_left):
    module = _module(name)
    for cpu in LEVELS:
        assert _counts(module, cpu=cpu) == (APPLIED[name], [])
    if name in THREADED:
        expected = {"threads": 1, **APPLIED[name]}
        assert _counts(module, cpu=LEVELS[0], threads=2) == (expected, [])
    del module
