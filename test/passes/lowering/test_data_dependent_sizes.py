"""Results of data-dependent sizes: masks, `nonzero`, unique elements, repeats."""

import pytest
import torch
import torch_refine
from function_module import Function
from torch.export import Dim
from torch_refine import GuardError
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.runtime.compiling.compiler import CompileError

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
# Operators that the dialect does not define.
UNREGISTERED = ("torch.aten._unique2",)
DENSITIES = (0.0, 0.5, 1.0)
# With sizes 0, 1, and an odd one.
SHAPES = ((3, 5), (0, 5), (3, 0), (1, 1), (1, 7))


def drawn(shape, dtype, seed=0):
    """Few distinct values, including zeros of both signs and one NaN."""
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
    """The text of a program; operators as calls, which append a line and return a value."""

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
        name, attributes = operator, ""
        if operator in UNREGISTERED:
            name, attributes = "torch.operator", f' {{name = "{operator}"}}'
        kinds = f"({taken}) -> ({', '.join(types)})"
        self.lines.append(f'{names} = "{name}"({given}){attributes} : {kinds}')
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

    def compile(self, count, results, **options):
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
        return torch_refine.compile(ir.Module.parse(text, new_context()), **options)


def tensor(sizes, element):
    return f"!torch.vtensor<[{sizes}],{element}>"


def picking(elements, sizes, options):
    """A program that selects and writes by a mask, for every element type."""
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
    return program.compile(len(masks) + len(elements), results, **options)


def picked(m, r, *tensors):
    """The same in eager mode."""
    found = []
    for x in tensors:
        found += [x.nonzero(), x[m], x[r], x.clone(), x.clone(), x.clone()]
    return found


@pytest.mark.parametrize(
    ("sizes", "elements", "options"),
    [
        ("?,?", list(DTYPES), {}),
        ("3,5", ["f32", "i1"], {}),
        ("0,5", ["f32"], {}),
        ("?,?", ["f32"], {"threads": 2}),
        ("?,?", ["f32"], {"opt_level": 0}),
    ],
)
def test_masks_pick_and_write_in_every_dtype(sizes, elements, options):
    run = picking(elements, sizes, options)
    known = [shape for shape in SHAPES if sizes == ",".join(map(str, shape))]
    for shape in known or SHAPES:
        for number, density in enumerate(DENSITIES):
            tensors = [drawn(shape, DTYPES[each], number) for each in elements]
            given = [mask(shape, density, number), mask(shape[:1], density, number), *tensors]
            assert_same(list(run(*given)), picked(*given))


def sorting(elements, size):
    """A program that finds unique elements and runs of them, for every element type."""
    program = Program(*(tensor(size, each) for each in elements))
    results = []
    true, none = program.constant(True), program.none()
    for value, element in enumerate(elements):
        types = [tensor("?", element), tensor(size, "si64"), tensor("?", "si64")]
        results += program.add("torch.aten.unique_consecutive", types, value, true, true, none)
        results += program.add("torch.aten._unique2", types, value, true, true, true)
    return program.compile(len(elements), results)


def found_sorted(*tensors):
    """The same in eager mode."""
    found = []
    for x in tensors:
        found += torch.unique_consecutive(x, return_inverse=True, return_counts=True)
        found += torch.unique(x, return_inverse=True, return_counts=True)
    return found


def test_distinct_values_in_every_dtype():
    run = sorting(DTYPES, "?")
    for shape in ((0,), (1,), (2,), (13,)):
        for seed in range(3):
            tensors = [drawn(shape, dtype, seed) for dtype in DTYPES.values()]
            assert_same(list(run(*tensors)), found_sorted(*tensors))


def test_each_nan_is_distinct():
    x = torch.tensor([float("nan"), 1.0, float("nan"), 0.0, -0.0, float("nan")])
    values, inverse, counts = sorting(["f32"], "6")(x)[3:]
    assert_same((values, counts), torch.unique(x, return_counts=True))
    assert_same(values[inverse], x)


