"""`torch-refine-opt`: read, run, write."""

from __future__ import annotations

import shlex
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Sequence

from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.diagnostics import Diagnostic, Diagnostics
from torch_refine.passes.base import RunState
from torch_refine.pipelines.elements import Element, pipeline_text
from torch_refine.pipelines.parsing import PipelineError, parse_flag, parse_pipeline
from torch_refine.pipelines.runner import Observer, RunFailure, Runner
from torch_refine.tool import output
from torch_refine.tool.options import PassFlag, UsageError, parse, print_help
from torch_refine.tool.sources import InputError, Source, read, split


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit code is 0 when everything went well."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options, passes = parse(words)
        if options.help:
            print_help()
            return 0
        if options.version:
            return _print_version()
        if options.list_passes:
            from torch_refine.tool.listing import describe_passes

            sys.stdout.write(describe_passes(with_options=False))
            return 0
        return _Tool(options, passes, words).run()
    except (UsageError, InputError, PipelineError, output.OutputError) as error:
        print(f"torch-refine-opt: error: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        sys.stderr.close()
        return 1
    except RecursionError:
        print("torch-refine-opt: error: the program is nested too deeply", file=sys.stderr)
        return 1


def _print_version() -> int:
    from importlib.metadata import version

    print(f"torch-refine {version('torch-refine')}, torch-mlir wheel {version('torch-mlir')}")
    return 0


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
        try:
            module = source.parse(self.context).operation
        except ir.MLIRError as error:
            if not diagnostics.has_errors:
                diagnostics.report_exception(error)
            return None
        self.spend("Parser", start)
        state = RunState(diagnostics, self.statistics)
        runner = Runner(state, self.options.verify_each, self.observers(), self.seconds)
        try:
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

    def observers(self) -> tuple[Observer, ...]:
        """Who watches the passes."""
        from torch_refine.tool.observers import IRPrinter

        if not IRPrinter.wanted(self.options):
            return ()
        return (IRPrinter(self.options, lambda module: output.show(module, self.options)),)

    def print_reproducer(self, name: str) -> None:
        """Say which pass failed, and the command that fails again."""
        command = shlex.join(["torch-refine-opt", *self.words])
        print(f"note: the pass {name} failed; to reproduce: {command}", file=sys.stderr)

    def write(self, module: ir.Operation) -> bytes:
        """The part as it is to be written."""
        start = time.perf_counter()
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
