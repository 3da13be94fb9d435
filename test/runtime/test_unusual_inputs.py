"""What is no tensor in memory is refused by name; what is one is taken as PyTorch takes it."""

import numpy as np
import pytest
import torch
import torch_refine
from function_module import Function
from torch import nn
from torch._subclasses import FakeTensorMode
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.runtime.calls.overlaps import OverlapError


class Wrapper(torch.Tensor):
    """Has no memory: what is asked of it goes to another tensor."""

    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        raise AssertionError(f"{function} was called, which has no memory to compute with")


class Subclass(torch.Tensor):
    """Its results are of its class."""


class MyParameter(nn.Parameter):
    """As PyTorch's own, which computes as all tensors do."""


def _resized(count):
    tensor = torch.rand(3, 4)
    tensor.untyped_storage().resize_(count)
    return tensor


def _swapped():
    return np.ones((3, 4), ">f4")


@pytest.fixture(scope="module")
def compiled():
    return torch_refine.compile(Function(lambda x: x * 2 + 1), (torch.rand(3, 4),))


REFUSED = {
    "wrapper": (lambda x: Wrapper(x), "a Wrapper, a subclass of torch.Tensor"),
    "subclass": (lambda x: x.as_subclass(Subclass), "a Subclass, a subclass of torch.Tensor"),
    "fake": (lambda x: FakeTensorMode().from_tensor(x), "a FakeTensor, a subclass"),
    "zero": (lambda x: torch._efficientzerotensor((3, 4)), "a zero tensor, which has no memory"),
    "negative zero": (
        lambda x: torch._neg_view(torch._efficientzerotensor((3, 4))),
        "a zero tensor",
    ),
    "sparse": (lambda x: x.to_sparse(), "layout torch.sparse_coo"),
    "csr": (lambda x: x.to_sparse_csr(), "layout torch.sparse_csr"),
    "mkldnn": (lambda x: x.to_mkldnn(), "layout torch._mkldnn"),
    "quantized": (lambda x: torch.quantize_per_tensor(x, 0.1, 0, torch.quint8), "quantized"),
    "nested": (lambda x: torch.nested.nested_tensor([x, x]), "a nested tensor"),
    "jagged": (
        lambda x: torch.nested.nested_tensor([x, x], layout=torch.jagged),
        "a NestedTensor, a subclass",
    ),
    "meta": (lambda x: x.to("meta"), "is on meta, the program runs on the CPU"),
    "uninitialized": (lambda x: nn.UninitializedParameter(), "an? UninitializedParameter, a sub"),
    "functional": (lambda x: torch._to_functional_tensor(x), "a functional tensor"),
    "without memory": (lambda x: _resized(0), "a tensor without memory"),
    "None": (lambda x: None, "got NoneType"),
    "objects": (lambda x: x.numpy().astype(object), r"got object\[3, 4\]"),
    "masked": (lambda x: np.ma.array(x.numpy(), mask=False), "got MaskedArray"),
    "matrix": (lambda x: np.matrix(x.numpy()), "got matrix"),
    "other byte order": (lambda x: _swapped(), "got >f4"),
    "records": (lambda x: np.zeros((3, 4), [("x", "f4")]), r"got void32\[3, 4\]"),
    "strings of no bytes": (lambda x: np.zeros((3, 4), "S0"), "got bytes"),
    "dates": (lambda x: np.zeros((3, 4), "M8[s]"), "got datetime64"),
    "a number of NumPy": (lambda x: np.float32(1), "got float32"),
}


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.filterwarnings("ignore")
def test_what_is_no_tensor_in_memory_is_refused_by_name(kind, compiled):
    make, message = REFUSED[kind]
    with pytest.raises(TypeError, match=f"input 0 .*{message}"):
        compiled(make(torch.rand(3, 4)))


