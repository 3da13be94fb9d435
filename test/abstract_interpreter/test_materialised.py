"""Simplified calculations give the same results, and raise the same messages, for known tensors."""

import random

import pytest
from torch_refine.abstract_interp_lib.scalar_types import NUMBERS
from torch_refine.abstract_interpreter.capturing import capture
from torch_refine.abstract_interpreter.lattice import Lattice
from torch_refine.abstract_interpreter.running.decoder import constant_value, decode, is_constant
from torch_refine.abstract_interpreter.running.errors import GivenUp, Raised
from torch_refine.abstract_interpreter.running.evaluator import Evaluator
from torch_refine.abstract_interpreter.values import is_known, plain
from torch_refine.build_tools.agreement import HIDDEN, hiding
from torch_refine.build_tools.check_functions import load_families, run_pytorch
from torch_refine.build_tools.functions.case_modules import CaseModule, NotExpressible
from torch_refine.dialect.bindings import ir, new_context, operations, walk
from torch_refine.dialect.calculate_ops import CALCULATE, OP_NAMES, calculation
from torch_refine.dialect.element_types import dtype_of_element
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import RunState
from torch_refine.passes.program import program_functions, symbol_name
from torch_refine.passes.reify_dtype_calculations import ReifyDtypeCalculations
from torch_refine.passes.reify_shape_calculations import ReifyShapeCalculations
from torch_refine.passes.simplify_dtype_calculations import SimplifyDtypeCalculations
from torch_refine.passes.simplify_shape_calculations import SimplifyShapeCalculations

FILES = sorted({declaration.file for declaration in load_families().values()})
PART = 0.02
DTYPES = [NUMBERS[name] for name in ("float32", "int64", "bool", "bfloat16", "complex64")]


def modules(file, what):
    """The cases of a family as a module, and with parts of the types hidden."""
    chance = random.Random(f"{file} {what}")
    built = []
    cases = [
        (declaration, number, case, run_pytorch(declaration.operator, case))
        for declaration in load_families().values()
        if declaration.file == file and declaration.kind == "shape"
        for number, case in enumerate(declaration.ok)
        if chance.random() < PART
    ]
    context = new_context()
    for hide in (lambda type: type, hiding(file, what)):
        module = CaseModule(context, hide)
        for declaration, number, case, outputs in cases:
            try:
                module.add(f"{declaration.operator}.{number}", declaration.operator, case, outputs)
            except NotExpressible:
                continue
        built.append(module.module.operation)
    return built


def simplified(module):
    """A reified module, and a copy whose calculations are simplified."""
    for each in (ReifyShapeCalculations(), ReifyDtypeCalculations()):
        each.run(module, RunState())
    copy = module.clone(ip=False)
    for each in (SimplifyShapeCalculations(), SimplifyDtypeCalculations()):
        each.run(copy, RunState())
    assert copy.verify()
    return copy


class Concrete:
    """Lattice values of a function's values for randomly chosen known tensors."""

    def __init__(self, function, exact, types, chance):
        self.types, self.chance, self.lattice = types, chance, Lattice()
        self.arguments = [
            self.of_type(mine.type, its.type)
            for mine, its in zip(_arguments(function), _arguments(exact), strict=True)
        ]

    def of_type(self, type, exact):
        """A value of a type that may be partially unknown."""
        tensor, real = self.types.tensor(type), self.types.tensor(exact)
        if tensor is None or real is None or real.sizes is None or real.element is None:
            return None
        sizes = tensor.sizes
        if sizes is None:
            sizes = real.sizes
            if self.chance.random() < 0.3:
                sizes = [None] * self.chance.randrange(5)
        known = tuple(
            self.size(size, real.sizes[place] if place < len(real.sizes) else 2)
            for place, size in enumerate(sizes)
        )
        dtype = dtype_of_element(tensor.element or real.element)
        if tensor.element is None and self.chance.random() < 0.3:
            dtype = self.chance.choice(DTYPES)
        return self.lattice.tensor(known, dtype)

    def size(self, size, real):
        if isinstance(size, int):
            return size
        return real if self.chance.random() < 0.6 else self.chance.choice((0, 1, 2, 3, 4, 5))

    def of(self, value):
        """The value of an SSA value; None if it is unknown here."""
        if isinstance(value.owner, ir.Block):
            return self.arguments[ir.BlockArgument(value).arg_number]
        op = value.owner.operation
        if is_constant(op.name):
            return self.lattice.scalar(constant_value(op))
        if op.name == "torch.prim.ListConstruct":
            items = [self.of(operand) for operand in op.operands]
            kind = self.types.text(value.type).removeprefix("!torch.")
            return None if None in items else self.lattice.sequence(kind, tuple(items))
        return None


def _arguments(function):
    return function.regions[0].blocks[0].arguments


def outcome(block, concrete, types, functions):
    """The result of a calculation, or the message that it raises; None if it is unknown."""
    program = decode(block, types)
    lattice_values = tuple(concrete.of(value) for _, value in program.captured)
    if None in lattice_values:
        return None
    evaluator = Evaluator(lambda symbol: functions.get(symbol))
    try:
        values = evaluator.run(program, [], capture(lattice_values).values)
    except Raised as error:
        return "raises", str(error)
    except GivenUp:
        return None
    return ("gives", [plain(each) for each in values]) if all(map(is_known, values)) else None


def calculations(function):
    """The calculations of a function, in program order."""
    return [
        (op.name, calculation(op))
        for op in walk(function)
        if op.name in OP_NAMES and op.name in {names.op for names in CALCULATE.values()}
    ]


@pytest.mark.parametrize("what", HIDDEN[1:])
@pytest.mark.parametrize("file", FILES)
@pytest.mark.seeded_part(12)
def test_what_is_written_gives_what_the_function_gives(file, what):
    exact, module = modules(file, what)
    copy = simplified(module)
    types = Types(module.context)
    functions = {
        symbol_name(op): decode(op.regions[0].blocks[0], types)
        for op in operations(module.regions[0].blocks[0])
        if op.name == "func.func" and len(op.regions[0].blocks) == 1
    }
    chance = random.Random(file)
    triples = [list(program_functions(each)) for each in (exact, module, copy)]
    for real, before, after in zip(*triples, strict=True):
        for _ in range(12):
            concrete = Concrete(before, real, types, chance)
            for (_, one), (_, other) in zip(calculations(before), calculations(after), strict=True):
                expected = outcome(one, concrete, types, functions)
                found = outcome(other, concrete, types, functions)
                if expected is None or found is None:
                    continue
                assert found[0] == expected[0], (symbol_name(before), str(other), expected, found)
                if found[0] == "gives":
                    assert found == expected, symbol_name(before)


def test_messages_are_kept():
    """A precondition has the message of the function."""
    text = """
    func.func @f(%arg0: !torch.vtensor<[?,3],f32>, %arg1: !torch.vtensor<[4,5],f32>)
        -> !torch.vtensor {
      %0 = torch.aten.mm %arg0, %arg1 : !torch.vtensor<[?,3],f32>, !torch.vtensor<[4,5],f32>
        -> !torch.vtensor
      return %0 : !torch.vtensor
    }"""
    module = ir.Module.parse(text.replace("[?,3]", "[?,?]"), new_context())
    copy = simplified(module.operation)
    assert "inner dimensions must match, got {} and {}" in str(copy)
