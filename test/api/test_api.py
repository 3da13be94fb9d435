"""The public API."""

import gc
import os
from pathlib import Path

import pytest
import torch
import torch_refine
from torch_refine.dialect.bindings import ir

PROGRAM = """
func.func @main(%arg0: !torch.vtensor<[?,4],f32>, %arg1: !torch.vtensor<[4,8],f32>)
    -> !torch.vtensor {
  %0 = torch.aten.mm %arg0, %arg1
    : !torch.vtensor<[?,4],f32>, !torch.vtensor<[4,8],f32> -> !torch.vtensor
  %1 = torch.operator "torch.my.operator"(%0) : (!torch.vtensor) -> !torch.vtensor
  return %1 : !torch.vtensor
}
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    return path


def test_load_refine_save(program, tmp_path):
    module = torch_refine.load(program)
    report = torch_refine.refine(module)
    assert (report.before.tensors, report.before.complete) == (4, 1)
    assert "!torch.vtensor<[?,8],f32>" in str(module)
    reasons = {entry.operator: entry.reason for entry in report.unrefined}
    assert reasons["torch.my.operator"] == "no shape and no dtype function"
    assert "3 of 4 tensor values are known; 2 depend on dim 0" in str(report)
    for emit_bytecode in (False, True):
        target = tmp_path / "out"
        torch_refine.save(module, target, emit_bytecode=emit_bytecode)
        assert str(torch_refine.load(target)) == str(module)
        assert target.read_bytes().startswith(b"ML\xefR") == emit_bytecode


def test_import_a_model_and_refine_it():
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(4, 8)

        def forward(self, x):
            return self.layer(x).relu().view(x.shape[0], -1, 2)

    batch = torch.export.Dim("batch")
    module = torch_refine.import_model(Model(), (torch.rand(3, 4),), ({0: batch},))
    assert 'torch_refine.device = "cpu"' in str(module)
    report = torch_refine.refine(module)
    assert report.after.complete >= report.before.complete
    assert report.diagnostics == ()


def test_what_the_dialect_verifies_for_other_devices_is_imported():
    """Its `aten._scaled_mm` requires sizes that 16 divides."""

    class Product(torch.nn.Module):
        def forward(self, x, y, scale):
            return torch._scaled_mm(x, y, scale, scale, out_dtype=torch.float32).relu()

    x, y = (torch.ones(size).to(torch.float8_e4m3fn) for size in ((4, 6), (6, 5)))
    module = torch_refine.import_model(Product(), (x, y, torch.tensor(1.0)))
    report = torch_refine.refine(module)
    assert report.diagnostics == ()
    assert 'torch.operator "torch.aten._scaled_mm"' in str(module)
    assert "-> !torch.vtensor<[4,5],f32>" in str(module)


def test_what_is_wrong_is_an_error_with_a_place(tmp_path):
    with pytest.raises(torch_refine.RefineError, match="No such file"):
        torch_refine.load(tmp_path / "missing.mlir")
    broken = tmp_path / "broken.mlir"
    broken.write_text("func.func @f( {\n")
    with pytest.raises(torch_refine.RefineError, match=r"broken.mlir:1:14: error: expected"):
        torch_refine.load(broken)
    contradiction = tmp_path / "contradiction.mlir"
    contradiction.write_text(
        "func.func @f(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[3],f32> {\n"
        "  %0 = torch.aten.tanh %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[3],f32>\n"
        "  return %0 : !torch.vtensor<[3],f32>\n}\n"
    )
    module = torch_refine.load(contradiction)
    with pytest.raises(torch_refine.RefineError, match=r":2:8: error: torch.aten.tanh is declared"):
        torch_refine.refine(module)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: torch_refine.refine("x.mlir"), "not a str: torch_refine.load reads one"),
        (lambda: torch_refine.refine(torch.nn.Identity()), "torch_refine.import_model imports one"),
        (lambda: torch_refine.refine(3), "expected a module, not a int"),
        (lambda: torch_refine.save("x.mlir", "y.mlir"), "expected a module, not a str"),
        (lambda: torch_refine.load(torch.nn.Identity()), "the path of a file, not a Identity"),
        (lambda: torch_refine.compile("x.mlir"), "not a str: torch_refine.load reads a file"),
        (lambda: torch_refine.compile(torch.sin), "torch.compile"),
    ],
)
def test_the_wrong_thing_is_refused_with_the_call_that_helps(call, message):
    with pytest.raises(TypeError) as caught:
        call()
    assert message in str(caught.value)


def test_a_failed_save_loses_nothing(program, tmp_path):
    module = torch_refine.load(program)
    with pytest.raises(torch_refine.RefineError, match="No such file"):
        torch_refine.save(module, tmp_path / "no" / "such" / "folder.mlir")
    with pytest.raises(torch_refine.RefineError, match="Is a directory"):
        torch_refine.save(module, tmp_path)


def test_an_extra_library_that_is_none(program, tmp_path):
    for text, message in (("nonsense", "cannot parse"), ("module {}", "holds no shape or dtype")):
        extra = tmp_path / "extra.mlir"
        extra.write_text(text)
        with pytest.raises(torch_refine.RefineError, match=message):
            torch_refine.refine(torch_refine.load(program), extra_library=[extra])


def test_an_extra_library_by_name(program):
    extra = Path(__file__).parent.parent / "pipelines" / "Inputs" / "my_library.mlir"
    module = torch_refine.load(program)
    report = torch_refine.refine(module, extra_library=[str(extra)])
    assert report.unrefined


def test_no_context_is_left_behind(program):
    gc.collect()
    before = ir.Context._get_live_count()
    torch_refine.refine(torch_refine.load(os.fspath(program)))
    gc.collect()
    assert ir.Context._get_live_count() == before


def test_a_program_that_cannot_run(context):
    text = (
        "func.func @f(%a: !torch.vtensor<[2,3],f32>, %b: !torch.vtensor<[4,5],f32>) {"
        "%0 = torch.aten.mm %a, %b : !torch.vtensor<[2,3],f32>, !torch.vtensor<[4,5],f32>"
        " -> !torch.vtensor return }"
    )
    with pytest.raises(torch_refine.RefineError, match="inner dimensions must match"):
        torch_refine.refine(ir.Module.parse(text, context))
    report = torch_refine.refine(ir.Module.parse(text, context), invalid_program="warn")
    assert "inner dimensions must match" in report.diagnostics[0].message
