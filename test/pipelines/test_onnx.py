"""ONNX programs: which operators are converted, in which order, and diagnostics for the others."""

import re
from importlib import import_module

import pytest
import torch_refine
from torch_refine.build_tools.write_docs import example_of
from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import is_onnx, name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.onnx.conversion import Conversion
from torch_refine.passes.onnx.ranks import declare_ranks, has_rule, rank_of
from torch_refine.pipelines.onnx import TorchOnnxToTorchPipeline
from torch_refine.pipelines.parsing import parse_flag
from torch_refine.pipelines.registry import PIPELINES
from torch_refine.pipelines.runner import RunFailure, Runner

PIPELINE = "--torch-onnx-to-torch-pipeline"
TENSOR = "!torch.vtensor<[2,3],f32>"
# The files of ONNX's tests that are compared with.
TESTED = (
    "add averagepool concat constantofshape conv dropout expand flatten gather "
    "gatherelements gemm identity matmul maxpool mean nonzero onehot pad rangeop reducemean "
    "reducesum reshape shape size slice softmax split squeeze tile topk transpose unsqueeze where"
)
FROM_ONNX = "attributes {torch.onnx_meta.opset_version = 20 : si64}"


def _chain(*operators, type=TENSOR):
    """A program of unary operators, each at a line of its own from line 2."""
    lines = [f"func.func @main(%0: {TENSOR}) -> {type} {FROM_ONNX} {{"]
    for number, operator in enumerate(operators):
        given = type if number else TENSOR
        lines.append(
            f'  %{number + 1} = torch.operator "onnx.{operator}"(%{number}) : ({given}) -> {type}'
        )
    return "\n".join([*lines, f"  return %{len(operators)} : {type}", "}"])


def _operators(module):
    found = [op for op in walk(module.operation) if op.name.startswith("torch.")]
    return [name_of(op) for op in found if not op.name.startswith("torch.constant.")]


def test_the_example_of_the_pipeline_is_true(context):
    before, after = example_of(PIPELINES["torch-onnx-to-torch-pipeline"])
    module = ir.Module.parse(before, context)
    Runner().run(parse_flag("torch-onnx-to-torch-pipeline", "", context), module.operation)
    shown = str(module).removeprefix("module {\n").rstrip().removesuffix("\n}")
    assert [line.strip() for line in shown.splitlines()] == [
        line.strip() for line in after.splitlines()
    ]
    del module


@pytest.mark.parametrize("step", ["", "--torch-refinement-pipeline"])
def test_operators_of_onnx_are_reported_as_such(opt, step):
    words = [word for word in (step, "--report-unrefined") if word]
    said = opt(*words, input=_chain("Relu", "Tanh", type="!torch.vtensor")).stderr
    for name in ("Relu", "Tanh"):
        assert f"onnx.{name}: an operator of ONNX, which torch-onnx-to-torch-pip" in said
    assert said.count("first convert-torch-onnx-to-torch, then torch-refinement-pipeline") == 1
    assert "no shape" not in said


def test_other_programs_are_reported_as_before(opt):
    text = _chain("Relu", type="!torch.vtensor").replace("onnx.Relu", "torch.my.op")
    assert "ONNX" not in opt("--report-unrefined", input=text).stderr


@pytest.mark.parametrize("flag", ["verify-backend-contract", "to-linalg-pipeline"])
@pytest.mark.parametrize("type", [TENSOR, "!torch.vtensor"])
def test_backends_do_not_take_operators_of_onnx(opt, flag, type):
    done = opt(f"--torch-{flag}", input=_chain("Relu", type=type))
    meant = (
        "<stdin>:2:8: error: onnx.Relu is an operator of ONNX, which torch-onnx-to-torch-pipeline"
    )
    assert done.returncode == 1 and meant in done.stderr


def test_the_wheels_pipeline_is_not_offered(opt):
    done = opt("--torch-onnx-to-torch-backend-pipeline", input=_chain("Relu"))
    assert done.returncode == 1
    assert "not offered here; use torch-onnx-to-torch-pipeline" in done.stderr


def test_what_python_reports(tmp_path):
    path = tmp_path / "x.mlir"
    path.write_text(_chain("Relu", type="!torch.vtensor"))
    report = torch_refine.refine(torch_refine.load(path))
    assert [each.operator for each in report.unrefined] == ["onnx.Relu"]
    assert "an operator of ONNX" in report.unrefined[0].reason


def test_an_operator_that_is_left_is_an_error_at_its_line(opt):
    done = opt(PIPELINE, input=_chain("Relu", "NoSuch", "Tanh"))
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.count("error:") == 1
    assert "<stdin>:3:8: error: onnx.NoSuch is not converted: the wheel has no conv" in done.stderr
    assert f"({TENSOR})" in done.stderr


def test_places_and_names_are_as_before(context):
    text = _chain("Relu", "NoSuch", "Tanh")
    module = ir.Module.parse(text, context)
    Conversion(module.operation).run()
    places = {name_of(op): str(op.location) for op in walk(module.operation)}
    assert _operators(module) == ["torch.aten.relu", "onnx.NoSuch", "torch.aten.tanh"]
    assert "torch-refine" not in module.operation.get_asm(enable_debug_info=True)
    assert "hidden" not in str(module)
    lines = {name: re.search(r":(\d+):", place)[1] for name, place in places.items()}
    assert (lines["torch.aten.relu"], lines["onnx.NoSuch"], lines["torch.aten.tanh"]) == (
        "2",
        "3",
        "4",
    )
    del module, places


