"""A run of the tool: read, run passes, write; each part of the input separately."""

from __future__ import annotations

import gc
import shlex
import sys
import time
import warnings
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.diagnostics import Diagnostic, Diagnostics, RemarkFilter
from torch_refine.passes.base import RunState
from torch_refine.pipelines.elements import Element, OurPass, Repeat, pipeline_text
from torch_refine.pipelines.parsing import (
    PipelineError,
    UnknownPassError,
    parse_flag,
    parse_pipeline,
)
from torch_refine.pipelines.runner import Observer, RunFailure, Runner
from torch_refine.tool import output
from torch_refine.tool.assembly import asm
from torch_refine.tool.general_options import UsageError
from torch_refine.tool.messages import as_json, json_text, say
from torch_refine.tool.options import PassFlag, nearest_option
from torch_refine.tool.sources import InputError, Source, read, split
from torch_refine.tool.supervisor import deadline, note_step

if TYPE_CHECKING:
    from torch_refine.pipelines.html_report.page import ReportPage
    from torch_refine.tool.reproducers import CrashReproducer, Reproducer

# Parsing a module of the torch dialect takes 0.1 s per megabyte on a slow machine.
_SECONDS_TO_READ, _SECONDS_A_MEGABYTE = 3.0, 2.0
# An upstream pass takes 0.1 s per megabyte of the torch dialect, and some seconds for the resulting
# loops.
_SECONDS_A_PASS, _SECONDS_A_PASS_AND_MEGABYTE = 8.0, 60.0
# How much uncollected state of finished parts is kept, in bytes of their texts.
_BYTES_UNCOLLECTED = 4_000_000
# The bindings' message for a string that is not UTF-8.
_NOT_TEXT = "conversion error"
# MLIR's location of text that is not from a file.
_TEXT_LOCATION = 'loc("-":'


@dataclass(frozen=True)
class Part:
    """The result of a part: its content, if any, and whether it failed."""

    content: bytes | None
    failed: bool


