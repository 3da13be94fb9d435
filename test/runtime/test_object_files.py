"""The functions that generated code may call and the C library of the host may lack."""

import ctypes

import numpy as np
import torch
import torch_refine
from function_module import Function
from torch_refine.build_tools.numerics import judging
from torch_refine.runtime.calls.object_files import _linker
from torch_refine.runtime.compiling import compiler

# Functions that return a bfloat16 have no type in ctypes: this one stores it.
CALLER = """
declare bfloat @{name}({type})

define void @store_{name}({type} %x, ptr %place) {{
  %result = call bfloat @{name}({type} %x)
  store bfloat %result, ptr %place
  ret void
}}
"""


def _rounded(name, kind, numbers):
    llvm, linker, _ = _linker()
    single = {ctypes.c_float: "float", ctypes.c_double: "double"}[kind]
    builder = llvm.JITLibraryBuilder().add_ir(CALLER.format(name=name, type=single))
    builder.add_jit_library("torch_refine.support").export_symbol(f"store_{name}")
    library = builder.link(linker, f"test.{name}")
    function = ctypes.CFUNCTYPE(None, kind, ctypes.c_void_p)(library[f"store_{name}"])
    found = np.zeros(len(numbers), np.uint16)
    for index, number in enumerate(numbers):
        function(number, found.ctypes.data + 2 * index)
    return torch.from_numpy(found.view(np.int16)).view(torch.bfloat16)


def _samples():
    bits = np.random.default_rng(0).integers(0, 2**32, 20_000, dtype=np.uint64).astype(np.uint32)
    ties = np.array([0x3F808000, 0x3F818000, 0x7F7FFFFF, 0x00008000, 0x80000000, 0x7F800001])
    return np.concatenate([bits, ties.astype(np.uint32)]).view(np.float32)


def test_floats_are_rounded_as_pytorch_rounds():
    numbers = _samples()
    expected = torch.from_numpy(numbers.copy()).to(torch.bfloat16)
    found = _rounded("__truncsfbf2", ctypes.c_float, numbers)
    torch.testing.assert_close(found, expected, rtol=0, atol=0, equal_nan=True)


def test_doubles_are_rounded_as_pytorch_rounds():
    numbers = np.concatenate([_samples().astype(np.float64), [1 + 2**-8 + 2**-40, 1e300]])
    expected = torch.from_numpy(numbers.copy()).to(torch.bfloat16)
    found = _rounded("__truncdfbf2", ctypes.c_double, numbers)
    torch.testing.assert_close(found, expected, rtol=0, atol=0, equal_nan=True)


def test_the_compiler_reports_no_function_that_is_linked_later(capfd, monkeypatch):
    """Its own linker would look for all that the code calls."""
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")
    monkeypatch.setattr(compiler, "_run", judging._run)
    x = torch.randn(5, 4).bfloat16()
    compiled = torch_refine.compile(Function(lambda x: (x.cumsum(0), x.nonzero())), (x,))
    assert compiled(x)[1].shape == (20, 2)
    assert "not found" not in capfd.readouterr().err


def test_code_that_calls_them_is_loaded():
    class Pad(torch.nn.Module):
        def forward(self, x):
            return torch.nn.functional.pad(x, (1, 1, 1, 1, 1, 1), "circular")

    x = torch.randn(1, 3, 3, 3, 3).bfloat16()
    torch.testing.assert_close(torch_refine.compile(Pad(), (x,))(x), Pad()(x), rtol=0, atol=0)
