"""Explanations of every lit input that refinement accepts: all values, all causes, the advice."""

from pathlib import Path

import pytest
from torch_refine import RefineError, refine
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.pipelines.explanation.explainer import Explainer
from torch_refine.pipelines.explanation.model import KINDS

TESTS = Path(__file__).parents[2]
FILES = sorted(
    path
    for folder in ("passes", "pipelines")
    for path in (TESTS / folder).glob("*.mlir")
    if "!torch." in path.read_text()
)
MOST_VALUES = 60


def _refined(text):
    """A part of a file, refined; None if it is rejected."""
    context = new_context()
    context.allow_unregistered_dialects = True
    try:
        module = ir.Module.parse(text, context)
        refine(module, invalid_program="warn")
    except (ir.MLIRError, RefineError):
        return None
    return module


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
@pytest.mark.seeded_part(12)
def test_every_value_is_explained(file):
    for text in file.read_text().split("// -----"):
        module = _refined(text)
        if module is None:
            continue
        before = str(module)
        explainer = Explainer(module.operation)
        advice = explainer.advice()
        assert advice.left <= advice.unknown
        assert advice.unknown - advice.left == sum(each.resolved for each in advice.proposals)
        assert str(explainer)
        finder = explainer._current()
        for value in finder.analysis.values[:MOST_VALUES]:
            explanation = explainer.explain(value)
            assert explanation.value in str(explanation)
            is_known = finder.analysis.is_known(value)
            if finder.analysis.tensor(value) is not None:
                assert is_known or explanation.causes, str(explanation)
            assert all(cause.kind in KINDS for cause in explanation.causes)
        assert str(module) == before
