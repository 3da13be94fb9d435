"""One measurement, in a new process that can be killed.

    python benchmarks/worker.py WAY FILE [--timeout SECONDS]

reads a program, refines it in one way, and prints the measurement as JSON. Only the passes are
timed; for `parse`, parsing. After the timeout the process ends by SIGALRM.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch_refine.dialect.bindings import ir

WAYS = ("parse", "direct", "reified", "simplify", "peer", "fake")

# torch-mlir's passes that infer shapes, then dtypes. It registers a pipeline for shapes only, so
# that for dtypes is given in full, as in its simplification pipeline.
PEER_PIPELINE = (
    "builtin.module(torch-shape-refinement-pipeline,torch-reify-dtype-calculations,inline,"
    "func.func(canonicalize,torch-simplify-dtype-calculations,cse,"
    "torch-drop-abstract-interp-calculations),torch-refine-public-return)"
)


@dataclass(frozen=True)
class Sample:
    """The measurement of one process.

    Attributes:
        seconds: wall-clock time of the passes.
        peak_memory: the peak memory of the process until then, in bytes.
        tensors: how many tensor values the refined program has.
        complete: how many of them have a shape and a dtype.

    A tool, which is timed from outside, has only seconds.
    """

    seconds: float
    peak_memory: int | None = None
    tensors: int | None = None
    complete: int | None = None


def measure_passes(file: Path, refine: Callable[[ir.Operation], None], timeout: float) -> Sample:
    """Parse a file and time refining it."""
    from torch_refine.dialect.bindings import ir, new_context

    module = ir.Module.parse(file.read_text(encoding="utf-8"), new_context()).operation
    return _sample(module, *timed(lambda: refine(module), timeout))


def measure_parsing(file: Path, timeout: float) -> Sample:
    """Time parsing, a lower bound for every way that reads a program."""
    from torch_refine.dialect.bindings import ir, new_context

    text, context = file.read_text(encoding="utf-8"), new_context()
    parsed: list[ir.Module] = []
    measured = timed(lambda: parsed.append(ir.Module.parse(text, context)), timeout)
    return _sample(parsed[0].operation, *measured)


def measure_fake_tensors(file: Path, timeout: float) -> Sample:
    """Load a graph that PyTorch exported and time running it, node by node, on fake tensors."""
    import torch
    from torch._subclasses import FakeTensorMode
    from torch.fx.passes.fake_tensor_prop import FakeTensorProp
    from torch.utils._pytree import tree_leaves

    torch.set_num_threads(1)
    program = torch.export.load(file)
    with FakeTensorMode() as mode:
        inputs = [
            torch.empty(node.meta["val"].shape, dtype=node.meta["val"].dtype)
            for node in program.graph.find_nodes(op="placeholder")
        ]
    propagation = FakeTensorProp(program.graph_module, mode)
    measured = timed(lambda: propagation.propagate_dont_convert_inputs(*inputs), timeout)
    values = [leaf for node in program.graph.nodes for leaf in tree_leaves(node.meta.get("val"))]
    tensors = sum(isinstance(value, torch.Tensor) for value in values)
    return Sample(*measured, tensors, tensors)


def timed(work: Callable[[], object], timeout: float) -> tuple[float, int]:
    """The seconds of a call, and the peak memory of the process in bytes afterwards.

    If it takes longer than the timeout, this process ends by SIGALRM.
    """
    signal.setitimer(signal.ITIMER_REAL, timeout)
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    signal.setitimer(signal.ITIMER_REAL, 0)
    return seconds, peak_memory()


def peak_memory() -> int:
    """The peak memory of this process, in bytes.

    On Linux, `ru_maxrss` includes the memory of the parent before `exec`, so `VmHWM` is read
    instead.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s*(\d+) kB", status.read_text())
        if found is not None:
            return int(found[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _sample(module: ir.Operation, seconds: float, memory: int) -> Sample:
    from torch_refine.pipelines.report import coverage

    found = coverage(module)
    return Sample(seconds, memory, found.tensors, found.complete)


def run_peer(module: ir.Operation) -> None:
    """Run torch-mlir's equivalent passes."""
    from torch_refine.dialect.bindings import PassManager

    with module.context:
        manager = PassManager.parse(PEER_PIPELINE)
        manager.enable_verifier(False)
        manager.run(module)


def refinement(way: str) -> Callable[[ir.Operation], None]:
    """A function that refines a module: `direct` and `reified` are ours, `peer` is torch-mlir's."""
    if way == "peer":
        return run_peer
    from torch_refine.pipelines.refinement import RefinementPipeline, ReifiedRefinementPipeline
    from torch_refine.pipelines.runner import Runner

    pipeline = RefinementPipeline() if way == "direct" else ReifiedRefinementPipeline()
    return lambda module: Runner(verify_each=False).run(pipeline.elements(), module)


def measure_simplification(file: Path, timeout: float) -> Sample:
    """Time the two passes of the reified pipeline that simplify calculations."""
    from torch_refine.dialect.bindings import ir, new_context
    from torch_refine.pipelines.refinement import ReifiedRefinementPipeline
    from torch_refine.pipelines.runner import Runner

    module = ir.Module.parse(file.read_text(encoding="utf-8"), new_context()).operation
    runner = Runner(verify_each=False)
    elements = ReifiedRefinementPipeline().elements()
    _, memory = timed(lambda: runner.run(elements, module), timeout)
    return _sample(module, sum(s for n, s in runner.seconds.items() if "simplify" in n), memory)


def measure(way: str, file: Path, timeout: float) -> Sample:
    """Measure one of `WAYS` on one file; `fake` takes the exported graph, others the program."""
    if way == "parse":
        return measure_parsing(file, timeout)
    if way == "fake":
        return measure_fake_tensors(file, timeout)
    if way == "simplify":
        return measure_simplification(file, timeout)
    return measure_passes(file, refinement(way), timeout)


def main() -> None:
    """Measure as the command line says, and print the sample."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("way", choices=WAYS)
    parser.add_argument("file", type=Path)
    parser.add_argument("--timeout", type=float, default=300)
    options = parser.parse_args()
    print(json.dumps(asdict(measure(options.way, options.file, options.timeout))))


if __name__ == "__main__":
    main()