@pytest.mark.parametrize("dim", [0, 1, 2, -1])
def test_the_order_of_slices_of_four_dimensions(dim):
    """Slices are compared with their other dimensions in order."""
    torch.manual_seed(0)
    for shape in ((2, 1, 3, 4), (2, 2, 2, 5), (3, 2, 4, 2)):
        x = torch.randint(-2, 2, shape)
        model = Function(
            lambda x: torch.unique(x, dim=dim, return_inverse=True, return_counts=True)
        )
        assert_same(list(torch_refine.compile(model, (x,))(x)), list(model(x)))


def sliced(x):
    return (
        torch.unique(x, dim=0, return_inverse=True, return_counts=True),
        torch.unique_consecutive(x, dim=-1, return_counts=True),
    )


@pytest.mark.parametrize("sizes", [None, ({0: Dim.AUTO, 1: Dim.AUTO},)])
def test_distinct_slices(sizes):
    x = torch.tensor([[1.0, 0.0, 0.0], [0.0, 2.0, 2.0], [1.0, 0.0, -0.0], [0.0, 1.0, 5.0]])
    run = compiled(sliced, x, dynamic_shapes=None if sizes is None else {"inputs": sizes})
    assert_same(run(x), sliced(x))
    for shape in () if sizes is None else ((2, 9), (31, 2)):
        x = torch.randint(0, 2, shape).float()
        assert_same(run(x), sliced(x))


def counted(x, repeats, numbers, weights):
    return (
        torch.repeat_interleave(x, repeats, dim=0),
        torch.repeat_interleave(repeats.int()),
        torch.bincount(numbers, minlength=3),
        torch.bincount(numbers, weights),
        torch.nonzero_static(x, size=4, fill_value=-7),
        torch.nonzero(x[0, 0]),
        torch.nonzero(x, as_tuple=True),
        torch.where(x[0] > 0),
        torch.argwhere(x),
        torch.count_nonzero(x, dim=0),
    )


@pytest.mark.parametrize("is_dynamic", [False, True])
def test_repetitions_and_counts(is_dynamic):
    sizes = {"inputs": ({0: Dim.AUTO, 1: Dim.AUTO}, *({0: Dim.AUTO},) * 3)}
    given = [torch.tensor([[0, 3], [2, 0]]), torch.tensor([2, 0]), torch.tensor([4, 4, 0])]
    given.append(torch.tensor([0.5, 1.5, 2.0], dtype=torch.float64))
    run = compiled(counted, *given, dynamic_shapes=sizes if is_dynamic else None)
    assert_same(run(*given), counted(*given))
    given[1].zero_()
    given[0].zero_()
    assert_same(run(*given), counted(*given))
    if is_dynamic:
        given = [
            torch.arange(-6, 15).view(7, 3),
            torch.tensor([3, 0, 1, 0, 0, 2, 1]),
            torch.arange(11) % 6,
            torch.linspace(0, 1, 11, dtype=torch.float64),
        ]
        assert_same(run(*given), counted(*given))


@pytest.mark.parametrize("is_dynamic", [False, True])
def test_what_is_counted_is_used(is_dynamic):
    def function(x, w, y):
        m = x > 0.5
        rows = x[m[:, 0]]
        z = x.clone()
        z[z < 0.2] = 0.0
        z[:, m[1]] += 1.0
        return (
            x[m].sum(),
            torch.nonzero(m),
            (rows @ w).relu(),
            torch.cat([rows, y]).sum(0),
            rows.reshape(-1) * 2,
            z,
        )

    torch.manual_seed(0)
    given = [torch.rand(3, 4), torch.rand(4, 2), torch.rand(2, 4)]
    sizes = {"inputs": ({0: Dim.AUTO}, None, {0: Dim.AUTO})} if is_dynamic else None
    run = compiled(function, *given, dynamic_shapes=sizes)
    for rows in (3, 17) if is_dynamic else (3,):
        for factor in (0.0, 1.0, 100.0):
            given[0] = torch.rand(rows, 4) * factor
            torch.testing.assert_close(run(*given), function(*given))


