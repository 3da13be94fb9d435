"""Pointwise operators on mixed dtypes and scalars compute what eager mode computes."""

import itertools

import pytest
import torch
import torch_refine
from dtype_calls import drawn, judged, shown
from function_module import Function
from torch_refine.importer import ImportModelError

aten = torch.ops.aten
BYTES = torch.tensor([0, 1, 100, 255], dtype=torch.uint8)
SIGNED = torch.tensor([-128, -1, 0, 127], dtype=torch.int8)
BOOLS = torch.tensor([False, True, False, True])
LONGS = torch.tensor([-9, -8, 0, 300])


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    monkeypatch.setenv("TORCH_REFINE_CACHE", "0")


def _equals_eager(function, *inputs):
    found = torch_refine.compile(Function(function), inputs)(*inputs)
    for mine, theirs in zip(found, function(*inputs), strict=True):
        torch.testing.assert_close(mine, theirs, equal_nan=True)


def test_a_part_of_the_scan(tmp_path):
    calls = drawn(1, 2)
    assert len(calls) > 100
    found = list(judged(calls, tmp_path))
    assert [
        f"{outcome.kind}: {shown(call)}: {outcome.message}"
        for call, outcome in found
        if outcome.kind not in ("right", "closer", "refused", "unfit")
    ] == []
    assert sum(outcome.kind == "refused" for _, outcome in found) < len(found) / 10


def test_comparing_other_dtypes():
    _equals_eager(
        lambda *tensors: [
            compare(a, b)
            for compare in (torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge)
            for a in tensors
            for b in (*tensors, -1, 255, 0.5, True)
        ],
        BYTES,
        SIGNED,
        BOOLS,
        LONGS,
        torch.tensor(-1),
    )


def test_clamping_to_a_number_of_another_dtype():
    _equals_eager(
        lambda x, y, number: (
            aten.clamp_max.Tensor(x, number),
            aten.clamp_min.Tensor(x, number),
            aten.clamp.Tensor(y, x, None),
            aten.maximum(x, y),
            aten.clamp(x, -4),
        ),
        BYTES,
        SIGNED,
        torch.tensor(-4),
    )


def test_what_is_written_has_the_dtype_of_the_whole():
    _equals_eager(
        lambda x, part, number: (
            aten.select_scatter(x, number, 0, 2),
            aten.slice_scatter(x, part, 0, 0, 2),
            aten.masked_fill.Tensor(x, x > 0, number),
            aten.fill.Tensor(x, number),
        ),
        LONGS,
        torch.tensor([2.75, -2.75]),
        torch.tensor(2.75),
    )


def test_integer_kernels_cast_numbers():
    _equals_eager(
        lambda x, y: (
            aten.threshold(x, -8.59, 0.5),
            aten.hardtanh(x, -8.59, 2.75),
            aten.masked_fill.Scalar(x, x > 0, 2.75),
            aten.full_like(y, -1),
            aten.full_like(y, 2.75),
            aten.sub.Scalar(y, 300),
            aten.add.Scalar(y, -1, 3),
        ),
        LONGS,
        BYTES,
    )


def test_numbers_that_the_dtype_has_not():
    for function in (
        lambda x: x.masked_fill(x > 1, -256),
        lambda x: torch.full_like(x, 256),
    ):
        with pytest.raises(RuntimeError, match="without overflow"):
            function(BYTES)
        with pytest.raises(ImportModelError, match="must be representable"):
            torch_refine.compile(Function(function), (BYTES,))


def test_bounds_outside_of_the_dtype():
    """PyTorch converts them, and raises or clamps, as version 2.15 does."""
    bounds = [(-4, None), (-4, 2), (0, 300), (-300, 300), (2, 2**40), (None, -300), (300, None)]
    accepted = []
    for tensor, (low, high) in itertools.product((BYTES, SIGNED), bounds):
        try:
            torch.clamp(tensor, low, high)
        except RuntimeError:
            with pytest.raises(ImportModelError):
                torch_refine.compile(Function(lambda x: x.clamp(low, high)), (tensor,))  # noqa: B023
        else:
            accepted.append((tensor is SIGNED, low, high))
    assert accepted
    _equals_eager(
        lambda *tensors: tuple(tensors[i].clamp(low, high) for i, low, high in accepted),
        BYTES,
        SIGNED,
    )


