"""Mutate MLIR text and bytecode, and run `torch-refine-opt` on it as a user would.

    python -m torch_refine.build_tools.fuzz_tool FILE ... [--inputs N] [--seed S] [--folder DIR]

Inputs are mutations of the files, drawn by hypothesis: pieces are deleted, repeated, swapped and
replaced, numbers become extreme, brackets, aliases and escapes are piled up, bytes of the bytecode
are changed. Passes are those of the file's RUN line, or pipelines. The tool must end by itself
within the limits, with a message where its exit code is not 0, and without a traceback. What fails
is made smaller and kept in the folder; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.tool.main import main as run_tool
from torch_refine.tool.supervisor import supervise

PROCESSOR_SECONDS = 10.0
"""What a run may take; the files are small."""
# Another process may have the processor: this ends what waits for ever.
_WALL_SECONDS = 60.0
_EXAMPLES_OF_A_ROUND = 250
_RUN_LINE = re.compile(r"//\s*RUN: torch-refine-opt (.*)")
_PIPELINES = (
    (),
    ("--torch-refinement-pipeline",),
    ("--torch-reified-refinement-pipeline",),
    ("--torch-refinement-pipeline", "--report-unrefined"),
    ("--torch-refinement-pipeline", "--mlir-print-debuginfo", "--mlir-print-local-scope"),
    ("--torch-refinement-pipeline", "--emit-bytecode"),
    ("--torch-backend-contract-pipeline",),
    ("--torch-to-cpu-pipeline",),
    ("--torch-refinement-pipeline", "--verify-diagnostics"),
)
_EXTREMES = (
    "-1",
    "0",
    "2147483648",
    "4611686018427387904",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "99999999999999999999999999999",
    "0xFFFFFFFFFFFFFFFF",
    "1.0e+999",
)
_FRAGMENTS = (
    *'{}()[]<>,:="\\%@#!^?*-',
    "->",
    "//",
    "\r",
    "\0",
    "\ufeff",
    "é",
    "\\FF",
    "\\00",
    "dense<",
    "loc(",
    "loc(callsite(",
    "!torch.vtensor<",
    "!torch.list<",
    "tuple<",
    "affine_map<(d0) -> (",
    "#a = [#a, #a]\n",
    "!t = tuple<!t, !t>\n",
    "torch.prim.If ",
    "torch.prim.Loop ",
    "torch.shape.calculate {",
    "func.func @main(",
    "return",
    "// -----\n",
    "expected-error @+99999999999999999999999 {{",
    '{-# dialect_resources: { builtin: { a: "0x08" } } #-}',
)
_NUMBER = re.compile(r"-?\d+")
_WORD = re.compile(r"[%@!#^]?[\w.]+|\s+|.", re.DOTALL)


@dataclass(frozen=True)
class Seed:
    """A file to mutate: its text, the words of its RUN lines, and its bytecode if it parses."""

    name: str
    text: str
    flags: tuple[tuple[str, ...], ...]
    bytecode: bytes | None

    @staticmethod
    def of(path: Path) -> Seed:
        """Read a file."""
        text = path.read_text(encoding="utf-8")
        flags = []
        for line in _RUN_LINE.findall(text):
            words = shlex.split(line.partition("|")[0].replace("%s", ""))
            # What reads or writes other files stays out.
            if not any("%" in word or word == "-o" for word in words):
                flags.append(tuple(word for word in words if word not in ("2>&1", ">", "not")))
        return Seed(path.name, text, tuple(flags), _bytecode(text))


def _bytecode(text: str) -> bytes | None:
    import io

    context = new_context()
    try:
        with context.attach_diagnostic_handler(lambda _: True):
            module = ir.Module.parse(text, context)
    except ir.MLIRError:
        return None
    stream = io.BytesIO()
    module.operation.write_bytecode(stream)
    return stream.getvalue()


@dataclass(frozen=True)
class Case:
    """An input of the tool: its content and the words of the command line."""

    content: bytes
    words: tuple[str, ...]


@st.composite
def cases(draw: st.DrawFn, seeds: Sequence[Seed]) -> Case:
    """Mutated files with passes to run."""
    chosen = draw(st.sampled_from(seeds))
    words = draw(st.sampled_from((*chosen.flags, *chosen.flags, *_PIPELINES)))
    if chosen.bytecode is not None and draw(st.integers(0, 3)) == 0:
        return Case(_mutated_bytes(draw, chosen.bytecode), words)
    text = chosen.text
    for _ in range(draw(st.integers(1, 4))):
        text = _mutated_text(draw, text, seeds)
    return Case(text.encode("utf-8", errors="surrogatepass"), words)


def _mutated_bytes(draw: st.DrawFn, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(changed)))
        kind = draw(st.sampled_from(("set", "set", "cut", "insert", "end")))
        if kind == "set" and place < len(changed):
            changed[place] = draw(st.integers(0, 255))
        elif kind == "cut":
            del changed[place : place + draw(st.integers(1, 16))]
        elif kind == "insert":
            changed[place:place] = draw(st.binary(min_size=1, max_size=9))
        elif kind == "end":
            del changed[place:]
    return bytes(changed)


def _mutated_text(draw: st.DrawFn, text: str, seeds: Sequence[Seed]) -> str:
    kind = draw(st.sampled_from(("words", "number", "fragment", "lines", "pile", "splice", "byte")))
    place = draw(st.integers(0, len(text)))
    if kind == "number":
        numbers = list(_NUMBER.finditer(text))
        if numbers:
            found = draw(st.sampled_from(numbers))
            return text[: found.start()] + draw(st.sampled_from(_EXTREMES)) + text[found.end() :]
    if kind == "words":
        words = _WORD.findall(text)
        first = draw(st.integers(0, len(words)))
        count = draw(st.integers(0, 3))
        other = draw(st.integers(0, len(words)))
        moved = words[other : other + draw(st.integers(0, 3))]
        return "".join([*words[:first], *moved, *words[first + count :]])
    if kind == "lines":
        lines = text.splitlines(keepends=True)
        first = draw(st.integers(0, len(lines)))
        count = draw(st.integers(1, 3))
        repeated = lines[first : first + count] * draw(st.sampled_from((0, 2, 50)))
        return "".join([*lines[:first], *repeated, *lines[first + count :]])
    if kind == "splice":
        other_text: str = draw(st.sampled_from(seeds)).text
        start = draw(st.integers(0, len(other_text)))
        return text[:place] + other_text[start : start + 400] + text[place:]
    fragment: str = draw(st.sampled_from(_FRAGMENTS))
    if kind == "pile":
        fragment *= draw(st.sampled_from((2, 300, 20_000)))
    if kind == "byte":
        fragment = chr(draw(st.integers(0, 255)))
    return text[:place] + fragment + text[place + draw(st.integers(0, 2)) :]


@dataclass
class Found:
    """How a run ended: the exit code, what was printed to standard error, and processor seconds."""

    code: int
    errors: str
    seconds: float

    @property
    def defect(self) -> str:
        """What is wrong with that; nothing if nothing is."""
        if self.code < 0:
            return f"died of {signal.Signals(-self.code).name}"
        if self.code not in (0, 1):
            return f"exit code {self.code}"
        if self.seconds > PROCESSOR_SECONDS:
            return f"took {self.seconds:.0f} s"
        if "Traceback" in self.errors or "internal error" in self.errors:
            return "internal error"
        if self.code and not self.errors.strip():
            return "failed without a message"
        return ""

    @property
    def kind(self) -> str:
        """In a word, for the counts."""
        if " ended with SIG" in self.errors or "does not end in time" in self.errors:
            # The child of the tool died, and the tool said at what.
            return "ended by a signal"
        return "accepted" if self.code == 0 else "rejected"


def run(case: Case, folder: Path) -> Found:
    """Run the tool on a case as its command does, in a process that exists already."""
    source, errors = folder / "input.mlir", folder / "errors"
    source.write_bytes(case.content)
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        os.setsid()
        for number, path in ((0, os.devnull), (1, os.devnull), (2, str(errors))):
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
            os.dup2(handle, number)
        with open(1, "w", closefd=False) as sys.stdout, open(2, "w", closefd=False) as sys.stderr:
            code = supervise(lambda: run_tool([str(source), *case.words]))
        os._exit(code)
    pause = 0.001
    while True:
        done, status, usage = os.wait4(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() - start > _WALL_SECONDS:
            os.killpg(child, signal.SIGKILL)
        time.sleep(pause)
        pause = min(2 * pause, 0.02)
    seconds = usage.ru_utime + usage.ru_stime
    said = errors.read_text(errors="replace")
    return Found(os.waitstatus_to_exitcode(status), said, seconds)


@dataclass
class Fuzzer:
    """Draws cases of some files and runs them."""

    seeds: Sequence[Seed]
    folder: Path
    counts: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    signals: Counter[str] = field(default_factory=Counter)

    def round(self, number: int, examples: int) -> str:
        """Run some cases; what the first failure is, made smaller and kept, or nothing."""
        with tempfile.TemporaryDirectory(prefix="torch-refine-") as scratch:
            last: list[tuple[Case, Found]] = []

            @seed(number)
            @settings(
                max_examples=examples,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
            )
            @given(cases(self.seeds))
            def attempt(case: Case) -> None:
                found = run(case, Path(scratch))
                self.note(found)
                if found.defect:
                    last[:] = [(case, found)]
                    raise AssertionError(found.defect)

            try:
                attempt()
            except AssertionError:
                return self.keep(number, *last[0])
        return ""

    def note(self, found: Found) -> None:
        """Count a run."""
        self.counts[found.kind] += 1
        self.slowest = max(self.slowest, found.seconds)
        if found.kind == "ended by a signal":
            for line in found.errors.splitlines():
                if " ended with SIG" in line or "does not end in time" in line:
                    said = re.sub(r"reading \S+", "reading", line.partition("error: ")[2])
                    self.signals[said.partition(";")[0]] += 1

    def keep(self, number: int, case: Case, found: Found) -> str:
        """Write a failure into the folder; how to see it again."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"failure-{number}.mlir"
        path.write_bytes(case.content)
        command = shlex.join(["torch-refine-opt", str(path), *case.words])
        return f"{found.defect}: {command}\n{found.errors.strip()[:400]}"


