"""Compiled programs compute what PyTorch computes, and refuse what they were not compiled for."""

import gc
import itertools
import re
import resource
import threading

import numpy as np
import pytest
import torch
import torch_refine
from function_module import Function
from seeded_parts import seeded_part
from torch import nn
from torch.export import Dim
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.runtime.calls.tensors import TorchTensors
from without_lowering import bessel

CONTROL = """
func.func @main(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.int, %arg2: !torch.float)
    -> (!torch.int, !torch.float, !torch.vtensor<[2,3],f32>) {
  %0 = torch.aten.mul.Scalar %arg0, %arg2
    : !torch.vtensor<[2,3],f32>, !torch.float -> !torch.vtensor<[2,3],f32>
  %1 = torch.aten.add.int %arg1, %arg1 : !torch.int, !torch.int -> !torch.int
  return %1, %arg2, %0 : !torch.int, !torch.float, !torch.vtensor<[2,3],f32>
}
"""


@pytest.fixture(scope="module")
def perceptron():
    """A model with a dynamic batch, and what it was compiled to."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(80, 64), nn.GELU(), nn.Linear(64, 10)).eval()
    shapes = ({0: Dim("batch", max=128)},)
    return model, torch_refine.compile(model, (torch.rand(3, 80),), dynamic_shapes=shapes)


@pytest.mark.parametrize("batch", [1, 2, 7, 64])
def test_a_dynamic_batch(perceptron, batch):
    model, compiled = perceptron
    inputs = torch.rand(batch, 80)
    torch.testing.assert_close(compiled(inputs), model(inputs))


def test_strided_inputs(perceptron):
    model, compiled = perceptron
    inputs = torch.rand(80, 5).t()
    torch.testing.assert_close(compiled(inputs), model(inputs))
    every_other = torch.rand(10, 80)[::2]
    torch.testing.assert_close(compiled(every_other), model(every_other))


def test_weights_are_not_copied(perceptron):
    model, compiled = perceptron
    inputs = torch.rand(2, 80)
    before = compiled(inputs)
    with torch.no_grad():
        model[0].weight.mul_(2)
    torch.testing.assert_close(compiled(inputs), model(inputs))
    assert not torch.allclose(compiled(inputs), before)


@pytest.mark.parametrize(
    ("inputs", "error", "message"),
    [
        ((), TypeError, "missing a required argument: 'input'"),
        ((torch.rand(3, 81),), ValueError, r"input 0 must be float32\[\?,80\], got float32\[3, 81"),
        ((torch.rand(3),), ValueError, r"input 0 must be float32\[\?,80\]"),
        ((torch.rand(3, 80).double(),), TypeError, r"must be float32\[\?,80\], got float64"),
        ((1.0,), TypeError, "must be float32.*, got float"),
    ],
)
def test_wrong_inputs(perceptron, inputs, error, message):
    with pytest.raises(error, match=message):
        perceptron[1](*inputs)


class _Together(nn.Module):
    """Sizes of two inputs that go together: one is twice the other."""

    def forward(self, x, y):
        return x.sum(1) + y.reshape(-1, 2).sum(1)


def test_sizes_that_do_not_go_together():
    """Code for any sizes relies on what the export says of them."""
    batch = Dim("batch", min=2, max=64)
    model = _Together()
    compiled = torch_refine.compile(
        model,
        (torch.rand(4, 3), torch.rand(8)),
        dynamic_shapes=({0: batch}, {0: 2 * batch}),
    )
    x, y = torch.rand(64, 3), torch.rand(128)
    torch.testing.assert_close(compiled(x, y), model(x, y))
    for rows, numbers, message in (
        (5, 8, r"x.size\(0\) == .*y.size\(0\).*, got x.size\(0\) = 5, y.size\(0\) = 8"),
        (5, 11, r"y.size\(0\) % 2\) == 0 .*test_compile.py:\d+.*, got y.size\(0\) = 11"),
        (65, 130, r"x.size\(0\) <= 64, got x.size\(0\) = 65"),
        (1, 2, r"x.size\(0\) >= 2, got x.size\(0\) = 1"),
    ):
        with pytest.raises(ValueError, match=message):
            compiled(torch.rand(rows, 3), torch.rand(numbers))


def test_multiples_are_asked_for():
    half = Dim("half", max=64)
    pairs = Function(lambda x: x.reshape(-1, 2).sum(1)).eval()
    compiled = torch_refine.compile(pairs, (torch.rand(8),), dynamic_shapes=(({0: 2 * half},),))
    torch.testing.assert_close(compiled(torch.ones(12)), torch.full((6,), 2.0))
    with pytest.raises(ValueError, match=r"% 2\) == 0 .*, got .* = 7"):
        compiled(torch.rand(7))


def test_a_tensor_on_another_device_is_refused(perceptron):
    with pytest.raises(TypeError, match="input 0 is on meta"):
        perceptron[1](torch.empty(3, 80, device="meta"))


def test_stages_can_be_read(perceptron):
    assert "torch.aten.mm" in perceptron[1].ir("torch")
    assert "linalg.matmul" in perceptron[1].ir("linalg")
    assert "llvm.func internal @_mlir_ciface_main" in perceptron[1].ir("llvm")
    assembly = perceptron[1].ir("asm").splitlines()
    assert "_mlir__mlir_ciface_main:" in assembly
    assert any(re.search(r"# contraction_[0-9a-f]{16}$", line) for line in assembly)
    with pytest.raises(ValueError, match="stage is torch, linalg, llvm"):
        perceptron[1].ir("sass")


def test_memory_stays_flat(perceptron):
    """Ten thousand calls: results are freed when nobody has them any longer."""
    _, compiled = perceptron
    inputs = torch.rand(64, 80)
    for _ in range(100):
        compiled(inputs)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(10_000):
        compiled(inputs)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    # A result has 2.5 KiB, all of them 25 MiB.
    assert grown < 4096, f"{grown} KiB more after 10,000 calls"


def test_threads_do_not_meet(perceptron):
    model, compiled = perceptron
    failures = []

    def work(seed):
        generator = torch.Generator().manual_seed(seed)
        for _ in range(50):
            inputs = torch.rand(8, 80, generator=generator)
            if not torch.allclose(compiled(inputs), model(inputs), atol=1e-5):
                failures.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_numpy_arrays_and_numbers():
    compiled = torch_refine.compile(_parsed(CONTROL))
    inputs = np.arange(6, dtype=np.float32).reshape(2, 3)
    twice, number, scaled = compiled(inputs, 21, 0.5)
    assert (twice, number) == (42, 0.5)
    assert isinstance(scaled, np.ndarray)
    np.testing.assert_allclose(scaled, inputs * 0.5)
    with pytest.raises(TypeError, match="input 1 must be a int, got str"):
        compiled(inputs, "21", 0.5)


def _parsed(text):

    return ir.Module.parse(text, new_context())


class Nested(nn.Module):
    """Takes and returns what is nested, with numbers and no tensors between."""

    def forward(self, pair, scale, *, flag):
        left, right = pair
        return {"sum": left + right * scale, "parts": [left.sum(), (flag, right.amax(-1))]}


def test_nested_inputs_and_results():
    pair = (torch.rand(2, 3), torch.rand(2, 3))
    program = torch.export.export(Nested(), (pair, 3), {"flag": True})
    compiled = torch_refine.compile(program)
    torch.testing.assert_close(compiled(pair, 3, flag=True), Nested()(pair, 3, flag=True))
    with pytest.raises(ValueError, match="was compiled for 3"):
        compiled(pair, 4, flag=True)


def test_an_index_out_of_range_is_an_error_with_its_line():
    embedding = nn.Embedding(100, 16)
    compiled = torch_refine.compile(embedding, (torch.zeros(3, dtype=torch.int64),))
    inputs = torch.tensor([1, 99, 5])
    torch.testing.assert_close(compiled(inputs), embedding(inputs))
    with pytest.raises(RuntimeError, match=r"index is out of bounds.*sparse.py:\d+"):
        compiled(torch.tensor([1, 100, 5]))
    torch.testing.assert_close(compiled(inputs), embedding(inputs))


class Decomposed(nn.Module):
    """An operator that has no lowering."""

    def forward(self, matrix):
        return bessel(matrix)


def test_an_operator_without_lowering_is_named_with_its_line():
    with pytest.raises(torch_refine.CompileError) as caught:
        torch_refine.compile(Decomposed(), (torch.rand(4, 4),))
    assert "torch_refine_tests.bessel has no lowering to linalg" in str(caught.value)
    assert "test_compile.py:" in str(caught.value)


def test_an_unranked_value_is_an_error():
    module = _parsed(
        "func.func @main(%arg0: !torch.vtensor<*,f32>) -> !torch.vtensor<*,f32> {\n"
        "  return %arg0 : !torch.vtensor<*,f32>\n}"
    )
    with pytest.raises(torch_refine.CompileError, match=r"argument 0 is .* its rank is unknown"):
        torch_refine.compile(module)


def test_numbers_are_those_that_it_was_compiled_for():
    class Scaled(nn.Module):
        def forward(self, inputs, factor):
            return inputs * factor

    inputs = torch.arange(3)
    compiled = torch_refine.compile(Scaled(), (inputs, 2))
    assert compiled(inputs, 2).tolist() == [0, 2, 4]
    for other in (3, 2.0, True, torch.tensor(2)):
        with pytest.raises(ValueError, match="the program was compiled for 2"):
            compiled(inputs, other)


@pytest.mark.parametrize(
    "dtype",
    [torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.uint8],
    ids=str,
)
def test_dtypes(dtype):
    class Arithmetic(nn.Module):
        def forward(self, left, right):
            return left * right + left, left > right, left.sum(0)

    left = torch.randint(0, 10, (4, 5)).to(dtype)
    right = torch.randint(0, 10, (5,)).to(dtype)
    compiled = torch_refine.compile(Arithmetic(), (left, right))
    torch.testing.assert_close(compiled(left, right), Arithmetic()(left, right))


def test_empty_tensors():
    class Joined(nn.Module):
        def forward(self, left, right):
            return torch.cat([left, right]), left * 2

    left, right = torch.rand(0, 3), torch.rand(2, 3)
    compiled = torch_refine.compile(Joined(), (left, right))
    torch.testing.assert_close(compiled(left, right), Joined()(left, right))


def test_wrong_options():
    with pytest.raises(ValueError, match="opt_level is between 0 and 3"):
        torch_refine.compile(nn.ReLU(), (torch.rand(3),), opt_level=7)
    with pytest.raises(ValueError, match="target is 'cpu'"):
        torch_refine.compile(nn.ReLU(), (torch.rand(3),), target="tpu")


def test_llvmlite_is_asked_for_by_name(monkeypatch):
    monkeypatch.setattr("torch_refine.runtime.options.find_spec", lambda name: None)
    with pytest.raises(torch_refine.CompileError, match=r"^llvmlite is not installed: pip install"):
        torch_refine.compile(nn.ReLU(), (torch.rand(3),))


def test_packages_that_show_assembly_are_asked_for_by_name(monkeypatch):
    compiled = torch_refine.compile(nn.ReLU(), (torch.rand(3),))
    monkeypatch.setattr("torch_refine.runtime.disassembly.find_spec", lambda name: None)
    asked = r"capstone and pyelftools are not installed: pip install"
    with pytest.raises(torch_refine.CompileError, match=asked):
        compiled.ir("asm")


def test_bools_may_lie_beside_each_other():
    """A struct of results holds a byte of each."""
    text = """
        func.func @main(%arg0: !torch.bool, %arg1: !torch.int,
                        %arg2: !torch.vtensor<[2],f32>, %not: !torch.bool)
            -> (!torch.bool, !torch.bool, !torch.int, !torch.bool, !torch.vtensor<[2],f32>,
                !torch.bool, !torch.bool, !torch.bool) {
          return %arg0, %not, %arg1, %not, %arg2, %not, %arg0, %not
            : !torch.bool, !torch.bool, !torch.int, !torch.bool, !torch.vtensor<[2],f32>,
              !torch.bool, !torch.bool, !torch.bool
        }"""
    compiled = torch_refine.compile(_parsed(text))
    for given in (True, False):
        other = not given
        *found, last = compiled(given, 7, torch.tensor([1.0, 2.0]), other)
        tensor = found.pop(4)
        assert [*found, last] == [given, other, 7, other, other, given, other]
        assert tensor.tolist() == [1, 2]


def test_a_module_without_main_is_refused():
    with pytest.raises(torch_refine.CompileError, match="the module has no function main"):
        torch_refine.compile(_parsed("func.func @other() {\n  return\n}"))


@pytest.mark.parametrize("options", [{"opt_level": 0}, {"fast_math": True}])
def test_options_change_the_code_and_not_the_results(perceptron, options):
    model, compiled = perceptron
    x = torch.rand(3, 80)
    other = torch_refine.compile(model, (x,), **options)
    torch.testing.assert_close(other(x), model(x))
    assert other.ir("llvm") != compiled.ir("llvm")


def test_infinity_is_still_there_with_fast_math():
    class Masked(nn.Module):
        def forward(self, x, mask):
            return torch.softmax(x.masked_fill(mask, -torch.inf), -1)

    x, mask = torch.randn(4, 50), torch.rand(4, 50) < 0.5
    mask[2] = True
    compiled = torch_refine.compile(Masked(), (x, mask), fast_math=True)
    torch.testing.assert_close(compiled(x, mask), Masked()(x, mask), equal_nan=True)


class Mixed(nn.Module):
    """A convolution, a product and rows, each large enough to be shared."""

    def __init__(self) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(8, 40, 3, padding=1)
        self.linear = nn.Linear(31, 70)

    def forward(self, x):
        """Compute it."""
        return torch.softmax(self.linear(self.convolution(x).relu()), -1)


@pytest.mark.parametrize("dynamic_shapes", [None, ({0: Dim("batch", max=64)},)])
def test_threads_compute_the_same(dynamic_shapes):
    model, x = Mixed().eval(), torch.randn(4, 8, 33, 31)
    compiled = torch_refine.compile(model, (x,), dynamic_shapes=dynamic_shapes, threads=3)
    assert "__kmpc_fork_call" in compiled.ir("llvm") or "omp.parallel" in compiled.ir("llvm")
    with torch.no_grad():
        for _ in range(5):
            torch.testing.assert_close(compiled(x), model(x))


def test_the_openmp_runtime_is_asked_for_by_name(monkeypatch):
    monkeypatch.setattr("torch_refine.runtime.options.openmp_library", lambda: None)
    asked = r"^intel-openmp is not installed: pip install"
    with pytest.raises(torch_refine.CompileError, match=asked):
        torch_refine.compile(nn.ReLU(), (torch.rand(3),), threads=2)


def test_inputs_are_taken_in_the_order_in_which_they_lie():
    model = nn.Conv2d(8, 16, 3).eval()
    images = torch.randn(2, 8, 12, 12).to(memory_format=torch.channels_last)
    compiled = torch_refine.compile(model, (images,), dynamic_shapes=({0: Dim("n", max=9)},))
    # Only the result is transposed: the image has its channels last already.
    assert compiled.ir("linalg").count("tensor<?x12x12x8xf32>") > 0
    for given in (
        images,
        images.contiguous(),
        images[:, :, :, ::1].flip(0),
        images.expand(2, 8, 12, 12),
    ):
        torch.testing.assert_close(compiled(given), model(given))
    with pytest.raises(ValueError, match=r"input 0 must be float32\[\?,8,12,12\], got"):
        compiled(torch.randn(2, 12, 12, 8))


def test_numpy_arrays_in_the_order_of_fortran():
    class Sum(nn.Module):
        def forward(self, x, y):
            return x + 2 * y

    x, y = torch.randn(7, 5).t(), torch.randn(5, 7)
    compiled = torch_refine.compile(Sum(), (x, y))
    numpy_result = compiled(np.asfortranarray(x.numpy()), y.numpy())
    torch.testing.assert_close(torch.from_numpy(numpy_result), Sum()(x, y))
    torch.testing.assert_close(compiled(y, x), Sum()(y, x))


_STRIDED = {
    "rows apart": lambda of: of[3, :, :32],
    "every second column": lambda of: of[3, :, ::2],
    "transposed": lambda of: of[:, :8, 5].t(),
    "three dimensions": lambda of: of.permute(2, 0, 1)[1:40, ::2],
    "repeated rows": lambda of: of[0, 0].expand(20, 50),
    "repeated columns": lambda of: of[0, :, :1].expand(60, 30),
    "one row": lambda of: of[2, 5:6, ::3],
}
_TAKEN = {
    "number by number": lambda x: torch.relu(x) * 2 + 1,
    "rows": lambda x: torch.softmax(x, -1),
    "columns": lambda x: x.sum(0),
    "product": lambda x: x @ torch.ones(x.shape[-1], 33),
    "transpose": lambda x: x.transpose(-1, -2).contiguous(),
    "slices": lambda x: x[..., ::2].exp() + x[..., : (x.shape[-1] + 1) // 2],
    "itself": lambda x: (x, x[..., 1:]),
    "sort": lambda x: x.sort(-1)[0],
}


@pytest.mark.parametrize(("view", "taken"), seeded_part(itertools.product(_STRIDED, _TAKEN), 12))
def test_inputs_of_any_strides_are_read_where_they_lie(view, taken, monkeypatch):
    example = _STRIDED[view](torch.randn(40, 60, 50))
    model = Function(_TAKEN[taken])
    compiled = torch_refine.compile(model, (example,))
    back = torch.randn(example.shape[::-1]).permute(*range(example.dim() - 1, -1, -1))
    for given in (example.contiguous(), back, torch.randn(*example.shape, 2)[..., 0]):
        torch.testing.assert_close(compiled(given), model(given))
    monkeypatch.delattr(TorchTensors, "contiguous")
    for given in (example, _STRIDED[view](torch.randn(40, 60, 50))):
        torch.testing.assert_close(compiled(given), model(given))


def test_inputs_whose_memory_holds_something_else_than_their_numbers():
    compiled = torch_refine.compile(nn.ReLU(), (torch.rand(4),))
    lone = torch_refine.compile(nn.ReLU(), (torch.rand(1),))
    negative = torch.complex(torch.rand(4), torch.rand(4)).conj().imag
    assert negative.is_neg()
    for run, given in ((compiled, negative), (lone, negative[:1])):
        torch.testing.assert_close(run(given), torch.zeros(len(given)))
    conjugate = torch.randn(4, dtype=torch.complex64).conj()
    flat = torch_refine.compile(Function(torch.view_as_real), (conjugate.resolve_conj(),))
    torch.testing.assert_close(flat(conjugate), torch.view_as_real(conjugate.resolve_conj()))

    records = np.zeros(4, dtype=[("number", "f4"), ("other", "i2")])
    records["number"] = np.arange(4)
    assert compiled(records["number"]).tolist() == [0, 1, 2, 3]
    assert compiled(np.arange(4, dtype="f4")[::-1]).tolist() == [3, 2, 1, 0]
    with pytest.raises(TypeError, match=r"input 0 must be float32\[4\], got >f4\[4\]"):
        compiled(np.arange(4, dtype=">f4"))
    with pytest.raises(TypeError, match=r"got a tensor of layout torch.sparse_coo"):
        compiled(torch.ones(4).to_sparse())


class _Twice(nn.Module):
    def forward(self, values):
        doubled = values * 2
        return doubled, doubled, doubled.view(6), values + 1, values + 1, doubled[:, :0]


def test_a_value_that_is_returned_twice_has_memory_of_its_own_each_time():
    inputs = torch.rand(2, 3)
    compiled = torch_refine.compile(_Twice(), (inputs,))
    for _ in range(3):
        found, expected = compiled(inputs), _Twice()(inputs)
        for mine, theirs in zip(found, expected, strict=True):
            torch.testing.assert_close(mine, theirs)
        found[0].zero_()
        assert found[1].any() and found[2].any()
        del found
        gc.collect()


@pytest.mark.parametrize("sizes", [(1, 2, 3, 6, 5), (2, 2, 5, 5, 5)])
def test_a_window_that_does_not_reach_the_end_of_its_input(sizes):
    """One window along a dimension, of an input that is longer."""
    pool = nn.Sequential(nn.MaxPool3d(3, 3, padding=1))
    inputs = torch.rand(sizes) - 20
    compiled = torch_refine.compile(pool, (inputs,))
    torch.testing.assert_close(compiled(inputs), pool(inputs))


SUMS = {
    "sum": lambda x: x.sum(0),
    "all": lambda x: x.sum(),
    "mean": lambda x: x.mean(0),
    "nansum": lambda x: x.nansum(0),
    "cumsum": lambda x: x.cumsum(0),
    "var": lambda x: x.var(0),
    "softmax": lambda x: torch.softmax(x, 0),
    "norm": lambda x: torch.linalg.vector_norm(x, dim=0),
}


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_long_sums_of_16_bit_floats_do_not_stop_growing(dtype):
    class Sums(nn.Module):
        def forward(self, x):
            return {name: function(x) for name, function in SUMS.items()}

    x = torch.rand(2000, 3, generator=torch.Generator().manual_seed(0)).to(dtype)
    found = torch_refine.compile(Sums(), (x,))(x)
    for name, function in SUMS.items():
        torch.testing.assert_close(
            found[name], function(x), msg=lambda said, n=name: f"{n}: {said}"
        )


def test_the_rest_of_a_division_is_exact():
    class Rest(nn.Module):
        def forward(self, x, y):
            return torch.fmod(x, y), torch.remainder(x, y)

    x = torch.tensor([1e6, 7.0, -7.0, 1e30, 5.0, 0.3])
    y = torch.tensor([0.1, 3.0, 3.0, 7.0, -3.0, 0.1])
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        inputs = x.to(dtype), y.to(dtype)
        torch.testing.assert_close(torch_refine.compile(Rest(), inputs)(*inputs), Rest()(*inputs))


def test_losses_are_reduced_as_asked():
    class Loss(nn.Module):
        def forward(self, x, target):
            loss = nn.functional.cross_entropy
            return [loss(x, target, reduction=each) for each in ("none", "mean", "sum")]

    inputs = torch.randn(4, 3), torch.tensor([0, 2, 1, 1])
    compiled = torch_refine.compile(Loss(), inputs)
    torch.testing.assert_close(compiled(*inputs), Loss()(*inputs))


def test_negative_padding_takes_away():
    amounts = ((0, 0, 0, -4, 0, 0), (-1, 2, 1, -3, -2, -1), (-3, 0))

    class Pad(nn.Module):
        def forward(self, x):
            return [nn.functional.pad(x, each, value=2.5) for each in amounts]

    x = torch.randn(5, 10, 7)
    # The result's memory ends where it says, whatever was read.
    module = torch_refine.compile(Pad(), (x,))
    assert "extract_slice" in module.ir("linalg")
    torch.testing.assert_close(module(x), Pad()(x))


def test_a_mask_of_nothing_writes_nothing():
    class Put(nn.Module):
        def forward(self, x, mask, value):
            return torch.ops.aten.index_put.default(x, [mask], value, True)

    x, value = torch.randn(5, 5), torch.randn(5)
    compiled = torch_refine.compile(
        Put(), (x, torch.tensor([True, False, True, True, False]), value)
    )
    for mask in (torch.zeros(5, dtype=torch.bool), torch.ones(5, dtype=torch.bool)):
        torch.testing.assert_close(compiled(x, mask, value), Put()(x, mask, value))