class Run:
    """The run that a command line requests."""

    def __init__(self, options: Namespace, passes: list[PassFlag], words: list[str]) -> None:
        self.options = options
        self.passes = passes
        self.words = words
        self.context = new_context()
        self.context.allow_unregistered_dialects = options.allow_unregistered_dialect
        # Without an implicit module, the anchor op is known only after parsing.
        self.elements = () if options.no_implicit_module else self.pipeline("builtin.module")
        self.seconds: dict[str, float] = {}
        self.statistics = RunState().statistics
        self.uncollected = 0
        self.page: ReportPage | None = None

    def pipeline(self, anchor: str) -> tuple[Element, ...]:
        """The passes to run on an op of that name; raises PipelineError and UsageError.

        Warns about old names of passes.
        """
        with warnings.catch_warnings(record=True) as renamed:
            warnings.simplefilter("always", FutureWarning)
            found = self._pipeline(anchor)
        for each in renamed:
            say("warning", str(each.message), self.options)
        return found

    def _pipeline(self, anchor: str) -> tuple[Element, ...]:
        options = self.options
        named = self.named_inputs(anchor)
        if options.mlir_print_ir_before or options.mlir_print_ir_after:
            from torch_refine.tool.observers import check_named_passes

            check_named_passes(options, self.context)
        if options.pass_pipeline is not None:
            return (*named, *parse_pipeline(options.pass_pipeline, self.context, anchor))
        found: list[Element] = [*named]
        for flag in self.passes:
            try:
                found += parse_flag(flag.name, flag.options, self.context, anchor)
            except UnknownPassError as error:
                option = nearest_option(flag.name)
                if option is None:
                    raise PipelineError(f"{error}; --help lists passes and options") from None
                raise UsageError(f"no such option --{flag.name}; did you mean {option}?") from None
        return tuple(found)

    def named_inputs(self, anchor: str) -> tuple[Element, ...]:
        """The pass that names the sizes of inputs, if any are given; raises UsageError."""
        if not self.options.symbolic_inputs:
            return ()
        from torch_refine.passes.symbolic_shapes.name_symbolic_inputs import NameSymbolicInputs
        from torch_refine.passes.symbolic_shapes.naming import InvalidNamesError, parse_inputs

        if anchor != "builtin.module":
            raise UsageError(f"--symbolic-inputs names inputs of a module, not of {anchor}")
        text = ";".join(self.options.symbolic_inputs)
        try:
            parse_inputs(text)
        except InvalidNamesError as error:
            raise UsageError(f"--symbolic-inputs: {error}") from None
        return (OurPass(NameSymbolicInputs(text.replace(" ", "")), (anchor,)),)

    def run(self) -> int:
        """Process the whole input; returns the exit code, after printing all errors."""
        options = self.options
        if options.dump_pass_pipeline:
            print(
                f"Pass Manager with the pipeline:\n{pipeline_text(self.elements)}", file=sys.stderr
            )
        output.check_writable(options.output)
        if options.report is not None:
            output.check_writable(options.report)
            self.start_page(options.report)
        if options.irdl_file is not None:
            self.register_irdl(options.irdl_file)
        source = read(options.input)
        marker = options.split_input_file
        parts = [source] if marker is None else split(source, marker)
        done = list(map(self.process, parts))
        self.report()
        failed = any(part.failed for part in done)
        # As mlir-opt does, write a file only if nothing failed, and print the parts that succeeded.
        if not failed or (options.output == "-" and any(part.content for part in done)):
            between = f"{options.output_split_marker}\n".encode()
            output.write(options.output, between.join(part.content or b"" for part in done))
        if self.page is not None and not failed:
            output.write(options.report, self.page.html(self.seconds))
        return int(failed)

    def start_page(self, path: str) -> None:
        """Prepare the page of `--report`; raises UsageError."""
        from torch_refine.pipelines.html_report.page import ReportPage

        if path == self.options.output:
            raise UsageError("--report and -o name the same file; give them different ones")
        self.page = ReportPage(pipeline_text(self.elements))

    def collect(self, source: Source) -> None:
        """Run Python's cycle collector after some megabytes of parts, and not in between.

        The state of a part is one large cycle, which is also freed when the process ends.
        """
        self.uncollected += len(source.content)
        if self.uncollected > _BYTES_UNCOLLECTED:
            gc.collect()
            self.uncollected = 0

    def register_irdl(self, path: str) -> None:
        """Register the dialects defined in a file; raises InputError."""
        from torch_refine.dialect.bindings import load_irdl

        try:
            load_irdl(read(path).parse(self.context))
        except ir.MLIRError as error:
            raise InputError(f"cannot register the dialects of {path}: {error}") from None

    def report(self) -> None:
        """Print timing and statistics, if requested."""
        options = self.options
        if options.mlir_timing:
            from torch_refine.tool.reports import timing_report

            by_time = options.mlir_timing_display == "list"
            as_json = options.mlir_output_format == "json"
            print(timing_report(self.seconds, by_time, as_json), file=sys.stderr)
        if options.mlir_pass_statistics:
            from torch_refine.tool.reports import statistics_report

            by_name = options.mlir_pass_statistics_display == "list"
            print(statistics_report(self.statistics, by_name), file=sys.stderr)

    def process(self, source: Source) -> Part:
        """Run the passes on one part."""
        self.collect(source)
        mode = self.options.verify_diagnostics
        diagnostics = Diagnostics(self.printer(source) if mode is None else None)
        handler = diagnostics.capture(self.context)
        try:
            module = self.transform(source, diagnostics)
            content = None if module is None else self.write(module)
        except (UnicodeDecodeError, RuntimeError) as error:
            if isinstance(error, RuntimeError) and _NOT_TEXT not in str(error):
                raise
            # MLIR's strings are bytes; our names and messages are text.
            where = source.line_of_bad_string()
            raise InputError(f"{where or source.name}: a string is not UTF-8") from None
        finally:
            handler.detach()
        if mode is None:
            return Part(content, content is None)
        from torch_refine.tool.expected import verify

        reported = [source.named(each) for each in diagnostics.reported if not is_known(each)]
        problems = verify(source, reported, only_expected=mode == "only-expected")
        for problem in problems:
            print(problem, file=sys.stderr)
        return Part(content, bool(problems))

    def printer(self, source: Source) -> Callable[[Diagnostic], None]:
        """A function that prints a diagnostic immediately, with its source."""

        def show(diagnostic: Diagnostic) -> None:
            from torch_refine.tool.shown import shown

            wanted = None
            if not is_known(diagnostic):
                wanted = shown(source.explained(diagnostic, self.context), self.options)
            if wanted is not None:
                text = json_text(wanted) if as_json(self.options) else source.render(wanted)
                print(text, file=sys.stderr)

        return show

    def parse(self, source: Source) -> ir.Operation:
        """Parse a part; raises MLIRError and InputError."""
        if self.options.no_implicit_module:
            return source.parse_operation(self.context)
        return source.parse(self.context).operation

    def transform(self, source: Source, diagnostics: Diagnostics) -> ir.Operation | None:
        """Parse a part and run the passes; None if something failed and was reported."""
        start = time.perf_counter()
        note_step(f"reading {source.name}")
        seconds = _SECONDS_TO_READ + _SECONDS_A_MEGABYTE * len(source.content) / 1e6
        try:
            with deadline(seconds):
                module = self.parse(source)
        except ir.MLIRError as error:
            if not diagnostics.has_errors:
                diagnostics.report_exception(error)
            return None
        self.spend("Parser", start)
        with deadline(seconds):
            if not self.is_sound(module, source, diagnostics):
                return None
        page_before = None if self.page is None else self.page.types_of(module)
        asked = self.options.explain
        # A pass that fails may leave a module half changed.
        before = None if asked is None else module.clone()
        if not self.run_passes(module, source, diagnostics):
            if before is not None:
                self.explain_conflicts(before.operation, source)
            return None
        if self.page is not None and page_before is not None:
            from torch_refine.pipelines.html_report.page import REPORT_STEP

            start = time.perf_counter()
            note_step(f"analysing {source.name} for the report")
            self.page.add(module, page_before, self.extra_libraries(), source.name)
            self.spend(REPORT_STEP, start)
        if asked is not None:
            self.explain(module, source, asked)
        if self.options.report_unrefined:
            from torch_refine.pipelines.report import Reached

            print(Reached.of(module, self.extra_libraries(), source.name), file=sys.stderr)
        return module

    def explain(self, module: ir.Operation, source: Source, asked: str) -> None:
        """Print why types are unknown, or why that of one value is what it is."""
        from torch_refine.pipelines.explanation.asking import NoSuchValueError
        from torch_refine.pipelines.explanation.explainer import Explainer

        if module.name != "builtin.module":
            raise UsageError(f"--explain explains a module, not {module.name}")
        explainer = Explainer(module, self.extra_libraries(), source.name)
        try:
            print(explainer.explain(asked) if asked else explainer, file=sys.stderr)
        except NoSuchValueError as error:
            raise UsageError(f"--explain: {error}") from None

    def explain_conflicts(self, module: ir.Operation, source: Source) -> None:
        """Print which ops of a module that refinement rejects contradict each other."""
        from torch_refine.pipelines.explanation.conflicts import conflicts

        if module.name == "builtin.module":
            for conflict in conflicts(module, self.extra_libraries(), source.name):
                print(conflict, file=sys.stderr)

    def extra_libraries(self) -> set[Path]:
        """The extra library files of the passes of this run."""
        found: set[Path] = set()
        elements = list(self.elements)
        while elements:
            element = elements.pop()
            if isinstance(element, Repeat):
                elements += element.elements
            elif isinstance(element, OurPass):
                files = getattr(element.instance, "extra_library", "")
                found.update(Path(file) for file in files.split(",") if file)
        return found

    def is_sound(self, module: ir.Operation, source: Source, diagnostics: Diagnostics) -> bool:
        """Whether the parsed module is valid, and supported by the passes and options."""
        if not Runner(RunState(diagnostics, self.statistics)).verify(module):
            return False
        if self.options.verify_roundtrip:
            from torch_refine.tool.roundtrip import roundtrip_problem

            problem = roundtrip_problem(module)
            if problem is not None:
                diagnostics.error(module.location, problem)
                return False
        return True

    def run_passes(self, module: ir.Operation, source: Source, diagnostics: Diagnostics) -> bool:
        """Run the input's reproducer pipeline, if requested, and that of the command line."""
        elements, verify_each = self.elements, self.options.verify_each
        if self.options.no_implicit_module:
            elements = self.pipeline(module.name)
        if self.options.run_reproducer:
            from torch_refine.tool.reproducers import reproducer_of

            found = reproducer_of(source)
            if found is None:
                say("warning", f"{source.name} carries no reproducer", self.options)
            else:
                elements = (*parse_pipeline(found.pipeline, self.context, module.name), *elements)
                verify_each = verify_each and found.verify_each
        kept = self.crash_reproducer(module.name)
        observers = self.observers(source)
        every = self.options.remarks_filter
        state = RunState(diagnostics, self.statistics)
        if self.page is not None:
            state.operator_seconds = self.page.operator_seconds
        state.remarks = RemarkFilter(
            self.options.remarks_filter_passed or every, self.options.remarks_filter_missed or every
        )
        runner = Runner(
            state, verify_each, observers if kept is None else (kept, *observers), self.seconds
        )
        if self.options.mlir_generate_reproducer is not None:
            from torch_refine.tool.reproducers import write_reproducer

            write_reproducer(
                self.options.mlir_generate_reproducer, module, self.reproducer(module.name)
            )
        try:
            if kept is not None:
                kept.begin(module)
            runner.run(elements, module)
        except RunFailure as error:
            if self.options.verify_diagnostics is None:
                self.print_reproducer(str(error), kept)
            return False
        if kept is not None:
            kept.end()
        return True

    def reproducer(self, anchor: str) -> Reproducer:
        """The pipeline of the command line, for a reproducer."""
        from torch_refine.tool.reproducers import Reproducer

        text = self.options.pass_pipeline
        if text is None:
            text = f"{anchor}({','.join(map(str, (*self.named_inputs(anchor), *self.passes)))})"
        return Reproducer(text, self.options.verify_each)

    def crash_reproducer(self, anchor: str) -> CrashReproducer | None:
        """The crash reproducer of a run, if requested."""
        path = self.options.mlir_pass_pipeline_crash_reproducer
        local = self.options.mlir_pass_pipeline_local_reproducer
        if path is None:
            if local:
                raise UsageError(
                    "--mlir-pass-pipeline-local-reproducer needs "
                    "--mlir-pass-pipeline-crash-reproducer=FILE"
                )
            return None
        from torch_refine.tool.reproducers import CrashReproducer

        return CrashReproducer(path, self.reproducer(anchor), local)

    def observers(self, source: Source) -> tuple[Observer, ...]:
        """The pass instrumentation of a run."""
        from torch_refine.tool.observers import IRPrinter, Watchdog

        limit = self.options.pass_seconds
        if limit is None:
            limit = _SECONDS_A_PASS + _SECONDS_A_PASS_AND_MEGABYTE * len(source.content) / 1e6
        watchdog = Watchdog(limit)
        if not IRPrinter.wanted(self.options):
            return (watchdog,)
        printer = IRPrinter(self.options, self.text)
        return watchdog, printer

    def print_reproducer(self, name: str, kept: CrashReproducer | None) -> None:
        """Report which pass failed, and the command that reproduces it."""
        command = shlex.join(["torch-refine-opt", *self.words])
        if kept is not None:
            command = f"torch-refine-opt --run-reproducer {shlex.quote(kept.path)}"
        say("note", f"the pass {name} failed; to reproduce: {command}", self.options)

    def text(self, module: ir.Operation) -> str:
        """A module's text as the printing options want it."""
        if self.options.mlir_print_value_users:
            from torch_refine.tool.value_users import with_users

            return with_users(module, self.options)
        return asm(module, self.options)

    def write(self, module: ir.Operation) -> bytes:
        """The output of a part."""
        start = time.perf_counter()
        note_step(f"printing {self.options.input}")
        if self.options.emit_bytecode:
            content = output.bytecode(module, self.options.emit_bytecode_version)
        else:
            text = self.text(module)
            content = f"{text.replace(_TEXT_LOCATION, _location(self.options.input))}\n".encode()
        self.spend("Output", start)
        return content

    def spend(self, name: str, start: float) -> None:
        """Add to the time of a step."""
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


def is_known(diagnostic: Diagnostic) -> bool:
    """Whether MLIR warns about a reproducer resource, which the bindings cannot register."""
    return diagnostic.message == "ignoring unknown external resources for 'mlir_reproducer'"


def _location(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'loc("{escaped}":'
