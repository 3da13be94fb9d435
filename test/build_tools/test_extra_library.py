"""Functions for custom operators, from a Python file of the user's."""

import re
import subprocess
import sys

import pytest
import torch_refine
from torch_refine.build_tools.extra_library import ExtraLibraryError, export_functions

OPERATORS = """
from typing import List, Tuple

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation, T, dtype_function, shape_function,
)


@torch.library.custom_op("{space}::rotate", mutates_args=())
def rotate(x: torch.Tensor, k: int) -> torch.Tensor:
    return torch.rot90(x, k).contiguous()


@torch.library.custom_op("{space}::halves", mutates_args=())
def halves(x: torch.Tensor) -> list[torch.Tensor]:
    return [part.clone() for part in x.chunk(2)]


def {space}〇rotate〡shape(x: List[int], k: int) -> List[int]:
    assert len(x) >= 2, f"x must have two dimensions, got shape {{x}}"
    if k % 2 == 0:
        return x
    else:
        return [x[1], x[0]] + x[2:]


def {space}〇rotate〡dtype(x: Tuple[int, int], k: int) -> int:
    return x[1]


@shape_function("{space}::halves", ok=[Invocation(T(4, 3), device="cpu"),
                                       Invocation(T({rows}), device="cpu")])
def halves_shape(x: List[int]) -> List[List[int]]:
    first = (x[0] + 1) // 2
    return [[first] + x[1:], [x[0] - first] + x[1:]]


@dtype_function("{space}::halves")
def halves_dtype(x: Tuple[int, int]) -> List[int]:
    return [x[1]]
"""
PROGRAM = """
func.func @f(%arg0: !torch.vtensor<[2,?,5],f32>) -> (!torch.vtensor, !torch.vtensor) {{
  %int1 = torch.constant.int 1
  %0 = torch.operator "torch.{space}.rotate"(%arg0, %int1)
      : (!torch.vtensor<[2,?,5],f32>, !torch.int) -> !torch.vtensor
  %1 = torch.operator "torch.{space}.halves"(%arg0)
      : (!torch.vtensor<[2,?,5],f32>) -> !torch.list<vtensor>
  %2:2 = torch.prim.ListUnpack %1 : !torch.list<vtensor> -> !torch.vtensor, !torch.vtensor
  return %0, %2#0 : !torch.vtensor, !torch.vtensor
}}
"""
RETURNED = "return %0, %2#0 : !torch.vtensor<[?,2,5],f32>, !torch.vtensor<[1,?,5],f32>"
EXPORT = "torch_refine.build_tools.extra_library"


def _files(folder, space, rows=5):
    (folder / "mine.py").write_text(OPERATORS.format(space=space, rows=rows))
    (folder / "program.mlir").write_text(PROGRAM.format(space=space))
    return folder / "mine.py", folder / "program.mlir"


def _export(*arguments):
    command = [sys.executable, "-W", "ignore", "-m", EXPORT, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_a_file_becomes_a_library(tmp_path, opt):
    """One command exports the file; the tool uses what it wrote."""
    source, program = _files(tmp_path, "filed")
    library = tmp_path / "mine.mlir"
    done = _export(source, "-o", library)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("4 functions of filed::halves, filed::rotate\n")
    refined = opt(f"--torch-refinement-pipeline=extra-library={library}", program)
    assert RETURNED in refined.stdout, refined.stderr


def test_functions_are_given_to_refine(tmp_path, own_declarations):
    """The same from Python, without a file in between."""
    source, program = _files(tmp_path, "called")
    names = {"__name__": "called_operators"}
    sys.modules["called_operators"] = type(sys)("called_operators")
    exec(compile(source.read_text(), str(source), "exec"), names)
    module = torch_refine.load(program)
    functions = [names[name] for name in ("called〇rotate〡shape", "called〇rotate〡dtype",
                                          "halves_shape", "halves_dtype")]  # fmt: skip
    torch_refine.refine(module, extra=functions)
    assert RETURNED in str(module)


def test_a_wrong_case_is_told_and_nothing_is_written(tmp_path):
    """The file's cases are checked against its operators; two tensors of five and four rows."""
    source, _ = _files(tmp_path, "wrong", rows=1)
    library = tmp_path / "mine.mlir"
    done = _export(source, "-o", library)
    assert done.returncode == 1
    assert "wrong::halves" in done.stderr
    assert not library.exists()


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("x = 1", "", "the file has no shape or dtype functions"),
        ("x = ", ":1", "SyntaxError: invalid syntax"),
        ("\ndef no〇such〡shape(x): return x", ":2", "PyTorch has no operator no::such"),
    ],
)
def test_a_bad_file_is_one_clear_error(tmp_path, text, place, message):
    bad = tmp_path / "bad.py"
    bad.write_text(text)
    done = _export(bad, "-o", tmp_path / "out.mlir")
    assert done.returncode == 1
    assert done.stderr.startswith(f"{bad}{place}: error: {message}")
    assert len(re.findall("error: ", done.stderr)) == 1
    assert not (tmp_path / "out.mlir").exists()


def test_a_function_for_nothing_is_an_error():
    def plain(x):
        return x

    with pytest.raises(ExtraLibraryError, match="plain is declared for no operator"):
        export_functions([plain])