def test_an_empty_result_does_not_free_what_others_are_in():
    def function(x):
        return torch.nonzero(x), torch.nonzero(x, as_tuple=True)

    run = compiled(function, torch.tensor(2.0))
    for _ in range(20):
        assert_same(run(torch.tensor(2.0)), function(torch.tensor(2.0)))


def raises(program_type, message, *given):
    run, eager = program_type
    with pytest.raises((IndexError, RuntimeError)):
        eager(*given)
    with pytest.raises((RuntimeError, GuardError), match=message):
        run(*given)


def test_mismatched_sizes_raise():
    """A mask of another shape, too few values, too small a source, negative repeats."""
    program = Program(tensor("?", "f32"), tensor("?", "i1"), tensor("?", "f32"))
    false, whole = program.constant(False), program.indices(1)
    vector = tensor("?", "f32")
    put = program.add("torch.aten.index_put", vector, 0, whole, 2, false)
    run = program.compile(3, [put])
    x, m, v = torch.zeros(4), torch.tensor([True, False, True, True]), torch.ones(3)
    assert_same(run(x, m, v), x.index_put((m,), v))
    put = lambda x, m, v: x.index_put((m,), v)  # noqa: E731
    raises((run, put), "the values does not broadcast", x, m, torch.ones(2))
    raises((run, put), "the values does not broadcast", x, m, torch.ones(4))
    raises((run, put), "mask shape", x, m[:3], v)

    program = Program(tensor("?", "f32"), tensor("?", "i1"), tensor("?", "f32"))
    run = program.compile(3, [program.add("torch.aten.masked_scatter", vector, 0, 1, 2)])
    raises((run, torch.masked_scatter), "source has fewer", x, m, torch.ones(2))

    program = Program(tensor("?", "f32"), tensor("?", "i1"))
    run = program.compile(2, [program.add("torch.aten.masked_select", vector, 0, 1)])
    raises((run, torch.masked_select), "shapes .4. and .3. do not broadcast", x, m[:3])

    program = Program(tensor("?", "si64"))
    none, least = program.none(), program.constant(0)
    numbers = tensor("?", "si64")
    repeated = program.add("torch.aten.repeat_interleave.Tensor", numbers, 0, none)
    bins = program.add("torch.aten.bincount", numbers, 0, none, least)
    run = program.compile(1, [repeated, bins])
    raises((run, torch.repeat_interleave), "negative", torch.tensor([1, -1]))


def test_a_mask_of_other_sizes_is_no_program():
    program = Program(tensor("4", "f32"), tensor("3", "i1"))
    picked = program.add("torch.aten.index.Tensor", tensor("?", "f32"), 0, program.indices(1))
    with pytest.raises(CompileError):
        program.compile(2, [picked])


def test_masks_among_other_indices():
    """Two masks, and a mask and indices separated by a dimension, which move to the front."""
    program = Program(
        tensor("3,4,5", "f32"), tensor("3", "i1"), tensor("4", "i1"), tensor("?", "si64")
    )
    none, vector = program.none(), tensor("?,5", "f32")
    both = program.add("torch.aten.index.Tensor", vector, 0, program.indices(1, 2))
    around = program.indices(1, none, 3)
    apart = program.add("torch.aten.index.Tensor", tensor("?,4", "f32"), 0, around)
    run = program.compile(4, [both, apart])
    x, places = torch.rand(3, 4, 5), torch.tensor([4, -5])
    rows, columns = torch.tensor([True, False, True]), torch.tensor([False, True, True, False])
    assert_same(run(x, rows, columns, places), (x[rows, columns], x[rows, :, places]))
    none_true = (torch.zeros(3, dtype=torch.bool), torch.zeros(4, dtype=torch.bool), places[:0])
    assert_same(run(x, *none_true), (x[none_true[:2]], x[none_true[0], :, places[:0]]))
    with pytest.raises(RuntimeError, match="different numbers of true elements"):
        run(x, rows, torch.tensor([True, True, True, False]), places)
    with pytest.raises(RuntimeError):
        run(x, rows, columns, torch.tensor([4, 5]))


