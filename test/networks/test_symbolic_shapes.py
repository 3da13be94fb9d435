"""Sizes of whole networks as expressions of symbols, for random values of the symbols."""

import random
import re

import pytest
from torch_refine.dialect.bindings import ir, new_context, walk
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import RunState
from torch_refine.passes.casts import CAST
from torch_refine.passes.erase_tensor_types import EraseTensorTypes
from torch_refine.passes.symbolic_shapes.reading import BINDING, SYMBOL
from torch_refine.passes.symbolic_shapes.specialize_symbols import SpecializeSymbols
from torch_refine.pipelines.refinement import RefinementPipeline
from torch_refine.pipelines.runner import Runner

from .corpus import VARIANTS

_TRIES = 2
_MAP = re.compile(r"affine_map<\(\)\[([^\]]*)\] -> \((.*)\)>")


def tensors(module):
    """The results of a module's ops but casts and those that state symbolic shapes, in order."""
    skipped = (CAST, BINDING, SYMBOL)
    return [(op.name, result) for op in walk(module) if op.name not in skipped
            for result in op.results]  # fmt: skip


def declared(module):
    """The bounds of each symbol that an affine expression, or its own name, does not define."""
    found = {}
    for op in walk(module):
        if op.name == SYMBOL:
            name = ir.StringAttr(op.attributes["symbol_name"]).value
            low, high = (ir.IntegerAttr(op.attributes[key]).value for key in ("min_val", "max_val"))
            found[name] = (low, high)
    return found


def python(text):
    """An affine expression in Python, in which a ceiling has a name."""
    divided = re.compile(r"(\([^()]*\)|\w+) ceildiv (\w+)")
    while divided.search(text):
        text = divided.sub(r"(-(-\1 // \2))", text)
    return text.replace("floordiv", "//").replace("mod", "%")


def written_sizes(op, values):
    """The sizes that an op binds, evaluated by Python; None if a symbol has no value."""
    names, sizes = _MAP.fullmatch(str(op.attributes["shape_expressions"])).groups()
    known = {}
    for name, operand in zip(filter(None, names.split(", ")), list(op.operands)[1:], strict=True):
        text = ir.StringAttr(operand.owner.attributes["symbol_name"]).value
        try:
            known[name] = eval(text, {"min": min, "max": max}, dict(values))
        except NameError:
            return None
    return list(eval(f"[{python(sizes)}]", {}, known))


@pytest.mark.parametrize(
    "variant", [each for each in VARIANTS if each.dynamic], ids=lambda each: each.name
)
def test_sizes_are_those_of_the_specialized_network(variant, corpus):
    """Each expression evaluates to the size that refinement infers for these values."""
    module = ir.Module.parse(corpus.text(variant), new_context()).operation
    EraseTensorTypes().run(module, RunState())
    Runner().run(RefinementPipeline(symbolic_shapes="all").elements(), module)
    types = Types(module.context)
    bindings = {op.operands[0]: op for op in walk(module) if op.name == BINDING}
    bounds = {name: each for name, each in declared(module).items() if name.isidentifier()}
    entry = [name for name in bounds if not re.fullmatch(r"u\d+", name)]
    chance = random.Random(variant.name)
    checked = 0
    for _ in range(_TRIES):
        values = {
            name: chance.randint(max(bounds[name][0], 2), min(bounds[name][1], 40))
            for name in entry
        }
        copied = module.clone()
        text = ",".join(f"{name}={value}" for name, value in values.items())
        SpecializeSymbols(text).run(copied, RunState())
        for (name, value), (same, copy) in zip(tensors(module), tensors(copied), strict=True):
            assert name == same
            type, static = types.tensor(value.type), types.tensor(copy.type)
            if type is None or type.sizes is None or None not in type.sizes:
                continue
            sizes = written_sizes(bindings[value], values)
            if sizes is not None:
                assert sizes == list(static.sizes), (name, bindings[value], values)
                checked += 1
    print(f"{variant.name}: {checked} tensors of {_TRIES} specialized networks")
    assert checked


@pytest.mark.parametrize(
    "variant", [each for each in VARIANTS if each.dynamic], ids=lambda each: each.name
)
def test_every_dynamic_size_has_an_expression(variant, corpus):
    """No size of these networks depends on data: all are expressions of the inputs' sizes."""
    module = ir.Module.parse(corpus.text(variant), new_context()).operation
    EraseTensorTypes().run(module, RunState())
    Runner().run(RefinementPipeline(symbolic_shapes="all").elements(), module)
    assert not [name for name in declared(module) if re.fullmatch(r"u\d+", name)]
    types = Types(module.context)
    for name, value in tensors(module):
        type = types.tensor(value.type)
        if type is not None and type.sizes is not None and None in type.sizes:
            assert any(use.owner.name == BINDING for use in value.uses), (name, value)
