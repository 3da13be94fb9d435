"""`--explain` of the tool."""

import pytest
from torch_refine.tool.main import main

PROGRAM = """\
func.func @main(%x: !torch.vtensor<[?,8],f32>, %y: !torch.vtensor<[?,8],f32>) -> !torch.vtensor {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %x, %y, %int1
     : !torch.vtensor<[?,8],f32>, !torch.vtensor<[?,8],f32>, !torch.int -> !torch.vtensor
  %1 = torch.aten.relu %0 : !torch.vtensor -> !torch.vtensor
  return %1 : !torch.vtensor
}
func.func @other(%x: !torch.vtensor<[3],f32>) -> !torch.vtensor {
  %0 = torch.aten.relu %x : !torch.vtensor<[3],f32> -> !torch.vtensor
  return %0 : !torch.vtensor
}
"""
PIPELINE = "--torch-refinement-pipeline"


@pytest.fixture
def explain(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.mlir").write_text(PROGRAM)

    def run(*words, file="program.mlir"):
        code = main([PIPELINE, *words, file])
        return code, *capfd.readouterr()

    return run


def test_the_module(explain):
    code, out, err = explain("--explain")
    assert code == 0
    assert out.startswith("module {")
    assert err.startswith("2 tensor values are unknown; the causes")
    assert "main:%0: torch.aten.add.Tensor: dim 0 depends on whether" in err
    assert "(at program.mlir:3:8)" in err
    assert (
        "state that dim 0 of `%arg0` and dim 0 of `%arg1` are equal: 2 more values resolve" in err
    )
    assert "--symbolic-inputs='main:0=[n,8];main:1=[n,8]'" in err


def test_the_proposed_option_completes_it(explain):
    code, _, err = explain("--explain", "--symbolic-inputs=main:0=[n,8];main:1=[n,8]")
    assert (code, err) == (0, "every tensor is known\n")


@pytest.mark.parametrize(
    "question", ["main:%1", "@main:%1", "program.mlir:5", "program.mlir:5:8", "%1"]
)
def test_a_value(explain, question):
    code, _, err = explain(f"--explain={question}")
    assert code == 0
    assert err.startswith("main:%1 is !torch.vtensor<[?,8],f32> (at program.mlir:5:8)\n")
    assert "dim 0 follows from dim 0 of %0" in err
    assert "abstract_interp_lib/rules/broadcast.py:" in err


def test_an_operator_means_its_first_incomplete_result(explain):
    for question in ("aten.relu", "torch.aten.relu", "aten::relu"):
        code, _, err = explain(f"--explain={question}")
        assert code == 0
        assert err.startswith("main:%1 is ")
        assert "also asked for: other:%0" in err


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("main:%9", "no value 'main:%9'"),
        ("%0", "2 functions have a value %0: main:%0, other:%0"),
        ("mein:%1", "no function 'mein'; did you mean main?"),
        ("aten.rel", "did you mean aten.relu"),
        ("program.mlir:40", "no value, operator or source line 'program.mlir:40'"),
        ("programm.mlir:4", "did you mean program.mlir:"),
    ],
)
def test_no_such_value(explain, question, message):
    code, out, err = explain(f"--explain={question}")
    assert code == 1
    assert out == ""
    assert err.count("\n") == 1
    assert message in err


def test_contradictions(explain, tmp_path):
    bad = PROGRAM.replace("[?,8],f32>, %y", "[?,7],f32>, %y").replace(
        "  : !torch.vtensor<[?,8]", "  : !torch.vtensor<[?,7]"
    )
    (tmp_path / "bad.mlir").write_text(bad)
    code, out, err = explain("--explain", file="bad.mlir")
    assert (code, out) == (1, "")
    _, _, found = err.partition("the fewest found that contradict each other:\n")
    assert [line.split(" (at")[0].strip() for line in found.splitlines()] == [
        "argument %arg1, declared !torch.vtensor<[?,8],f32>",
        "argument %arg0, declared !torch.vtensor<[?,7],f32>",
        "%0 = torch.aten.add.Tensor",
    ]


def test_only_modules(explain, tmp_path):
    (tmp_path / "function.mlir").write_text(PROGRAM.partition("func.func @other")[0])
    code = main(["--no-implicit-module", "--explain", str(tmp_path / "function.mlir")])
    assert code == 1


def test_a_program_that_was_not_refined(capfd, tmp_path):
    (tmp_path / "program.mlir").write_text(PROGRAM)
    assert main(["--explain=other:%0", str(tmp_path / "program.mlir")]) == 0
    assert "inference gives 1 for the rank, but the type is kept" in capfd.readouterr().err
