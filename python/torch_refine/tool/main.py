"""`torch-refine-opt`: read, run, write."""

from __future__ import annotations

import os
import shlex
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress

from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.diagnostics import Diagnostic, Diagnostics
from torch_refine.passes.base import RunState
from torch_refine.pipelines.elements import Element, pipeline_text
from torch_refine.pipelines.parsing import PipelineError, parse_flag, parse_pipeline
from torch_refine.pipelines.runner import Observer, RunFailure, Runner
from torch_refine.tool import output
from torch_refine.tool.options import PassFlag, UsageError, help_text, parse
from torch_refine.tool.sources import InputError, Source, read, split
from torch_refine.tool.supervisor import INTERRUPTED, deadline, note_step

_TRACEBACK = "TORCH_REFINE_TRACEBACK"
# Parsing a module of the torch dialect takes 0.1 s a megabyte on a slow machine.
_SECONDS_TO_READ, _SECONDS_A_MEGABYTE = 3.0, 2.0
# A pass of upstream takes 0.1 s for a megabyte of the torch dialect, and some seconds for the loops
# that become of it.
_SECONDS_A_PASS, _SECONDS_A_PASS_AND_MEGABYTE = 8.0, 60.0
# What the bindings say of a string that is no text.
_NOT_TEXT = "conversion error"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit code is 0 when everything went well, 130 after Ctrl-C."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(words)
    except (UsageError, InputError, PipelineError, output.OutputError) as error:
        return _error(str(error))
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        return 1
    except OSError as error:
        return _error(f"cannot write to standard error: {error.strerror}")
    except KeyboardInterrupt:
        return INTERRUPTED
    except RecursionError:
        return _error("the program is nested too deeply")
    except MemoryError:
        return _error("the program needs more memory than there is")
    except Exception as error:
        if os.environ.get(_TRACEBACK):
            raise
        command = shlex.join(["torch-refine-opt", *words])
        said = " ".join(str(error).split())
        return _error(
            f"internal error: {type(error).__name__}: {said} "
            f"(a defect of torch-refine; {_TRACEBACK}=1 shows where)\n"
            f"note: to reproduce: {command}"
        )


def _run(words: list[str]) -> int:
    options, passes = parse(words)
    if options.help:
        output.write("-", help_text().encode())
        return 0
    if options.version:
        output.write("-", _versions().encode())
        return 0
    if options.list_passes:
        from torch_refine.tool.listing import describe_passes

        output.write("-", describe_passes(with_options=False).encode())
        return 0
    return _Tool(options, passes, words).run()


def _error(text: str) -> int:
    """Print an error, if anybody can read it; the exit code."""
    # Without a stream, `print` would take standard output.
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"torch-refine-opt: error: {text}", file=sys.stderr, flush=True)
    return 1


def _versions() -> str:
    from importlib.metadata import version

    return f"torch-refine {version('torch-refine')}, torch-mlir wheel {version('torch-mlir')}\n"


