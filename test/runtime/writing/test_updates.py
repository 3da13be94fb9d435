"""Inputs and buffers of which a program writes some elements are written in place."""

import numpy as np
import pytest
import torch
import torch_refine
from function_module import Function
from torch import nn
from torch.utils import _pytree as pytree

BATCH, HEADS, LENGTH, WIDTH = 2, 3, 16, 4
PLACES = torch.tensor([3, 5])


def _cache():
    return torch.randn(BATCH, HEADS, LENGTH, WIDTH)


def _new(length=2):
    return torch.randn(BATCH, HEADS, length, WIDTH)


def _rows(dtype=torch.float32, count=9):
    return (torch.randn(count, 4) * 9).to(dtype)


def _index_copy(cache, x, places):
    return cache.index_copy_(2, places, x).sum(-1)


def _assigned(cache, x, places):
    cache[:, :, places] = x
    return cache.exp()


def _sliced(cache, x):
    cache[:, :, 4:6] = x
    return cache.exp()


def _scattered(cache, x, places):
    cache.scatter_(2, places[None, None, :, None].expand(x.shape), x)
    return cache * 2


def _added(cache, x, places):
    return cache.index_add_(2, places, x).exp()


def _set_rows(rows, x, places):
    rows[places] = x
    return rows.sum(0)


def _set_bools(rows, x, places):
    rows[places] = x
    return ~rows


def _read_before(cache, x, places):
    before = cache.sum()
    return before + cache.index_copy_(2, places, x).sum(-1)


def _ignored(cache, x, places):
    cache.index_copy_(2, places, x)
    return x * 2


def _from_itself(rows, places):
    return rows.index_copy_(0, places, rows[2:4].clone()).exp()


def _read_after(cache, x, places):
    before = cache.clone()
    cache.index_copy_(2, places, x)
    return before * 2


def _shifted(rows, x):
    rows[:8] = rows[1:].clone()
    rows[8] = x
    return rows * 2


def _returned(cache, x, places):
    return cache.index_copy_(2, places, x), cache[:, :, 1:]


def _twice(cache, x, places):
    cache.index_copy_(2, places, x)
    cache.index_copy_(2, places + 1, x * 2)
    return cache.sum(-1)


def _everywhere(cache, x, places):
    return cache.mul_(2).sum(-1)


def _momentum(weight, average, gradient):
    average.mul_(0.9).add_(gradient)
    weight.sub_(average * 0.1)
    return gradient[0]


IN_PLACE = {
    "index_copy_": (_index_copy, lambda: (_cache(), _new(), PLACES)),
    "indices": (_assigned, lambda: (_cache(), _new(), PLACES)),
    "slice": (_sliced, lambda: (_cache(), _new())),
    "scatter_": (_scattered, lambda: (_cache(), _new(), PLACES)),
    "index_add_": (_added, lambda: (_cache(), _new(), PLACES)),
    "rows": (_set_rows, lambda: (_rows(), _rows(count=2), PLACES)),
    "equal indices": (_set_rows, lambda: (_rows(), torch.ones(2, 4), PLACES.new_tensor([3, 3]))),
    "read before": (_read_before, lambda: (_cache(), _new(), PLACES)),
    "not read": (_ignored, lambda: (_cache(), _new(), PLACES)),
    "of its own rows": (_from_itself, lambda: (_rows(), PLACES)),
    **{
        str(dtype): (_set_rows, lambda dtype=dtype: (_rows(dtype), _rows(dtype, 2), PLACES))
        for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.int64)
    },
    "bools": (_set_bools, lambda: (_rows() > 0, _rows(count=2) > 0, PLACES)),
}
BY_COPY = {
    "read after": (_read_after, lambda: (_cache(), _new(), PLACES)),
    "shifted": (_shifted, lambda: (_rows(), torch.randn(4))),
    "returned": (_returned, lambda: (_cache(), _new(), PLACES)),
    "written twice": (_twice, lambda: (_cache(), _new(), PLACES)),
}
WHOLE = {
    "all elements": (_everywhere, lambda: (_cache(), _new(), PLACES)),
    "two inputs": (_momentum, lambda: (_rows(), _rows(), _rows())),
    "half": (_everywhere, lambda: (_cache().half(), _new(), PLACES)),
    "complex": (
        _set_rows,
        lambda: (_rows(torch.complex64), _rows(torch.complex64, 2), PLACES),
    ),
}


