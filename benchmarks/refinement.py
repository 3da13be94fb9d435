"""Time refinement beside torch-mlir's own passes, in one run, on the same files.

    python benchmarks/refinement.py [FILE ...] [--repeats N]

Without files, the bundled 12-layer BERT and ResNet-50 are used. Every module is parsed anew for
every measurement, its tensor types are erased, and the measurements take turns, so that a noisy
machine disturbs all of them alike: what counts are the ratios. The peer runs in process too, by the
pass manager of the same wheel.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import torch_refine.demo
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from torch_refine.dialect.bindings import PassManager, ir, new_context, walk
from torch_refine.passes.base import RunState
from torch_refine.passes.erase_tensor_types import EraseTensorTypes
from torch_refine.pipelines.refinement import RefinementPipeline
from torch_refine.pipelines.report import coverage
from torch_refine.pipelines.runner import Runner

# What torch-mlir runs to infer shapes, and then dtypes: it registers a pipeline for shapes only, so
# that for dtypes is spelt out, as its simplification pipeline has it.
_PEER = (
    "builtin.module(torch-shape-refinement-pipeline,torch-reify-dtype-calculations,inline,"
    "func.func(canonicalize,torch-simplify-dtype-calculations,cse,"
    "torch-drop-abstract-interp-calculations),torch-refine-public-return)"
)


def ours(module: ir.Operation) -> None:
    """Our refinement pipeline."""
    Runner(verify_each=False).run(RefinementPipeline().elements(), module)


def peer(module: ir.Operation) -> None:
    """torch-mlir's passes for the same work."""
    with module.context:
        manager = PassManager.parse(_PEER)
        manager.enable_verifier(False)
        manager.run(module)


def measure(text: str, refine: Callable[[ir.Operation], None]) -> tuple[float, int]:
    """The seconds that refining takes, and how many tensor values are complete afterwards."""
    module = ir.Module.parse(text, new_context()).operation
    EraseTensorTypes().run(module, RunState())
    start = time.perf_counter()
    refine(module)
    return time.perf_counter() - start, coverage(module).complete


def parse_only(text: str) -> float:
    """The seconds that parsing takes: nothing that reads the module can be faster."""
    context = new_context()
    start = time.perf_counter()
    ir.Module.parse(text, context)
    return time.perf_counter() - start


def main() -> None:
    """Measure all files and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    folder = Path(torch_refine.demo.__file__).parent
    files = options.files or sorted(folder.glob("*.mlir"))
    table = Table(title=f"median of {options.repeats}, in process, types erased")
    for name in ("file", "ops", "parse", "ours", "torch-mlir", "ratio", "complete, ours"):
        table.add_column(name, justify="left" if name == "file" else "right")
    table.add_column("complete, torch-mlir", justify="right")
    with Progress(transient=True) as progress:
        task = progress.add_task("measuring", total=len(files) * options.repeats)
        for file in files:
            text = file.read_text(encoding="utf-8")
            times: dict[str, list[float]] = {"parse": [], "ours": [], "peer": []}
            complete = {}
            for _ in range(options.repeats):
                times["parse"].append(parse_only(text))
                for name, refine in (("ours", ours), ("peer", peer)):
                    seconds, complete[name] = measure(text, refine)
                    times[name].append(seconds)
                progress.advance(task)
            median = {name: statistics.median(each) for name, each in times.items()}
            module = ir.Module.parse(text, new_context()).operation
            operations = sum(1 for _ in walk(module))
            total = coverage(module).tensors
            table.add_row(
                file.name,
                f"{operations:,}",
                f"{median['parse']:.3f} s",
                f"{median['ours']:.3f} s",
                f"{median['peer']:.3f} s",
                f"{median['peer'] / median['ours']:.2f}x",
                f"{complete['ours']} of {total}",
                f"{complete['peer']} of {total}",
            )
    Console().print(table)


if __name__ == "__main__":
    main()
