"""Wrong calls of single operators, compiled for unknown sizes: each raises the function's message.

    python -m torch_refine.build_tools.safety.guarded_calls [--part P] [--jobs N] [--refused]
        [OPERATOR ...]

An accepted case of the library becomes a program whose tensors have known ranks and dtypes, and
unknown sizes. It is compiled once, and called with the sizes of the case, of the other cases that
differ only in sizes, and of random changes of them. Where the function raises, and eager mode does,
the program must raise `GuardError` with the function's message; where eager mode answers, it must
not. The exit code is 1 if one does otherwise.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from torch_refine.abstract_interp_lib.declaration import Invocation, TensorCase
from torch_refine.build_tools.check_functions import REJECTIONS, bind, load_families, run_pytorch
from torch_refine.build_tools.functions.case_modules import CaseModule, NotExpressible, flattened
from torch_refine.dialect.bindings import new_context
from torch_refine.dialect.schemas import schema
from torch_refine.operator_coverage import lowered

# Changes of sizes that are tried for each program, and the number of programs of an operator.
_CHANGES = 10
_PROGRAMS = 2
_SIZES = (0, 1, 2, 3, 4, 5, 7)

# Eager mode takes per-channel tensors of any size, and reads and writes beyond their end.
_BEYOND_BUFFERS = frozenset(("aten::native_batch_norm",))

_RESULT = re.compile(r'(%\S+?)(?::\d+)? = torch\.operator "(torch\.\S+?)"')


@dataclass
class Report:
    """What the calls of an operator did: counts by outcome, and the calls that did wrong.

    `refused` are cases that do not compile, and calls that fail and that eager mode answers.
    """

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def judge(operator: str) -> Report:
    """Compile programs of an operator, and call them."""
    # Imported here: the processes of a pool need them, the one that starts them does not.
    import torch
    import torch_refine
    from torch_refine import RefineError
    from torch_refine.importer.errors import ImportModelError
    from torch_refine.runtime.compiling.compiler import CompileError

    # Eager mode rejects some cases on a CPU.
    refusals = (NotExpressible, CompileError, ImportModelError, RefineError, *REJECTIONS)
    torch.set_num_threads(1)
    report = Report()
    chance = Random(operator)
    for case, others in _programs(operator):
        try:
            text = _program(operator, case)
            with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
                file.write(text)
                file.flush()
                compiled = torch_refine.compile(torch_refine.load(file.name), threads=1)
        except refusals as error:
            report.counts["no program"] += 1
            report.refused.append(f"{operator} {case}: {str(error).partition(chr(10))[0]}")
            continue
        report.counts["programs"] += 1
        for each in [case, *others, *(_changed(case, chance) for _ in range(_CHANGES))]:
            outcome, said = _outcome(operator, each, compiled)
            report.counts[outcome] += 1
            if outcome.endswith(("eager mode does not", "beyond a buffer")):
                report.refused.append(f"{operator} {each}: {outcome}: {said}")
            if outcome.startswith("wrong"):
                report.wrong.append(f"{operator} {each}: {outcome}: {said}")
    return report


def _outcome(operator: str, case: Invocation, compiled: Any) -> tuple[str, str]:
    """The outcome of a call, and a message."""
    import torch
    import torch_refine
    from torch_refine.abstract_interpreter.calling import InferenceError, RejectionError

    message = None
    try:
        torch_refine.infer(operator, *_specified(case.args), **_specified(case.kwargs))
    except RejectionError as error:
        message = str(error).removeprefix(f"{operator} always raises: ")
    except InferenceError:
        return "not inferred", ""
    rejected = None
    try:
        run_pytorch(operator, _on_cpu(case))
    except REJECTIONS as error:
        rejected = str(error)
    try:
        with torch.no_grad():
            compiled(*_values(operator, case))
    except torch_refine.GuardError as error:
        if rejected is None and operator in _BEYOND_BUFFERS:
            return "raises, and eager mode reads beyond a buffer", str(error)
        if rejected is None:
            return "wrong: raises, and eager mode does not", str(error)
        if message is not None and not _has(operator, error.reason or "", message):
            return "wrong: another message", f"{error.reason}, not {message}"
        return "raises the function's message" if message else "raises", str(error)
    except (RuntimeError, ValueError, TypeError) as error:
        if rejected is None:
            return "raises otherwise, and eager mode does not", str(error)
        return ("wrong: raises otherwise" if message else "raises otherwise"), str(error)
    if message is not None and rejected is not None:
        return "wrong: answers", rejected
    return "answers" if rejected is None else "answers, and eager mode does not", ""


def _has(operator: str, reason: str, message: str) -> bool:
    """Whether an error has an operator's message; question marks stand for parts of it."""
    said = reason.removeprefix(f"{operator}: ")
    pattern = ".*".join(map(re.escape, said.split("?")))
    return re.fullmatch(pattern, message.removeprefix(f"{operator}: ")) is not None


