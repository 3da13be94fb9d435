"""Sizes that the export of a program assumed to be others are refused, with the model's line."""

import inspect
import pickle
import random
import re

import numpy as np
import pytest
import torch
import torch_refine
from function_module import Function
from torch import nn
from torch.export import Dim
from torch_refine import GuardError
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.guard_messages import GuardMessage, decode_guard
from torch_refine.importer.errors import ImportModelError
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import import_for_lowering
from torch_refine.runtime.calls.guards import BrokenGuardError

AUTO = Dim.AUTO
LARGE = 2**40


def _compile(function, examples, dims, **options):
    """A function compiled for sizes that may differ in some dimensions of its inputs."""
    shapes = tuple(dict.fromkeys(each, AUTO) if isinstance(each, tuple) else each for each in dims)
    return torch_refine.compile(
        Function(function), examples, dynamic_shapes=(shapes,), opt_level=0, **options
    )


def _line_of(function, text):
    """`file:line` of the first line of a function that has some text."""
    lines, first = inspect.getsourcelines(function)
    return f"{__file__}:{first + next(i for i, line in enumerate(lines) if text in line)}"


def _branching(x, y):
    if x.size(0) > y.size(0):
        x = x * 2
    if x.size(0) % 2 == 0:
        x = x + 1
    if y.size(0) != 5:
        y = y.sin()
    return x.sum() + y


@pytest.mark.skipif(
    torch.__version__ < (2, 12),
    reason="before PyTorch 2.12, the guard has a number of more than 64 bits, which is refused",
)
def test_the_sum_of_a_large_constant_and_a_size():
    """The convolution's guard is `p <= 9223372036854775807 + -1*p`, where p is what is padded."""
    x, w = torch.rand(1, 4, 9, 9), torch.rand(2, 4, 2, 3)

    def convolution(x, w):
        return torch.conv2d(x, w, padding="same", dilation=3)

    compiled = _compile(convolution, (x, w), ((2, 3), (2, 3)))
    torch.testing.assert_close(compiled(x, w), convolution(x, w))
    other = torch.rand(1, 4, 12, 15), torch.rand(2, 4, 2, 3)
    torch.testing.assert_close(compiled(*other), convolution(*other))


def test_an_example_that_is_negative_is_no_size():
    """The export takes an integer for 0 or more, and decides by it."""

    def loss(x, target, ignored):
        return nn.functional.nll_loss(x, target, ignore_index=ignored)

    inputs = torch.rand(3, 4), torch.tensor([1, 0, 3]), -100
    shapes = (({0: AUTO}, {0: AUTO}, AUTO),)
    with pytest.raises(ImportModelError, match="its example is -100"):
        torch_refine.compile(Function(loss), inputs, dynamic_shapes=shapes)


@pytest.mark.parametrize(
    ("rows", "numbers", "guard", "line"),
    [
        (6, 8, "inputs_0.size(0) > inputs_1.size(0)", "x.size(0) > y.size(0)"),
        (7, 6, "(inputs_0.size(0) % 2) == 0", "% 2"),
        (8, 5, "inputs_1.size(0) != 5", "!= 5"),
        (4, 1, "inputs_1.size(0) >= 2", None),
    ],
)
def test_a_branch_that_the_trace_did_not_take(branching, rows, numbers, guard, line):
    with pytest.raises(GuardError) as raised:
        branching(torch.rand(rows, 3), torch.rand(numbers))
    error = raised.value
    given = {"inputs_0.size(0)": rows, "inputs_1.size(0)": numbers}
    assert error.guard == guard
    assert error.sizes == {name: size for name, size in given.items() if name in guard}
    assert error.location == (None if line is None else _line_of(_branching, line))
    assert guard in str(error)
    assert all(f"{name} = {size}" in str(error) for name, size in error.sizes.items())
    assert str(error.location) in str(error) or error.location is None
    assert isinstance(error, ValueError)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.fixture(scope="module")
def branching():
    return _compile(_branching, (torch.rand(8, 3), torch.rand(6)), ((0,), (0,)))