def _sizes(inputs):
    return (tuple({dim: torch.export.Dim.AUTO for dim in range(each.dim())} for each in inputs),)


def _compiled(function, inputs, dynamic=False):
    examples = tuple(each.clone() for each in inputs)
    shapes = _sizes(inputs) if dynamic else None
    return torch_refine.compile(Function(function), examples, dynamic_shapes=shapes)


def _check(program, function, inputs):
    expected_inputs, given = ([each.clone() for each in inputs] for _ in range(2))
    expected = function(*expected_inputs)
    found = program(*given)
    torch.testing.assert_close(found, expected)
    for mine, theirs in zip(given, expected_inputs, strict=True):
        torch.testing.assert_close(mine, theirs)
    owned = {each.data_ptr() for each in given}
    assert not any(each.data_ptr() in owned for each in pytree.tree_leaves(found))


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("name", IN_PLACE)
def test_some_elements_are_written_in_place(name, dynamic):
    torch.manual_seed(0)
    function, make = IN_PLACE[name]
    inputs = make()
    program = _compiled(function, inputs, dynamic)
    assert program._updated
    _check(program, function, inputs)


def _then_fails(function):
    """The function, and a row of a table, whose index depends on its result."""

    def failing(table, index, *inputs):
        found = function(*inputs)
        index = index + (found.flatten()[:1].to(torch.complex128).abs() > 1e30)
        return nn.functional.embedding(index, table), found

    return failing


@pytest.mark.parametrize("name", WHOLE)
def test_all_elements_are_written_in_place(name):
    torch.manual_seed(0)
    function, make = WHOLE[name]
    inputs = make()
    program = _compiled(function, inputs)
    assert program._updated
    _check(program, function, inputs)


@pytest.mark.parametrize("name", [*IN_PLACE, *WHOLE])
def test_what_was_written_is_restored_after_a_failure(name):
    torch.manual_seed(0)
    function, make = (IN_PLACE | WHOLE)[name]
    inputs = (torch.randn(9, 4), torch.tensor([3]), *make())
    program = _compiled(_then_fails(function), inputs)
    assert program._updated
    before = [each.clone() for each in inputs]
    with pytest.raises(RuntimeError, match="out of bounds"):
        program(inputs[0], torch.tensor([9]), *inputs[2:])
    for mine, old in zip(inputs, before, strict=True):
        assert torch.equal(mine, old)
    _check(program, _then_fails(function), inputs)


@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("name", BY_COPY)
def test_what_is_not_written_in_place_is_copied(name, dynamic):
    torch.manual_seed(0)
    function, make = BY_COPY[name]
    inputs = make()
    program = _compiled(function, inputs, dynamic)
    assert not program._updated
    _check(program, function, inputs)


class Layers(nn.Module):
    """Each layer writes to its caches; later ones may fail."""

    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(9, 4))
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))

    def forward(self, x, values, first, second):
        self.count += 1
        self.keys[first] = x
        x = x + self.keys.sum(0)
        values[first] = x
        x = x * values.sum()
        return torch.nn.functional.embedding(second, values * 2), x