def _programs(operator: str) -> Iterator[tuple[Invocation, list[Invocation]]]:
    """Accepted cases of an operator, each with the other cases that differ only in sizes."""
    declarations = [
        each for each in load_families().values()
        if each.operator == operator and each.kind == "shape"
    ]  # fmt: skip
    cases = [case for each in declarations for case in (*each.ok, *each.error)]
    accepted = [case for each in declarations for case in each.ok]
    known: set[str] = set()
    for case in accepted:
        pattern = _pattern(case)
        if pattern in known or not any(tensor.sizes for tensor in _tensors(case)):
            continue
        known.add(pattern)
        yield case, [each for each in cases if each is not case and _pattern(each) == pattern]
        if len(known) == _PROGRAMS:
            return


def _pattern(case: Invocation) -> str:
    """A case without the sizes of its tensors."""
    return str(_mapped((case.args, case.kwargs), lambda each: (len(each.sizes), each.dtype)))


def _mapped(value: Any, change: Any) -> Any:
    if isinstance(value, TensorCase):
        return change(value)
    if isinstance(value, list | tuple):
        return type(value)(_mapped(item, change) for item in value)
    if isinstance(value, dict):
        return {key: _mapped(item, change) for key, item in value.items()}
    return value


def _tensors(case: Invocation) -> list[TensorCase]:
    found: list[TensorCase] = []
    _mapped((case.args, case.kwargs), found.append)
    return found


def _changed(case: Invocation, chance: Random) -> Invocation:
    """A case with another size: of one dimension, or of all that have the same size."""
    places = [size for tensor in _tensors(case) for size in tensor.sizes]
    chosen = chance.randrange(len(places))
    new = chance.choice([size for size in _SIZES if size != places[chosen]])
    everywhere = chance.random() < 0.25
    numbers = iter(range(len(places)))

    def change(tensor: TensorCase) -> TensorCase:
        sizes = []
        for size in tensor.sizes:
            same = everywhere and size == places[chosen]
            sizes.append(new if next(numbers) == chosen or same else size)
        return replace(tensor, sizes=tuple(sizes))

    return Invocation(*_mapped(case.args, change), device="cpu", **_mapped(case.kwargs, change))


def _on_cpu(case: Invocation) -> Invocation:
    return Invocation(*case.args, device="cpu", **case.kwargs)


def _program(operator: str, case: Invocation) -> str:
    """A function that returns the operator's first result, for unknown sizes."""
    import torch

    outputs = run_pytorch(operator, _on_cpu(case))
    if not outputs or isinstance(outputs[0], list):
        raise NotExpressible("its result is a list")
    module = CaseModule(
        new_context(),
        lambda type: replace(type, sizes=tuple(None for _ in type.sizes or ())),
    )
    module.add("main", operator, _on_cpu(case), outputs)
    first = flattened(outputs)[0]
    result = module.tensor_type(TensorCase(tuple(first[0]), getattr(torch, first[1])))
    text = str(module.module)
    match = _RESULT.search(text)
    if match is None:
        raise NotExpressible("it has no result")
    value = match[1] if ":" not in text[match.start() : match.end()] else f"{match[1]}#0"
    text = _RESULT.sub(lambda m: m[0].replace(f'torch.operator "{m[2]}"', f'"{m[2]}"'), text)
    cast = f"%last = torch.tensor_static_info_cast {value} : !torch.vtensor to {result}"
    text = text.replace("    return\n", f"    {cast}\n    return %last : {result}\n")
    return re.sub(r"(func\.func @main\(.*?\))( attributes)?", rf"\1 -> {result}\2", text, count=1)


def _values(operator: str, case: Invocation) -> list[Any]:
    """The tensors of a call, in the order of the program's arguments."""
    import torch

    found: list[Any] = []

    def add(tensor: TensorCase) -> None:
        made = torch.ones(tensor.sizes)
        found.append(made.to(tensor.dtype))

    for value in bind(schema(operator), case).values():
        _mapped(value, add)
    return found


def _specified(values: Any) -> Any:
    from torch_refine.abstract_interpreter.calling import TensorSpec

    return _mapped(values, lambda each: TensorSpec(each.sizes, each.dtype))


def main(words: Sequence[str]) -> int:
    """Judge operators, and print the outcomes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("operators", nargs="*", metavar="OPERATOR")
    parser.add_argument("--part", type=float, default=1.0, help="the fraction of operators")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--refused", action="store_true", help="list what is not compiled, too")
    options = parser.parse_args(words)
    chance = Random(0)
    operators = options.operators or [
        each for each in sorted(lowered()["operators"]) if chance.random() < options.part
    ]
    total = Report()
    with ProcessPoolExecutor(options.jobs) as pool:
        for number, report in enumerate(pool.map(judge, operators), 1):
            total.counts += report.counts
            total.wrong += report.wrong
            total.refused += report.refused
            print(f"[{number} of {len(operators)}] {operators[number - 1]}", flush=True)
    for each in (*(total.refused if options.refused else ()), *total.wrong):
        print(each)
    for outcome, count in sorted(total.counts.items()):
        print(f"{count:6} {outcome}")
    return int(bool(total.wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
