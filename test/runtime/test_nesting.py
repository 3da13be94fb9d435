"""How inputs and results are nested, and named."""

from collections import OrderedDict, namedtuple
from dataclasses import dataclass

import pytest
import torch
import torch_refine
from torch import nn
from transformers import DynamicCache, GPT2Config, GPT2LMHeadModel
from transformers.integrations.executorch import register_dynamic_cache_export_support

Point = namedtuple("Point", "x y")


@dataclass
class Pair:
    """Two tensors."""

    first: torch.Tensor
    second: torch.Tensor


torch.export.register_dataclass(Pair)


def _full(number):
    return torch.full((3,), float(number))


class _Sum(nn.Module):
    """Tells its parameters apart."""

    def forward(self, a, b, *, c, d=None, scale=2):
        found = a + 10 * b + 100 * c * scale
        return found if d is None else found + 1000 * d


EXPECTED = 1 + 20 + 600.0
CALLS = [
    ((_full(1), _full(2)), {"c": _full(3)}),
    ((_full(1),), {"b": _full(2), "c": _full(3)}),
    ((), {"c": _full(3), "b": _full(2), "a": _full(1)}),
    ((_full(1), _full(2)), {"d": None, "c": _full(3)}),
    ((_full(1), _full(2)), {"scale": 2, "c": _full(3)}),
]


@pytest.fixture(scope="module")
def summed():
    return torch_refine.compile(_Sum(), (_full(0), _full(0)), kwargs={"c": _full(0)}, opt_level=0)


@pytest.mark.parametrize(("inputs", "keywords"), CALLS)
def test_arguments_are_bound_as_the_model_binds_them(summed, inputs, keywords):
    assert summed(*inputs, **keywords).tolist() == [EXPECTED] * 3


@pytest.mark.parametrize("order", ["cab", "bca", "abc"])
def test_examples_may_be_in_another_order_than_the_call(order):
    examples = dict(zip("abc", map(_full, (1, 2, 3)), strict=True))
    keywords = {name: examples[name] for name in order}
    compiled = torch_refine.compile(_Sum(), kwargs=keywords, opt_level=0)
    for inputs, given in CALLS:
        assert compiled(*inputs, **given).tolist() == [EXPECTED] * 3
    program = torch_refine.compile(torch.export.export(_Sum(), (), keywords), opt_level=0)
    assert program(**examples).tolist() == [EXPECTED] * 3


@pytest.mark.parametrize(
    ("inputs", "keywords", "message"),
    [
        ((_full(1),), {"c": _full(3)}, "missing a required argument: 'b'"),
        ((_full(1), _full(2)), {}, "missing a required.* 'c'"),
        ((_full(1), _full(2)), {"e": _full(3), "c": _full(3)}, "unexpected keyword argument 'e'"),
        ((_full(1), _full(2)), {"a": _full(1), "c": _full(3)}, "multiple values for argument 'a'"),
        ((_full(1), _full(2), _full(3)), {}, "too many positional arguments"),
        ((_full(1), _full(2)), {"c": _full(3), "d": _full(4)}, "compiled without 'd'"),
        ((_full(1), _full(2)), {"c": _full(3), "scale": 3}, "compiled without 'scale'"),
    ],
)
def test_arguments_that_the_program_does_not_take(summed, inputs, keywords, message):
    with pytest.raises(TypeError, match=message):
        summed(*inputs, **keywords)


@pytest.mark.parametrize(
    ("inputs", "keywords", "message"),
    [
        ((), {"c": _full(3), "a": _full(1)}, "missing a required argument: 'b'"),
        ((_full(1), _full(2), _full(3)), {}, "expected 2 positional inputs, got 3"),
        ((_full(1), _full(2)), {"e": _full(3)}, "unexpected keyword argument 'e'.*'a', 'b', 'c'"),
        ((_full(1), _full(2)), {"a": _full(1), "c": _full(3)}, "multiple values for argument 'a'"),
    ],
)
def test_arguments_of_an_exported_program(inputs, keywords, message):
    program = torch.export.export(_Sum(), (_full(0), _full(0)), {"c": _full(0)})
    with pytest.raises(TypeError, match=message):
        torch_refine.compile(program, opt_level=0)(*inputs, **keywords)


