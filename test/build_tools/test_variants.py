"""In-place and `out=` variants, whose functions are derived, against PyTorch."""

from random import Random

import pytest
from torch_refine.abstract_interp_lib.rules import variants as rules
from torch_refine.abstract_interpreter.calling import InferenceError, TensorSpec, infer
from torch_refine.build_tools.check_functions import load_families
from torch_refine.build_tools.check_variants import check_variant
from torch_refine.importer.functions.variants import derived_variants, variants

DERIVED = {variant.operator: variant for _, variant in derived_variants(load_families())}
# The others are checked by `python -m torch_refine.build_tools.check_variants`.
SAMPLE = sorted(Random(0).sample(sorted(DERIVED), 150))


@pytest.mark.parametrize("operator", SAMPLE)
@pytest.mark.seeded_part(12)
def test_a_variant(operator):
    problems = list(map(str, check_variant(DERIVED[operator])))
    assert not problems, "\n".join(problems)


def test_what_a_variant_is_of():
    found = {variant.operator: (variant.base, variant.form) for variant in variants()}
    assert found["aten::add_.Tensor"] == ("aten::add.Tensor", "in-place")
    assert found["aten::add.out"] == ("aten::add.Tensor", "out")
    assert found["aten::__iand__.Tensor"] == ("aten::__and__.Tensor", "in-place")
    assert found["aten::squeeze_.dim"] == ("aten::squeeze.dim", "in-place view")
    assert found["aten::max.dim_max"] == ("aten::max.dim", "out")
    assert found["aten::zeros.out"] == ("aten::zeros", "out")
    assert found["aten::rrelu_with_noise.out"] == ("aten::rrelu_with_noise", "out")


def test_an_in_place_operator_keeps_the_shape_of_self():
    assert infer("aten::add_.Tensor", TensorSpec([2, 3]), TensorSpec([3])) == TensorSpec([2, 3])
    with pytest.raises(InferenceError, match="cannot hold the result"):
        infer("aten::add_.Tensor", TensorSpec([3]), TensorSpec([2, 3]))


def test_an_in_place_operator_casts_to_the_dtype_of_self():
    halves, wholes = TensorSpec([2], "float16"), TensorSpec([2], "int64")
    assert infer("aten::add_.Tensor", halves, TensorSpec([2])) == halves
    with pytest.raises(InferenceError, match="cannot be cast"):
        infer("aten::add_.Tensor", wholes, TensorSpec([2]))


def test_a_result_is_written_to_out():
    out = TensorSpec([0], "float64")
    found = infer("aten::add.out", TensorSpec(["n", 3]), TensorSpec([3]), out=out)
    assert found == TensorSpec(["n", 3], "float64")
    with pytest.raises(InferenceError, match="cannot be cast"):
        infer("aten::add.out", TensorSpec([2]), TensorSpec([2]), out=TensorSpec([2], "int64"))


def test_a_factory_takes_the_dtype_of_out():
    out = TensorSpec([0], "int64")
    assert infer("aten::arange.start_out", 0, 5, 2, out=out) == TensorSpec([3], "int64")


def test_castability_is_pytorchs():
    import torch
    from torch_refine.abstract_interp_lib.scalar_types import NUMBERS

    rule = torch.jit.script(rules.dtype_written)
    core = ("bool", "uint8", "int64", "float16", "bfloat16", "float64", "complex64")
    for source in core:
        for target in core:
            try:
                rule((1, NUMBERS[target]), NUMBERS[source])
                ours = True
            except torch.jit.Error:
                ours = False
            assert ours == torch.can_cast(getattr(torch, source), getattr(torch, target))
