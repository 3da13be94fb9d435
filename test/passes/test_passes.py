"""What holds for all passes: names, examples, and invariants over every lit input."""

import inspect
import re
import shlex
from pathlib import Path

import pytest
from torch_refine.build_tools.write_docs import example_of
from torch_refine.dialect.bindings import ir, new_context, walk
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.registry import PASSES
from torch_refine.pipelines.elements import UpstreamPass
from torch_refine.pipelines.parsing import NOT_OFFERED, parse_flag
from torch_refine.pipelines.registry import PIPELINES
from torch_refine.pipelines.runner import Runner

TESTS = Path(__file__).parent.parent
MARKER = "// -----"
REFINEMENT = {name for name in PIPELINES if name.endswith("refinement-pipeline")}
# What the tool takes besides passes and pipelines.
_OPTIONS = {"split-input-file", "verify-diagnostics", "check-prefix"}
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
# Inputs with calculations of their own make up shapes that the operators do not have.
PROGRAMS = [part for part in PARTS if ".calculate {" not in part.values[0]]


@pytest.mark.parametrize("name", PASSES)
def test_file_flag_and_test_have_one_name(name):
    """A pass is in the file, and tested by the lit input, that its flag names."""
    stem = name.removeprefix("torch-")
    assert Path(inspect.getfile(PASSES[name])).stem == stem.replace("-", "_")
    assert (TESTS / "passes" / f"{stem}.mlir").exists()


@pytest.mark.parametrize("name", PASSES)
def test_the_example_in_the_docstring_is_true(name, context):
    before, after = example_of(PASSES[name])
    module = ir.Module.parse(before, context)
    Runner().run(parse_flag(name, "", context), module.operation)
    shown = str(module).rstrip()
    if not after.startswith("module"):
        # The library functions that a pass splices in are left out of the example, too.
        shown = re.sub(r"^module (attributes \{.*\} )?\{\n", "", shown, flags=re.MULTILINE)
        shown = _LIBRARY_FUNCTION.sub("", shown).rstrip().removesuffix("\n}")
    assert [line.strip() for line in shown.splitlines()] == [
        line.strip() for line in after.splitlines()
    ]
    del module


def _run(flags, module, context):
    runner = Runner()
    for flag in flags:
        name, _, options = flag.partition("=")
        runner.run(parse_flag(name, options, context), module.operation)
    assert not runner.state.diagnostics.has_errors


@pytest.mark.parametrize(("part", "flags"), PARTS)
def test_a_second_run_changes_nothing(part, flags, context):
    module = ir.Module.parse(part, context)
    _run(flags, module, context)
    module.operation.verify()
    once = str(module)
    _run(flags, module, context)
    assert str(module) == once
    del module


@pytest.mark.parametrize(("part", "flags"), PARTS)
def test_what_was_known_stays_known(part, flags, context):
    """Every value of the program that is still there has a type at least as precise as before."""
    if "torch-erase-tensor-types" in flags:
        pytest.skip("this pass forgets on purpose")
    if any("onnx" in flag for flag in flags):
        pytest.skip("operators of ONNX are replaced, and a scalar of theirs may be none")
    types = Types(context)
    module = ir.Module.parse(part, context)
    before = {
        result: types.tensor(result.type)
        for op in walk(module.operation)
        for result in op.results
        if types.tensor(result.type) is not None
    }
    _run(flags, module, context)
    # Values that the passes replaced are gone, and another kind of value may have their place in
    # memory; the rest must say at least what they said.
    after = {
        result: types.tensor(result.type) for op in walk(module.operation) for result in op.results
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
@pytest.mark.parametrize(("part", "flags"), PROGRAMS)
def test_the_steps_of_the_pipeline_verify(part, flags, pipeline, no_context_left):
    """The whole pipeline, pass by pass, over every input; and no context is left behind."""
    context = new_context()
    module = ir.Module.parse(part, context)
    runner = Runner(verify_each=True)
    # Some inputs are there to be refused.
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