def test_arrays_that_are_taken(compiled, tmp_path):
    x = torch.rand(3, 4)
    expected = x * 2 + 1
    torch.testing.assert_close(compiled(MyParameter(x, requires_grad=False)), expected)
    with torch.inference_mode():
        torch.testing.assert_close(compiled(x.clone()), expected)
    mapped = np.memmap(tmp_path / "array", dtype=np.float32, shape=(3, 4), mode="w+")
    mapped[:] = x.numpy()
    np.testing.assert_allclose(compiled(mapped), expected.numpy())
    mapped.flags.writeable = False
    np.testing.assert_allclose(compiled(mapped), expected.numpy())
    np.testing.assert_allclose(compiled(x.numpy()[::-1]), expected.numpy()[::-1])


def test_numbers_at_any_address(compiled):
    x = torch.rand(3, 4)
    for offset in (1, 2, 3):
        memory = bytearray(bytes(offset) + x.numpy().tobytes())
        tensor = torch.frombuffer(memory, dtype=torch.float32, offset=offset).view(3, 4)
        assert tensor.data_ptr() % 4
        torch.testing.assert_close(compiled(tensor), x * 2 + 1)
        array = np.frombuffer(memory, np.float32, offset=offset).reshape(3, 4)
        np.testing.assert_allclose(compiled(array), x.numpy() * 2 + 1)


def _of_bools(mask, x):
    return torch.where(mask, x, -x), mask.sum(), ~mask, mask ^ (x > 2), mask.float(), mask.any()


def test_bools_of_any_bytes():
    """PyTorch takes all but 0 for True."""
    bytes = torch.tensor([0, 1, 2, 3, 255, 128, 4, 254] * 20, dtype=torch.uint8)
    x = torch.rand(160)
    model = Function(_of_bools)
    compiled = torch_refine.compile(model, (bytes.view(torch.bool), x))
    for mask in (
        bytes.view(torch.bool),
        bytes.view(torch.bool).flip(0),
        torch.stack([bytes, bytes * 0 + 7], 1).view(torch.bool)[:, 0],
        bytes[1:2].view(torch.bool).expand(160),
        bytes[2:3].view(torch.bool).expand(160),
        bytes.gt(1),
    ):
        before = mask.view(torch.uint8).clone()
        torch.testing.assert_close(compiled(mask, x), model(mask, x))
        assert torch.equal(mask.view(torch.uint8), before)
    for place in range(160):
        odd = torch.zeros(160, dtype=torch.uint8)
        odd[place] = 2
        assert compiled(odd.view(torch.bool), x)[1] == 1
    array = bytes.numpy().view(np.bool_)
    assert compiled(array, x.numpy())[1] == array.sum()


