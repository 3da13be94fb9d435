"""The document and the data of coverage say what the library has."""

import json

import pytest
import torch_refine
from torch_refine.build_tools.write_coverage import (
    DOCUMENT,
    LEFT_OUT,
    document,
    is_covered,
    left_out,
    tensor_operators,
)
from torch_refine.operator_coverage import MANIFEST
from torch_refine.passes.abstract_interpreter.library import Programs


def test_the_document_is_fresh():
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run `make docs`"


def test_every_operator_has_functions_or_a_reason():
    programs, reasons = Programs(), left_out()
    without = [name for name in tensor_operators() if not is_covered(name, programs)]
    assert [name for name in without if name not in reasons] == []
    listed = [name for names in json.loads(LEFT_OUT.read_text()).values() for name in names]
    assert [name for name in listed if is_covered(name, programs)] == []
    assert len(listed) == len(set(listed))


def test_the_manifest_is_of_the_versions_that_are_installed():
    import torch

    versions = json.loads(MANIFEST.read_text())["versions"]
    assert versions["torch"] == torch.__version__.partition("+")[0]


def test_coverage_of_an_operator():
    found = torch_refine.coverage("aten::mm")
    assert (found.operator, found.shape, found.dtype) == ("aten::mm", True, True)
    assert found.tried == found.exact > 10
    assert str(found).startswith("aten::mm: shape and dtype function, ")
    assert "results exact (torch 2.13.0)" in str(found)


def test_coverage_of_an_operator_without_functions():
    found = torch_refine.coverage("aten::_test_string_default")
    assert str(found).startswith("aten::_test_string_default: no function, no sample")


def test_coverage_of_no_operator():
    with pytest.raises(KeyError, match="PyTorch has no operator 'aten::no_such'"):
        torch_refine.coverage("aten::no_such")
