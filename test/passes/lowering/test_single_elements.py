"""0-dim tensors, uint8 tensors, and operands of unequal sizes."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch_refine.importer import ImportModelError

aten = torch.ops.aten


def _same(model, *inputs):
    expected = model(*inputs)
    found = torch_refine.compile(Function(model), inputs)(*inputs)
    torch.testing.assert_close(list(found), list(expected))


def test_indices_of_a_number():
    number, source = torch.tensor(5.0), torch.tensor(2.0)
    for index in (torch.tensor(0), torch.tensor([0])):
        _same(
            lambda x, i, s: [
                aten.index_add(x, 0, i, s, alpha=3),
                aten.index_copy(x, 0, i, s),
                aten.index_fill(x, 0, i, 7),
            ],
            number,
            index,
            source,
        )


def test_any_of_bytes_is_0_or_1():
    bytes_ = torch.tensor([[9, 0], [0, 0]], dtype=torch.uint8)
    _same(lambda x: [x.any(), x.any(0), x.any(1, keepdim=True), aten.any.dims(x, [0, 1])], bytes_)
    _same(lambda x: [aten.any.dims(x, []), x.any(0)], torch.tensor(9, dtype=torch.uint8))


@pytest.mark.parametrize("dtype", [torch.float32, torch.uint8, torch.bool])
def test_no_dimension_is_none_to_some_and_all_to_others(dtype):
    numbers = torch.tensor([[0, 2], [3, 0]]).to(dtype)
    _same(
        lambda x: [
            found
            for dims in ([], None, [1])
            for keeps in (False, True)
            for found in (aten.any.dims(x, dims, keeps), aten.all.dims(x, dims, keeps))
        ],
        numbers,
    )


def test_ldexp_has_the_dtype_of_its_steps():
    _same(lambda x, y: [aten.ldexp(x, y)], torch.tensor([3]), torch.tensor(-5.0).bfloat16())


def test_binary_cross_entropy_of_unequal_sizes_is_refused():
    model = Function(lambda x, y: aten.binary_cross_entropy(x, y))
    with pytest.raises(ImportModelError, match="binary_cross_entropy of input"):
        torch_refine.compile(model, (torch.rand(1, 1), torch.rand(2, 1)))


def test_nothing_is_written_at_no_place():
    _same(
        lambda x, i, v: [aten.index_put(x, [i], v), aten.index_add(x, 0, i, x[:0])],
        torch.tensor([[4], [5]]),
        torch.empty(0, dtype=torch.int64),
        torch.tensor([[6]]),
    )


def test_what_has_no_columns_may_have_any_number_of_rows():
    model = Function(lambda x, y: [aten.block_diag([x, y]), aten.cat([x, y], 1), aten.cat([x, y])])
    rows = {0: torch.export.Dim.DYNAMIC}
    examples = torch.empty(2, 0), torch.empty(2, 0)
    compiled = torch_refine.compile(model, examples, dynamic_shapes=((rows, rows),))
    inputs = torch.empty(5, 0), torch.empty(5, 0)
    torch.testing.assert_close(list(compiled(*inputs)), list(model(*inputs)))


@pytest.mark.parametrize("opt_level", [0, 1, 3])
def test_what_is_scattered_is_read_before_its_memory_is_used_again(opt_level):
    def scatter(x, i, y):
        zeros = torch.zeros(2)
        return aten.scatter_reduce(x, 0, i, y, "sum", include_self=False), zeros + y

    inputs = (torch.tensor([2.0, 9.0]), torch.tensor([0, 0]), torch.tensor([3.0, 4.0]))
    compiled = torch_refine.compile(Function(scatter), inputs, opt_level=opt_level)
    torch.testing.assert_close(compiled(*inputs), scatter(*inputs))


def test_the_maximum_of_bytes():
    image = torch.tensor([[[[253, 0, 7, 128]]]], dtype=torch.uint8)
    _same(lambda x: [aten.max_pool2d(x, [1, 2]), aten.max_pool2d(x, [1, 2], [1], [0, 1])], image)


def test_rows_without_elements_have_a_mean():
    rows, found = torch.empty(3, 0), torch.ops.aten.native_layer_norm
    expected = found(rows, [0], None, None, 1e-5)
    compiled = torch_refine.compile(Function(lambda x: found(x, [0], None, None, 1e-5)), (rows,))
    torch.testing.assert_close(compiled(rows), expected, equal_nan=True)
