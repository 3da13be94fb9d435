"""Results whose sizes the program counts: masks, `nonzero`, distinct values, repetitions."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch.export import Dim
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.runtime.compiler import CompileError

DTYPES = {
    "f32": torch.float32,
    "f64": torch.float64,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "si64": torch.int64,
    "si32": torch.int32,
    "si16": torch.int16,
    "si8": torch.int8,
    "ui8": torch.uint8,
    "i1": torch.bool,
}
DENSITIES = (0.0, 0.5, 1.0)
# With a size of 0, of 1, and an odd one.
SHAPES = ((3, 5), (0, 5), (3, 0), (1, 1), (1, 7))


def drawn(shape, dtype, seed=0):
    """Few different values, zeros of both signs among them, and one NaN."""
    generator = torch.Generator().manual_seed(seed)
    found = torch.randint(-1, 3, shape, generator=generator)
    if not dtype.is_floating_point:
        return found.abs().to(dtype)
    is_negative = torch.rand(shape, generator=generator) < 0.5
    found = torch.where((found == 0) & is_negative, -0.0, found.double()).to(dtype)
    if found.numel() > 2:
        found.view(-1)[1] = float("nan")
    return found


def mask(shape, density, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(shape, generator=generator) < density


def compiled(function, *inputs, **options):
    return torch_refine.compile(Function(function), inputs, **options)


def assert_same(found, expected):
    torch.testing.assert_close(found, expected, rtol=0, atol=0, equal_nan=True)


class Program:
    """The text of a program; operators as calls, which add a line and return a value."""

    def __init__(self, *arguments):
        self.types = dict(enumerate(arguments))
        self.lines = []

    def add(self, operator, type, *operands):
        """One operator with results of one type, or of several."""
        types = [type] if isinstance(type, str) else type
        first = len(self.types)
        self.types |= dict(enumerate(types, first))
        names = ", ".join(f"%v{first + place}" for place in range(len(types)))
        given = ", ".join(f"%v{each}" for each in operands)
        taken = ", ".join(self.types[each] for each in operands)
        self.lines.append(f'{names} = "{operator}"({given}) : ({taken}) -> ({", ".join(types)})')
        return first if isinstance(type, str) else list(range(first, first + len(types)))

    def constant(self, value):
        kind = "bool" if isinstance(value, bool) else "int"
        number = str(value).lower() if kind == "bool" else f"{value} : i64"
        self.types[len(self.types)] = f"!torch.{kind}"
        name = len(self.types) - 1
        self.lines.append(
            f'%v{name} = "torch.constant.{kind}"() {{value = {number}}} : () -> !torch.{kind}'
        )
        return name

    def none(self):
        return self.add("torch.constant.none", "!torch.none")

    def indices(self, *values):
        return self.add("torch.prim.ListConstruct", "!torch.list<optional<vtensor>>", *values)

    def compile(self, count, results):
        arguments = ", ".join(f"%v{place}: {self.types[place]}" for place in range(count))
        types = ", ".join(self.types[each] for each in results)
        values = ", ".join(f"%v{each}" for each in results)
        text = "\n".join(
            [
                f"func.func @main({arguments}) -> ({types}) {{",
                *self.lines,
                f"return {values} : {types}",
                "}",
            ]
        )
        return torch_refine.compile(ir.Module.parse(text, new_context()))


def tensor(sizes, element):
    return f"!torch.vtensor<[{sizes}],{element}>"


def picking(elements, sizes):
    """A program that picks by a mask, and writes by it, for every element type."""
    rows = sizes.split(",")[0]
    masks = [tensor(sizes, "i1"), tensor(rows, "i1")]
    program = Program(*masks, *(tensor(sizes, each) for each in elements))
    results = []
    false = program.constant(False)
    whole, of_rows = program.indices(0), program.indices(1)
    for value, element in enumerate(elements, len(masks)):
        vector = tensor("?", element)
        columns = "?," + sizes.split(",")[1]
        picked = program.add("torch.aten.masked_select", vector, value, 0)
        of_row = program.add("torch.aten.index.Tensor", tensor(columns, element), value, of_rows)
        results += [
            program.add("torch.aten.nonzero", tensor("?,2", "si64"), value),
            picked,
            of_row,
            program.add(
                "torch.aten.index_put", tensor(sizes, element), value, whole, picked, false
            ),
            program.add(
                "torch.aten.index_put", tensor(sizes, element), value, of_rows, of_row, false
            ),
            program.add("torch.aten.masked_scatter", tensor(sizes, element), value, 0, picked),
        ]
    return program.compile(len(masks) + len(elements), results)


def picked(m, r, *tensors):
    """The same in eager mode."""
    found = []
    for x in tensors:
        found += [x.nonzero(), x[m], x[r], x.clone(), x.clone(), x.clone()]
    return found


@pytest.mark.parametrize("sizes", ["?,?", "3,5"])
def test_masks_pick_and_write_in_every_dtype(sizes):
    run = picking(DTYPES, sizes)
    for shape in SHAPES if sizes == "?,?" else SHAPES[:1]:
        for number, density in enumerate(DENSITIES):
            tensors = [drawn(shape, dtype, number) for dtype in DTYPES.values()]
            given = [mask(shape, density, number), mask(shape[:1], density, number), *tensors]
            found = run(*given)
            assert_same(list(found), picked(*given))
