"""The shape functions of whole networks agree with specialized programs, PyTorch, and their IR."""

import random

import pytest
import torch
import torch_refine
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import RunState
from torch_refine.passes.program import program_functions, returns_of
from torch_refine.passes.shape_functions.extract_shape_functions import ExtractShapeFunctions
from torch_refine.passes.shape_functions.writing import SHAPES_OF

from .corpus import VARIANTS, Variant
from .models import NETWORKS
from .shape_simulation import run_ints, simulated_peak

ROUNDS = 1


def parsed(text):
    return ir.Module.parse(text, new_context())


def random_values(function, chance):
    """A value for each symbol within its bounds."""
    return {
        symbol.name: chance.randint(symbol.low, min(symbol.high, symbol.low + 30))
        for symbol in function.symbols
    }


def input_sizes(function, values):
    """The sizes of all arguments for the values of symbols."""
    return [
        [eval(size, {"max": max, "min": min}, dict(values)) for size in each.sizes]
        for each in function.inputs
    ]


def returned_sizes(function):
    """The sizes of the tensors that a static program returns."""
    types = Types(function.context)
    (returned,) = returns_of(function)
    return tuple(types.tensor(value.type).sizes for value in returned.operands)


@pytest.mark.parametrize(
    "variant", [each for each in VARIANTS if each.dynamic], ids=lambda each: each.name
)
def test_sizes_and_peaks_are_those_of_the_specialized_program(variant, corpus):
    text = corpus.text(variant)
    module = parsed(text)
    found = torch_refine.shape_function(module, peak=True)
    assert str(module) == str(parsed(text)), "the module is left unchanged"
    assert not found.unknown
    ExtractShapeFunctions(peak=True).run(module.operation, RunState())
    assert module.operation.verify()
    (emitted,) = [
        each for each in program_functions(module.operation) if SHAPES_OF in each.attributes
    ]
    chance = random.Random(variant.name)
    for _ in range(ROUNDS):
        values = random_values(found, chance)
        sizes = input_sizes(found, values)
        static = parsed(text)
        torch_refine.specialize_symbols(static, values)
        (program,) = program_functions(static.operation)
        expected = returned_sizes(program)
        assert found(**values) == found(*sizes) == expected
        live = found.live_bytes(**values)
        assert (live.inputs, live.weights, live.tensors) == simulated_peak(program)
        assert live.operator is not None
        dynamic = [
            size
            for given, shape in zip(sizes, found.inputs, strict=True)
            for size, text_of in zip(given, shape.sizes, strict=True)
            if not text_of.isdecimal()
        ]
        assert tuple(run_ints(emitted, dynamic)) == (*expected, live.total)


@pytest.mark.parametrize("network", NETWORKS)
def test_sizes_are_those_that_pytorch_computes(network, corpus):
    found = torch_refine.shape_function(parsed(corpus.text(Variant(network, False, True))))
    model, arguments, keywords = NETWORKS[network].build()
    tensors, spec = torch.utils._pytree.tree_flatten((arguments, keywords))
    # Networks of tokens ask for elements of masks, which meta tensors do not have.
    device = "meta" if all(each.is_floating_point() for each in tensors) else "cpu"
    model = model.to(device)
    chance = random.Random(network)
    for _ in range(ROUNDS):
        values = random_values(found, chance)
        sizes = iter(input_sizes(found, values))
        given = [torch.ones(next(sizes), dtype=each.dtype, device=device) for each in tensors]
        args, kwargs = torch.utils._pytree.tree_unflatten(given, spec)
        with torch.no_grad():
            results = torch.utils._pytree.tree_leaves(model(*args, **kwargs))
        expected = tuple(tuple(each.shape) for each in results if isinstance(each, torch.Tensor))
        assert found(**values) == expected
