"""Branches and loops are parts of a program: what one of them computes, checks and draws."""

import copy

import pytest
import torch
import torch_refine
from function_module import Function
from torch import nn
from torch._higher_order_ops.map import map as torch_map
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop
from torch.export import Dim
from torch_refine.importer import ImportModelError, import_model, module_text
from torch_refine.runtime.compiling.compiler import CompileError

X = torch.rand(7, 4, generator=torch.Generator().manual_seed(1)) + 0.01
OTHER = torch.rand(10, 4, generator=torch.Generator().manual_seed(2)) + 0.01
ROWS = {0: Dim("rows", min=2)}


def _count():
    return torch.tensor(0)


class Layers(nn.Module):
    """Branches that read the weights of a model, which calls may change."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.register_buffer("calls", torch.zeros(4))

    def forward(self, x):
        """Count the calls, and choose a layer."""
        self.calls.add_(1)
        return torch.cond(
            x.sum() > 0,
            lambda x: self.linear(x).relu() + self.calls,
            lambda x: x @ self.linear.weight,
            (x,),
        )


def _newton(x):
    """The square root of each element, with the number of steps and the last error."""
    return while_loop(
        lambda step, root, error: (step < 50) & (error > 1e-6),
        lambda step, root, error: (
            step + 1,
            (root + x / root) / 2,
            (root * root - x).abs().amax(),
        ),
        (_count(), torch.ones_like(x), torch.tensor(1.0)),
    )


def _captured(x):
    """Loops that read tensors and sizes from around them."""
    matrix, rows = x.T @ x, x.shape[0]
    return while_loop(
        lambda step, y: step < rows - 4,
        lambda step, y: (step + 1, (y @ matrix) / (y.norm() + rows)),
        (_count(), x.sum(0)),
    )


def _decode(x):
    """A buffer that a loop writes to at the place of its counter."""

    def body(step, tokens):
        score = (tokens.sum(1, keepdim=True) * 7 + step) % 5
        return step + 1, tokens.index_copy(1, step.reshape(1) % 4, score)

    return while_loop(lambda step, _: step < 6, body, (_count(), (x * 9).long()))


def _sorted(x):
    return while_loop(
        lambda step, y: step < 2,
        lambda step, y: (step + 1, y.sort(0, descending=True)[0].cumsum(1)),
        (_count(), x),
    )


def _halves(x):
    return while_loop(
        lambda step, y: y.sum() > 1, lambda step, y: (step + 1, y / 2), (_count(), x.half())
    )


def _steps(x):
    """A recurrence, whose steps are stacked."""
    weight = x.mT @ x / 8

    def combined(state, row):
        state = torch.tanh(state @ weight + row)
        return state, state * row.shape[0]

    return scan(combined, x[0] * 0, x)


def _several(x):
    """Several values and several sources, of several dtypes, and results that are carried."""

    def combined(carried, rows):
        total, count = carried
        first, second = rows
        return (total + first * second, count + 1), (first > total, (total - second).amax(0))

    return scan(combined, (x[0] * 0, _count()), (x, x.exp()))


def _each(x):
    scale, rows = x.abs().amax(), x.shape[0]
    return torch_map(lambda row: (row / scale).softmax(-1) * rows, x)


def _chosen(true, false, of=lambda x: x.sum() > 0):
    return lambda x: torch.cond(of(x), true, false, (x,))


PROGRAMS = {
    "two results": _chosen(lambda x: (x.sum(0), x.argmax(1)), lambda x: (x.mean(0), x.argmin(1))),
    "a decision about a size": _chosen(
        lambda x: x + 1, lambda x: x - 1, of=lambda x: x.shape[0] > 8
    ),
    "a slice of all": _chosen(lambda x: x[:, :4] * 2, lambda x: x[0:] + 1),
    "views": _chosen(lambda x: x.view(-1, 4).sum(0), lambda x: x.reshape(4, -1).sum(1)),
    "places of elements": _chosen(
        lambda x: (x > 0.5).nonzero().sum(0), lambda x: torch.zeros(2, dtype=torch.long)
    ),
    "dropout that drops nothing": _chosen(
        lambda x: nn.functional.dropout(x, 0.5, training=False), lambda x: x * 2
    ),
    "newton": _newton,
    "captured": _captured,
    "decode": _decode,
    "sorted": _sorted,
    "halves": _halves,
    "steps": _steps,
    "several": _several,
    "each": _each,
}


@pytest.mark.parametrize("is_dynamic", [False, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_equal_eager_mode(name, is_dynamic):
    function = PROGRAMS[name]
    sizes = {"dynamic_shapes": (({0: Dim.AUTO},),)} if is_dynamic else {}
    compiled = torch_refine.compile(Function(function), (X,), opt_level=0, **sizes)
    for x in (X, -X, OTHER, -OTHER) if is_dynamic else (X, -X):
        torch.testing.assert_close(compiled(x), function(x), equal_nan=True)


@pytest.mark.parametrize("function", [_several, _each])
def test_slices_of_any_sizes(function):
    example = torch.rand(7, 3, 4)
    sizes = {dim: Dim.AUTO for dim in range(3)}
    compiled = torch_refine.compile(
        Function(function), (example,), dynamic_shapes=((sizes,),), opt_level=0
    )
    for x in (example, torch.rand(2, 5, 3), torch.rand(300, 2, 2)):
        torch.testing.assert_close(compiled(x), function(x))


def test_stacked_results_are_written_in_place():
    """A copy of all of them in each iteration would take the square of the time."""
    text = torch_refine.compile(Function(_each), (X,)).ir("linalg")
    assert "scf.for" in text and "tensor.insert_slice" in text and "scatter" not in text


@pytest.mark.parametrize("is_dynamic", [False, True], ids=["static", "dynamic"])
def test_branches_read_weights(is_dynamic):
    model = Layers().eval()
    sizes = {"dynamic_shapes": (ROWS,)} if is_dynamic else {}
    compiled = torch_refine.compile(copy.deepcopy(model), (X,), **sizes)
    with torch.no_grad():
        for x in (X, -X, X):
            torch.testing.assert_close(compiled(x), model(x))


def test_only_the_branch_that_is_taken_checks():
    def function(x, index):
        return torch.cond(
            x.sum() > 0, lambda x, index: x[index], lambda x, index: x[:2] * 2, (x, index)
        )

    compiled = torch_refine.compile(Function(function), (X, torch.tensor([1, 2])))
    far = torch.tensor([1, 70])
    torch.testing.assert_close(compiled(-X, far), function(-X, far))
    for call in (compiled, function):
        with pytest.raises((RuntimeError, IndexError), match=r"index|range"):
            call(X, far)


def test_a_loop_without_turns_checks_nothing():
    def function(x, index, turns):
        return while_loop(
            lambda step, y: step < turns,
            lambda step, y: (step + 1, y + x[index].sum(0)),
            (_count(), x[0] * 1),
        )

    example = (X, torch.tensor([1, 2]), torch.tensor(3))
    compiled = torch_refine.compile(Function(function), example)
    torch.testing.assert_close(compiled(*example), function(*example))
    far = torch.tensor([1, 70])
    torch.testing.assert_close(compiled(X, far, torch.tensor(0)), (torch.tensor(0), X[0]))
    with pytest.raises(RuntimeError, match=r"index|range"):
        compiled(X, far, torch.tensor(1))


REFUSED = {
    "the memory of an operand": (
        _chosen(lambda x: x.as_strided((2, 2), (4, 1)) + 1, lambda x: x[:2, :2] * 2),
        "reads the memory",
    ),
    "a call that kernels reject": (
        _chosen(lambda x: torch.ops.aten.mse_loss(x, x * 2, 5), lambda x: x * 2),
        "reduction is 5",
    ),
    "numbers that are drawn": (
        _chosen(lambda x: x + torch.rand(7, 4), lambda x: x.clone()),
        "seed",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_program_of_its_own_is_refused_for(name):
    function, said = REFUSED[name]
    with pytest.raises((CompileError, ImportModelError), match=said):
        torch_refine.compile(Function(function), (X,))


def test_control_flow_that_is_refused_runs_in_python():
    function, _ = REFUSED["the memory of an operand"]
    compiled = torch_refine.compile(Function(function), (X,), fallback="pytorch")
    for x in (X, -X):
        torch.testing.assert_close(compiled(x), function(x))
    assert "cond" in str(compiled.report())


def _accumulated(x):
    def step(total, row):
        total = total * 0.9 + row.sin()
        return total, total * 2

    total, every = scan(step, torch.zeros(x.shape[1]), x)
    return every * total


def _decided(x):
    return torch.cond(
        x.sum() > 0, lambda x: (x.sin() @ x.exp().mT).sum(1), lambda x: x.cos().amax(1), (x,)
    )


def _repeated(x):
    _, y = while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, (y * 1.1).tanh()), (_count(), x))
    return y


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize(
    ("function", "gradient"), [(_accumulated, True), (_decided, True), (_repeated, False)]
)
def test_graphs_of_torch_compile(function, gradient, dynamic, caplog):
    """Its graphs take sizes that graphs of control flow do not use; gradients are loops, too."""
    torch._dynamo.reset()
    compiled = torch.compile(function, backend="torch_refine", dynamic=dynamic)
    for rows in (X, -OTHER) if dynamic else (X, -X):
        one, other = (rows.clone().requires_grad_(gradient) for _ in range(2))
        found, expected = compiled(one), function(other)
        torch.testing.assert_close(found, expected)
        if gradient:
            found.square().sum().backward()
            expected.square().sum().backward()
            torch.testing.assert_close(one.grad, other.grad)
    said = [each.getMessage() for each in caplog.records if each.name == "torch_refine"]
    assert not [each for each in said if "cond" in each or "scan" in each or "loop" in each]
    assert not [each for each in said if "eagerly" in each]


@torch.compiler.nested_compile_region
def _inner(x, weight):
    return (x @ weight).tanh(), x.sum(0)


@torch.compiler.nested_compile_region
def _outer(x, weight):
    found, total = _inner(x.sin(), weight)
    return found + total + x


def _regions(x, weight):
    x = _outer(x, weight)
    for _ in range(3):
        x = _inner(x, weight)[0] + x
    return torch.cond(x.sum() > 0, lambda x: x.exp(), lambda x: x.cos(), (x,))


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("gradient", [False, True])
def test_regions_that_are_compiled_once(gradient, dynamic, caplog):
    """In all graphs that call them, they are no operators that PyTorch runs."""
    torch._dynamo.reset()
    weight = torch.eye(4) * 0.3 + 0.1
    compiled = torch.compile(_regions, backend="torch_refine", dynamic=dynamic)
    for rows in (X, -OTHER) if dynamic else (X, -X):
        one, other = (rows.clone().requires_grad_(gradient) for _ in range(2))
        found, expected = compiled(one, weight), _regions(other, weight)
        torch.testing.assert_close(found, expected)
        if gradient:
            found.square().sum().backward()
            expected.square().sum().backward()
            torch.testing.assert_close(one.grad, other.grad)
    assert not [each for each in caplog.records if each.name == "torch_refine"]


def test_a_size_of_a_stacked_result_that_no_operand_has():
    def function(x):
        return torch_map(lambda row: torch.cat([row, row * 2]), x)

    sizes = {"dynamic_shapes": (({0: Dim.AUTO, 1: Dim.AUTO},),)}
    with pytest.raises(ImportModelError, match="no operand has the size"):
        torch_refine.compile(Function(function), (X,), **sizes)
    compiled = torch_refine.compile(Function(function), (X,), fallback="pytorch", **sizes)
    for x in (X, torch.rand(3, 5)):
        torch.testing.assert_close(compiled(x), function(x))


@pytest.mark.parametrize("name", ["two results", "newton", "captured", "several"])
def test_types_are_refined_through_branches_and_loops(name, opt):
    text = module_text(import_model(Function(PROGRAMS[name]), (X,), ((ROWS,),)))
    assert "torch.prim.If" in text or "torch.prim.Loop" in text
    refined = opt("-", "--torch-refinement-pipeline", input=text)
    assert refined.returncode == 0, refined.stderr
    results = [line for line in refined.stdout.splitlines() if " = torch.prim." in line]
    assert results and not any("unk" in line for line in results)


@pytest.mark.parametrize("name", ["two results", "newton"])
def test_a_gpu_decides_nothing_by_values(name, opt):
    text = module_text(import_model(Function(PROGRAMS[name]), (X,)))
    lowered = opt("-", "--torch-to-cuda-pipeline", input=text)
    assert lowered.returncode == 1
    assert "error: the host needs a value that the GPU computes" in lowered.stderr
