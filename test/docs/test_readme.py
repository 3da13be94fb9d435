"""The tour of the README prints what it says."""

import re
from pathlib import Path

import pytest
from torch_refine import InferenceError

README = (Path(__file__).parent.parent.parent / "README.md").read_text()


def _block(language):
    return re.search(rf"```{language}\n(.*?)```", README, re.DOTALL)[1]


def test_the_tour_in_the_shell(opt, tmp_path):
    (tmp_path / "mlp.mlir").write_text(_block("mlir"))
    command, _, shown = _block("console").partition("\n")
    arguments = command.removeprefix("$ torch-refine-opt ").split()
    done = opt(*arguments, cwd=tmp_path)
    assert done.stdout == shown


def test_the_tour_in_python(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exec(compile(_block("python"), "README.md", "exec"), {})
    assert "tensor values have a complete type" in capsys.readouterr().out
    assert "!torch.vtensor<[?,10],f32>" in (tmp_path / "model.mlir").read_text()


def test_one_operator_by_hand(capsys):
    block = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[1]
    shown = re.findall(r"^# (.*)$", block, re.MULTILINE)
    with pytest.raises(InferenceError) as caught:
        exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == shown[:1]
    assert f"InferenceError: {caught.value}" == shown[1]


def test_a_compiled_model(capsys, monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    block = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[3]
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"^# (.*)$", block, re.MULTILINE)
