"""Simplified calculations of whole networks, run for inputs of known sizes, give the sizes that
the network has then.
"""

import random

import pytest
from torch_refine.abstract_interpreter.capturing import capture
from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import Lattice
from torch_refine.abstract_interpreter.running.decoder import decode
from torch_refine.abstract_interpreter.running.evaluator import Evaluator
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.abstract_interpreter.values import is_known, plain
from torch_refine.dialect.bindings import ir, new_context, walk
from torch_refine.dialect.calculate_ops import CALCULATE, OP_NAMES, calculation
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import RunState
from torch_refine.passes.erase_tensor_types import EraseTensorTypes
from torch_refine.passes.program import device_of, program_functions
from torch_refine.passes.reify_dtype_calculations import ReifyDtypeCalculations
from torch_refine.passes.reify_shape_calculations import ReifyShapeCalculations
from torch_refine.passes.simplify_dtype_calculations import SimplifyDtypeCalculations
from torch_refine.passes.simplify_shape_calculations import SimplifyShapeCalculations
from torch_refine.passes.type_refinement.arguments import declared_arguments
from torch_refine.passes.type_refinement.sweep import Sweep

from .corpus import VARIANTS


def concrete_arguments(sweep, function, chance):
    """The arguments of a function with a number for every symbol."""
    lattice_values = declared_arguments(sweep, function)
    values = {}
    for lattice_value in lattice_values:
        for symbol in lattice_value.symbols:
            low = max(symbol.low, 2)
            values.setdefault(symbol, chance.randint(low, min(symbol.high, max(low, 200))))
    return tuple(sweep.facts.renamed(lattice_value, values) for lattice_value in lattice_values)


def operators(function, constants):
    """The ops of a function as they were before they were reified, in program order."""
    ours = {each for names in CALCULATE.values() for each in (names.op, names.body_yield)}
    made = {op.result for op in constants}
    return [
        op
        for op in walk_bodies(function)
        if op.name not in ours and not (op.name.startswith("torch.constant.") and op.result in made)
    ]


def walk_bodies(op):
    """All ops in an op, without those of calculations."""
    for index, region in enumerate(op.regions):
        if op.name in OP_NAMES and index == 1:
            continue
        for block in region:
            for view in block.operations:
                yield view.operation
                yield from walk_bodies(view.operation)


@pytest.mark.parametrize(
    "variant", [each for each in VARIANTS if each.dynamic], ids=lambda each: each.name
)
def test_written_sizes_are_those_of_the_network(variant, corpus):
    context = new_context()
    types = Types(context)
    module = ir.Module.parse(corpus.text(variant), context).operation
    EraseTensorTypes().run(module, RunState())
    plain_copy = module.clone(ip=False)
    state = RunState()
    for each in (
        ReifyShapeCalculations(),
        ReifyDtypeCalculations(),
        SimplifyShapeCalculations(),
        SimplifyDtypeCalculations(),
    ):
        each.run(module, state)
    assert module.verify()
    (written,) = program_functions(module)
    (function,) = program_functions(plain_copy)
    chance = random.Random(variant.name)
    compared = 0
    for _ in range(2):
        inference = Inference(Programs(), Lattice())
        sweep = Sweep(plain_copy, inference, RunState(), "sizes", strict=False)
        sweep.writing = False
        sweep.enter(device_of(function))
        arguments = concrete_arguments(sweep, function, chance)
        if sweep.calls.visit_body(next(iter(sweep.calls.functions)), arguments) is None:
            # The network raises for these sizes.
            continue
        found = concrete_values(sweep, function, written, state.reified.constants)
        for op in walk(written):
            if op.name not in OP_NAMES:
                continue
            program = decode(calculation(op), types)
            lattice_values = tuple(found[value] for _, value in program.captured)
            values = Evaluator(lambda symbol: None).run(program, [], capture(lattice_values).values)
            for result, value in zip(op.results, values, strict=True):
                lattice_value = found[result]
                expected = lattice_value.dtype if "dtype" in op.name else list(lattice_value.sizes)
                if is_known(value):
                    compared += 1
                    assert plain(value) == expected, str(op)
    assert compared > 30


def concrete_values(sweep, function, written, constants):
    """What is known of the values of a reified function, by what is known of the plain one."""
    found = {}
    pairs = zip(
        function.regions[0].blocks[0].arguments,
        written.regions[0].blocks[0].arguments,
        strict=True,
    )
    for mine, other in pairs:
        found[other] = sweep.known[mine]
    before, after = list(walk_bodies(function)), operators(written, constants)
    after = [op for op in after if op.name != "torch.tensor_static_info_cast"]
    before = [op for op in before if op.name != "torch.tensor_static_info_cast"]
    assert [op.name for op in before] == [op.name for op in after]
    for one, other in zip(before, after, strict=True):
        for mine, theirs in zip(one.results, other.results, strict=True):
            lattice_value = sweep.known[mine]
            value = theirs
            while value is not None:
                found[value] = lattice_value
                value = _outer(value)
    for constant in constants:
        sweep.visit_op(constant)
        found[constant.result] = sweep.known[constant.result]
    return found


def _outer(value):
    """The result of the calculate op whose body yields a value."""
    for use in value.uses:
        user = use.owner.operation
        if user.name in {names.body_yield for names in CALCULATE.values()}:
            return user.parent.results[use.operand_number]
    return None
