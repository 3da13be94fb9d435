"""What a call allocates is released when it fails; what cannot be allocated is an error."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import torch_refine
from function_module import Function
from torch.export import Dim
from torch_refine.dialect.bindings import ir, new_context

_PAGES_PER_MIB = (1 << 20) // resource.getpagesize()
_ALIVE = "the process is still there"


def _resident_mib():
    return int(Path("/proc/self/statm").read_text().split()[1]) / _PAGES_PER_MIB


def _compiled(function, *inputs, dynamic=True, **options):
    shapes = tuple(dict.fromkeys(range(each.dim()), Dim.AUTO) for each in inputs)
    dynamic_shapes = (shapes,) if dynamic else None
    return torch_refine.compile(Function(function), inputs, "cpu", dynamic_shapes, **options)


def _lookup(x, places):
    """Makes much before it fails."""
    return x.exp().cumsum(0), torch.nn.functional.embedding(places, x + 1).sin()


def _two_lookups(x, places):
    """Fails in the second of two kernels, when the result of the first is there."""
    first = torch.nn.functional.embedding(places % 10, x)
    return first.cumsum(1), torch.nn.functional.embedding(places, x.cumsum(0))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("function", [_lookup, _two_lookups])
def test_a_failed_assertion_releases_what_was_allocated(function, threads):
    x, places = torch.randn(300, 40), torch.arange(20)
    compiled = _compiled(function, x, places, threads=threads)
    wrong = torch.arange(20) + 500
    expected = function(x, places)
    torch.testing.assert_close(compiled(x, places), expected)
    for _ in range(20):
        with pytest.raises(RuntimeError, match="out of bounds"):
            compiled(x, wrong)
    before = _resident_mib()
    for _ in range(2000):
        with pytest.raises(RuntimeError, match="out of bounds"):
            compiled(x, wrong)
    # Each call allocates 96 KB.
    assert _resident_mib() - before < 8
    torch.testing.assert_close(compiled(x, places), expected)


def test_results_outlive_the_calls_that_fail_after_them():
    x, places = torch.randn(300, 40), torch.arange(20)
    compiled = _compiled(_lookup, x, places)
    kept = compiled(x, places)
    for _ in range(50):
        with pytest.raises(RuntimeError, match="out of bounds"):
            compiled(x, places + 500)
    torch.testing.assert_close(kept, _lookup(x, places))


def test_a_call_that_fails_writes_nothing_to_its_inputs():
    def write(x, places):
        x.add_(1)
        return torch.nn.functional.embedding(places, x)

    x, places = torch.randn(30, 4), torch.arange(5)
    compiled = _compiled(write, x, places)
    before = x.clone()
    with pytest.raises(RuntimeError, match="out of bounds"):
        compiled(x, places + 50)
    assert torch.equal(x, before)


def _in_process(code):
    """What a process of its own prints last; the code finds `compile` and PyTorch."""
    header = """
import resource, torch, torch_refine
from torch.export import Dim
from torch_refine.dialect.bindings import ir, new_context
class Function(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function
    def forward(self, *inputs):
        return self.function(*inputs)
def compile(function, *inputs):
    shapes = tuple(
        Dim.DYNAMIC if isinstance(each, int) else dict.fromkeys(range(each.dim()), Dim.AUTO)
        for each in inputs
    )
    return torch_refine.compile(Function(function), inputs, "cpu", (shapes,))
def failure(function, *inputs):
    try:
        return f"no error: {function(*inputs)}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
"""
    run = subprocess.run(
        [sys.executable, "-c", header + code], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout.splitlines()


_ZEROS = """
func.func @main(%arg0: !torch.int) -> !torch.vtensor<[?],f32> {
  %none = torch.constant.none
  %0 = torch.prim.ListConstruct %arg0 : (!torch.int) -> !torch.list<int>
  %1 = torch.aten.zeros %0, %none, %none, %none, %none : !torch.list<int>, !torch.none, \
!torch.none, !torch.none, !torch.none -> !torch.vtensor<[?],f32>
  return %1 : !torch.vtensor<[?],f32>
}
"""


def test_a_size_that_a_program_is_given_is_checked():
    compiled = torch_refine.compile(ir.Module.parse(_ZEROS, new_context()))
    assert compiled(3).tolist() == [0, 0, 0]
    assert compiled(0).tolist() == []
    for size in (-1, -(2**62)):
        with pytest.raises(torch_refine.GuardError, match="must not be negative"):
            compiled(size)
    with pytest.raises(RuntimeError, match="of this size"):
        compiled(2**62)


def test_memory_that_is_not_there_is_an_error():
    shown = _in_process(f"""
x = torch.randn(8, 8)
products = compile(lambda x: (x[:, None] * x[None]).cumsum(0), x)
zeros = torch_refine.compile(ir.Module.parse({_ZEROS!r}, new_context()))
# Of sizes that are known, the memory to work in is one piece.
line = torch.randn(4096)
known = Function(lambda x: (x[:, None, None] * x[None, :, None] * x).cumsum(0).sum(0))
known = torch_refine.compile(known, (line,))
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (256 << 20),) * 2)
large = torch.randn(4096, 8)
for _ in range(2):
    print(failure(products, large))
print(failure(zeros, 2**40))
print(failure(known, line))
print(products(x).shape, zeros(2))
print("{_ALIVE}")
""")
    assert shown[-1] == _ALIVE
    assert all(each.startswith("RuntimeError: cannot allocate 5368709") for each in shown[:2])
    assert shown[2].startswith("RuntimeError: cannot allocate 43980465")
    assert shown[3].startswith("RuntimeError: cannot allocate 5498")
    assert shown[4] == "torch.Size([8, 8, 8]) tensor([0., 0.])"