def test_a_call_that_fails_leaves_everything_as_it_was():
    torch.manual_seed(0)
    model = Layers()
    x, values, first = torch.randn(2, 4), torch.randn(9, 4), torch.tensor([3, 3])
    program = torch_refine.compile(model, (x, values.clone(), first, torch.tensor([1])))
    assert len(program._updated) == 2
    model.keys.normal_()
    before = [each.clone() for each in (model.keys, model.count, values)]
    for wrong in (torch.tensor([9]), torch.tensor([-1])):
        for _ in range(3):
            with pytest.raises(RuntimeError, match="out of bounds"):
                program(x, values, first, wrong)
            for each, old in zip((model.keys, model.count, values), before, strict=True):
                assert torch.equal(each, old)
    reference = Layers()
    reference.load_state_dict(model.state_dict())
    expected_values = values.clone()
    expected = reference(x, expected_values, first, torch.tensor([1]))
    torch.testing.assert_close(program(x, values, first, torch.tensor([1])), expected)
    torch.testing.assert_close(values, expected_values)
    torch.testing.assert_close(model.keys, reference.keys)
    assert model.count == 1


def test_writes_are_counted():
    program = _compiled(_index_copy, (_cache(), _new(), PLACES))
    cache = _cache()
    version = cache._version
    program(cache, _new(), PLACES)
    assert cache._version > version


def test_tensors_that_cannot_be_passed_are_written_too():
    torch.manual_seed(0)
    program = _compiled(_index_copy, (_cache(), _new(), PLACES))
    strided = _cache().transpose(2, 3).contiguous().transpose(2, 3)
    for cache in (strided, _cache()[:, :, ::1], torch.cat([_cache(), _cache()], 2)[:, :, ::2]):
        x, expected = _new(), cache.clone()
        found = program(cache, x, PLACES)
        torch.testing.assert_close(found, _index_copy(expected, x, PLACES))
        assert torch.equal(cache, expected)


def test_numpy_arrays_are_written():
    program = _compiled(_index_copy, (_cache(), _new(), PLACES))
    cache, x = _cache(), _new()
    array, expected = cache.numpy().copy(), cache.clone()
    found = program(array, x.numpy(), PLACES.numpy())
    np.testing.assert_allclose(
        found, _index_copy(expected, x, PLACES).numpy(), rtol=1e-5, atol=1e-5
    )
    assert (array == expected.numpy()).all()


def test_a_cache_made_in_inference_mode():
    program = _compiled(_index_copy, (_cache(), _new(), PLACES))
    with torch.inference_mode():
        cache, x = _cache(), _new()
        expected = cache.clone()
        torch.testing.assert_close(program(cache, x, PLACES), _index_copy(expected, x, PLACES))
        assert torch.equal(cache, expected)


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(9, 4))

    def forward(self, x, places):
        self.cache[places] = x
        return self.cache.sum(0)


def test_buffers_of_saved_programs(tmp_path):
    x = torch.randn(2, 4)
    program = torch_refine.compile(Counting(), (x, PLACES))
    assert program._updated
    program.save(tmp_path / "program")
    loaded = torch_refine.load_compiled(tmp_path / "program")
    model = Counting()
    for places in (PLACES, PLACES + 1, PLACES + 2):
        torch.testing.assert_close(loaded(x, places), model(x, places))


def test_buffers_that_are_replaced_or_strided():
    x, model, reference = torch.randn(2, 4), Counting(), Counting()
    program = torch_refine.compile(model, (x, PLACES))
    for number in range(3):
        if number == 1:
            model.cache = torch.ones(4, 9).t()
            reference.cache = torch.ones(9, 4)
        for places in (PLACES, PLACES + 1):
            torch.testing.assert_close(program(x, places), reference(x, places))
            assert torch.equal(model.cache, reference.cache)


def test_graphs_of_dynamo():
    torch.manual_seed(0)
    function = torch.compile(_index_copy, backend="torch_refine")
    cache, x = _cache(), _new()
    expected = cache.clone()
    for places in (PLACES, PLACES + 1, PLACES + 2):
        torch.testing.assert_close(function(cache, x, places), _index_copy(expected, x, places))
        assert torch.equal(cache, expected)