def test_a_buffer_of_bools_of_any_bytes():
    class Masked(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("mask", torch.tensor([True, False] * 40))

        def forward(self, x):
            return x * self.mask, (~self.mask).sum()

    model, x = Masked(), torch.rand(80)
    compiled = torch_refine.compile(model, (x,))
    torch.testing.assert_close(compiled(x), model(x))
    model.mask.view(torch.uint8).fill_(2)
    torch.testing.assert_close(compiled(x), model(x))
    model.mask = torch.full((80,), 4, dtype=torch.uint8).view(torch.bool)
    torch.testing.assert_close(compiled(x), model(x))


@pytest.fixture(scope="module")
def writing():
    return torch_refine.compile(
        Function(lambda x, y: x.add_(y).sum()), (torch.zeros(4), torch.zeros(4))
    )


def test_what_cannot_be_written_to_is_refused_before_the_call(writing):
    one = torch.ones(4)
    with pytest.raises(OverlapError, match="two elements of input 0 share memory"):
        writing(torch.zeros(1).expand(4), one)
    with pytest.raises(OverlapError, match="two elements of input 0 share memory"):
        writing(torch.zeros(8).as_strided((4,), (0,), 3), one)
    array = np.zeros(4, np.float32)
    array.flags.writeable = False
    with pytest.raises(ValueError, match="input 0 is read-only, and the program writes to it"):
        writing(array, one.numpy())
    with torch.inference_mode():
        made = torch.zeros(4)
        writing(made, one)
    assert made.tolist() == [1] * 4
    with pytest.raises(ValueError, match="input 0 was made in inference mode"):
        writing(made, one)
    assert made.tolist() == [1] * 4
    # In NumPy, and backwards.
    array = np.zeros(8, np.float32)
    writing(array[::-2], np.arange(4, dtype=np.float32))
    assert array.tolist() == [0, 3, 0, 2, 0, 1, 0, 0]


def test_a_result_that_is_the_input_is_a_copy():
    compiled = torch_refine.compile(Function(lambda x: (x, x[1:], x.t())), (torch.rand(4, 4),))
    x = torch.rand(4, 4)
    for found, expected in zip(compiled(x), (x, x[1:], x.t()), strict=True):
        torch.testing.assert_close(found, expected)
        before = x.clone()
        found.zero_()
        assert torch.equal(x, before)


NUMBERS = """
func.func @main(%arg0: !torch.int, %arg1: !torch.float, %arg2: !torch.bool)
    -> (!torch.int, !torch.float, !torch.bool) {
  return %arg0, %arg1, %arg2 : !torch.int, !torch.float, !torch.bool
}
"""


def test_numbers():
    compiled = torch_refine.compile(ir.Module.parse(NUMBERS, new_context()))
    for number in (0, -(2**63), 2**63 - 1, np.int64(-7), np.uint8(200)):
        for real in (0.5, float("inf"), 3, np.float64(2.5)):
            assert compiled(number, real, True) == (number, real, True)
    assert np.isnan(compiled(1, float("nan"), False)[1])
    for wrong in (2**63, -(2**63) - 1, 2**70, np.uint64(2**63)):
        with pytest.raises(ValueError, match="input 0 must be an int of 64 bits, got"):
            compiled(wrong, 0.5, True)
    with pytest.raises(ValueError, match="input 1 must be a float of 64 bits"):
        compiled(1, 10**400, True)
    for place, value in (
        (0, True),
        (0, 1.0),
        (0, torch.tensor(1)),
        (0, np.array(1)),
        (0, "1"),
        (0, None),
        (1, True),
        (1, "1"),
        (1, 1j),
        (1, torch.tensor(1.0)),
        (2, 1),
        (2, np.bool_(True)),
        (2, None),
    ):
        inputs = [1, 0.5, True]
        inputs[place] = value
        with pytest.raises(TypeError, match=f"input {place} must be a"):
            compiled(*inputs)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_one_element_of_a_tensor_is_the_kernel_of_a_convolution(rank):
    class Pointwise(torch.nn.Module):
        def forward(self, image, kernels):
            convolution = (torch.conv1d, torch.conv2d, torch.conv3d)[rank - 1]
            return convolution(image, kernels.select(-1, 1))

    given = torch.randn(1, 1, *[4] * rank), torch.randn(1, 1, *[1] * rank, 2)
    compiled = torch_refine.compile(Pointwise(), given, fallback="error")
    torch.testing.assert_close(compiled(*given), Pointwise()(*given))


@pytest.mark.parametrize(
    "write",
    [
        lambda x, index, values: x.scatter(0, index, values),
        lambda x, index, values: x.scatter_add(0, index, values),
        lambda x, index, values: x.index_put((index[0],), values[0]),
    ],
    ids=["scatter", "scatter_add", "index_put"],
)
def test_nothing_is_written_to_a_dimension_of_size_0(write):
    inputs = (torch.zeros(0, 3), torch.zeros(2, 3, dtype=torch.int64), torch.ones(2, 3))
    compiled = torch_refine.compile(Function(write), inputs)
    with pytest.raises((IndexError, RuntimeError), match="out of bounds"):
        write(*inputs)
    with pytest.raises(RuntimeError, match="out of bounds for a dimension of size 0"):
        compiled(*inputs)