def main(words: list[str]) -> int:
    """Run until enough inputs were tried; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--inputs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz-tool"))
    options = parser.parse_args(words)
    console = Console(width=None if sys.stdout.isatty() else 150)
    fuzzer = Fuzzer([Seed.of(path) for path in options.files], options.folder)
    failures: list[str] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console, auto_refresh=False) as progress:
        task = progress.add_task("running", total=options.inputs)
        number = options.seed
        while fuzzer.counts.total() < options.inputs:
            failure = fuzzer.round(number, min(_EXAMPLES_OF_A_ROUND, options.inputs))
            number += 1
            if failure:
                failures.append(failure)
                progress.console.print(failure, markup=False)
            shown = ", ".join(f"{count} {kind}" for kind, count in fuzzer.counts.most_common())
            progress.update(task, completed=fuzzer.counts.total(), description=shown)
            if progress.console.is_terminal:
                progress.refresh()
            elif number % 8 == 0:
                progress.console.print(f"{fuzzer.counts.total()}: {shown}", markup=False)
    console.print(f"{fuzzer.counts.total()} inputs: {shown}; slowest {fuzzer.slowest:.1f} s")
    for said, count in fuzzer.signals.most_common():
        console.print(f"  {count} x {said}", markup=False)
    console.print(f"{len(failures)} failures")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
