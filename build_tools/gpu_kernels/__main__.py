"""Run programs on a GPU, compare with eager mode, or watch accesses with `compute-sanitizer`.

    python -m torch_refine.build_tools.gpu_kernels [--tool memcheck]... [--drawn N] [--seed S]
        [--jobs N] [--only TEXT] [--target cpu]

There is a program for each schedule of kernels, and with `--drawn` as many of random sizes. Results
are compared with those of eager mode on the CPU in float64. With `--tool`, NVIDIA's tool also
reports accesses out of bounds or misaligned (`memcheck`), unordered accesses to shared memory
(`racecheck`), reads of memory that nothing wrote (`initcheck`), or barriers that not all threads
reach (`synccheck`); every tensor has an allocation of its own then, because PyTorch's cache is off.
`compute-sanitizer` is part of CUDA's toolkit. The exit code is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import torch
from rich.console import Console
from rich.table import Table
from torch_refine.build_tools.gpu_kernels.programs import PROGRAMS
from torch_refine.build_tools.gpu_kernels.running import run_named

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
_SANITIZER = "compute-sanitizer"
_FOUND = 99
"""The exit code of a process with reports."""
_SECONDS = 300
_LINES = 10
_MARK = "========="


@dataclass(frozen=True)
class Watched:
    """Some programs in a process under a tool: what they are, and what is wrong if anything."""

    names: Sequence[str]
    seconds: float
    wrong: list[str]


def run_process(names: Sequence[str], tool: str, target: str) -> Watched:
    """Run programs in a process, under a tool if one is given."""
    command = [sys.executable, "-m", "torch_refine.build_tools.gpu_kernels", "--target", target]
    command += [argument for name in names for argument in ("--program", name)]
    environment = dict(os.environ)
    if tool:
        # Attempts to find a function of the driver are errors for its interface, and fail.
        options = ["--error-exitcode", str(_FOUND), "--report-api-errors", "no"]
        command = [_SANITIZER, "--tool", tool, *options, *command]
        environment["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1"
    start = time.monotonic()
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=environment,
            timeout=_SECONDS,
            check=False,
        )
        wrong = [] if done.returncode == 0 else _reports(done.stdout, done.returncode)
    except subprocess.TimeoutExpired:
        wrong = [f"not finished after {_SECONDS} s"]
    return Watched(names, time.monotonic() - start, wrong)


def _reports(output: str, code: int) -> list[str]:
    """What a process or a tool says is wrong, each after the program that ran."""
    wrong: list[str] = []
    program, left = "", 0
    for line in output.splitlines():
        if line.startswith("> "):
            program, left = line[2:], _LINES
        elif line.startswith("! "):
            wrong.append(line[2:])
        elif line.startswith(_MARK) and left and (said := line.removeprefix(_MARK).strip()):
            left -= 1
            wrong.append(f"{program}: {said}")
    if not wrong:
        last = output.strip().splitlines()[-_LINES:]
        wrong = [f"{program}: exit code {code}", *last]
    return wrong


def _names(options: argparse.Namespace) -> list[str]:
    fixed = [each.name for each in PROGRAMS if options.only in each.name]
    return [*fixed, *(f"{options.seed}:{number}" for number in range(options.drawn))]


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tool", action="append", choices=TOOLS, help="of compute-sanitizer")
    parser.add_argument("--drawn", type=int, default=0, help="how many programs to draw")
    parser.add_argument("--seed", type=int, default=0, help="of the drawn programs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--only", default="", metavar="TEXT", help="programs with TEXT in the name")
    parser.add_argument("--target", choices=("cuda", "cpu"), default="cuda", help="where to run")
    parser.add_argument("--program", action="append", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.program:
        return options
    if not _names(options):
        parser.error(f"no program has {options.only!r} in its name")
    if options.tool and options.target == "cpu":
        parser.error("a tool of compute-sanitizer is for the GPU")
    if options.tool and shutil.which(_SANITIZER) is None:
        parser.error(f"{_SANITIZER} is not on the PATH; it is part of CUDA's toolkit")
    if options.target == "cuda" and not torch.cuda.is_available():
        parser.error("PyTorch sees no GPU")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all, and print what is wrong; returns the exit code."""
    options = _options(arguments)
    if options.program:
        return int(run_named(options.program, options.target) > 0)
    console = Console()
    names = _names(options)
    jobs = min(options.jobs, len(names))
    table = Table("tool", "programs", "seconds", "wrong")
    wrong = 0
    for tool in options.tool or ("",):
        run = partial(run_process, tool=tool, target=options.target)
        with ThreadPoolExecutor(jobs) as pool:
            found = list(pool.map(run, [names[start::jobs] for start in range(jobs)]))
        said = [line for each in found for line in each.wrong]
        for line in said:
            console.print(line, markup=False, highlight=False, soft_wrap=True)
        longest = max(each.seconds for each in found)
        failed = sum(bool(each.wrong) for each in found)
        table.add_row(
            tool or "eager mode", str(len(names)), f"{longest:.0f}", f"{failed} processes"
        )
        wrong += failed
    console.print(table)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
