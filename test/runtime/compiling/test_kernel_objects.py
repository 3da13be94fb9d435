"""Large kernels have object files of their own, generated in parallel and found again."""

import os
from itertools import count

import pytest
import torch
import torch_refine
from torch import nn
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.runtime.calls.object_files import joined, load_object, separate
from torch_refine.runtime.compiling import cache, kernel_objects
from torch_refine.runtime.disassembly import disassemble_object

# Two kernels, the same but for their name, one that differs, and one that nothing can share.
LEAST = kernel_objects._LEAST_OPS
_BODY = "\n".join(
    f"    %{number} = llvm.add %{number - 1}, %c : i64" for number in range(2, LEAST + 3)
)


def _function(name, number):
    return f"""
  llvm.func @{name}(%0: i64) -> i64 attributes {{no_inline}} {{
    %c = llvm.mlir.constant({number} : i64) : i64
    %1 = llvm.xor %0, %c : i64
{_BODY}
    llvm.return %{LEAST + 2} : i64
  }}"""


def _module(names):
    kernels = "".join(_function(name, number) for name, number in names.items())
    calls = "\n".join(
        f"    %{place} = llvm.call @{name}(%{place - 1}) : (i64) -> i64"
        for name, place in zip(names, count(2))
    )
    return f"""{kernels}
  llvm.func @_mlir__mlir_ciface_main(%0: !llvm.ptr) {{
    %1 = llvm.load %0 : !llvm.ptr -> i64
{calls}
    llvm.store %{len(names) + 1}, %0 : i64, !llvm.ptr
    llvm.return
  }}"""


def _run(content, value):
    import ctypes

    held, (main,) = load_object(content, ["_mlir__mlir_ciface_main"])
    number = ctypes.c_int64(value)
    main(ctypes.byref(number))
    del held
    return number.value


def _expected(value, numbers):
    for number in numbers:
        value ^= number
        value += (LEAST + 1) * number
    return value


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Writes the object files of a module; the names of the generated ones come back, too."""
    monkeypatch.setenv(cache.SWITCH, str(tmp_path / "cache"))

    def write(names):
        folder = tmp_path / f"{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        module = ir.Module.parse(_module(names), new_context())
        kernel_objects.write_objects(module, folder / "object.o", 2, [])
        made = sorted(path.name for path in folder.glob("*.part"))
        return (folder / "object.o").read_bytes(), made

    return write


@pytest.mark.parametrize("processes", [1, 2])
def test_kernels_are_found_again_under_other_names(written, monkeypatch, processes):
    monkeypatch.setattr(kernel_objects, "_processors", lambda: processes)
    monkeypatch.setattr(kernel_objects, "_LEAST_OPS_OF_A_PROCESS", 1)
    content, made = written({"k_1": 3, "k_2": 3, "k_3": 5})
    assert len(separate(content)) == len(made) == 3
    assert _run(content, 11) == _expected(11, [3, 3, 5])
    content, made = written({"k_7": 5, "k_4": 7})
    assert len(separate(content)) == 3
    assert len(made) == 2
    assert _run(content, -4) == _expected(-4, [5, 7])


def test_small_kernels_are_in_one_file(written, monkeypatch):
    monkeypatch.setattr(kernel_objects, "_LEAST_OPS", LEAST * 2)
    content, made = written({"one": 3, "three": 5})
    assert made == ["main.part"]
    assert len(separate(content)) == 1
    assert _run(content, 2) == _expected(2, [3, 5])


def test_a_process_that_fails_is_an_error(written, monkeypatch):
    monkeypatch.setattr(kernel_objects, "_processors", lambda: 2)
    monkeypatch.setattr(kernel_objects, "_LEAST_OPS_OF_A_PROCESS", 1)
    parent = os.getpid()
    write = kernel_objects.write_object

    def fails(*arguments):
        if os.getpid() != parent:
            raise MemoryError
        write(*arguments)

    monkeypatch.setattr(kernel_objects, "write_object", fails)
    with pytest.raises(RuntimeError, match="a process that generates code failed"):
        written({"one": 3, "three": 5})


def test_files_that_were_cut_are_refused():
    content = joined([b"one", b"", b"three"])
    assert separate(content) == [b"one", b"", b"three"]
    assert separate(b"\x7fELF") == [b"\x7fELF"]
    with pytest.raises(ValueError, match="object files are missing"):
        separate(content[:-1])


def test_a_model_shares_the_kernels_of_another(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.SWITCH, str(tmp_path / "cache"))

    def compiled(*more):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), *more).eval()
        example = torch.randn(64, 64)
        with torch.no_grad():
            program = torch_refine.compile(model, (example,))
            torch.testing.assert_close(program(example), model(example))
        objects = separate(program._compiled.content)
        return {
            name
            for each in objects
            for name in disassemble_object(each).split("\n")
            if name.startswith("contraction_")
        }, program.ir("asm")

    one, text = compiled()
    other, _ = compiled(nn.Linear(96, 32))
    assert one
    assert one < other
    assert all(name in text for name in one)