def test_sizes_that_keep_all_guards(branching):
    for rows, numbers in ((8, 6), (4, 2), (100, 99), (10, 3)):
        given = torch.rand(rows, 3), torch.rand(numbers)
        torch.testing.assert_close(branching(*given), _branching(*given))


def test_numpy_arrays_are_checked_alike():
    text = """
    func.func @main(%arg0: !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
        attributes {torch_refine.guards = [{condition = "arg0.size(0) % 3 == 0", message = "3"}]} {
      %0 = torch.aten.neg %arg0 : !torch.vtensor<[?],f32> -> !torch.vtensor<[?],f32>
      return %0 : !torch.vtensor<[?],f32>
    }"""
    compiled = torch_refine.compile(ir.Module.parse(text, new_context()), opt_level=0)
    np.testing.assert_array_equal(compiled(np.ones(6, np.float32)), -np.ones(6))
    with pytest.raises(RuntimeError, match=r"^3"):
        compiled(np.ones(7, np.float32))


# One comparison of two expressions over sizes, as a model writes it.
_LEAVES = ("a", "b", "c", "d", "n", "2", "3", "7")
_SUMS = ("({} + {})", "({} - {})", "({} * {})", "max({}, {})", "min({}, {})")
_STEPS = ("({} // 2)", "({} % 3)", "({} * 3)")


def _expression(choose, depth):
    if depth == 0:
        return choose.choice(_LEAVES)
    if choose.random() < 0.4:
        return choose.choice(_STEPS).format(_expression(choose, depth - 1))
    sides = (_expression(choose, depth - 1) for _ in range(2))
    return choose.choice(_SUMS).format(*sides)


def _condition(choose):
    relation = choose.choice(("<", "<=", ">", ">=", "==", "!="))
    found = f"{_expression(choose, 2)} {relation} {_expression(choose, 1)}"
    if choose.random() < 0.3:
        return f"({found} {choose.choice(('and', 'or'))} {_condition(choose)})"
    return f"not {found}" if choose.random() < 0.2 else found


class _Conditions(nn.Module):
    """Adds to its inputs what conditions on their sizes decide."""

    def __init__(self, conditions):
        super().__init__()
        self.conditions = [compile(each, "conditions.py", "eval") for each in conditions]

    def forward(self, x, nested, n: int, *, z):
        sizes = {"a": x.size(0), "b": x.size(1), "c": nested["y"].size(0), "d": z.size(1), "n": n}
        added = 0
        for place, each in enumerate(self.conditions):
            if eval(each, {"max": max, "min": min}, sizes):
                added += 2**place
        return x + added, nested["y"] - added, z.sum() + n


def _inputs(sizes):
    a, b, c, d, n = sizes
    return (torch.ones(a, b), {"y": torch.ones(c)}, n), {"z": torch.ones(3, d)}


@pytest.mark.parametrize("seed", range(4))
def test_compiled_programs_take_the_sizes_that_the_exported_module_takes(seed):
    choose = random.Random(seed)
    model = _Conditions([_condition(choose) for _ in range(3)])
    example = (8, 5, 6, 9, 4)
    inputs, keywords = _inputs(example)
    shapes = {"x": {0: AUTO, 1: AUTO}, "nested": {"y": {0: AUTO}}, "n": AUTO, "z": {1: AUTO}}
    exported = export_program(model, inputs, keywords, shapes)
    module, compiled = exported.module(), torch_refine.compile(exported, opt_level=0)
    taken = 0
    for attempt in range(150):
        spread = 1 if attempt % 3 else 6
        sizes = [max(2, size + choose.randint(-spread, spread)) for size in example]
        if attempt % 7 == 0:
            sizes[choose.randrange(5)] = choose.randint(1, 3)
        inputs, keywords = _inputs(sizes)
        try:
            module(*inputs, **keywords)
            is_taken = True
        except (AssertionError, RuntimeError):
            is_taken = False
        try:
            found = compiled(*inputs, **keywords)
        except GuardError as error:
            # A size of 1 is refused though the module takes it.
            assert not is_taken or 1 in sizes, (sizes, error)
            assert error.location is None or error.location.startswith(("conditions.py", __file__))
        except ValueError:
            # A size that the model made a constant.
            assert not is_taken, sizes
        else:
            assert is_taken, sizes
            taken += 1
            torch.testing.assert_close(found, model(*inputs, **keywords))
    assert taken > 0