@pytest.mark.parametrize("is_dynamic", [False, True])
def test_indices_that_were_counted(is_dynamic):
    def function(x, y):
        i, j = torch.where(x > 0.5)
        return x[i, j], y[i, j], x.index_put((i, j), y[i, 0]), y.index_put((i, j), x[i, j], True)

    x, y = torch.rand(3, 4), torch.rand(3, 4, dtype=torch.float32)
    sizes = {"inputs": ({0: Dim.AUTO}, {0: Dim.AUTO})} if is_dynamic else None
    run = compiled(function, x, y, dynamic_shapes=sizes)
    for factor in (0.0, 1.0, 100.0):
        assert_same(run(x * factor, y), function(x * factor, y))


@pytest.mark.parametrize("chip", ["nvgpu", "amdgpu"])
def test_gpus_are_not_told_to_count(chip, tmp_path, opt):
    path = tmp_path / "program.mlir"
    types = tensor("4", "i1"), tensor("?,1", "si64")
    path.write_text(
        f"func.func @main(%a: {types[0]}) -> {types[1]} {{\n"
        f"%0 = torch.aten.nonzero %a : {types[0]} -> {types[1]}\nreturn %0 : {types[1]}\n}}"
    )
    done = opt(path, f"--torch-to-{chip}-pipeline")
    assert done.returncode == 1
    assert "error: the host needs a value that the GPU computes" in done.stderr


MEETING = {
    "add": lambda mask, a: a + mask.nonzero()[:, 0],
    "compare": lambda mask, a: a < mask.nonzero()[:, 0],
    "where": lambda mask, a: torch.where(a > 0, a, mask.nonzero()[:, 0]),
    "broadcast": lambda mask, a: a[None] - mask.nonzero()[:, 0],
    "element function": lambda mask, a: torch.special.zeta(
        a.float() + 2, mask.nonzero()[:, 0].float() + 1
    ),
    "product": lambda mask, a: a.float() @ mask.nonzero()[:, 0].float(),
    "three": lambda mask, a: torch.addcmul(a.float(), mask.nonzero()[:, 0].float(), a.float()),
    "stack": lambda mask, a: torch.stack([a, mask.nonzero()[:, 0]]),
    "counts": lambda mask, a: torch.ops.aten.special_hermite_polynomial_he(
        a, torch.unique_consecutive(mask, return_counts=True)[1][:2]
    ),
}


@pytest.mark.parametrize("name", MEETING)
def test_a_size_of_values_that_must_be_a_static_one(name):
    """The trace takes it to be the other one; values of another number must not be read."""
    function = MEETING[name]
    a, mask = torch.tensor([1, 2]), torch.tensor([True, False, True])
    compiled = torch_refine.compile(Function(function), (mask, a))
    torch.testing.assert_close(compiled(mask, a), function(mask, a))
    for other in ([False, False, True], [True, True, True], [False, False, False]):
        given = torch.tensor(other)
        try:
            found = compiled(given, a)
        except RuntimeError:
            continue
        torch.testing.assert_close(found, function(given, a), equal_nan=True)


def _by_rows(x, mask, places, values, accumulate):
    return x.index_put((mask,), values, accumulate)


def _by_rows_and_columns(x, mask, places, values, accumulate):
    return x.index_put((mask, places), values[:, 0], accumulate)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bool, torch.uint8, torch.complex64])
