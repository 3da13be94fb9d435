"""What was compiled before is found again; two processes may write at once."""

import subprocess
import sys

import pytest
import torch
import torch_refine
from torch_refine.runtime import cache, compiler

PROGRAM = """
import torch, torch_refine
torch.manual_seed(0)
model = torch.nn.Linear(8, 4).eval()
inputs = torch.rand(2, 8)
compiled = torch_refine.compile(model, (inputs,))
torch.testing.assert_close(compiled(inputs), model(inputs))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.SWITCH, str(tmp_path / "cache"))
    return tmp_path / "cache"


def _compile():
    torch.manual_seed(0)
    model = torch.nn.Linear(8, 4).eval()
    return torch_refine.compile(model, (torch.rand(2, 8),))


def test_the_second_time_is_found(folder, monkeypatch):
    _compile()
    assert len(list(folder.iterdir())) == 1
    monkeypatch.setattr(compiler, "_run", None)
    _compile()


def test_it_can_be_turned_off(folder, monkeypatch):
    monkeypatch.setenv(cache.SWITCH, "0")
    _compile()
    assert not folder.exists()


def test_other_options_are_other_entries(folder):
    _compile()
    torch_refine.compile(torch.nn.Linear(8, 4).eval(), (torch.rand(2, 8),), opt_level=0)
    assert len(list(folder.iterdir())) == 2


def test_processes_may_write_at_once(folder):
    command = [sys.executable, "-c", PROGRAM]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(2)]
    for process in started:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said.decode()
    assert len(list(folder.iterdir())) == 1


def test_a_broken_entry_is_made_again(folder):
    _compile()
    (entry,) = folder.iterdir()
    (entry / "object.o").write_bytes(b"")
    torch.manual_seed(0)
    model = torch.nn.Linear(8, 4).eval()
    inputs = torch.rand(2, 8)
    compiled = torch_refine.compile(model, (inputs,))
    torch.testing.assert_close(compiled(inputs), model(inputs))