class _Nested(nn.Module):
    """Takes and returns a bit of everything."""

    def forward(self, given):
        pair, point, named = given["pair"], given["point"], given["named"]
        return Pair(pair.first + point.x, pair.second), [None, named["b"] - named["a"], "text", 7]


def _nested(*numbers):
    a, b, c, d, e, f = map(_full, numbers)
    named = OrderedDict(b=f, a=e)
    return {"named": named, "point": Point(c, d), "pair": Pair(a, b)}


def test_classes_dicts_and_named_tuples():
    compiled = torch_refine.compile(_Nested(), (_nested(*range(6)),), opt_level=0)
    inputs = _nested(1, 2, 3, 4, 5, 7)
    for given in (inputs, dict(reversed(inputs.items()))):
        pair, (nothing, difference, text, number) = compiled(given)
        assert isinstance(pair, Pair)
        assert (pair.first[0], pair.second[0], difference[0]) == (4, 2, 2)
        assert (nothing, text, number) == (None, "text", 7)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pair": (_full(1), _full(2))}, r"input 'given'\['pair'\] must be a Pair, got a tuple"),
        ({"point": Pair(_full(1), _full(2))}, r"\['point'\] must be a Point, got a Pair"),
        ({"more": _full(1)}, "must have the keys 'named', 'point', 'pair', got .*'more'"),
        ({"named": OrderedDict(a=_full(1))}, r"\['named'\] must have 2 elements, got 1"),
        ({"pair": Pair(_full(1), 3)}, r"input 5 must be float32\[3\], got int"),
    ],
)
def test_inputs_that_are_nested_otherwise(change, message):
    compiled = torch_refine.compile(_Nested(), (_nested(*range(6)),), opt_level=0)
    with pytest.raises(TypeError, match=message):
        compiled({**_nested(*range(6)), **change})


def test_a_model_that_returns_nothing_but_constants():
    class Counting(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", torch.zeros(()))

        def forward(self, x):
            self.count.add_(x.sum())
            return None, {"why": "counted"}

    model = Counting()
    compiled = torch_refine.compile(model, _full(1))
    assert compiled(_full(2)) == (None, {"why": "counted"})
    assert model.count == 6


def test_one_tensor_is_one_input():
    model = nn.Linear(3, 2).eval()
    with torch.no_grad():
        found = torch_refine.compile(model, torch.rand(4, 3))(torch.ones(4, 3))
        torch.testing.assert_close(found, model(torch.ones(4, 3)))


def test_a_cache_of_transformers_goes_in_and_out():
    """Its class computes when PyTorch puts it together, and that belongs to no program."""
    register_dynamic_cache_export_support()
    torch.manual_seed(0)
    config = GPT2Config(
        n_layer=2, n_head=2, n_embd=16, vocab_size=50, bos_token_id=1, eos_token_id=2
    )
    model = GPT2LMHeadModel(config).eval()

    def cache(tokens):
        with torch.no_grad():
            return model(tokens, past_key_values=DynamicCache(config=config)).past_key_values

    tokens, new = torch.tensor([[3, 4, 5]]), torch.tensor([[6]])
    keywords = {"input_ids": new, "past_key_values": cache(tokens)}
    compiled = torch_refine.compile(model, kwargs=keywords, opt_level=0)
    with torch.no_grad():
        found = compiled(past_key_values=cache(tokens + 1), input_ids=new)
        expected = model(input_ids=new, past_key_values=cache(tokens + 1))
    assert type(found) is type(expected)
    torch.testing.assert_close(found.logits, expected.logits)
    for mine, theirs in zip(
        found.past_key_values.layers, expected.past_key_values.layers, strict=True
    ):
        torch.testing.assert_close((mine.keys, mine.values), (theirs.keys, theirs.values))
