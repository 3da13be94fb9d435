"""Errors about names unknown to MLIR: another project's dialect, or a typo."""

import io
from random import Random

import pytest
import torch_refine
from torch_refine.dialect.bindings import (
    ir,
    load_stablehlo,
    new_context,
    operation_names,
    registered_dialects,
)
from torch_refine.dialect.diagnostics import Diagnostics
from torch_refine.dialect.dialects import ELSEWHERE, RENAMED, owner_of, registered
from torch_refine.dialect.names import ir_name
from torch_refine.dialect.schemas import operators
from torch_refine.dialect.unknown_names import about_dialect, about_operation
from torch_refine.tool.main import main
from torch_refine.tool.sources import Source

ABROAD = [(name, project) for project, (names, _) in ELSEWHERE.items() for name in names.split()]
FORMS = {
    "custom": "%s.op @x\n",
    "generic": '"%s.op"() : () -> ()\n',
    "type": "func.func private @f(!%s.some<2>)\n",
    "attribute": "func.func private @f(tensor<2xf32, #%s.some<1>>)\n",
}
OPERATIONS = operation_names()


def _said(text, capsys, monkeypatch):
    """The tool's output for a rejected program."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main([]) == 1
    out, err = capsys.readouterr()
    assert out == "" and "internal error" not in err
    return err


def test_what_is_said_to_be_elsewhere_is_not_in_the_wheel():
    known = registered()
    assert {"torch", "arith", "stablehlo", "chlo", "vhlo", "tm_tensor"} <= set(known)
    assert [name for name, _ in ABROAD if name in known] == []
    assert [name for name in RENAMED if name in known] == []
    for text in RENAMED.values():
        assert set(text.replace(" and", ",").replace(",", "").split()) <= set(known)
    assert len({name for name, _ in ABROAD}) == len(ABROAD)


def test_only_what_a_program_names_is_loaded():
    context = new_context()
    assert "stablehlo" not in registered_dialects(context)
    load_stablehlo(context)
    load_stablehlo(context)
    assert {"stablehlo", "chlo", "vhlo"} <= set(registered_dialects(context))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_dialect_of_another_project_is_named_as_such(form, context):
    for name, project in [*ABROAD, ("iree_encoding", "IREE")]:
        source = Source("x.mlir", (form % name).encode())
        found = Diagnostics()
        with pytest.raises(ir.MLIRError) as caught:
            source.parse(context)
        found.report_exception(caught.value)
        shown = [source.render(source.explained(each, context)) for each in found.reported]
        meant = f"'{name}' is a dialect of {project}, which the torch-mlir wheel does not have"
        assert meant in shown[0] and "--show-dialects" in shown[0]
        assert "Available dialects" not in shown[0]
    del caught


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("name", ["trch", "stablhlo", "arit", "linlag"])
def test_a_typo_of_a_dialect_is_one(form, name, capsys, monkeypatch):
    said = _said(form % name, capsys, monkeypatch)
    assert f"no dialect is known as '{name}'; did you mean " in said
    meant = {"trch": "torch", "stablhlo": "stablehlo", "arit": "arith", "linlag": "linalg"}[name]
    assert meant in said.rpartition("did you mean")[2]


def test_every_dialect_is_suggested_for_a_typo_of_it():
    for name in registered():
        wrong = f"{name}x"
        if owner_of(wrong) is None and wrong not in registered() and len(name) > 2:
            assert name in about_dialect(wrong), wrong
    assert "did you mean" not in about_dialect("qqqq_zzzz")


def test_a_renamed_dialect_is_named():
    assert about_dialect("mesh") == "MLIR no longer has the dialect 'mesh': it became shard"


def test_operations_that_are_suggested_exist(context):
    load_stablehlo(context)
    assert len(OPERATIONS) > 2000
    assert [name for name in OPERATIONS if not context.is_registered_operation(name)] == []


def test_a_typo_of_an_operation_is_one(context):
    for name in Random(3).sample(OPERATIONS, 60):
        wrong = f"{name}{name[-1]}x"
        said = about_operation(wrong, context)
        assert f"has no operation '{wrong}'; did you mean" in said and name in said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"arith.adi"() : () -> ()\n', "did you mean arith.andi or arith.addi?"),
        ("%0 = torch.aten.tanhh %0 : i32\n", "did you mean torch.aten.tanh or torch.aten.tanh_?"),
        ("%0 = torch.aten.pow %0 : i32\n", "did you mean torch.aten.pow."),
        ("%0 = stablehlo.addd %0, %0 : i32\n", "did you mean stablehlo.add"),
        ('"tm_tensor.scn"() : () -> ()\n', "did you mean tm_tensor.scan"),
        ("%0 = addi %0, %0 : i32\n", "'addi' names no dialect; did you mean arith.addi"),
        (
            "%0 = torch.aten.special_zeta %0, %0 : i32\n",
            "is an operator of PyTorch that the torch dialect does not define; write "
            'torch.operator "torch.aten.special_zeta"(',
        ),
        (
            "func.func private @f(!torch.vtenosr<[2],f32>)\n",
            "has no type 'vtenosr'; did you mean !torch.vtensor",
        ),
    ],
)
def test_what_is_meant_is_named(text, message, capsys, monkeypatch):
    assert message in _said(text, capsys, monkeypatch)


def test_operators_that_the_dialect_does_not_define_have_a_form(context):
    # With the base names of overloads, which are suggested first.
    known = {name.rpartition(".")[0] for name in OPERATIONS} | set(OPERATIONS)
    undefined = [name for name in operators() if ir_name(name) not in known]
    assert len(undefined) > 1000
    for name in Random(5).sample(undefined, 40):
        assert f'write torch.operator "{ir_name(name)}"(' in about_operation(ir_name(name), context)


def test_programs_of_the_wheels_own_conversions_are_read_back(opt, tmp_path):
    path = tmp_path / "x.mlir"
    path.write_text(
        "func.func @f(%a: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {\n"
        "  %0 = torch.aten.erf %a : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>\n"
        "  %1 = torch.aten.tanh %0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>\n"
        "  return %1 : !torch.vtensor<[2],f32>\n}\n"
    )
    lowered = opt("--convert-torch-to-stablehlo", path).stdout
    assert "stablehlo.tanh" in lowered and "chlo.erf" in lowered
    assert opt("--cse", input=lowered).stdout == lowered
    target = tmp_path / "x.mlirbc"
    assert opt("--emit-bytecode", "-o", target, input=lowered).returncode == 0
    assert opt(target).stdout == lowered


def test_python_says_the_same(tmp_path):
    path = tmp_path / "x.mlir"
    path.write_text("util.global private @w = 1 : i32\n")
    with pytest.raises(torch_refine.RefineError, match="'util' is a dialect of IREE"):
        torch_refine.load(path)
