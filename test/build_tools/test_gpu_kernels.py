"""Programs for GPUs, run on the CPU here: the tool sees what is wrong."""

import pytest
import torch
from torch_refine.build_tools.gpu_kernels import __main__ as tool
from torch_refine.build_tools.gpu_kernels import running
from torch_refine.build_tools.gpu_kernels.drawing import drawn
from torch_refine.build_tools.gpu_kernels.programs import Program, normals


def test_fixed_and_drawn_programs(capfd):
    assert tool.main(["--target", "cpu", "--only", "softmax", "--drawn", "4", "--jobs", "1"]) == 0
    assert "0 processes" in capfd.readouterr().out


def test_a_seed_draws_the_same_programs():
    assert [drawn(1, number).name for number in range(20)] == [
        drawn(1, number).name for number in range(20)
    ]
    assert len({drawn(1, number).name for number in range(20)}) == 20


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda x: x, ""),
        (lambda x: x[:1], "the shape is"),
        (lambda x: torch.where(x == x.max(), 2 * x, x), "wrong are 1 of 30 elements"),
        (lambda x: x * torch.nan, "wrong are 30 of 30 elements"),
    ],
)
def test_what_is_wrong_is_said(monkeypatch, change, said):
    monkeypatch.setattr(
        running.torch_refine,
        "compile",
        lambda model, inputs, target, dynamic_shapes: lambda *given: change(model(*given)),
    )
    program = Program("exponential", torch.exp, normals((5, 6)))
    found = running.run_program(program, "cpu")
    assert found.startswith(said) or said in found
    assert bool(found) == bool(said)


def test_reports_name_the_program():
    output = "> one\n> two\n========= Invalid read of size 4\n=========     at kernel\n"
    assert tool._reports(output, 99) == ["two: Invalid read of size 4", "two: at kernel"]
    assert tool._reports("> one\n! one: the error is 1\n", 1) == ["one: the error is 1"]
    assert tool._reports("> one\nboom\n", -11)[0] == "one: exit code -11"


def test_a_tool_needs_a_gpu(capsys):
    with pytest.raises(SystemExit):
        tool.main(["--target", "cpu", "--tool", "memcheck"])
    assert "for the GPU" in capsys.readouterr().err
