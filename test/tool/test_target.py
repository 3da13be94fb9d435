"""The command that shows what is known of a processor."""

import json
import subprocess
import sys

import pytest
from torch_refine.passes.lowering.kernels.targets.named import named, names
from torch_refine.target import main

V4 = """\
processor             x86-64-v4
architecture          x86-64
vectors               512 bits x 32 registers
multiply-adds         2 a cycle, 4 cycles each
loads                 2 a cycle, 2 accesses across lines
L1 data cache         32 KiB
L2 cache              1024 KiB
L3 cache              32768 KiB
cache line            64 bytes
AVX2                  yes
AVX-512               yes
VNNI                  yes
VNNI without AVX-512  no
bf16                  no
f16                   no
AMX for bf16          no
AMX for bytes         no
"""


def test_a_record_as_a_table(capsys):
    assert main(["--cpu", "x86-64-v4", "--features", "+avx512vnni"]) == 0
    assert capsys.readouterr().out == V4
    assert main(["--cpu", "armv8-a"]) == 0
    assert "NEON           yes\ndot products   no\n" in capsys.readouterr().out


def test_a_record_as_json(capsys):
    assert main(["--cpu", "znver4", "--features=-avx", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == named("znver4", "-avx").as_data()


def test_the_names(capsys):
    assert main(["--list"]) == 0
    assert capsys.readouterr().out.split() == ["host", *names()]


@pytest.mark.parametrize("options", [["--cpu=haswel"], ["--cpu=haswell", "--features=+avx3"]])
def test_mistakes_are_one_line(options, capsys):
    assert main(options) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    assert said.err.startswith("python -m torch_refine.target: error: ") and "did you" in said.err


def test_it_runs_as_a_module():
    command = [sys.executable, "-m", "torch_refine.target"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("processor ")
