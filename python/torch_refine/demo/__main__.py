"""Refine the bundled networks with `torch-refine-opt`, and show what was found.

python -m torch_refine.demo [FOLDER]      # refined files go to FOLDER, default build/demo
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

import torch_refine
from torch_refine.pipelines.report import coverage

_TITLES = {
    "resnet50": "ResNet-50, 2 images of 224x224",
    "bert_base": "BERT base, 12 layers, 2 x 128 tokens",
}


def main() -> int:
    """Refine every bundled file; the exit code is 0 if all succeeded."""
    # Wide enough for the table if the output is not a terminal.
    console = Console(width=None if sys.stdout.isatty() else 120)
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "build/demo")
    target.mkdir(parents=True, exist_ok=True)
    table = Table(title="torch-refine-opt --torch-refinement-pipeline")
    for name in ("network", "file"):
        table.add_column(name)
    for name in ("ops", "tensor values", "complete before", "complete after", "seconds"):
        table.add_column(name, justify="right")
    tool = Path(sys.executable).with_name("torch-refine-opt")
    for source in sorted(Path(__file__).parent.glob("*.mlir")):
        refined = target / source.name
        with console.status(f"refining {source.name} ..."):
            start = time.perf_counter()
            done = subprocess.run([tool, "--torch-refinement-pipeline", source, "-o", refined])
            seconds = time.perf_counter() - start
        if done.returncode:
            return done.returncode
        before = coverage(torch_refine.load(source).operation)
        after = coverage(torch_refine.load(refined).operation)
        table.add_row(
            _TITLES[source.stem],
            str(refined),
            f"{after.operations:,}",
            f"{after.tensors:,}",
            f"{before.complete:,} ({before.complete / before.tensors:.0%})",
            f"[bold]{after.complete:,} ({after.complete / after.tensors:.0%})[/]",
            f"{seconds:.2f}",
        )
    console.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
