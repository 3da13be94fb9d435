"""Attention of one query, whose heads share keys and values."""

from __future__ import annotations

import pytest
import torch
import torch_refine
from torch_refine.importer.lowering import decompose_for_lowering, unguarded
from torch_refine.passes.lowering.exported.shared_heads import with_shared_heads

attention = torch.nn.functional.scaled_dot_product_attention


def _repeated(states, count):
    batch, heads, keys, width = states.shape
    states = states[:, :, None, :, :].expand(batch, heads, count, keys, width)
    return states.reshape(batch, heads * count, keys, width)


class Repeated(torch.nn.Module):
    """Keys and values are repeated as models do that have no other way."""

    def __init__(self, **options):
        super().__init__()
        self.options = options

    def forward(self, query, key, value, mask=None):
        count = query.size(1) // key.size(1)
        key, value = (_repeated(each, count) for each in (key, value))
        return attention(query, key, value, mask, **self.options)


class Shared(Repeated):
    """The operator repeats them."""

    def forward(self, query, key, value, mask=None):
        return attention(query, key, value, mask, enable_gqa=True, **self.options)


class Updated(torch.nn.Module):
    """The cache is written to after its keys have been read."""

    def forward(self, query, cache, new):
        key = _repeated(cache, 3)
        cache.copy_(new)
        return attention(query, key, key), _repeated(cache, 3)


class Used(torch.nn.Module):
    """What was repeated is a result, too."""

    def forward(self, query, cache, bias):
        key = _repeated(cache, 3)
        return attention(query, key, key), key + bias


class ByHeads(torch.nn.Module):
    """Heads are repeated one by one, in another order."""

    def forward(self, query, key, value):
        key, value = (each.repeat(1, 3, 1, 1) for each in (key, value))
        return attention(query, key, value)


def _inputs(queries=1, keys=37, mask=None):
    sizes = (2, 6, queries, 32), (2, 2, keys, 32), (2, 2, keys, 20)
    given = [torch.randn(each) for each in sizes]
    return (*given, *(() if mask is None else (mask,)))


def _operands(model, inputs):
    """The sizes of what contractions take."""
    program = torch.export.export(model, inputs)
    graph = decompose_for_lowering(program).graph
    products = (torch.ops.aten.bmm.default, torch.ops.aten.mm.default)
    return [
        tuple(node.args[0].meta["val"].shape) for node in graph.nodes if node.target in products
    ]


MASKS = {
    "none": None,
    "of keys": torch.rand(1, 37) < 0.7,
    "of a query": torch.randn(1, 37),
    "of batches": torch.rand(2, 1, 1, 37) < 0.7,
    "of heads": torch.randn(2, 6, 1, 37),
    "of heads of all": torch.randn(6, 1, 37),
}


@pytest.mark.parametrize("model", [Repeated(), Shared(), Shared(scale=0.3)])
@pytest.mark.parametrize("mask", MASKS)
def test_the_queries_of_a_head_are_rows(model, mask):
    inputs = _inputs(mask=MASKS[mask])
    torch.testing.assert_close(torch_refine.compile(model, inputs)(*inputs), model(*inputs))
    assert _operands(model, inputs) == [(4, 3, 32), (4, 3, 37)]


@pytest.mark.parametrize(
    ("model", "inputs"),
    [
        (Repeated(), _inputs(queries=5)),
        (Shared(), _inputs(queries=5)),
        (Shared(is_causal=True), _inputs()),
        (Repeated(is_causal=True), _inputs()),
        (ByHeads(), _inputs()),
    ],
)
def test_others_are_as_before(model, inputs):
    torch.testing.assert_close(torch_refine.compile(model, inputs)(*inputs), model(*inputs))
    # As many products as heads of queries.
    assert _operands(model, inputs)[0][0] == 12


@pytest.mark.parametrize("model", [Repeated(), Shared()])
def test_any_number_of_keys(model):
    dynamic = (
        {0: torch.export.Dim.AUTO},
        *[{0: torch.export.Dim.AUTO, 2: torch.export.Dim.AUTO}] * 2,
    )
    compiled = torch_refine.compile(model, _inputs(), dynamic_shapes=dynamic)
    for keys in (5, 16, 100, 1025):
        inputs = _inputs(keys=keys)
        torch.testing.assert_close(compiled(*inputs), model(*inputs))


def test_a_cache_that_is_written_to_is_not_read_later():
    query, cache, new = (
        torch.randn(2, 6, 1, 32),
        torch.randn(2, 2, 37, 32),
        torch.randn(2, 2, 37, 32),
    )
    program = torch.export.export(Updated(), (query, cache.clone(), new))
    assert with_shared_heads(program.graph_module) is program.graph_module
    expected = Updated()(query, cache.clone(), new)
    found = torch_refine.compile(Updated(), (query, cache.clone(), new))(query, cache.clone(), new)
    for mine, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(mine, theirs)


def test_repeated_keys_that_are_used_again():
    inputs = torch.randn(2, 6, 1, 32), torch.randn(2, 2, 37, 32), torch.randn(32)
    found = torch_refine.compile(Used(), inputs)(*inputs)
    for mine, theirs in zip(found, Used()(*inputs), strict=True):
        torch.testing.assert_close(mine, theirs)


def test_the_original_program_is_not_modified():
    program = torch.export.export(Repeated(), _inputs())
    before = program.graph_module.code
    assert unguarded(program).graph_module.code != before
    assert program.graph_module.code == before
