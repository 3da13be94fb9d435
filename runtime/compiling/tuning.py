"""Measures schedules of contractions on this machine; runs in the compiler's process.

Each contraction is compiled separately with each candidate schedule, and called with its own
operands. The schedule derived from the processor's record is measured first, and kept unless
another one is faster by more than the measurement noise.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from torch_refine.dialect.bindings import ir, new_context, operations, walk
from torch_refine.dialect.diagnostics import Diagnostics
from torch_refine.passes.base import RunState
from torch_refine.passes.lowering.abi import ENTRY, STATE
from torch_refine.passes.lowering.buffers.plan_memory import workspaces_of
from torch_refine.passes.lowering.kernels.contractions.candidates import others, tiles
from torch_refine.passes.lowering.kernels.contractions.chain import CONTRACTION
from torch_refine.passes.lowering.kernels.contractions.schedule import Schedule, schedule_of
from torch_refine.passes.lowering.kernels.contractions.table import Found, Table, contractions
from torch_refine.passes.lowering.kernels.targets.record import CpuTarget, set_target
from torch_refine.passes.lowering.kernels.targets.tile_permission import may_use_tiles
from torch_refine.passes.program import program_functions, symbol_name
from torch_refine.pipelines.lowering.cpu import TorchToCpuPipeline
from torch_refine.pipelines.runner import RunFailure, Runner
from torch_refine.runtime.calls.calling import Caller, Frame, Memory
from torch_refine.runtime.calls.large_pages import LargePages
from torch_refine.runtime.calls.object_files import load_object, write_object
from torch_refine.runtime.calls.signature import Signature, TensorParameter

# The number of contractions of a program to measure, those with the most work first.
_MOST = 24
_LEAST_WORK = 1 << 16
_MAX_BYTES = 1 << 29
# The factor by which a schedule must be faster than the default one.
_FASTER = 0.97
_SECONDS = 0.02
_CALLS = (3, 200)
_DTYPES = {"f32": "float32", "f64": "float64", "bf16": "bfloat16", "f16": "float16"}
_SIZES = {"float32": 4, "float64": 8, "bfloat16": 2, "float16": 2}


def search(
    found: Iterable[Found],
    known: Table,
    pipeline: TorchToCpuPipeline,
    target: CpuTarget,
    note: Callable[[str], None],
) -> Table:
    """The schedules of the contractions that have none yet and dominate the work.

    `note` receives progress. A contraction that cannot be measured is skipped.
    """
    # This process runs the code.
    may_use_tiles()
    work: dict[str, int] = {}
    chosen: dict[str, Found] = {}
    for each in found:
        if each.key not in known and CONTRACTION not in each.op.attributes:
            work[each.key] = work.get(each.key, 0) + each.work
            chosen[each.key] = each
    keys = [key for key in sorted(work, key=lambda key: -work[key]) if work[key] >= _LEAST_WORK]
    table: Table = {}
    for place, key in enumerate(keys[:_MOST]):
        note(f"schedules of contraction {place + 1} of {min(len(keys), _MOST)}")
        best = _best(chosen[key], pipeline, target)
        if best is not None:
            table[key] = best
    return table


def _best(found: Found, pipeline: TorchToCpuPipeline, target: CpuTarget) -> Schedule | None:
    type = ir.RankedTensorType(found.op.results[0].type)
    if str(type.element_type) not in _DTYPES or _bytes(found.op) > _MAX_BYTES:
        return None
    text = _alone(found, target)
    first = _Measured.of(text, None, pipeline)
    if first is None:
        return None
    base = best = first.schedule
    limit = first.seconds() * _FASTER
    for is_tile in (True, False):
        bits = type.element_type.width
        for schedule in tiles(base, bits, target) if is_tile else others(best):
            measured = _Measured.of(text, schedule, pipeline)
            if measured is None or measured.seconds() >= limit:
                continue
            # Both are measured again, as the clock frequency may have changed.
            limit_now = min(limit, first.seconds() * _FASTER)
            seconds = measured.seconds()
            if seconds < limit_now:
                best, limit = schedule, seconds
    # The number of threads depends on the program, not on a contraction.
    return replace(best, threads=1)


def _bytes(op: ir.Operation) -> int:
    total = 0
    for operand in op.operands:
        type = ir.RankedTensorType(operand.type)
        count = type.element_type.width // 8
        for size in type.shape:
            count *= size
        total += count
    return total


def _alone(found: Found, target: CpuTarget) -> str:
    """A module with a single contraction; a right operand that is packed ahead of time is state."""
    op = found.op
    context = op.context
    left, right, memory = op.operands
    result = ir.RankedTensorType(memory.type)
    state = f" attributes {{{STATE} = array<i64: 1>}}" if found.is_kept else ""
    element = result.element_type
    text = f"""func.func @main(%a: {left.type}, %b: {right.type}) -> {result}{state} {{
      %zero = arith.constant 0.0 : {element}
      %empty = tensor.empty() : {result}
      %sums = linalg.fill ins(%zero : {element}) outs(%empty : {result}) -> {result}
      return %sums : {result}
    }}"""
    module = ir.Module.parse(text, context)
    set_target(module.operation, target)
    (function,) = operations(module.body)
    block = function.regions[0].blocks[0]
    *_, fill, end = operations(block)
    with ir.InsertionPoint(end):
        copy = op.clone()
    for place, value in enumerate((*block.arguments, fill.results[0])):
        copy.operands[place] = value
    end.operands[0] = copy.results[0]
    return str(module)


class _Measured:
    """A contraction compiled with a schedule."""

    def __init__(
        self, caller: Caller, frame: Frame, schedule: Schedule, alive: list[object]
    ) -> None:
        self._caller = caller
        self._frame = frame
        self.schedule = schedule
        self._alive = alive

    @staticmethod
    def of(text: str, schedule: Schedule | None, pipeline: TorchToCpuPipeline) -> _Measured | None:
        """Compile a schedule; None if that fails."""
        context = new_context()
        diagnostics = Diagnostics()
        handler = diagnostics.capture(context)
        try:
            return _compiled(ir.Module.parse(text, context), schedule, pipeline, diagnostics)
        except (RunFailure, RuntimeError):
            return None
        finally:
            handler.detach()

    def seconds(self) -> float:
        """The time of the fastest call."""
        best, end, calls = float("inf"), time.perf_counter() + _SECONDS, 0
        while calls < _CALLS[0] or (calls < _CALLS[1] and time.perf_counter() < end):
            start = time.perf_counter()
            found = self._caller.call(self._frame)
            best = min(best, time.perf_counter() - start)
            calls += 1
            for each in found:
                Memory(each.allocated)
        return best


def _compiled(
    parsed: ir.Module,
    schedule: Schedule | None,
    pipeline: TorchToCpuPipeline,
    diagnostics: Diagnostics,
) -> _Measured:
    """Compile a module with one contraction; raises RunFailure or RuntimeError."""
    module = parsed.operation
    runner = Runner(RunState(diagnostics), verify_each=False)
    if schedule is not None:
        _contraction_in(module).attributes[CONTRACTION] = schedule.attribute(module.context)
    stages = pipeline.stages()
    runner.run(stages["packing"], module)
    (main,) = (each for each in program_functions(module) if symbol_name(each) == "main")
    sums = [each for each in walk(main) if CONTRACTION in each.attributes]
    taken = schedule_of(sums[0]) if len(sums) == 1 else None
    if taken is None or (schedule is not None and taken != schedule):
        raise RunFailure("the contraction has no loops of its own")
    type = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
    inputs, results = (tuple(map(_parameter, each)) for each in (type.inputs, type.results))
    runner.run(stages["code"], module)
    workspace = workspaces_of(module).get("main")
    with tempfile.TemporaryDirectory(prefix="torch-refine-") as folder:
        path = Path(folder, "object.o")
        write_object(parsed, path, pipeline.opt_level)
        loaded, (function,) = load_object(path.read_bytes(), [ENTRY])
    caller = Caller(function, Signature("main", inputs, results), (), workspace)
    buffers: list[object] = [loaded]
    frame = caller.take_frame()
    for place, parameter in enumerate(inputs):
        sizes = [size for size in parameter.sizes if size is not None]
        # Multiplying zeros takes as long as other values.
        memory = LargePages(max(1, math.prod(sizes)) * _SIZES[parameter.dtype])
        buffers.append(memory)
        strides = [math.prod(sizes[dim + 1 :]) for dim in range(len(sizes))]
        caller.set_tensor(frame, place, memory.address, sizes, strides)
    return _Measured(caller, frame, taken, buffers)


def _contraction_in(module: ir.Operation) -> ir.Operation:
    return next(each.op for each in contractions(module))


def _parameter(type: ir.Type) -> TensorParameter:
    found = ir.RankedTensorType(type)
    return TensorParameter(tuple(found.shape), _DTYPES[str(found.element_type)])
