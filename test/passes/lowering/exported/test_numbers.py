"""Python's numbers among operands promote as in eager mode: bools are no integers."""

import pytest
import torch
import torch_refine

PROGRAMS = {
    "sum": lambda x, i: (x + True, True + x, torch.add(x, True, alpha=True)),
    "product": lambda x, i: (x * False, x.mul(True)),
    "bitwise": lambda x, i: (x & True, x | False, x ^ True, ~x & True),
    "comparison": lambda x, i: (x == True, x < True, x != False),  # noqa: E712
    "choice": lambda x, i: (torch.where(x, True, False), torch.where(x, x, False)),
    "quotient": lambda x, i: (x / True, torch.copysign(x, True), torch.xlogy(x, True)),
    "integers": lambda x, i: (i + True, torch.where(x, i, False), i & True, x + 1, x & 1),
    "row": lambda x, i: (x[0] & True, x[0] + True),
}
LISTS = {
    "integers": lambda x, i: tuple(torch._foreach_add([x, i, x / 1], [1, 2, 3])),
    "bools": lambda x, i: tuple(torch._foreach_mul([x, i, x / 1], [True, False, True])),
    "mixed": lambda x, i: tuple(torch._foreach_add([i, i, x / 1], [1, 2.5, 3])),
}
POWERS = {
    "number": lambda x, i: (x**True, x**False, x**2),
    "list": lambda x, i: tuple(torch._foreach_pow([x, i], [True, False])),
}


def _program(function):
    class Program(torch.nn.Module):
        def forward(self, x, i):
            return function(x, i)

    return Program()


INPUTS = torch.tensor([True, False]), torch.tensor([1, 2])


@pytest.mark.parametrize("function", [*PROGRAMS.values(), *LISTS.values(), *POWERS.values()])
def test_bools_promote_as_in_eager_mode(function):
    program = _program(function)
    compiled = torch_refine.compile(program, INPUTS)
    for one, other in zip(compiled(*INPUTS), program(*INPUTS), strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize("function", [*PROGRAMS.values(), *LISTS.values()])
def test_inferred_types_are_those_of_eager_mode(function):
    program = _program(function)
    refined = torch_refine.import_model(program, INPUTS)
    torch_refine.refine(refined)
    elements = {torch.bool: "i1", torch.int64: "si64", torch.float32: "f32"}
    sizes = [
        f"!torch.vtensor<[{','.join(map(str, each.shape))}],{elements[each.dtype]}>"
        for each in program(*INPUTS)
    ]
    (line,) = (line for line in str(refined).splitlines() if "return" in line)
    assert line.partition(" : ")[2] == ", ".join(sizes)