def _product(x, y):
    return x.view(y.size(0), y.size(1)) + y


def test_arithmetic_of_guards_does_not_wrap():
    """Sizes of tensors without elements may be so large that their product is a small number."""
    compiled = _compile(_product, (torch.rand(12), torch.rand(3, 4)), ((0,), (0, 1)))
    x, y = torch.rand(30), torch.rand(6, 5)
    torch.testing.assert_close(compiled(x, y), _product(x, y))
    with pytest.raises(GuardError, match=r"size\(0\) == .*\*.*, got"):
        compiled(torch.rand(29), torch.rand(6, 5))
    three = _compile(
        lambda x, y: x.sum() + y.sum() if x.size(0) * x.size(1) * y.size(0) > 10 else x.sum(),
        (torch.rand(4, 3, 2), torch.rand(5)),
        ((0, 1, 2), (0,)),
    )
    assert float(three(torch.ones(4, 3, 2), torch.ones(5))) == 29
    # In 64 bits the products are 2**64 + 11 - ..., which is 11 or more but not what it seems.
    for rows, columns, numbers in ((LARGE, 2**22, 8), (2**61, 3, 7), (2**31, 2**31, 5)):
        huge = torch.empty((0, rows, columns)).permute(1, 2, 0)
        with pytest.raises(GuardError):
            three(huge, torch.ones(numbers))


@pytest.mark.parametrize(
    ("power", "taken", "other"),
    [
        (lambda n: 10.0 * (16 * n) ** 0.145 > 16.5, (32, 2, 3), ()),
        (lambda n: n**-0.5 < 0.5, (5, 6, 99), (2, 3, 4)),
        (lambda n: (n / 2) ** 2 > 9.0, (7, 8, 99), (2, 5, 6)),
    ],
    ids=["fraction", "negative", "float base"],
)
def test_powers_of_sizes(power, taken, other):
    """As temperatures of position embeddings are scaled; Python's floats decide."""
    compiled = _compile(lambda x: x + 1 if power(x.size(0)) else x * 2, (torch.ones(9),), ((0,),))
    for size in taken:
        assert power(size)
        torch.testing.assert_close(compiled(torch.ones(size)), torch.full([size], 2.0))
    for size in other:
        assert not power(size)
        with pytest.raises(GuardError):
            compiled(torch.ones(size))


def test_a_size_that_the_model_made_a_constant():
    compiled = _compile(lambda x: x + torch.arange(5), (torch.rand(3, 5),), ((0, 1),))
    torch.testing.assert_close(compiled(torch.ones(2, 5)), 1 + torch.arange(5.0).repeat(2, 1))
    for columns in (1, 4, 6):
        with pytest.raises(ValueError, match=r"size\(1\) == 5|must be float32\[\?,5\]"):
            compiled(torch.rand(3, columns))


def _by_emptiness(x):
    if x.size(0) == 0:
        return x * 5
    if x.size(0) == 1:
        return x * 2
    return x + 1


def test_a_size_that_the_trace_made_a_constant_is_one_to_conversions():
    """Inserting a size into one of unknown sizes was not converted to a type with known sizes."""

    def contract(x, y):
        return torch.einsum("bij,bkj->ik", x, y)

    x, y = torch.rand(4, 3, 5), torch.rand(4, 2, 5)
    compiled = _compile(contract, (x, y), ((0, 1, 2), None))
    for rows in (3, 7):
        x = torch.rand(4, rows, 5)
        torch.testing.assert_close(compiled(x, y), contract(x, y))
    with pytest.raises(GuardError, match=r"size\(0\) == 1 or .*size\(0\) == 4"):
        compiled(torch.rand(3, 3, 5), y)


