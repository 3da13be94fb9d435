"""`mode="max-autotune"`: schedules that are measured, kept, exported and imported."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
import torch
import torch_refine
from torch import nn
from torch_refine.passes.lowering.kernels.contractions.candidates import others, tiles
from torch_refine.passes.lowering.kernels.contractions.schedule import Schedule, ScheduleError
from torch_refine.passes.lowering.kernels.contractions.table import as_data, from_data, parse
from torch_refine.passes.lowering.kernels.contractions.tiles import fits
from torch_refine.passes.lowering.kernels.targets.host import host
from torch_refine.passes.lowering.kernels.targets.named import named
from torch_refine.runtime.compiling import measured_schedules, tuning
from torch_refine.runtime.compiling.compiler import CompileError

COMMAND = [sys.executable, "-m", "torch_refine.schedules"]
BASE = Schedule(6, 16, unroll=4, block=120)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(measured_schedules, "_of_process", {})


def _table():
    return measured_schedules.MeasuredSchedules(
        torch_refine.passes.lowering.kernels.targets.host.target("host", "").as_data()
    ).table


def test_what_is_measured_is_kept_and_results_are_the_same():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(70, 100), nn.ReLU(), nn.Linear(100, 70)).eval()
    inputs = (torch.randn(40, 70),)
    tuned = torch_refine.compile(model, inputs, mode="max-autotune")
    assert torch.equal(tuned(*inputs), torch_refine.compile(model, inputs)(*inputs))
    table = _table()
    assert len(table) == 2
    assert all("the right operand kept" in key for key in table)
    assert "torch.aten" in tuned.ir("torch")


def test_a_file_of_schedules_is_followed(tmp_path):
    torch.manual_seed(0)
    model = nn.Linear(64, 96, bias=False).eval()
    inputs = (torch.randn(50, 64),)
    torch_refine.compile(model, inputs, mode="max-autotune")
    path = tmp_path / "schedules.json"
    said = subprocess.run(
        [*COMMAND, "--export", path], capture_output=True, text=True, check=True
    ).stdout
    assert said == "1 schedules were written\n"
    data = json.loads(path.read_text())
    ((key, chosen),) = data["schedules"].items()
    data["schedules"][key] = {**chosen, "rows": 3}
    path.write_text(json.dumps(data))
    subprocess.run([*COMMAND, "--import", path], capture_output=True, check=True)
    assert _table()[key].rows == 3
    again = torch_refine.compile(model, inputs, mode="max-autotune")
    torch.testing.assert_close(again(*inputs), model(*inputs))
    shown = subprocess.run(COMMAND, capture_output=True, text=True, check=True).stdout
    assert "rows=3" in shown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a file of schedules"),
        ("[" * 100_000, "not a file of schedules"),
        ("{}", "its format is not"),
        ('{"format": "torch-refine schedules 1", "schedules": []}', "by key"),
        ('{"format": "torch-refine schedules 1", "schedules": {"a": {}}}', "are not those of"),
    ],
)
def test_a_file_that_is_none(text, said, tmp_path):
    with pytest.raises(ScheduleError, match=said):
        parse(text)
    path = tmp_path / "bad.json"
    path.write_text(text)
    ended = subprocess.run([*COMMAND, "--import", path], capture_output=True, text=True)
    assert ended.returncode == 2
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("field", ["rows", "columns", "unroll", "pack", "threads"])
def test_a_schedule_of_a_file_is_checked(field):
    data = as_data({"a": BASE})
    assert from_data(data) == {"a": BASE}
    data["schedules"]["a"][field] = -1
    with pytest.raises(ScheduleError, match=field):
        from_data(data)


def test_a_file_that_is_not_there(tmp_path):
    ended = subprocess.run(
        [*COMMAND, "--import", tmp_path / "none"], capture_output=True, text=True
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "No such file" in ended.stderr


@pytest.mark.parametrize("cpu", ["x86-64-v3", "x86-64-v4", "armv8-a"])
def test_candidates_fit_into_registers(cpu):
    target = named(cpu)
    lanes = target.lanes(32)
    base = replace(BASE, columns=2 * lanes)
    found = tiles(base, 32, target)
    assert found
    assert base not in found
    assert all(fits(each.rows * each.lines, each.columns // lanes, target) for each in found)
    # None of them changes how a sum is rounded.
    assert {each.depth for each in [*found, *others(base)]} == {base.depth}


def test_a_processor_that_is_not_here_is_not_measured():
    missing = {"x86-64": "+avx512fp16", "aarch64": "+sme2"}[host().architecture]
    if missing[1:] in host().features:
        pytest.skip(f"the host has {missing[1:]}")
    with pytest.raises(CompileError, match="the host has no"):
        torch_refine.compile(
            nn.Linear(2, 2), (torch.ones(2),), features=missing, mode="max-autotune"
        )


def test_another_mode_is_none():
    with pytest.raises(ValueError, match="mode is 'default' or 'max-autotune', not 'fast'"):
        torch_refine.compile(nn.Linear(2, 2), (torch.ones(2),), mode="fast")


def test_nothing_is_measured_by_default(monkeypatch):
    monkeypatch.setattr(tuning, "search", None)
    torch_refine.compile(nn.Linear(64, 64), (torch.ones(64, 64),))
    assert _table() == {}
