"""Decomposition functions against the operators that they compute."""

from collections import Counter

import pytest
import torch
import torch_refine
from torch_refine.abstract_interp_lib.declaration import decompositions
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.build_tools.check_decompositions import findings
from torch_refine.build_tools.check_functions import load_families
from torch_refine.build_tools.extra_library import main as extra_library
from torch_refine.dialect.names import library_symbol
from torch_refine.tool.main import main as torch_refine_opt

load_families()
DECLARED = decompositions()
FILES = sorted({each.file for each in DECLARED.values()})


@pytest.mark.parametrize("file", FILES)
def test_each_decomposition_computes_its_operator(file):
    counts = Counter()
    for each in DECLARED.values():
        if each.file != file:
            continue
        found = list(findings(each))
        assert [f"{one.operator} {one.message}" for one in found if one.outcome == "wrong"] == []
        assert any(one.outcome == "right" for one in found), each.operator
        counts.update(one.outcome for one in found)
    # Functions may leave what they do not cover, such as complex numbers; they are fewer.
    assert counts["right"] > counts["left"], counts


def test_all_are_in_the_exported_library():
    programs = Programs()
    assert len(DECLARED) >= 100
    for operator in DECLARED:
        assert library_symbol("decomposition", operator) in programs, operator


USERS = """
from typing import List

import torch
from torch_refine.abstract_interp_lib.declaration import (
    Invocation, T, decomposition, dtype_function, shape_function,
)
from typing import Tuple

torch.library.define("{name}::swish", "(Tensor self, float beta=1.0) -> Tensor")


@torch.library.impl("{name}::swish", "CompositeExplicitAutograd")
def swish(self, beta=1.0):
    return self * torch.sigmoid({factor} * self)


@shape_function("{name}::swish", ok=[Invocation(T(2, 3))])
def swish_shape(self: List[int], beta: float = 1.0) -> List[int]:
    return self


@dtype_function("{name}::swish", ok=[Invocation(T(2, dtype=torch.float64))])
def swish_dtype(self: Tuple[int, int], beta: float = 1.0) -> int:
    return self[1]


@decomposition("{name}::swish")
def swish_decomposition(self: torch.Tensor, beta: float = 1.0) -> torch.Tensor:
    return torch.mul(self, torch.sigmoid(torch.mul(self, beta)))
"""

PROGRAM = """
func.func @main(%arg0: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> {{
  %float2 = torch.constant.float 2.0
  %0 = torch.operator "torch.{name}.swish"(%arg0, %float2)
    : (!torch.vtensor<[?,3],f32>, !torch.float) -> !torch.vtensor<[?,3],f32>
  return %0 : !torch.vtensor<[?,3],f32>
}}
"""


def test_a_users_operator_compiles_by_its_decomposition(tmp_path):
    source, library = tmp_path / "functions.py", tmp_path / "library.mlir"
    source.write_text(USERS.format(name="decomposed_right", factor="beta"), encoding="utf-8")
    assert extra_library([str(source), "-o", str(library)]) == 0
    program = tmp_path / "program.mlir"
    program.write_text(PROGRAM.format(name="decomposed_right"), encoding="utf-8")
    decomposed = tmp_path / "decomposed.mlir"
    option = f"--torch-decompose-ops=extra-library={library}"
    assert torch_refine_opt([option, str(program), "-o", str(decomposed)]) == 0
    compiled = torch_refine.compile(torch_refine.load(decomposed))
    given = torch.randn(5, 3)
    torch.testing.assert_close(compiled(given), given * torch.sigmoid(2 * given))


def test_a_wrong_decomposition_is_reported(tmp_path, capsys):
    source, library = tmp_path / "functions.py", tmp_path / "library.mlir"
    source.write_text(USERS.format(name="decomposed_wrong", factor="-beta"), encoding="utf-8")
    assert extra_library([str(source), "-o", str(library)]) == 1
    assert "differs from PyTorch" in capsys.readouterr().err
    assert not library.exists()


class Calls(torch.nn.Module):
    """Operators that no conversion knows, as they are written in a program."""

    def forward(self, x, y, index):
        return (
            torch.logsumexp(x, [1]),
            torch.index_fill(x, 1, index, 2.5),
            torch.take(x, index),
            torch.chunk(x, 2, 1)[1],
            torch.tensordot(x, y, dims=([1], [1])),
            torch.hypot(x, x),
            torch.xlogy(x, x),
            torch.adjoint(x),
        )


class CallsOfKnownSizes(Calls):
    """The same with operators whose export, or whose decomposition, needs known sizes."""

    def forward(self, x, y, index):
        return (
            *super().forward(x, y, index),
            torch.kron(x, y),
            torch.block_diag(x, y),
            torch.cdist(x, y),
            torch.nn.functional.adaptive_avg_pool1d(x, 3),
        )


@pytest.mark.parametrize("is_dynamic", [False, True])
def test_programs_in_ir_compile_by_decompositions(is_dynamic):
    model = Calls() if is_dynamic else CallsOfKnownSizes()
    given = (torch.rand(4, 6), torch.rand(3, 6), torch.tensor([-1, 0, 3]))
    sizes = ({0: torch.export.Dim("rows", min=2, max=20)}, None, None) if is_dynamic else None
    module = torch_refine.import_model(model, given, dynamic_shapes=sizes)
    assert "torch.aten.tensordot" in str(module)
    compiled = torch_refine.compile(module)
    for rows in (4, 7) if is_dynamic else (4,):
        x = torch.rand(rows, 6)
        wanted = model(x, *given[1:])
        for one, other in zip(compiled(x, *given[1:]), wanted, strict=True):
            torch.testing.assert_close(one, other)
    with pytest.raises(RuntimeError, match="out of"):
        compiled(given[0], given[1], torch.tensor([0, 9, 1]))