def test_messages_of_guards_name_what_is_known_at_entry():
    """The message of this operator's guard has a size of another value, too."""
    pad = torch.ops.aten._pad_circular
    compiled = _compile(lambda x: pad(x, [4, 1]), (torch.rand(2, 3, 4),), ((0, 1, 2),))
    x = torch.rand(2, 3, 7)
    torch.testing.assert_close(compiled(x), pad(x, [4, 1]))
    with pytest.raises(GuardError, match=r"4 <= .*size\(2\)"):
        compiled(torch.rand(2, 3, 3))


@pytest.mark.parametrize("dim", [Dim.AUTO, Dim("batch"), Dim("batch", min=0, max=9)])
def test_the_export_takes_sizes_to_be_neither_0_nor_1(dim):
    compiled = torch_refine.compile(
        Function(_by_emptiness), (torch.rand(3, 2),), dynamic_shapes=(({0: dim},),), opt_level=0
    )
    for rows in (2, 3, 9):
        values = torch.rand(rows, 2)
        torch.testing.assert_close(compiled(values), _by_emptiness(values))
    for rows in (0, 1):
        with pytest.raises(GuardError) as raised:
            compiled(torch.rand(rows, 2))
        assert raised.value.location == _line_of(_by_emptiness, f"== {rows}")


def test_one_row_where_nothing_depends_on_it():
    dim = Dim("batch")
    model = nn.Sequential(nn.Linear(4, 3), nn.LayerNorm(3), nn.GELU()).eval()
    compiled = torch_refine.compile(
        model, (torch.rand(3, 4),), dynamic_shapes=({0: dim},), opt_level=0
    )
    row = torch.rand(1, 4)
    with torch.no_grad():
        torch.testing.assert_close(compiled(row), model(row))


@pytest.mark.parametrize("dims", [(), (0,), ((0, 1),)], ids=["all", "one", "some"])
def test_squeezed_sizes_are_not_1(dims):
    shapes = (({0: Dim("rows")},),)
    function = Function(lambda x: x.squeeze(*dims) * 2)
    compiled = torch_refine.compile(
        function, (torch.rand(3, 4),), dynamic_shapes=shapes, opt_level=0
    )
    torch.testing.assert_close(compiled(torch.ones(7, 4)), torch.full((7, 4), 2.0))
    with pytest.raises(GuardError, match=r"size\(0\) != 1"):
        compiled(torch.rand(1, 4))


def test_squeezed_counts_are_not_1():
    """The operand and the result of this squeeze have one type, which upstream folds."""
    compiled = _compile(lambda x: x.nonzero().squeeze(), (torch.tensor(1.0),), ((),))
    assert compiled(torch.tensor(0.0)).shape == (0, 0)
    with pytest.raises(RuntimeError, match="size 0 was assumed not to be 1"):
        compiled(torch.tensor(2.0))


def test_dimensions_in_another_order():
    """Guards and messages speak of the dimensions as the caller has them."""

    def wide(x):
        return x * 2 if x.size(1) > x.size(0) else x

    compiled = _compile(wide, (torch.rand(7, 4).t(),), ((0, 1),))
    for values in (torch.rand(8, 3).t(), torch.rand(3, 8)):
        torch.testing.assert_close(compiled(values), values * 2)
    for values in (torch.rand(3, 8).t(), torch.rand(8, 3)):
        with pytest.raises(GuardError) as raised:
            compiled(values)
        assert raised.value.sizes == {"inputs_0.size(0)": 8, "inputs_0.size(1)": 3}


