"""Reports of unknown values, and of values that depend on declared sizes."""

import pytest
import torch
import torch_refine
from torch import nn
from torch.export import Dim
from torch_refine.dialect.bindings import ir, new_context

BATCH, LENGTH = Dim("batch"), Dim("length", min=3, max=64)


class _Function(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def _refined(function, inputs, shapes):
    module = torch_refine.import_model(_Function(function), inputs, (shapes,))
    return torch_refine.refine(module)


@pytest.mark.parametrize(
    ("function", "shapes", "names"),
    [
        (lambda x, y: x @ y, ({0: BATCH}, {}), "batch"),
        (lambda x, y: torch.cat([x, y.mT], 0).reshape(-1), ({0: BATCH}, {1: LENGTH}), "both"),
        (lambda x, y: x.unsqueeze(0).expand(3, -1, -1).sum(2) + 1, ({0: BATCH}, {}), "batch"),
        (lambda x, y: x.new_zeros(x.size(0) * 2, y.size(1)) + 1, ({0: BATCH}, {1: LENGTH}), ""),
        (lambda x, y: nn.functional.conv1d(x.mT[None], y.mT[:, :, None]), ({0: Dim.AUTO}, {}), ""),
    ],
)
def test_what_declared_sizes_decide_is_known(function, shapes, names):
    report = _refined(function, (torch.rand(5, 4), torch.rand(4, 6)[:, :6]), shapes)
    after = report.after
    assert report.unrefined == ()
    assert after.known == after.tensors
    assert 0 < after.declared < after.tensors or after.complete == 0
    if names == "batch":
        assert after.names == ("batch",)
        assert f"; {after.declared} depend on batch;" in str(report)
    elif names == "both":
        assert after.names == ("batch", "length")


def test_what_values_decide_is_not_known():
    def function(x):
        places = torch.nonzero(x)
        return places.float() + 1, x * 2

    report = _refined(function, (torch.rand(5, 4),), ({0: BATCH},))
    reasons = {each.operator: each.reason for each in report.unrefined}
    assert reasons.pop("torch.aten.nonzero") == "it is data-dependent"
    assert set(reasons.values()) == {"the type of an operand is incomplete"}
    assert "torch.aten.mul.Tensor" not in reasons and "torch.aten.mul.Scalar" not in reasons
    assert all("test_report.py:" in each.place for each in report.unrefined)
    assert report.after.names == ("batch",)


TEXT = """
func.func @f(%x: !torch.vtensor<[?,4],f32>) -> (!torch.vtensor, !torch.vtensor) {
  %0 = torch.aten.tanh %x : !torch.vtensor<[?,4],f32> -> !torch.vtensor
  %1 = torch.operator "torch.my.op"(%0) : (!torch.vtensor) -> !torch.vtensor
  return %0, %1 : !torch.vtensor, !torch.vtensor
}
"""
LIBRARY = """
func.func @__torch_mlir_shape_fn.my.op(%x: !torch.list<int>) -> !torch.list<int> {
  return %x : !torch.list<int>
}
func.func @__torch_mlir_dtype_fn.my.op(%x: !torch.tuple<int, int>) -> !torch.int {
  %0:2 = torch.prim.TupleUnpack %x : !torch.tuple<int, int> -> !torch.int, !torch.int
  return %0#1 : !torch.int
}
"""


def test_dimensions_without_a_name_are_named_by_their_place():
    module = ir.Module.parse(TEXT, new_context())
    report = torch_refine.refine(module)
    assert report.after.names == ("dim 0 of argument 0",)
    (left,) = report.unrefined
    assert (left.operator, left.reason) == ("torch.my.op", "no shape and no dtype function")


def test_operators_of_an_extra_library_have_functions(opt, tmp_path):
    library = tmp_path / "extra.mlir"
    library.write_text(LIBRARY)
    report = torch_refine.refine(ir.Module.parse(TEXT, new_context()), extra_library=[library])
    assert report.unrefined == () and report.after.known == report.after.tensors
    flag = f"--torch-refinement-pipeline=extra-library={library}"
    done = opt(flag, "--report-unrefined", input=TEXT)
    assert done.stderr == "every tensor is known; 3 depend on dim 0 of argument 0\n"
    without = opt("--torch-refinement-pipeline", "--report-unrefined", input=TEXT)
    assert "torch.my.op: no shape and no dtype function" in without.stderr


def test_casts_that_passes_add_do_not_count():
    text = """
func.func @f(%x: !torch.vtensor<[2,4],f32>) -> !torch.vtensor {
  %0 = torch.aten.tanh %x : !torch.vtensor<[2,4],f32> -> !torch.vtensor
  %1 = torch.tensor_static_info_cast %0 : !torch.vtensor to !torch.vtensor
  %2 = torch.prim.TupleConstruct %1 : !torch.vtensor -> !torch.tuple<vtensor>
  return %1 : !torch.vtensor
}
"""
    module = ir.Module.parse(text, new_context())
    report = torch_refine.refine(module)
    assert report.unrefined == ()
    assert report.after.known == report.after.tensors == 2


def test_global_slots_declare_no_sizes():
    text = """
torch.class_type @c {
  torch.attr "x" : !torch.tensor
}
torch.global_slot @x : !torch.tensor
torch.global_slot.module_initializer {
  %0 = torch.tensor.literal(dense<1.0> : tensor<2xf32>) : !torch.tensor
  torch.initialize.global_slots [@x(%0 : !torch.tensor)]
}
func.func @f(%x: !torch.vtensor<[?],f32>) -> !torch.vtensor {
  %0 = torch.aten.tanh %x : !torch.vtensor<[?],f32> -> !torch.vtensor
  return %0 : !torch.vtensor
}
"""
    module = ir.Module.parse(text, new_context())
    assert torch_refine.refine(module).after.names == ("dim 0 of argument 0",)
