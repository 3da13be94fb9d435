"""Functions with a slow case, in scalars and vectors: large numbers, infinity, NaN among others."""

import platform

import pytest
import torch
import torch_refine

FUNCTIONS = {"sin": torch.sin, "cos": torch.cos, "tan": torch.tan}
RARE = [0.0, -0.0, 1e-40, -1e-45, float("inf"), float("-inf"), float("nan"), 1e30, -3e38]
BORDERS = [2.0**20, -(2.0**20), 2.0**21, 2.0**30, 2.0**30 + 128, -(2.0**31)]


class Function(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


CPUS = ["host", *(["x86-64-v2", "x86-64-v3"] if platform.machine() == "x86_64" else [])]


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_element_has_its_case(name, dtype, cpu):
    """Rare numbers anywhere in a vector, and in what is left after the last whole one."""
    function = FUNCTIONS[name]
    size = 53
    program = torch_refine.compile(Function(function), (torch.zeros(size, dtype=dtype),), cpu=cpu)
    numbers = torch.tensor([*RARE, *BORDERS], dtype=dtype)
    for place in range(size):
        x = torch.linspace(-9, 9, size, dtype=dtype)
        x[place] = numbers[place % len(numbers)]
        found, expected = program(x), function(x)
        torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-7, equal_nan=True)
        zeros = expected == 0
        assert torch.equal(torch.signbit(found[zeros]), torch.signbit(expected[zeros]))
    everywhere = numbers.repeat(4)[:size]
    torch.testing.assert_close(
        program(everywhere), function(everywhere), rtol=1e-6, atol=0, equal_nan=True
    )


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_next_to_a_multiple_of_a_right_angle(name):
    """Nearly all digits cancel; from f64 the nearest f32 results are known."""
    function = FUNCTIONS[name]
    turns = torch.arange(1, 2000, dtype=torch.float64) * (torch.pi / 2)
    x = turns.float()
    program = torch_refine.compile(Function(function), (x,))
    torch.testing.assert_close(program(x).double(), function(x.double()), rtol=1e-7, atol=0)
    wide = torch_refine.compile(Function(function), (turns,))
    torch.testing.assert_close(wide(turns), function(turns), rtol=5e-16, atol=0)


def test_fused_with_wider_and_narrower_types():
    """The vectorizer chooses fewer elements at a time."""

    def mixed(x):
        return torch.sin(x.float()).double() + torch.cos(x), torch.sin(x.float()).half()

    x = torch.linspace(-100, 100, 1003, dtype=torch.float64)
    found = torch_refine.compile(Function(mixed), (x,))(x)
    torch.testing.assert_close(found, mixed(x))


def test_threads_and_dynamic_sizes():
    x = torch.linspace(-100, 100, 300_000)
    sizes = {"x": {0: torch.export.Dim("n")}}
    program = torch_refine.compile(Function(torch.sin), (x,), dynamic_shapes=sizes, threads=2)
    torch.testing.assert_close(program(x), torch.sin(x))
    torch.testing.assert_close(program(x[:5]), torch.sin(x[:5]))