def test_numbers_that_are_inputs():
    class Numbers(nn.Module):
        def forward(self, x, n: int, flag: bool, factor: float, mode: str, nothing):
            if n > x.size(0):
                x = x * factor
            return x if flag and mode == "a" and nothing is None else x + 1, n * x.size(0)

    inputs = (torch.ones(4), 6, True, 2.0, "a", None)
    shapes = ({0: AUTO}, AUTO, None, None, None, None)
    compiled = torch_refine.compile(Numbers(), inputs, dynamic_shapes=shapes, opt_level=0)
    found, product = compiled(torch.ones(3), 9, True, 2.0, "a", None)
    assert found.tolist() == [2.0] * 3 and product == 27
    with pytest.raises(GuardError, match=r"n > x.size\(0\).*got x.size\(0\) = 4, n = 3"):
        compiled(torch.ones(4), 3, True, 2.0, "a", None)
    constants = {2: False, 3: 3.0, 4: "b", 5: torch.ones(1)}
    for place, value in constants.items():
        changed = [*inputs[:place], value, *inputs[place + 1 :]]
        with pytest.raises((ValueError, TypeError), match="compiled for"):
            compiled(*changed)
    with pytest.raises(ValueError, match="64 bits"):
        compiled(torch.ones(3), 2**70, True, 2.0, "a", None)


def _checking(x, place):
    torch._assert_async(x.max() > 0.5, "too small")
    torch._assert_async(x[0, 0] != 0.75)
    torch._check(x.size(0) > 3)
    torch._check(x.min().item() > 0.1)
    count = place.item()
    torch._check(count >= 0)
    torch._check(count < x.size(0))
    return x.double()[:count] + 1


@pytest.mark.skipif(
    torch.__version__ < (2, 13),
    reason="torch.export fails before PyTorch 2.13: unknown symbol zuf0",
)
def test_assertions_about_values():
    compiled = _compile(_checking, (torch.rand(9, 3) + 0.5, torch.tensor(4)), ((0,), None))
    rows = torch.rand(6, 3) + 0.5
    rows[0, 0] = 1.0
    torch.testing.assert_close(compiled(rows, torch.tensor(5)), _checking(rows, torch.tensor(5)))
    for values, place, message in (
        (rows, 6, rf"u0 < .*\(at {re.escape(_line_of(_checking, 'count <'))}\)"),
        (rows, -1, rf"u0 >= 0 .*\(at {re.escape(_line_of(_checking, 'count >='))}\)"),
        (rows, LARGE, "u0 < "),
        (rows - 0.6, 2, rf"0\.1 < .*\(at {re.escape(_line_of(_checking, 'item() > 0.1'))}\)"),
        (rows.clamp(max=0.5), 2, "too small"),
        (rows * 0.75, 2, "an assertion of the model failed"),
    ):
        with pytest.raises(RuntimeError):
            _checking(values, torch.tensor(place))
        with pytest.raises(RuntimeError, match=message):
            compiled(values, torch.tensor(place))
    with pytest.raises(GuardError, match=r"size\(0\) > 3"):
        compiled(rows[:3], torch.tensor(1))


def test_programs_as_ir():
    text = """
    func.func @main(%arg0: !torch.vtensor<[?,3],f32>, %arg1: !torch.vtensor<[?],f32>)
        -> !torch.vtensor<[?,3],f32> {
      %s0 = torch.symbolic_int "s0" {min_val = 2, max_val = 20} : !torch.int
      torch.bind_symbolic_shape %arg0, [%s0], affine_map<()[s0] -> (s0 * 2 + 1, 3)>
        : !torch.vtensor<[?,3],f32>
      torch.bind_symbolic_shape %arg1, [%s0], affine_map<()[s0] -> (s0 * 3)>
        : !torch.vtensor<[?],f32>
      %0 = torch.aten.neg %arg0 : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
      return %0 : !torch.vtensor<[?,3],f32>
    }"""
    compiled = torch_refine.compile(ir.Module.parse(text, new_context()), opt_level=0)
    for rows, numbers in ((5, 6), (7, 9), (41, 60)):
        compiled(torch.rand(rows, 3), torch.rand(numbers))
    for rows, numbers, message in (
        (6, 6, r"argument 0\.size\(0\) == s0 \* 2 \+ 1, where s0 is an integer"),
        (7, 6, r"argument 1\.size\(0\) == s0 \* 3, where argument 0\.size\(0\) == "),
        (3, 3, r"argument 0\.size\(0\) >= 5"),
        (43, 63, r"argument 0\.size\(0\) <= 41"),
    ):
        with pytest.raises(GuardError, match=message):
            compiled(torch.rand(rows, 3), torch.rand(numbers))


