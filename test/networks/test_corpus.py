from __future__ import annotations

import pytest
from torch_refine.dialect.bindings import ir, new_context, operations

from .corpus import VARIANTS, Corpus, Variant


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
@pytest.mark.seeded_part(12)
def test_a_variant_is_valid_and_fully_typed(variant: Variant, corpus: Corpus) -> None:
    """What refinement must find again is there: a type for each tensor, exact where shapes are."""
    module = ir.Module.parse(corpus.text(variant), new_context())
    assert module.operation.verify()
    (function,) = operations(module.body)
    for operation in operations(function.regions[0].blocks[0]):
        for result in operation.results:
            kind = str(result.type)
            if kind.startswith("!torch.vtensor"):
                assert kind.startswith("!torch.vtensor<["), operation
                assert variant.dynamic or "?" not in kind, operation