def test_many_operators_that_fail_take_few_attempts(context, monkeypatch):
    attempts = []
    attempt = Conversion.attempt
    monkeypatch.setattr(Conversion, "attempt", lambda self: attempts.append(self) or attempt(self))
    module = ir.Module.parse(_chain(*["NoSuch", "Relu"] * 300), context)
    Conversion(module.operation).run()
    names = _operators(module)
    assert names.count("torch.aten.relu") == 300 and names.count("onnx.NoSuch") == 300
    assert len(attempts) < 80
    attempts.clear()
    del module


def test_what_no_operator_is_to_blame_for_is_an_error(opt):
    done = opt(PIPELINE, input=_chain("Relu").replace(FROM_ONNX, ""))
    assert done.returncode == 1 and "missing onnx opset version attribute" in done.stderr


def test_iteration_limit(context):
    """An operator whose rank depends on refining the previous one needs another iteration."""
    text = f"""
func.func @main(%a: {TENSOR}) -> !torch.vtensor<*,f32> {FROM_ONNX} {{
  %0 = torch.operator "onnx.Shape"(%a) : ({TENSOR}) -> !torch.vtensor<*,si64>
  %1 = torch.operator "onnx.Identity"(%0) : (!torch.vtensor<*,si64>) -> !torch.vtensor<*,si64>
  %2 = torch.operator "onnx.Reshape"(%a, %1)
    : ({TENSOR}, !torch.vtensor<*,si64>) -> !torch.vtensor<*,f32>
  return %2 : !torch.vtensor<*,f32>
}}"""

    def run(iterations):
        module = ir.Module.parse(text, context)
        elements = TorchOnnxToTorchPipeline(max_iterations=iterations).elements()
        Runner().run(elements, module.operation)
        return str(module)

    with pytest.raises(RunFailure):
        run(1)
    assert f"-> {TENSOR} attributes" in run(2)
    assert run(100) == run(2)


def test_passes_end_when_nothing_changes(context):
    module = ir.Module.parse(_chain("Relu", "Tanh"), context)
    runner = Runner()
    ran = []

    class Watch:
        def before(self, element, module):
            ran.append(element.name)

        def after(self, element, module, failed):
            pass

    runner.observers = (Watch(),)
    runner.run(TorchOnnxToTorchPipeline().elements(), module.operation)
    assert ran.count("torch-convert-onnx-operators") == 2
    del module


def test_types_tied_to_region_results_are_kept(context):
    """The branches of an If yield the declared result types."""
    text = f"""
func.func @main(%a: {TENSOR}, %c: !torch.vtensor<[],i1>) -> !torch.vtensor<[],f32> {FROM_ONNX} {{
  %0 = torch.operator "onnx.If"(%c) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[],f32> {{
    %1 = torch.operator "onnx.Relu"(%a) : ({TENSOR}) -> !torch.vtensor<[],f32>
    torch.operator_terminator %1 : !torch.vtensor<[],f32>
  }}, {{
    %1 = torch.operator "onnx.Tanh"(%a) : ({TENSOR}) -> !torch.vtensor<[],f32>
    torch.operator_terminator %1 : !torch.vtensor<[],f32>
  }}
  return %0 : !torch.vtensor<[],f32>
}}"""
    module = ir.Module.parse(text, context)
    assert declare_ranks(module.operation) == 0
    module.operation.verify()
    del module


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::UserWarning")
def test_ranks_agree_with_onnx():
    """Runs ONNX's own operator tests for each kind of rule."""
    onnx = pytest.importorskip("onnx", reason="needs the extra [onnx]")
    from onnx.backend.test.case import node
    from torch_mlir import ir as full_ir
    from torch_mlir.dialects import torch as torch_dialect
    from torch_mlir.extras import onnx_importer

    compared = set()
    for name in TESTED.split():
        import_module(f"{node.__name__}.{name}")
    cases = [case for case in node._NodeTestCases if not case.name.endswith("_expanded")]
    for case in cases:
        model = onnx.shape_inference.infer_shapes(case.model, data_prop=True)
        context = full_ir.Context()
        torch_dialect.register_dialect(context)
        try:
            info = onnx_importer.ModelInfo(model)
            module = info.create_module(context=context)
            onnx_importer.NodeImporter.define_function(
                info.main_graph, module.operation
            ).import_all()
        except onnx_importer.OnnxImportError:
            continue
        types = Types(context)
        for op in walk(module.operation):
            name = name_of(op)
            if not is_onnx(name) or not has_rule(name.removeprefix("onnx.")):
                continue
            declared, rank = types.tensor(op.results[0].type), rank_of(op, types)
            # Missing sizes may mean that ONNX inferred none.
            if declared is not None and declared.sizes and rank is not None:
                assert len(declared.sizes) == rank, f"{case.name}: {op}"
                compared.add(name)
    assert len(compared) > 25


def test_a_function_that_is_called_returns_what_it_declares(context):
    text = f"""
func.func private @called(%a: {TENSOR}) -> !torch.vtensor<[],f32> {FROM_ONNX} {{
  %0 = torch.operator "onnx.Relu"(%a) : ({TENSOR}) -> !torch.vtensor<[],f32>
  return %0 : !torch.vtensor<[],f32>
}}
func.func @main(%a: {TENSOR}) -> !torch.vtensor<[],f32> {FROM_ONNX} {{
  %0 = func.call @called(%a) : ({TENSOR}) -> !torch.vtensor<[],f32>
  %1 = torch.operator "onnx.Relu"(%a) : ({TENSOR}) -> !torch.vtensor<[],f32>
  return %1 : !torch.vtensor<[],f32>
}}"""
    module = ir.Module.parse(text, context)
    assert declare_ranks(module.operation) == 1
    module.operation.verify()
    assert f"@main(%arg0: {TENSOR}) -> !torch.vtensor<[?,?],f32>" in str(module)
    del module
