"""Properties of all passes: names, examples, and invariants over every lit input."""

import inspect
import re
import shlex
from pathlib import Path

import pytest
from seeded_parts import seeded_part
from torch_refine.build_tools.write_docs import example_of, example_options
from torch_refine.dialect.bindings import ir, new_context, walk
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.registry import PASSES, Registry
from torch_refine.pipelines.elements import UpstreamPass
from torch_refine.pipelines.parsing import NOT_OFFERED, parse_flag
from torch_refine.pipelines.registry import PIPELINES
from torch_refine.pipelines.runner import Runner

TESTS = Path(__file__).parent.parent
MARKER = "// -----"
REFINEMENT = {name for name in PIPELINES if name.endswith("refinement-pipeline")}
# Options of the tool other than passes and pipelines.
_OPTIONS = {
    "split-input-file",
    "verify-diagnostics",
    "check-prefix",
    "remarks-filter",
    "remarks-filter-missed",
    "mlir-pass-statistics",
}
# Marks lines that an example leaves out.
ELIDED = "// ..."
# They report errors and change nothing.
VERIFYING = (
    "torch-verify-backend-contract",
    "torch-verify-onnx-converted",
    "torch-verify-lowerable",
    "torch-verify-lowered",
)
SHAPE, DTYPE = "torch-simplify-shape-calculations", "torch-simplify-dtype-calculations"


def _parts():
    """Every part of every lit input, with the passes of its RUN line."""
    for path in sorted(TESTS.rglob("*.mlir")):
        text = path.read_text()
        run = re.search(r"// RUN: torch-refine-opt (.*?)(?: \||$)", text, re.MULTILINE)
        if run is None or "-invalid" in path.name or path.parent.name == "tool":
            continue
        words = shlex.split(run[1].replace("%S", str(path.parent)))
        flags = [word.removeprefix("--") for word in words if word.startswith("--")]
        flags = [flag for flag in flags if flag.partition("=")[0] not in _OPTIONS]
        for number, part in enumerate(text.split(MARKER)):
            yield pytest.param(part, flags, id=f"{path.relative_to(TESTS)}-{number}")


PARTS = list(_parts())
_LIBRARY_FUNCTION = re.compile(r"(?ms)^  func\.func private @__torch.*?^  \}\n")
# Inputs with their own calculations use shapes that the operators do not have.
PROGRAMS = [part for part in PARTS if ".calculate {" not in part.values[0]]


@pytest.mark.parametrize("name", PASSES)
def test_file_flag_and_test_have_the_same_name(name):
    """The flag of a pass names its file and its lit test."""
    stem = name.removeprefix("torch-")
    assert Path(inspect.getfile(PASSES[name])).stem == stem.replace("-", "_")
    assert (TESTS / "passes" / f"{stem}.mlir").exists(), f"write test/passes/{stem}.mlir"


def _shown(module, after):
    """The lines of a module as an example shows it, without the indentation."""
    text = str(module).rstrip()
    if not re.search(r"^module", after, re.MULTILINE):
        # Library functions that a pass splices in are also left out of the example.
        text = re.sub(r"^module (attributes \{.*\} )?\{\n", "", text, flags=re.MULTILINE)
        text = _LIBRARY_FUNCTION.sub("", text).rstrip().removesuffix("\n}")
    return [line.strip() for line in text.splitlines()]


def _matches(lines, expected):
    """Whether lines match the expected ones, of which `// ...` stands for any number."""
    pattern = "".join(".*" if line == ELIDED else re.escape(f"{line}\n") for line in expected)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in lines), re.DOTALL) is not None


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("torch_refine.passes.no_such_pass:X", "there is no torch_refine.passes.no_such_pass$"),
        ("torch_refine.passes.refine_types:X", "torch_refine.passes.refine_types has no class X$"),
    ],
)
def test_a_line_of_the_registry_without_a_pass(place, message):
    with pytest.raises(RuntimeError, match=f"the registry lists x, but {message}"):
        Registry({"x": place})["x"]


