"""Decomposition functions against the operators that they compute."""

import os
from collections import Counter

import pytest
import torch
import torch_refine
from own_declarations import own_declarations  # noqa: F401
from torch_refine.abstract_interp_lib.declaration import decompositions
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.build_tools.check_decompositions import findings
from torch_refine.build_tools.check_functions import load_families
from torch_refine.build_tools.extra_library import main as extra_library
from torch_refine.dialect.names import library_symbol
from torch_refine.tool.main import main as torch_refine_opt

load_families()
DECLARED = decompositions()
# `make test-all` expands all of them.
CASES_IN_IR = None if os.environ.get("TORCH_REFINE_ALL_CASES") == "1" else 4
FILES = sorted({each.file for each in DECLARED.values()})


@pytest.mark.parametrize("file", FILES)
@pytest.mark.seeded_part(40)
def test_each_decomposition_computes_its_operator(file):
    counts = Counter()
    for each in DECLARED.values():
        if each.file != file:
            continue
        found = list(findings(each, cases_in_ir=CASES_IN_IR))
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


@pytest.mark.usefixtures("own_declarations")
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


@pytest.mark.usefixtures("own_declarations")
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


class Transforms(torch.nn.Module):
    """Fourier transforms of even, odd and prime sizes, and numbers of their parts."""

    def forward(self, x, z):
        spectrum = torch.stft(x, 16, window=torch.hann_window(16), return_complex=True)
        return (
            torch.fft.rfft(x),
            torch.fft.irfft(z, n=9, norm="ortho"),
            torch.fft.fft2(z, norm="forward"),
            torch.fft.ifft(z, dim=0),
            torch.fft.hfft(z),
            torch.fft.ihfft(x),
            spectrum.abs(),
            torch.angle(z) + torch.log(z / (z * z + 3)).real,
        )


@pytest.mark.parametrize("sizes", [(3, 60), (5, 74), (1, 64)])
def test_transforms_and_complex_numbers_compile(sizes):
    x, z = torch.randn(sizes), torch.randn(sizes[0], 7, dtype=torch.complex64)
    compiled = torch_refine.compile(Transforms(), (x, z), fallback="error")
    for one, other in zip(compiled(x, z), Transforms()(x, z), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)


def test_a_size_with_a_large_prime_is_left_to_pytorch():
    class Prime(torch.nn.Module):
        def forward(self, x):
            return torch.fft.rfft(x).real + 1

    x = torch.randn(2, 514 + 7)
    with pytest.raises(torch_refine.CompileError, match="fft_r2c"):
        torch_refine.compile(Prime(), (x,), fallback="error")
    compiled = torch_refine.compile(Prime(), (x,), fallback="pytorch")
    torch.testing.assert_close(compiled(x), Prime()(x), rtol=1e-4, atol=1e-4)


class Moded(torch.nn.Module):
    """An operator with an integer that names a mode."""

    def __init__(self, name, mode):
        super().__init__()
        self.name, self.mode = name, mode

    def forward(self, x, grid):
        if self.name == "grid_sampler_3d":
            return torch.ops.aten.grid_sampler_3d.default(x, grid, 0, self.mode, False)
        return torch.ops.aten._fft_r2c.default(x, [1], self.mode, True)


@pytest.mark.parametrize("name", ["_fft_r2c", "grid_sampler_3d"])
@pytest.mark.parametrize("mode", [-1, 3])
def test_a_mode_that_is_none_is_left_to_pytorch(name, mode):
    model, given = Moded(name, mode), (torch.randn(1, 2, 3, 4, 5), torch.randn(1, 2, 2, 2, 3))
    with pytest.raises(torch_refine.CompileError, match=name):
        torch_refine.compile(model, given)
    compiled = torch_refine.compile(model, given, fallback="pytorch")
    torch.testing.assert_close(compiled(*given), model(*given))


SPECIAL = ["lgamma", "digamma", "erfc", "erfcx", "erfinv", "i0", "i0e", "i1", "i1e", "log_ndtr"]


class Special(torch.nn.Module):
    """Special functions of the same elements."""

    def forward(self, x):
        special = torch.special
        named = {"lgamma": special.gammaln}
        return [named.get(name, getattr(special, name, None))(x) for name in SPECIAL]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_special_functions_over_their_range(dtype):
    exact = torch.tensor(
        [0.0, -0.0, 1, 2, -1, -2, 1e-30, -1e-17, -1e-30, float("inf"), -float("inf"), float("nan")]
    )
    # Beyond 9, PyTorch's erfcx of negative numbers loses digits in float32.
    x = torch.cat([torch.linspace(-9, 30, 1009), exact]).to(dtype)
    compiled = torch_refine.compile(Special(), (x,), fallback="error")
    for name, one, other in zip(SPECIAL, compiled(x), Special()(x), strict=True):
        near = {torch.float32: 5e-6, torch.float64: 1e-9}[dtype]
        torch.testing.assert_close(one, other, rtol=near, atol=near, equal_nan=True, msg=name)


