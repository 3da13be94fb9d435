"""The public Python API, equivalent to `torch-refine-opt`."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.diagnostics import Diagnostic, Diagnostics
from torch_refine.dialect.requirements import require
from torch_refine.passes.base import Pass, RunState
from torch_refine.pipelines.elements import Element, OurPass, pipeline_text
from torch_refine.pipelines.refinement import RefinementPipeline
from torch_refine.pipelines.report import Coverage, Reached, Unrefined, coverage, unrefined_text
from torch_refine.pipelines.runner import RunFailure, Runner
from torch_refine.tool.output import OutputError, bytecode, check_writable, write
from torch_refine.tool.sources import InputError, read

if TYPE_CHECKING:
    from torch_refine.passes.shape_functions.shape_function import ShapeFunction
    from torch_refine.pipelines.explanation.explainer import Explainer
    from torch_refine.pipelines.explanation.model import Advice, Explanation, RankedCause


class RefineError(Exception):
    """An operation failed; `diagnostics` has the errors with their locations."""

    def __init__(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__("\n".join([message, *map(str, diagnostics)]))
        self.diagnostics = tuple(diagnostics)


@dataclass(frozen=True)
class Report:
    """The result of refining a module.

    `before` and `after` count operations, tensor values and values of complete type; `after` also
    those whose sizes all derive from dynamic input sizes. `unrefined` lists the operators whose
    result types are otherwise incomplete, with the reason and a source line; `diagnostics` are the
    warnings. `seconds` is wall-clock time. It keeps the module, for `explain`, `causes` and
    `advice`.
    """

    before: Coverage
    after: Coverage
    unrefined: tuple[Unrefined, ...]
    diagnostics: tuple[Diagnostic, ...]
    seconds: float
    module: ir.Module | None = field(default=None, repr=False, compare=False)
    library: Programs | tuple[Path, ...] = field(default=(), repr=False, compare=False)

    @property
    def causes(self) -> tuple[RankedCause, ...]:
        """The causes of unknown types, those of the most values first; found when asked."""
        return self._explainer.causes()

    def explain(self, value: ir.Value | str) -> Explanation:
        """Why the type of a value is what it is, or is not known: the chain to the first causes.

        `value` is one of the module's, or a text: its name as printed (`"%12"`, `"main:%12"`), a
        source line (`"model.py:42"`) or an operator (`"aten.view"`), which means its first result
        of incomplete type. The module is analysed when asked, as it is then. Raises LookupError,
        with near matches, if there is no such value.
        """
        return self._explainer.explain(value)

    def advice(self) -> Advice:
        """The smallest set of facts found that completes the types, each verified by refining."""
        return self._explainer.advice()

    @cached_property
    def _explainer(self) -> Explainer:
        from torch_refine.pipelines.explanation.explainer import Explainer

        if self.module is None:
            raise ValueError("this report has no module: `torch_refine.refine` makes those that do")
        return Explainer(self.module.operation, self.library)

    def __str__(self) -> str:
        text = (
            f"{self.after}; {self.before.complete} had a complete type before; {self.seconds:.2f} s"
        )
        return f"{text}\n{unrefined_text(self.unrefined)}" if self.unrefined else text


def load(path: str | os.PathLike[str]) -> ir.Module:
    """Read a module from a file of MLIR text or bytecode, in a new context.

    The module keeps its context alive. Raises RefineError if the file cannot be read or parsed.
    """
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"expected the path of a file, not a {type(path).__name__}")
    diagnostics = Diagnostics()
    context = new_context()
    handler = diagnostics.capture(context)
    try:
        source = read(os.fspath(path))
        return source.parse(context)
    except InputError as error:
        raise RefineError(str(error)) from None
    except ir.MLIRError as error:
        if not diagnostics.has_errors:
            diagnostics.report_exception(error)
        found = tuple(source.explained(each, context) for each in diagnostics.reported)
        raise RefineError(f"cannot parse {os.fspath(path)}", found) from None
    finally:
        handler.detach()


def import_model(
    model: Any,
    example_inputs: Any = (),
    dynamic_shapes: Any = None,
    **options: Any,
) -> ir.Module:
    """Import a PyTorch model into the torch dialect, without decomposing operators.

    `model` is a `torch.nn.Module` or an `ExportedProgram`, `example_inputs` its positional inputs,
    as a tuple, or one tensor, `dynamic_shapes` as in `torch.export.export`. Options are those of
    `torch_refine.importer.import_model`. Requires PyTorch: raises ImportError without it. Raises
    `ImportModelError`, which names the operator and its source line, if the export or import fails.
    """
    require("torch")
    from torch_refine import importer

    return importer.import_model(model, example_inputs, dynamic_shapes, **options)


def refine(
    module: ir.Module,
    *,
    extra_library: Sequence[str | os.PathLike[str]] = (),
    extra: Sequence[Callable[..., Any]] = (),
    invalid_program: Literal["error", "warn"] = "error",
    symbolic_inputs: str | None = None,
    symbolic_shapes: Literal["none", "results", "all"] = "none",
    html_report: str | os.PathLike[str] | None = None,
) -> Report:
    """Infer shapes and dtypes of all tensors of a module, in place.

    `extra_library` are files with shape and dtype functions that take precedence over the shipped
    ones; `extra` are such functions in Python, declared with `shape_function` or `dtype_function`
    or named like `my〇op〡shape`, which requires PyTorch. `symbolic_inputs` names sizes of
    arguments, `"main:0=[batch,seq%8];main:1=[batch]"`, as the pass `torch-name-symbolic-inputs`
    does; with `symbolic_shapes`, the sizes of results, or of all tensors, are written into the
    module as expressions of symbols (`torch.bind_symbolic_shape`). `html_report` names a file to
    which a page is written, with all types before and after, reasons and the graph, if refinement
    succeeds.

    Types only become more precise, and hold for every run that does not raise. Raises RefineError
    if the module is invalid, a function cannot be exported, sizes cannot be named so, or the page
    cannot be written; and, unless `invalid_program` is `"warn"`, if declared types contradict
    inferred ones or an operator always raises.
    """
    _check_module(module)
    if html_report is not None:
        try:
            check_writable(os.fspath(html_report))
        except OutputError as error:
            raise RefineError(str(error)) from None
    if extra:
        with _exported(extra) as library:
            libraries = [library, *extra_library]
            report = refine(
                module,
                extra_library=libraries,
                invalid_program=invalid_program,
                symbolic_inputs=symbolic_inputs,
                symbolic_shapes=symbolic_shapes,
                html_report=html_report,
            )
            # The file of the functions is temporary.
            return replace(report, library=Programs(map(Path, libraries)))
    op = module.operation
    diagnostics = Diagnostics()
    handler = diagnostics.capture(op.context)
    start = time.perf_counter()
    try:
        before = coverage(op)
        runner = Runner(RunState(diagnostics))
        if not runner.verify(op):
            raise RefineError("the module is invalid", diagnostics.reported)
        files = ",".join(os.fspath(path) for path in extra_library)
        named = () if symbolic_inputs is None else _naming(symbolic_inputs)
        pipeline = RefinementPipeline(files, invalid_program, symbolic_shapes)
        elements = (*named, *pipeline.elements())
        page = types = None
        if html_report is not None:
            from torch_refine.pipelines.html_report.page import ReportPage

            page = ReportPage(pipeline_text(elements))
            types = page.types_of(op)
            runner.state.operator_seconds = page.operator_seconds
        runner.run(elements, op)
    except RunFailure as error:
        raise RefineError(f"the pass {error} failed", diagnostics.reported) from None
    finally:
        handler.detach()
    seconds = time.perf_counter() - start
    if page is not None and types is not None and html_report is not None:
        page.add(op, types, map(Path, extra_library))
        try:
            write(os.fspath(html_report), page.html(runner.seconds))
        except OutputError as error:
            raise RefineError(str(error)) from None
    reached = Reached.of(op, map(Path, extra_library))
    return Report(
        before,
        reached.coverage,
        reached.unrefined,
        tuple(diagnostics.reported),
        seconds,
        module,
        tuple(map(Path, extra_library)),
    )


def specialize_symbols(
    module: ir.Module,
    values: Mapping[str, int],
    *,
    extra_library: Sequence[str | os.PathLike[str]] = (),
) -> None:
    """Pin symbolic sizes to numbers, `{"batch": 8}`, and refine the module, in place.

    The names are those of `torch.symbolic_int`, as `import_model` and `refine` write them. Raises
    RefineError if no function declares a name, or if a number is out of its bounds.
    """
    from torch_refine.passes.symbolic_shapes.specialize_symbols import SpecializeSymbols

    _check_module(module)
    for name, value in values.items():
        if not isinstance(name, str) or type(value) is not int:
            raise TypeError(f"expected names and ints, such as {{'batch': 8}}, not {values!r}")
    text = ",".join(f"{name}={value}" for name, value in values.items())
    files = ",".join(os.fspath(path) for path in extra_library)
    _run_pass(SpecializeSymbols(text, files), module.operation)


def shape_function(
    module: ir.Module,
    function: str | None = None,
    *,
    peak: bool = False,
    extra_library: Sequence[str | os.PathLike[str]] = (),
) -> ShapeFunction:
    """The sizes of a function's results as a function of those of its arguments, without tensors.

    `f = shape_function(module)` takes the values of symbols, `f(batch=8)`, or the sizes of each
    argument, `f([8, 24])`. With `peak`, `f.live_bytes` and `f.peak_bytes` are the peak of live
    bytes, too. Without a name, the function is the only public one. The module is left unchanged.
    Raises RefineError if the module is invalid, there is no such function, or the peak depends on
    more than sizes.
    """
    from torch_refine.passes.base import PassFailure
    from torch_refine.passes.shape_functions.extracting import extract

    _check_module(module)
    diagnostics = Diagnostics()
    handler = diagnostics.capture(module.operation.context)
    try:
        state = RunState(diagnostics)
        if not Runner(state).verify(module.operation):
            raise RefineError("the module is invalid", diagnostics.reported)
        files = ",".join(os.fspath(path) for path in extra_library)
        return extract(module.operation, function, peak, files, state)
    except PassFailure:
        raise RefineError("cannot extract the shape function", diagnostics.reported) from None
    finally:
        handler.detach()


def _run_pass(instance: Pass, op: ir.Operation) -> Diagnostics:
    """Run one pass on a module; raises RefineError."""
    diagnostics = Diagnostics()
    handler = diagnostics.capture(op.context)
    try:
        runner = Runner(RunState(diagnostics))
        if not runner.verify(op):
            raise RefineError("the module is invalid", diagnostics.reported)
        runner.run((OurPass(instance, ("builtin.module",)),), op)
    except RunFailure as error:
        raise RefineError(f"the pass {error} failed", diagnostics.reported) from None
    finally:
        handler.detach()
    return diagnostics


def _naming(inputs: str) -> tuple[Element, ...]:
    """The pass that names sizes of inputs."""
    from torch_refine.passes.symbolic_shapes.name_symbolic_inputs import NameSymbolicInputs

    return (OurPass(NameSymbolicInputs(inputs), ("builtin.module",)),)


def _check_module(module: Any) -> None:
    """Raise TypeError unless `module` is a module, suggesting the call that creates one."""
    if isinstance(module, ir.Module):
        return
    given = f"expected a module, not a {type(module).__name__}"
    if isinstance(module, str | os.PathLike):
        raise TypeError(f"{given}: torch_refine.load reads one from a file")
    if callable(module):
        raise TypeError(f"{given}: torch_refine.import_model imports one from a model")
    raise TypeError(given)


@contextmanager
def _exported(functions: Sequence[Callable[..., Any]]) -> Iterator[Path]:
    """Python functions as a temporary library file."""
    require("torch")
    from torch_refine.importer.functions.user_library import ExtraLibraryError, export_functions

    try:
        text = export_functions(functions)
    except ExtraLibraryError as error:
        raise RefineError(str(error)) from None
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "extra.mlir")
        library.write_text(text, encoding="utf-8")
        yield library


def save(module: ir.Module, path: str | os.PathLike[str], *, emit_bytecode: bool = False) -> None:
    """Write a module to a file atomically, as text or as MLIR bytecode.

    Raises RefineError if the file cannot be written; an existing one is left unchanged.
    """
    _check_module(module)
    try:
        check_writable(os.fspath(path))
        content = bytecode(module.operation) if emit_bytecode else f"{module}\n".encode()
        write(os.fspath(path), content)
    except OutputError as error:
        raise RefineError(str(error)) from None