@pytest.mark.parametrize("name", PASSES)
def test_the_example_in_the_docstring_is_true(name, context, monkeypatch):
    monkeypatch.chdir(TESTS.parent)
    before, after = example_of(PASSES[name])
    expected = [line.strip() for line in after.splitlines()]
    module = ir.Module.parse(before, context)
    unchanged = _shown(module, after)
    Runner().run(parse_flag(name, example_options(PASSES[name]), context), module.operation)
    shown = _shown(module, after)
    assert shown == expected or (ELIDED in expected and _matches(shown, expected))
    # An example must change the IR.
    assert _matches(unchanged, expected) == (name in VERIFYING)
    del module


@pytest.mark.parametrize("name", VERIFYING)
def test_a_pass_that_changes_nothing_reports_errors(name):
    """A pass whose example changes nothing has a test of the errors that it reports."""
    path = TESTS / "passes" / f"{name.removeprefix('torch-')}-invalid.mlir"
    text = path.read_text()
    assert f"--{name}" in text
    assert "expected-error" in text


def _run(flags, module, context):
    runner = Runner()
    for flag in flags:
        name, _, options = flag.partition("=")
        runner.run(parse_flag(name, options, context), module.operation)
    assert not runner.state.diagnostics.has_errors


@pytest.mark.parametrize(("part", "flags"), PARTS)
@pytest.mark.seeded_part(12)
def test_a_second_run_changes_nothing(part, flags, context):
    if any("torch-specialize-symbols" in flag for flag in flags):
        pytest.skip("the symbols are gone, and none can be pinned again")
    module = ir.Module.parse(part, context)
    _run(flags, module, context)
    module.operation.verify()
    once = str(module)
    _run(flags, module, context)
    assert str(module) == once
    del module


@pytest.mark.parametrize(("part", "flags"), PARTS)
@pytest.mark.seeded_part(12)
def test_types_stay_as_precise(part, flags, context):
    """Every remaining value has a type at least as precise as before."""
    if "torch-erase-tensor-types" in flags:
        pytest.skip("this pass forgets on purpose")
    if any("onnx" in flag for flag in flags):
        pytest.skip("operators of ONNX are replaced, and a scalar of theirs may be none")
    types = Types(context)
    module = ir.Module.parse(part, context)
    before = {
        (result, op.name, str(op.attributes)): types.tensor(result.type)
        for op in walk(module.operation)
        for result in op.results
        if types.tensor(result.type) is not None
    }
    _run(flags, module, context)
    # Values replaced by passes are gone, and other values may reuse their memory; the rest must
    # have types at least as precise.
    after = {
        (result, op.name, str(op.attributes)): types.tensor(result.type)
        for op in walk(module.operation)
        for result in op.results
    }
    lost = [
        str(value)
        for value, type in before.items()
        if after.get(value) is not None and not after[value].refines(type)
    ]
    assert lost == []
    del module, before, after, types


@pytest.mark.parametrize(
    "pipeline", ["torch-refinement-pipeline", "torch-reified-refinement-pipeline"]
)
@pytest.mark.parametrize(("part", "flags"), seeded_part(PROGRAMS, 150))
@pytest.mark.seeded_part(12)
def test_every_pipeline_step_verifies(part, flags, pipeline, no_context_left):
    """The whole pipeline, pass by pass, over every input; no context leaks."""
    context = new_context()
    module = ir.Module.parse(part, context)
    runner = Runner(verify_each=True)
    # Some inputs are expected to be rejected.
    options = "invalid-program=warn" if pipeline == "torch-refinement-pipeline" else ""
    runner.run(parse_flag(pipeline, options, context), module.operation)


def test_refinement_is_made_of_our_passes(context):
    for name in PIPELINES:
        for element in parse_flag(name, "", context):
            assert isinstance(element, UpstreamPass) <= (name not in REFINEMENT)


def test_no_inference_of_the_wheel_is_used(context):
    for name in PIPELINES:
        for element in parse_flag(name, "", context):
            if isinstance(element, UpstreamPass):
                assert element.name not in NOT_OFFERED
                assert element.name not in PASSES
