"""The document and the data of coverage say what the library has."""

import json
from dataclasses import replace

import pytest
import torch_refine
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.build_tools.write_coverage import (
    DOCUMENT,
    LEFT_OUT,
    documents,
    family_of,
    is_covered,
    left_out,
    tensor_operators,
)
from torch_refine.operator_coverage import MANIFEST, lowered


def test_the_pages_are_fresh():
    pages = documents()
    written = {DOCUMENT, *(DOCUMENT.parent / "coverage").glob("*.md")}
    assert written == set(pages), "run `make docs`"
    for path, text in pages.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run `make docs`"


def test_every_operator_with_functions_is_in_the_table_of_a_family():
    programs, belongs = Programs(), family_of()
    pages = {path.stem: text for path, text in documents().items()}
    for name in tensor_operators():
        if is_covered(name, programs):
            area, family = belongs[name]
            section = pages[area].partition(f"\n## {family}\n")[2].partition("\n## ")[0]
            assert f"| `{name}` | both |" in section


def test_the_pages_can_be_read():
    """Nothing in them is wider than a screen: a line, or a cell of a table, which wraps."""
    for path, text in documents().items():
        for line in text.splitlines():
            cells = line.strip("| ").split(" | ") if line.startswith("|") else [line]
            assert max(map(len, cells), default=0) <= 120, (path.name, line)


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


def test_every_call_that_was_compared_has_one_outcome():
    """Equal, refused or different: the counts add up, in the data and in the document."""
    for name, entry in lowered()["operators"].items():
        found = torch_refine.coverage(name)
        assert found.calls == entry["tried"] == found.equal + found.refused + found.different
        assert found.refused == sum(entry["refused"].values()), name
    section = DOCUMENT.read_text(encoding="utf-8").partition("## Lowering")[2]
    row = next(line for line in section.splitlines() if line.startswith("| all |"))
    _, tried, lowering, calls, equal, refused, different = (
        int(each.replace(",", "")) for each in row.strip("| ").split(" | ")[1:]
    )
    assert calls == equal + refused + different > 1000
    assert tried > lowering > 500


def test_the_text_of_a_call_that_differs_says_so():
    found = replace(torch_refine.coverage("aten::mm"), calls=7, equal=4, refused=2)
    assert str(found).endswith(
        "; of 7 calls 4 compile and equal eager mode, 2 do not compile, 1 differ"
    )


def test_coverage_of_no_operator():
    with pytest.raises(KeyError, match="PyTorch has no operator 'aten::no_such'"):
        torch_refine.coverage("aten::no_such")