class Networks(torch.nn.Module):
    """Operators of networks, of an image of 7 columns."""

    def forward(self, x, places, bags):
        aten = torch.ops.aten
        image, large = x[None, None], torch.cat([x, x])[None, None]
        return [
            aten._upsample_bicubic2d_aa(image, [3, 12], False),
            aten._upsample_bilinear2d_aa(image, [3, 12], True),
            aten._adaptive_avg_pool2d_backward(image[..., :3, :3], image),
            aten.replication_pad2d_backward(large, large[..., 2:, 1:-1], [1, 1, 2, 0]),
            torch.nn.functional.embedding_bag(places, x, bags, mode="max"),
            aten._embedding_bag(x, places, bags[1:] - 2, False, 0, False, None, False, 1)[0],
            torch.nn.functional.embedding_bag(places, x, bags, include_last_offset=True),
            torch.median(x, 1).values,
            torch.nanmedian(x),
            torch.mode(x, 0).values,
            torch.cdist(x, x[:2], p=1.5),
            torch.segment_reduce(x[:4], "max", offsets=bags - 1 + (bags == 0)),
        ]


class NetworksOfKnownSizes(Networks):
    """The same, and those that PyTorch exports for known sizes only."""

    def forward(self, x, places, bags):
        aten = torch.ops.aten
        rows = x.shape[0]
        large = torch.cat([x, x])[None, None]
        size, twice = [1, 1, rows, 7], [2 * rows, 7]
        return [
            *super().forward(x, places, bags),
            aten.upsample_bicubic2d_backward(large, twice, size, False),
            aten.upsample_bilinear2d_backward(large, twice, size, True),
            aten._upsample_nearest_exact2d_backward(large, twice, size),
            aten._upsample_bicubic2d_aa_backward(large, twice, size, False),
            torch.histogram(x, 4)[0],
        ]


@pytest.mark.parametrize("is_dynamic", [False, True])
def test_operators_of_networks_compile(is_dynamic):
    x, places, bags = torch.randn(6, 7), torch.tensor([2, 0, 1, 3, 1]), torch.tensor([0, 2, 5])
    rows = {0: torch.export.Dim("rows", min=4, max=40)}
    sizes = (rows, None, None) if is_dynamic else None
    model = Networks() if is_dynamic else NetworksOfKnownSizes()
    compiled = torch_refine.compile(
        model, (x, places, bags), dynamic_shapes=sizes, fallback="error"
    )
    for count in (6, 4, 11) if is_dynamic else (6,):
        x = torch.randn(count, 7)
        wanted = model(x, places, bags)
        for one, other in zip(compiled(x, places, bags), wanted, strict=True):
            torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)
    # Indices, offsets, and bounds of bins, that eager mode rejects.
    invalid = [
        (x, torch.tensor([2, 0, 1, 99, 1]), bags),
        (x, torch.tensor([2, 0, -1, 3, 1]), bags),
        (x, places, torch.tensor([1, 2, 5])),
        (x, places, torch.tensor([0, 2, 9])),
    ]
    if not is_dynamic:
        invalid.append((torch.full_like(x, float("inf")), places, bags))
    for given in invalid:
        with pytest.raises(RuntimeError):
            model(*given)
        with pytest.raises(RuntimeError, match="out of"):
            compiled(*given)


def test_results_that_nothing_uses_may_have_other_types():
    class Sums(torch.nn.Module):
        def forward(self, weight, indices, offsets):
            found = torch.ops.aten._embedding_bag_forward_only(weight, indices, offsets)
            return found[0]

    # The fake kernel gives the second result of bfloat16 another size than the kernel.
    weight = torch.randn(4, 3).bfloat16()
    given = (weight, torch.tensor([0, 3, 1]), torch.tensor([0, 2]))
    compiled = torch_refine.compile(Sums(), given, fallback="error")
    torch.testing.assert_close(compiled(*given), Sums()(*given))


class AveragesBack(torch.nn.Module):
    """The gradient of adaptive pooling, whose kernel reads beyond one of fewer channels."""

    def forward(self, gradient, image):
        return torch.ops.aten._adaptive_avg_pool2d_backward(gradient, image)


def test_gradients_of_another_number_of_channels_raise():
    given = torch.rand(8, 2, 5), torch.rand(8, 2, 8)
    sizes = {0: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO}
    compiled = torch_refine.compile(AveragesBack(), given, dynamic_shapes=(sizes, sizes))
    torch.testing.assert_close(compiled(*given), AveragesBack()(*given))
    with pytest.raises(RuntimeError, match="operands have other sizes"):
        compiled(given[0][:7], given[1])