class _Tool:
    """One run of the tool."""

    def __init__(self, options: Namespace, passes: list[PassFlag], words: list[str]) -> None:
        self.options = options
        self.passes = passes
        self.words = words
        self.context = new_context()
        self.context.allow_unregistered_dialects = options.allow_unregistered_dialect
        self.elements = self.pipeline()
        self.seconds: dict[str, float] = {}
        self.statistics = RunState().statistics

    def pipeline(self) -> tuple[Element, ...]:
        """The passes that the command line asks for; raises PipelineError."""
        if self.options.pass_pipeline is not None:
            return parse_pipeline(self.options.pass_pipeline, self.context)
        found: list[Element] = []
        for flag in self.passes:
            found += parse_flag(flag.name, flag.options, self.context)
        return tuple(found)

    def run(self) -> int:
        """Process the whole input; what went wrong has been printed."""
        options = self.options
        if options.dump_pass_pipeline:
            print(
                f"Pass Manager with the pipeline:\n{pipeline_text(self.elements)}", file=sys.stderr
            )
        output.check_writable(options.output)
        source = read(options.input)
        marker = options.split_input_file
        parts = [source] if marker is None else split(source, marker)
        done = [self.process(part) for part in parts]
        if options.mlir_timing:
            from torch_refine.tool.observers import timing_report

            print(timing_report(self.seconds), file=sys.stderr)
        if options.mlir_pass_statistics:
            from torch_refine.tool.observers import statistics_report

            print(statistics_report(self.statistics), file=sys.stderr)
        if options.verify_diagnostics:
            return int(any(part is None for part in done))
        contents = [part for part in done if part is not None]
        if len(contents) == len(done):
            output.write(options.output, b"// -----\n".join(contents))
            return 0
        if marker is not None and options.output == "-":
            # As mlir-opt does, show the parts that went well.
            output.write("-", b"// -----\n".join(contents))
        return 1

    def process(self, source: Source) -> bytes | None:
        """Run the passes on one part; None when something failed."""
        diagnostics = Diagnostics(None if self.options.verify_diagnostics else self.printer(source))
        handler = diagnostics.capture(self.context)
        try:
            module = self.transform(source, diagnostics)
            content = None if module is None else self.write(module)
        except (UnicodeDecodeError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and _NOT_TEXT not in str(error):
                raise
            # MLIR's strings are bytes; names and messages of ours are text.
            where = source.line_of_bad_string()
            raise InputError(f"{where or source.name}: a string is not UTF-8") from None
        finally:
            handler.detach()
        if self.options.verify_diagnostics:
            from torch_refine.tool.expected import verify

            problems = verify(source, map(source.named, diagnostics.reported))
            for problem in problems:
                print(problem, file=sys.stderr)
            return None if problems else b""
        return content

    def printer(self, source: Source) -> Callable[[Diagnostic], None]:
        """What prints a diagnostic at once, in its source."""

        def show(diagnostic: Diagnostic) -> None:
            print(source.render(source.named(diagnostic)), file=sys.stderr)

        return show

    def transform(self, source: Source, diagnostics: Diagnostics) -> ir.Operation | None:
        """Parse a part and run the passes; None when something failed and was reported."""
        start = time.perf_counter()
        note_step(f"reading {source.name}")
        seconds = _SECONDS_TO_READ + _SECONDS_A_MEGABYTE * len(source.content) / 1e6
        try:
            with deadline(seconds):
                module = source.parse(self.context).operation
        except ir.MLIRError as error:
            if not diagnostics.has_errors:
                diagnostics.report_exception(error)
            return None
        self.spend("Parser", start)
        state = RunState(diagnostics, self.statistics)
        observers = self.observers(source)
        runner = Runner(state, self.options.verify_each, observers, self.seconds)
        try:
            with deadline(seconds):
                if not runner.verify(module):
                    return None
            runner.run(self.elements, module)
        except RunFailure as error:
            if not self.options.verify_diagnostics:
                self.print_reproducer(str(error))
            return None
        if self.options.report_unrefined:
            from torch_refine.pipelines.report import unrefined, unrefined_text

            print(unrefined_text(unrefined(module)), file=sys.stderr)
        return module

    def observers(self, source: Source) -> tuple[Observer, ...]:
        """Who watches the passes."""
        from torch_refine.tool.observers import IRPrinter, Watchdog

        limit = self.options.pass_seconds
        if limit is None:
            limit = _SECONDS_A_PASS + _SECONDS_A_PASS_AND_MEGABYTE * len(source.content) / 1e6
        watchdog = Watchdog(limit)
        if not IRPrinter.wanted(self.options):
            return (watchdog,)
        printer = IRPrinter(self.options, lambda module: output.show(module, self.options))
        return watchdog, printer

    def print_reproducer(self, name: str) -> None:
        """Say which pass failed, and the command that fails again."""
        command = shlex.join(["torch-refine-opt", *self.words])
        print(f"note: the pass {name} failed; to reproduce: {command}", file=sys.stderr)

    def write(self, module: ir.Operation) -> bytes:
        """The part as it is to be written."""
        start = time.perf_counter()
        note_step(f"printing {self.options.input}")
        if self.options.emit_bytecode:
            content = output.bytecode(module)
        else:
            text = output.show(module, self.options)
            name = self.options.input if self.options.input != "-" else "-"
            content = f"{text.replace(_TEXT_LOCATION, _location(name))}\n".encode()
        self.spend("Output", start)
        return content

    def spend(self, name: str, start: float) -> None:
        """Add to the time of a step."""
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


# How MLIR names a text that it was given without a file.
_TEXT_LOCATION = 'loc("-":'


def _location(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'loc("{escaped}":'
