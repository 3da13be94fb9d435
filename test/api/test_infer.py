"""`torch_refine.infer`: the functions of an operator, called by hand."""

import subprocess
import sys

import pytest
from torch_refine import InferenceError, TensorSpec, infer


@pytest.mark.parametrize(
    ("result", "operator", "args"),
    [
        ("float32[n, 4]", "aten::mm", (TensorSpec(["n", 3]), TensorSpec([3, 4]))),
        ("float32[2, 3]", "aten::add.Tensor", (TensorSpec(["n", 3]), TensorSpec([2, 1], "int8"))),
        ("float32[n, 768]", "aten::view", (TensorSpec(["n", 12, 64]), ["n", -1])),
        ("float32[a + b, 3]", "aten::cat", ([TensorSpec(["a", 3]), TensorSpec(["b", 3])],)),
        ("int64[?, 2]", "aten::nonzero", (TensorSpec([10, 3]),)),
        ("int8[10, 3]", "aten::to.dtype", (TensorSpec([10, 3]), "torch.int8")),
        ("int64[10]", "aten::arange", (10,)),
        ("float32[2]", "aten::select.int", (TensorSpec([2, 3]), True, 0)),
        ("unknown dtype[*]", "aten::relu", (TensorSpec(None, None),)),
    ],
)
def test_one_tensor(result, operator, args):
    assert str(infer(operator, *args)) == result


def test_defaults_keywords_and_lists_of_one_int():
    image = TensorSpec([1, 3, "h", 32])
    weight = TensorSpec([8, 3, 3, 3])
    assert str(infer("aten::conv2d", image, weight, stride=2, padding=1)) == (
        "float32[1, 8, ((h + 1) // 2), 16]"
    )
    assert str(infer("aten::sum.dim_IntList", image, [1], dtype="float64")) == ("float64[1, h, 32]")


def test_several_results_and_lists_of_tensors():
    values, indices = infer("aten::max.dim", TensorSpec([10, 3]), 1)
    assert (str(values), str(indices)) == ("float32[10]", "int64[10]")
    pieces = infer("aten::split.Tensor", TensorSpec([10, 3]), 4)
    assert [piece.sizes for piece in pieces] == [(4, 3), (4, 3), (2, 3)]
    assert infer("aten::split.Tensor", TensorSpec(["n", 3]), 4) is None


@pytest.mark.parametrize(
    ("message", "operator", "args"),
    [
        (
            "aten::mm always raises: inner dimensions must match, got 3 and 4",
            "aten::mm",
            (TensorSpec([2, 3]), TensorSpec([4, 5])),
        ),
        ("there is no operator 'aten::conv2dd'; did you mean aten::conv2d", "aten::conv2dd", ()),
        ("'self' takes Tensor, not 3", "aten::mm", (3, 4)),
        (
            "'a' takes Scalar, not float32[2]; aten::add.Tensor would take these arguments",
            "aten::add",
            (TensorSpec([2]), TensorSpec([2])),
        ),
        ("aten::sum.dim_IntList would take", "aten::sum", (TensorSpec([2]), [0])),
        ("'mat2' is missing", "aten::mm", (TensorSpec([2, 3]),)),
        ("3 positional arguments do not fit", "aten::mm", (1, 2, 3)),
        ("has no shape and no dtype function", "aten::_test_string_default", (TensorSpec([2]),)),
    ],
)
def test_what_is_wrong_is_said(message, operator, args):
    with pytest.raises(InferenceError) as caught:
        infer(operator, *args)
    assert message in str(caught.value)


def test_a_dtype_that_does_not_exist():
    with pytest.raises(InferenceError, match="there is no dtype 'float33'"):
        TensorSpec([2], "float33")


def test_pytorch_is_not_imported():
    program = (
        "import sys; from torch_refine import infer, TensorSpec;"
        "infer('aten::relu', TensorSpec([2])); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
