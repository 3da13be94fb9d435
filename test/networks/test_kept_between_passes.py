"""Networks, reified and simplified: in one run, and pass by pass, which keeps nothing."""

import pytest
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.passes.base import RunState
from torch_refine.passes.erase_tensor_types import EraseTensorTypes
from torch_refine.pipelines.parsing import parse_pipeline
from torch_refine.pipelines.runner import Runner

from .corpus import VARIANTS

PASSES = (
    "torch-reify-shape-calculations",
    "torch-reify-dtype-calculations",
    "torch-simplify-shape-calculations",
    "torch-simplify-dtype-calculations",
)


@pytest.mark.parametrize(
    "variant", [each for each in VARIANTS if each.dynamic], ids=lambda each: each.name
)
@pytest.mark.seeded_part(6)
def test_one_run_gives_what_runs_of_each_pass_give(variant, corpus):
    context = new_context()
    together = ir.Module.parse(corpus.text(variant), context).operation
    EraseTensorTypes().run(together, RunState())
    alone = together.clone(ip=False)
    elements = parse_pipeline(f"builtin.module({','.join(PASSES)})", context, "builtin.module")
    Runner().run(elements, together)
    for element in elements:
        Runner().run([element], alone)
    assert str(together) == str(alone)
    alone.erase()
