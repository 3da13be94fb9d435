"""The tour of the README prints what it says."""

import re
from pathlib import Path

import pytest
import torch_refine
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
    assert "5 of 5 tensor values are known; 3 depend on batch" in capsys.readouterr().out
    assert "!torch.vtensor<[?,10],f32>" in (tmp_path / "model.mlir").read_text()


def test_one_operator_by_hand(capsys):
    block = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[1]
    shown = re.findall(r"^# (.*)$", block, re.MULTILINE)
    with pytest.raises(InferenceError) as caught:
        exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == shown[:1]
    assert f"InferenceError: {caught.value}" == shown[1]


def test_the_coverage_of_an_operator(capsys):
    """It was sampled, inferred and compiled; how often grows with the sweeps that count it."""
    block = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[2]
    exec(block, {"torch_refine": torch_refine})
    printed = capsys.readouterr().out.strip()
    assert re.search(r"[1-9]\d* of \d+ sampled results .* of \d+ calls [1-9]\d* compile ", printed)
    shown = " ".join(re.findall(r"^# (.*)$", block, re.MULTILINE))
    assert re.sub(r"[\d,]+", "N", printed) == re.sub(r"[\d,]+", "N", shown)


def test_the_package_shows_how_it_is_used(tmp_path, monkeypatch, capsys):
    """All but its last line, which compiles a model, as the README's last example does."""
    (tmp_path / "model.mlir").write_text(_block("mlir"))
    monkeypatch.chdir(tmp_path)
    example = torch_refine.__doc__.partition("\n\n")[2].partition("\ncompiled = ")[0]
    exec(example, {})
    report, inferred, coverage = capsys.readouterr().out.rsplit("\n", 3)[:3]
    assert report
    assert inferred == "float32[n, 4]"
    assert re.search(r"[1-9]\d* of \d+ sampled results .* of \d+ calls [1-9]\d* compile ", coverage)
    assert "!torch.vtensor<[?,10],f16>" in (tmp_path / "refined.mlir").read_text()


def test_a_compiled_model(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    monkeypatch.chdir(tmp_path)
    block = "".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL)[3:5])
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"^# (.*)$", block, re.MULTILINE)
