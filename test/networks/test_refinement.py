"""Real networks: types are erased, refined, and compared with PyTorch's FakeTensor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from torch_refine.dialect.bindings import ir, new_context, walk
from torch_refine.dialect.names import name_of
from torch_refine.dialect.tensor_type import Contradiction, TensorType, Types
from torch_refine.passes.base import RunState
from torch_refine.passes.erase_tensor_types import EraseTensorTypes
from torch_refine.pipelines.refinement import RefinementPipeline, ReifiedRefinementPipeline
from torch_refine.pipelines.runner import Runner

from .corpus import VARIANTS, Corpus, Variant

Values = list[tuple[str, TensorType, TensorType]]


def _refined(
    variant: Variant, corpus: Corpus, opt: Callable[..., CompletedProcess[str]], folder: Path
) -> Values:
    """Every tensor value of a network: its operator, FakeTensor's type, and the refined type."""
    context = new_context()
    types = Types(context)
    truth = ir.Module.parse(corpus.text(variant), context).operation
    erased = ir.Module.parse(corpus.text(variant), context).operation
    EraseTensorTypes().run(erased, RunState())
    source, target = folder / "erased.mlir", folder / "refined.mlir"
    source.write_text(str(erased))
    done = opt("--torch-refinement-pipeline", source, "-o", target)
    assert done.returncode == 0 and done.stderr == ""
    found = ir.Module.parse(target.read_text(), context).operation
    compared: Values = []
    hidden = 0
    for before, without, after in zip(walk(truth), walk(erased), walk(found), strict=True):
        assert before.name == after.name
        for one, blank, other in zip(before.results, without.results, after.results, strict=True):
            expected, actual = types.tensor(one.type), types.tensor(other.type)
            if expected is None or actual is None:
                assert one.type == other.type
                continue
            # The comparison is worth nothing unless the type was gone.
            literal = before.name == "torch.vtensor.literal"
            assert (types.tensor(blank.type) == expected) == literal
            hidden += not literal
            compared.append((name_of(before), expected, actual))
    assert hidden > 5
    signatures = [next(iter(module.regions[0].blocks[0].operations)) for module in (truth, found)]
    declared = [str(each.operation.attributes["function_type"]) for each in signatures]
    assert variant.dynamic or declared[0] == declared[1]
    return compared


@pytest.mark.parametrize(
    "variant", [each for each in VARIANTS if not each.dynamic], ids=lambda each: each.name
)
def test_every_type_is_fake_tensors(variant, corpus, opt, tmp_path):
    """With static shapes, every value's type equals the one that FakeTensor gave."""
    compared = _refined(variant, corpus, opt, tmp_path)
    assert compared
    different = [entry for entry in compared if entry[1] != entry[2]]
    assert different == []


@pytest.mark.parametrize(
    "variant", [each for each in VARIANTS if each.dynamic], ids=lambda each: each.name
)
def test_dynamic_types_say_what_fake_tensors_say(variant, corpus, opt, tmp_path):
    """With dynamic shapes, nothing contradicts FakeTensor, and nothing that it knows is missing."""
    for operator, expected, actual in _refined(variant, corpus, opt, tmp_path):
        try:
            met = expected.meet(actual)
        except Contradiction as error:
            pytest.fail(f"{operator}: {actual} against FakeTensor's {expected}: {error}")
        assert actual.has_rank_and_element, (operator, expected, actual)
        assert met == actual, (operator, expected, actual)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda each: each.name)
@pytest.mark.seeded_part(12)
def test_the_reified_way_agrees(variant, corpus):
    """Both ways give the same types."""
    values = []
    for pipeline in (RefinementPipeline, ReifiedRefinementPipeline):
        context = new_context()
        types = Types(context)
        module = ir.Module.parse(corpus.text(variant), context).operation
        EraseTensorTypes().run(module, RunState())
        Runner().run(pipeline().elements(), module)
        found = [types.tensor(result.type) for op in walk(module) for result in op.results]
        values.append([type for type in found if type is not None])
    assert values[0] == values[1]