@pytest.mark.parametrize("bounds", [(3.1,), (0.5, 4)], ids=str)
def test_integer_ranges_with_float_bounds(bounds):
    """The numel differs between versions of PyTorch: as in eager mode, or rejected."""

    def function(x):
        return (x + torch.arange(*bounds, dtype=torch.int64).sum(),)

    try:
        _equals_eager(function, LONGS)
    except ImportModelError as error:
        assert torch.__version__ >= (2, 14), error


def test_choosing_between_a_number_and_itself():
    _equals_eager(lambda mask: (torch.where(mask, 3, 3), torch.where(mask, 0.5, 0.5)), BOOLS)


@pytest.mark.parametrize("x", [BYTES, SIGNED, SIGNED.to(torch.int16)], ids=str)
def test_python_numbers(x):
    _equals_eager(
        lambda x: (x * 3, 130 * x, x + 300, x - 3, 3 - x, x & 3, x ^ 200, x // 2, x % 3, x / 3, -x),
        x,
    )


def test_joining_other_dtypes():
    x = torch.tensor([[4, 200], [0, 7]], dtype=torch.uint8)
    others = [x > 3, x.to(torch.int8), x.half(), x.bfloat16(), x.long()]

    def join(x, *others):
        found = [torch.cat([x, each]) for each in others] + [
            torch.stack([each, x]) for each in others
        ]
        return [*found, torch.cat([x, *others], 1), torch.hstack([x[0], others[0][0]])]

    inputs = (x, *others)
    found = torch_refine.compile(Function(join), inputs)(*inputs)
    torch.testing.assert_close(list(found), join(*inputs))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_numbers_are_rounded_before_they_are_compared(dtype):
    x = torch.tensor([0.0, 0.1, 1.0, torch.inf]).to(dtype)

    def compare(x):
        numbers = (1e-60, 0.1, 1.0001, 1e300, 16777217)
        return [compared(x, number) for number in numbers for compared in _COMPARED]

    found = torch_refine.compile(Function(compare), (x,))(x)
    assert [each.tolist() for each in found] == [each.tolist() for each in compare(x)]


_COMPARED = (torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge)


UNSIGNED = {torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: torch.int64}


def _unsigned(dtype):
    """Small and large numbers, some with the highest bit set."""
    bounds = torch.iinfo(UNSIGNED[dtype])
    return torch.tensor([0, 1, 5, -1, -2, bounds.min, bounds.max], dtype=UNSIGNED[dtype]).view(
        dtype
    )


@pytest.mark.parametrize("dtype", UNSIGNED, ids=str)
def test_wide_unsigned_integers(dtype):
    def function(x, i, b):
        wide = (torch.float32, torch.float64, torch.int64, torch.int8, torch.bool, torch.uint8)
        casts = tuple(x.to(each) for each in wide)
        made = (torch.full((2,), 7, dtype=dtype), torch.zeros_like(x), i.to(dtype), b.to(dtype))
        return (*casts, *made, torch.cat([x, x[2:]]), x * x, x == x[0], x ^ x[3], x[[1, 3]])

    _equals_eager(function, _unsigned(dtype), torch.arange(-3, 300), BOOLS)


def test_floats_as_wide_unsigned_integers():
    numbers = torch.tensor([0.0, 1.7, 250.0, 65535.0])
    _equals_eager(lambda x: (x.to(torch.uint16), (x * 60000).to(torch.uint32)), numbers)
    with pytest.raises(torch_refine.CompileError, match="unsigned integers of more than 8 bits"):
        torch_refine.compile(Function(lambda x: x.to(torch.uint64)), (numbers,))


@pytest.mark.parametrize("dtype", UNSIGNED, ids=str)
def test_what_depends_on_the_sign_is_not_lowered(dtype):
    x = _unsigned(dtype)
    functions = [torch.sum, torch.sort, lambda x: x / 2, lambda x: x * 1.5]
    for function in (*functions, lambda x: x == 5, lambda x: x != torch.arange(7.0)):
        with pytest.raises(torch_refine.CompileError, match="for unsigned integers"):
            torch_refine.compile(Function(function), (x,))
        torch.testing.assert_close(
            torch_refine.compile(Function(function), (x,), fallback="pytorch")(x), function(x)
        )
