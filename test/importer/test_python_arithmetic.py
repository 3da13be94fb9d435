"""Python's arithmetic on sizes, and on the numbers that programs compute from them."""

import math

import pytest
import torch
import torch_refine
from no_cache import no_cache  # noqa: F401
from torch.export import Dim

_SIZES = [(5, 7), (8, 6), (12, 9), (3, 4)]
_TEXT = """
n**2 n**3 n**0.5 n**-0.5 n**-1 h**2 h**0.5 h**h h**n 2**n 0.5**n n**n n**h (n-7)**3
h%2 n%2.5 n%h h%n (n-9)%4 (n-9)%2.5 (h-3)%2 5%n 5.5%n 5.5%h (h-9)%-2.5
h//2.5 n//2.5 h//n (n-9)//2.5 (h-4)//2 100.5//n
abs(h-3) abs(n-7) max(n,h) min(n,h) max(n,w) round(h) round(n/2) round(h-3.5)
math.floor(h) math.ceil(-h) torch.sym_sqrt(n) torch.sym_sqrt(h) n&6 n|8 n<<3 n>>1
(n-20)>>1 (n-20)<<2 1/n**0.5 (n*w)**-0.5 10000.0**(-2/n) 1-0.9**n n/w (w+n)/2 -(-n//4) (4-n%4)%4
"""
_EXPRESSIONS = _TEXT.split()


class _Model(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def _compiled(function, rows=5):
    dynamic = ({0: Dim.AUTO, 1: Dim.AUTO},)
    return torch_refine.compile(_Model(function), (torch.randn(rows, 7),), dynamic_shapes=dynamic)


def _function(*expressions):
    """A function that multiplies its argument of sizes n and w by numbers."""
    products = ", ".join(f"x * ({each})" for each in expressions)
    names = {"math": math, "torch": torch}
    exec(f"def function(x):\n  n, w = x.shape\n  h = n / 3\n  return ({products},)", names)
    return names["function"]


def _equals_eager(compiled, function):
    for sizes in _SIZES:
        x = torch.randn(sizes)
        for mine, theirs in zip(compiled(x), function(x), strict=True):
            torch.testing.assert_close(mine, theirs)


def test_numbers_are_those_of_python():
    function = _function(*_EXPRESSIONS)
    _equals_eager(_compiled(function), function)


def test_graphs_of_dynamo(caplog):
    function = _function(*_EXPRESSIONS)
    backend = torch.compile(function, backend="torch_refine", dynamic=True)
    _equals_eager(backend, function)
    # Nothing runs in PyTorch.
    assert [each.message for each in caplog.records if each.name == "torch_refine"] == []


@pytest.mark.parametrize(
    ("expression", "good", "bad", "message"),
    [
        ("(n-7)**-0.5", 9, 7, "ZeroDivisionError"),
        ("1.5**(n*200)", 5, 16, "OverflowError"),
        ("n**n", 5, 16, "a power is too large for an integer"),
        ("n%(n/2-3)", 5, 6, "ZeroDivisionError"),
        ("n//(n-7.0)", 5, 7, "ZeroDivisionError"),
        ("torch.sym_sqrt(n-6)", 9, 5, "a square root of a negative number"),
        ("1<<(n*8)", 5, 8, "a shifted number is too large for an integer"),
        ("n>>(n-6)", 9, 5, "a negative shift count"),
    ],
)
def test_what_raises_in_python_raises(expression, good, bad, message):
    function = _function(expression)
    compiled = _compiled(function, good)
    x = torch.randn(good, 7)
    torch.testing.assert_close(compiled(x), function(x))
    with pytest.raises(RuntimeError, match=message):
        compiled(torch.randn(bad, 7))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.argmax(0).div(x.size(0), rounding_mode="floor"),
        lambda x: torch.div(x, x.size(0) / 3, rounding_mode="trunc"),
        lambda x: x.size(0) // (x + 9),
        lambda x: (x * 9).long() // x.size(0),
        lambda x: (x.size(0) / 3) // (x.int() + 9),
    ],
)
def test_sizes_as_operands_of_tensors(function):
    compiled = _compiled(function)
    for sizes in _SIZES:
        x = torch.randn(sizes)
        torch.testing.assert_close(compiled(x), function(x))


@pytest.mark.parametrize(
    "condition",
    [
        "(n/3)//2 == 1",
        "n%2.5 > 1",
        "max(n/3, 1.5) < 2.5",
        "n**-0.5 < 0.4",
        "round(n/4) == 1",
        "abs(n/3-2) < 0.5",
        "abs(n-7) < 2",
    ],
)
def test_conditions_on_such_numbers(condition):
    names = {}
    exec(f"def function(x):\n  n, w = x.shape\n  return x + 1 if {condition} else x - 1", names)
    function = names["function"]
    compiled, answered = _compiled(function), 0
    for n in range(2, 14):
        x = torch.randn(n, 4)
        try:
            found = compiled(x)
        except torch_refine.GuardError:
            continue
        torch.testing.assert_close(found, function(x))
        answered += 1
    assert 0 < answered < 12
