"""Schemas: the snapshot equals PyTorch's registry, and is parsed as PyTorch parses it."""

import subprocess
import sys

import pytest
import torch
from torch_refine.dialect import names
from torch_refine.dialect.schemas import REGISTRY, operators, parse_schema, schema


def test_the_snapshot_is_fresh():
    # Runs in a subprocess: other tests import parts of PyTorch that register operators.
    program = "from torch_refine.build_tools.snapshot_registry import snapshot; print(snapshot())"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert REGISTRY.read_text() == done.stdout.removesuffix("\n"), "run `make registry`"


def test_every_schema_reads_as_pytorch_reads_it():
    assert len(operators()) > 4000
    lines = REGISTRY.read_text().splitlines()[1:]
    for line in lines:
        ours, theirs = parse_schema(line), torch._C.parse_schema(line)
        assert [a.name for a in ours.arguments] == [a.name for a in theirs.arguments], line
        assert [a.keyword_only for a in ours.arguments] == [a.kwarg_only for a in theirs.arguments]
        assert [a.default is not None for a in ours.arguments] == [
            a.has_default_value() for a in theirs.arguments
        ], line
        assert len(ours.returns) == len(theirs.returns)
        assert ours.is_mutating == theirs.is_mutable, line


def test_a_schema_prints_without_alias_annotations():
    assert str(schema("aten::add_.Tensor")) == (
        "aten::add_.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
    )
    assert schema("aten::max.dim").returns == ("Tensor", "Tensor")


@pytest.mark.parametrize("text", ["", "aten::mm", "aten::mm(Tensor) -> Tensor", "aten::mm("])
def test_what_is_no_schema_is_an_error(text):
    with pytest.raises(ValueError, match=r"not an operator schema|cannot read the argument"):
        parse_schema(text)


def test_names():
    assert names.ir_name("aten::add.Tensor") == "torch.aten.add.Tensor"
    assert names.operator_name("torch.aten.add.Tensor") == "aten::add.Tensor"
    symbol = "__torch_mlir_shape_fn.aten.add.Tensor"
    for spelling in ("aten::add.Tensor", "torch.aten.add.Tensor", "torch.valsem.aten.add.Tensor"):
        assert names.library_symbol("shape", spelling) == symbol
