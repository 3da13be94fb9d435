"""Compare the time of compiled programs with PyTorch: eager mode, and inductor, in one run.

    python benchmarks/codegen.py [--quick] [--only TEXT] [--rounds N] [--peers all] [--level AVX2]
    python benchmarks/codegen.py --target cuda [--quick] [--only TEXT] [--seconds S] [--jobs N]
    python benchmarks/codegen.py --draw-again [--target cuda]

Programs run with one thread, long ones again with two, in single precision; times include the
allocation of results and the passing of arguments. Each level of instruction sets of the host is
measured in a separate process, because the settings that limit PyTorch and NumPy to it must precede
their import. Prints tables, and writes `docs/codegen.md` with a plot. Ratios that miss their target
are marked; the exit code is 1 if a case does not compile, or its results are wrong.

On a GPU, all cases are compiled in parallel, then measured one after the other, all within some
seconds: what is missing then is left out. `docs/codegen_cuda.md` is written.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import codegen_cuda_report
import torch
from checks import measure_checks
from codegen_cases import BFLOAT16_CASES, CASES, CHECKED, CPU_CASES, QUICK, Case
from codegen_cuda import SECONDS, Run
from codegen_cuda_cases import GPU_CASES
from codegen_levels import AVX2, AVX512, NATIVE, Level, levels_of_host
from codegen_measure import Times, best_cpu_time, measure, warm_up
from codegen_plot import plot
from codegen_report import DOCUMENTS, MATMUL, THREADS, Measured, document, recorded, show
from peak import numpy_matmul, peak

# Programs that take longer than this with one thread are measured with two.
_THREADED_MILLISECONDS = 1.0
_LEVELS = {level.name: level for level in (AVX512, AVX2, NATIVE)}


def worker_environment(level: Level, caches: str) -> dict[str, str]:
    """The environment of the process that measures a level, with a folder for inductor's caches."""
    # Settings of another level or of the user must not affect this one.
    kept = {name: value for name, value in os.environ.items() if name not in AVX2.environment}
    return {
        **kept,
        **level.environment,
        "OPENBLAS_NUM_THREADS": "1",
        "TORCHINDUCTOR_CACHE_DIR": caches,
        # Compile times must not depend on earlier runs.
        "TORCH_REFINE_CACHE": "0",
    }


def measure_level(level: Level, arguments: list[str]) -> Measured | None:
    """Measure a level in a separate process; None if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        command = [sys.executable, __file__, *arguments, "--level", level.name]
        environment = worker_environment(level, str(Path(folder) / "inductor"))
        code = subprocess.run(
            [*command, "--result", str(result)], env=environment, check=False
        ).returncode
        if code or not result.exists():
            print(f"{level.name}: the process ended with {code}", file=sys.stderr)
            return None
        return Measured.from_data(json.loads(result.read_text(encoding="utf-8")))


def chosen_cases(options: argparse.Namespace) -> list[Case]:
    """The cases that the command line selects."""
    every = (*CASES, *CPU_CASES, *BFLOAT16_CASES) if options.target == "cpu" else GPU_CASES
    if options.only is not None:
        return [case for case in every if options.only in case.name]
    return [case for case in every if not options.quick or case.name in QUICK]


@contextmanager
def _progress(name: str) -> Iterator[None]:
    """Print the name of a measurement and its duration to stderr."""
    print(f"{name} ...", file=sys.stderr, flush=True)
    start = time.perf_counter()
    yield
    print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)


def _work(options: argparse.Namespace, level: Level) -> Measured:
    """Measure a level in this process."""
    is_full = not options.quick and options.only is None
    cases = chosen_cases(options)
    warm_up(level)
    found: list[Times] = []
    for case in cases:
        with _progress(f"{level.name}: {case.name}"):
            found.append(measure(case, options.rounds, level=level, peers=options.peers))
    threaded, costs = [], []
    # Threads and checks are measured at one level only.
    if is_full and level.name == levels_of_host()[0].name:
        for times in found:
            if times.ours is not None and times.ours > _THREADED_MILLISECONDS:
                with _progress(f"{times.case.name}, {THREADS} threads"):
                    again = measure(times.case, options.rounds, threads=THREADS, level=level)
                    threaded.append(again)
        for case in CHECKED:
            with _progress(f"{case.name}, checks"):
                costs.append(measure_checks(case, options.rounds, best_cpu_time))
    capability = torch.backends.cpu.get_cpu_capability()
    has_peak = any(case.name == MATMUL for case in cases)
    most = peak(level) if has_peak else None
    numpy = numpy_matmul(1024) if has_peak else None
    return Measured(level.name, found, threaded, costs, most, numpy, capability)


def _levels(options: argparse.Namespace) -> tuple[Level, ...]:
    """The levels to measure, the widest first."""
    levels = levels_of_host()
    return tuple(each for each in levels if options.level in (None, each.name))


def _measure_on_gpu(options: argparse.Namespace, path: Path) -> int:
    """Measure, print, and write the document of a GPU."""
    found = Run(chosen_cases(options), options.jobs, options.seconds, options.device).measured()
    codegen_cuda_report.table_of(found).show("compiled code, GPU")
    for line in chain.from_iterable(map(codegen_cuda_report.problems_of, found)):
        print(line)
    if not options.quick and options.only is None:
        path.write_text(codegen_cuda_report.document(found), encoding="utf-8")
        try:
            plot([codegen_cuda_report.as_measured(found)], path.with_suffix(".png"))
        except ImportError as error:
            print(f"no plot: {error}; --draw-again draws it", file=sys.stderr)
    return int(any(each.problem for each in found))


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write the document."""
    given = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two small cases, no document")
    parser.add_argument("--only", metavar="TEXT", help="cases whose name has this, no document")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of measurements")
    parser.add_argument("--target", choices=tuple(DOCUMENTS), default="cpu", help="where to run")
    parser.add_argument(
        "--peers",
        choices=("inductor", "all"),
        help="all: inductor's max-autotune, too, which compiles slowly; the default of a full run",
    )
    parser.add_argument("--level", choices=tuple(_LEVELS), help="this level only, no document")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of a run on a GPU")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="that compile for a GPU")
    parser.add_argument("--device", default="cuda", help=argparse.SUPPRESS)
    parser.add_argument("--result", type=Path, help=argparse.SUPPRESS)
    parser.add_argument(
        "--draw-again", action="store_true", help="measure nothing: draw the plot from the document"
    )
    options = parser.parse_args(given)
    path = DOCUMENTS[options.target]
    if options.draw_again:
        plot(recorded(path.read_text(encoding="utf-8")), path.with_suffix(".png"))
        return 0
    is_full = not options.quick and options.only is None
    if options.peers is None:
        options.peers = "all" if is_full else "inductor"
    levels = _levels(options)
    if not levels or not chosen_cases(options):
        parser.error("no case has this name, or the host lacks these instructions")
    if options.target == "cuda":
        return _measure_on_gpu(options, path)
    if options.result is not None:
        with torch.no_grad():
            data = _work(options, levels[0]).as_data()
        options.result.write_text(json.dumps(data), encoding="utf-8")
        return 0
    measured = [measure_level(level, given) for level in levels]
    results = [each for each in measured if each is not None]
    show(results)
    is_whole = len(results) == len(levels)
    if is_full and is_whole and options.level is None:
        path.write_text(document(results), encoding="utf-8")
        plot(results, path.with_suffix(".png"))
    problems = [
        times.problem for each in results for times in (*each.found, *each.threaded)
        if times.problem
    ]  # fmt: skip
    return 1 if problems or not is_whole else 0


if __name__ == "__main__":
    sys.exit(main())