def test_guards_come_before_anything_is_allocated(branching):
    text = branching.ir("llvm")
    body = text[text.index("llvm.func internal @_mlir_ciface_main(") :]
    first = min(body.find(each) for each in ("@malloc", "llvm.store") if each in body)
    # Of each guard, the number that tells the caller which one it was is behind the last branch.
    assert body[:first].count("llvm.cond_br") >= 5


def test_messages_of_guards_are_told_from_others():
    said = GuardMessage("x.size(0) > 2", (("x.size(0)", 0, 0), ("n", 1, None)), "model.py:3")
    assert decode_guard(said.encode()) == said
    assert decode_guard(said.encode() + " (at other.py:4)") == said
    for text in ("index out of range", "torch_refine.guard {", 'torch_refine.guard {"guard": 1}'):
        assert decode_guard(text) is None


def test_a_condition_on_strides_is_refused():
    def by_stride(x):
        return x * 2 if x.stride(0) > 4 * x.size(1) else x

    values = torch.empty_strided((4, 3), (40, 2)).fill_(1.0)
    with pytest.raises(ImportModelError, match="stride"):
        _compile(by_stride, (values,), ((0, 1),))


def test_lines_of_the_model_survive_decomposition():
    """What PyTorch asks while it takes operators apart is located at the operator's line."""
    exported = export_program(
        Function(_product),
        (torch.rand(12), torch.rand(3, 4)),
        {},
        (({0: AUTO}, {0: AUTO, 1: AUTO}),),
    )
    text = str(import_for_lowering(exported).module)
    assert _line_of(_product, "view") in text


def test_a_saved_program_keeps_its_guards_or_is_refused(tmp_path):
    """PyTorch saves guards as text that does not say where sizes are; they are not dropped."""
    shapes = (({0: AUTO}, {0: AUTO}),)
    examples = torch.rand(8, 3), torch.rand(6)
    exported = export_program(Function(_branching), examples, {}, shapes)
    torch.export.save(exported, tmp_path / "program.pt2")
    with pytest.raises(ImportModelError, match="guards are stated of a program that was saved"):
        torch_refine.compile(torch.export.load(tmp_path / "program.pt2"))


PRODUCT = """
func.func @main(%a: !torch.vtensor<[?,?],f32> loc("rows"), %b: !torch.vtensor<[?,4],f32>)
    -> !torch.vtensor<[?,4],f32> {
  %0 = torch.aten.mm %a, %b : !torch.vtensor<[?,?],f32>, !torch.vtensor<[?,4],f32>
      -> !torch.vtensor<[?,4],f32>
  return %0 : !torch.vtensor<[?,4],f32>
}
"""


def test_preconditions_have_the_message_of_the_operator():
    compiled = torch_refine.compile(ir.Module.parse(PRODUCT, new_context()), opt_level=0)
    rows, columns = torch.rand(2, 3), torch.rand(3, 4)
    torch.testing.assert_close(compiled(rows, columns), rows @ columns)
    for other in (torch.rand(2, 5), torch.rand(0, 0)):
        with pytest.raises(GuardError) as caught:
            compiled(other, columns)
        error = caught.value
        size = other.shape[1]
        assert error.guard == "rows.size(1) == arg1.size(0)"
        assert error.sizes == {"rows.size(1)": size, "arg1.size(0)": 3}
        assert error.reason == f"aten::mm: inner dimensions must match, got {size} and 3"
        assert error.location == "line 4"
        assert str(error).startswith(error.reason)
        copied = pickle.loads(pickle.dumps(error))
        assert str(copied) == str(error) and copied.reason == error.reason


def test_a_message_whose_parts_cannot_be_read_has_question_marks():
    parts = ("got ", ("arg0.size(0) + 1",), " and ", ("arg0.size(",))
    message = GuardMessage("x.size(0) == 4", (("x.size(0)", 0, 0),), None, parts)
    assert decode_guard(message.encode()) == message
    error = BrokenGuardError(message).explain([torch.rand(2)], 0)
    assert error.reason == "got 3 and ?"
