"""Programs as text: one line, or a test."""

from __future__ import annotations

import re
from typing import Any

import torch
from torch_refine.build_tools.fuzz.batches import Way
from torch_refine.build_tools.fuzz.steps import Program, Step, Value


def shown(program: Program) -> str:
    """A short description of a program."""
    inputs = ", ".join(f"v{i}: {_type(each)}" for i, each in enumerate(program.inputs))
    return "; ".join([inputs, *_statements(program)])


def _type(tensor: torch.Tensor) -> str:
    strides = "" if tensor.is_contiguous() else f" strided {list(tensor.stride())}"
    return f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)}{strides}"


def as_test(program: Program, way: Way, name: str) -> str:
    """A test that compiles a program and compares it with eager mode."""
    taken = [f"v{i}" for i in range(len(program.inputs))]
    lines = [
        "import torch",
        "import torch_refine",
        "",
        "",
        f"def test_{re.sub(r'[^a-z0-9]+', '_', name.lower()).strip('_')}():",
        "    inf, nan = float('inf'), float('nan')",
        "    inputs = (",
        *[f"        {_literal(tensor)}," for tensor in program.inputs],
        "    )",
        "",
        "    class Model(torch.nn.Module):",
        f"        def forward({', '.join(['self', *taken])}):",
        *[f"            {line}" for line in _statements(program)],
        f"            return {_returned(program)}",
        "",
        "    expected = Model()(*inputs)",
        f"    compiled = torch_refine.compile(Model(), inputs{_options(way)})",
        "    torch.testing.assert_close(",
        "        compiled(*inputs), expected, equal_nan=True, check_stride=False",
        "    )",
    ]
    return "\n".join(lines) + "\n"


def _options(way: Way) -> str:
    text = ""
    if way.dynamic:
        text += (
            ", dynamic_shapes=tuple({d: torch.export.Dim.AUTO for d, n in enumerate(x.shape)"
            " if n > 1} for x in inputs)"
        )
    return text + (f", opt_level={way.opt_level}" if way.opt_level != 3 else "")


def _literal(tensor: torch.Tensor) -> str:
    """A tensor as an expression, with its strides."""
    values = tensor.tolist()
    text = f"torch.tensor({values!r}, dtype={tensor.dtype})"
    if not tensor.numel():
        text = f"torch.empty({list(tensor.shape)}, dtype={tensor.dtype})"
    if tensor.is_contiguous():
        return text
    sizes, strides = list(tensor.shape), list(tensor.stride())
    return f"torch.empty_strided({sizes}, {strides}, dtype={tensor.dtype}).copy_({text})"


def _statements(program: Program) -> list[str]:
    """A line for each step, with numbered results."""
    number = len(program.inputs)
    lines = []
    for step, results in zip(program.steps, _result_counts(program), strict=True):
        names = [f"v{number + i}" for i in range(results)]
        number += results
        lines.append(f"{', '.join(names)} = {_call(step)}")
    return lines


def _result_counts(program: Program) -> list[int]:
    counts = []
    known = len(program.inputs)
    for end in range(1, len(program.steps) + 1):
        part = Program(program.inputs, program.steps[:end])
        found = len(part.all_values(part.copies()))
        counts.append(found - known)
        known = found
    return counts


def _call(step: Step) -> str:
    namespace, _, name = step.operator.partition("::")
    base, _, overload = name.partition(".")
    given = [_argument(each) for each in step.args]
    given += [f"{key}={_argument(value)}" for key, value in step.kwargs.items()]
    return f"torch.ops.{namespace}.{base}.{overload or 'default'}({', '.join(given)})"


def _argument(value: Any) -> str:
    if isinstance(value, Value):
        return f"v{value.number}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_argument, value))}]"
    if isinstance(value, torch.device):
        return repr(str(value))
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        return f"float('{value}')"
    is_name = isinstance(value, torch.dtype | torch.layout | torch.memory_format)
    return str(value) if is_name else repr(value)


def _returned(program: Program) -> str:
    read = {value.number for step in program.steps for value in step.values}
    first = len(program.inputs)
    count = first + sum(_result_counts(program))
    names = [f"v{i}" for i in range(first, count) if i not in read]
    return f"({', '.join(names)},)"