@pytest.mark.parametrize("accumulate", [False, True])
@pytest.mark.parametrize("write", [_by_rows, _by_rows_and_columns])
def test_as_many_values_as_a_mask_has_true_elements(write, accumulate, dtype):
    def function(x, mask, places, values):
        return write(x, mask, places, values, accumulate)

    x, values = (torch.rand(each, 4).mul(3).to(dtype) for each in (5, 3))
    mask = torch.tensor([True, False, True, True, False])
    inputs = x, mask, torch.tensor([0, -1, 2]), values
    compiled = torch_refine.compile(Function(function), inputs)
    assert torch.equal(compiled(*inputs), function(*inputs))
    with pytest.raises(RuntimeError):
        compiled(x, ~mask, *inputs[2:])


def _at_nonzero(mask):
    return mask.nonzero()[:, 0]


def _at_where(mask):
    return torch.where(mask)[0] - 5


@pytest.mark.parametrize("dtype", [torch.float32, torch.bool, torch.complex64])
@pytest.mark.parametrize("accumulate", [False, True])
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("places", [_at_nonzero, _at_where])
def test_as_many_values_as_indices_that_values_decide(places, dim, accumulate, dtype):
    def function(x, mask, values):
        indices = [*[None] * dim, places(mask)]
        return torch.ops.aten.index_put(x, indices, values, accumulate)

    sizes = [3, 4] if dim == 0 else [5, 3]
    x, values = torch.rand(5, 5).mul(3).to(dtype)[:, : 5 - (dim == 0)], torch.rand(sizes).to(dtype)
    mask = torch.tensor([True, False, True, True, False])
    compiled = torch_refine.compile(Function(function), (x, mask, values))
    torch.testing.assert_close(compiled(x, mask, values), function(x, mask, values))
    for other in (~mask, mask & False, mask | True):
        with pytest.raises(RuntimeError):
            compiled(x, other, values)


@pytest.mark.parametrize("dtype", [torch.float32, torch.complex64])
@pytest.mark.parametrize("accumulate", [False, True])
@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (1, 1, 1), (7,), (1, 7), (1, 1, 7)])
def test_a_grid_of_any_number_of_places(shape, accumulate, dtype):
    def function(x, rows, columns, values):
        return x.index_put((rows[:, None], columns[None]), values, accumulate)

    x, values = torch.rand(5, 6, 7, dtype=dtype), torch.rand(shape, dtype=dtype)
    given = [
        (torch.tensor(rows), torch.tensor(columns))
        for rows, columns in (([1, -2], [0, 3, 5]), ([4, 0, 2, 1], [2, -6]))
    ]
    shapes = (None, {0: Dim.AUTO}, {0: Dim.AUTO}, None)
    compiled = torch_refine.compile(
        Function(function), (x, *given[0], values), dynamic_shapes=(shapes,)
    )
    for rows, columns in given:
        expected = function(x, rows, columns, values)
        torch.testing.assert_close(compiled(x, rows, columns, values), expected)
    with pytest.raises(RuntimeError, match="out of bounds"):
        compiled(x, torch.tensor([1, 5]), torch.tensor([0, 1]), values)


PLACES = {
    "argmax": lambda x: x[x > 0].argmax(),
    "argmin of rows": lambda x: x[x[:, 0] > 0].argmin(0, keepdim=True),
    "max": lambda x: x[x > 0].max(0),
    "median": lambda x: x[x > 0].median(),
    "topk": lambda x: x[x > 0].topk(2),
}


@pytest.mark.parametrize("name", PLACES)
def test_places_of_extremes_of_what_a_mask_picks(name):
    function = PLACES[name]
    x = torch.randn(20, 4)
    compiled = torch_refine.compile(Function(function), (x,))
    for given in (x, x - 1, x.flip(0)):
        found, expected = compiled(given), function(given)
        torch.testing.assert_close(
            found if isinstance(found, torch.Tensor) else tuple(found),
            expected if isinstance(expected, torch.Tensor) else tuple(expected),
        )
    if name != "median":
        with pytest.raises(RuntimeError):
            compiled(-x.abs())
