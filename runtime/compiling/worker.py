"""Compiles one module in a separate process, which isolates crashes.

It is started by `start_worker.py`, from `worker_process.py`. Its folder holds `request.json` and
`module.mlirbc`. It writes `result.json`, and `object.o` or a text for each requested stage.
`progress` holds the name of the running pass, and the operators of the program at that point.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from torch_refine.dialect.bindings import ir, new_context
from torch_refine.dialect.diagnostics import Diagnostics
from torch_refine.passes.base import RunState
from torch_refine.passes.lowering.abi import ASSERTIONS, MAIN
from torch_refine.passes.lowering.buffers.plan_memory import workspaces_of
from torch_refine.passes.lowering.buffers.update_in_place import updated_results
from torch_refine.passes.lowering.gpu.host.launch_through_driver import kernels_of
from torch_refine.passes.lowering.kernels.targets.record import ATTRIBUTE, target_of
from torch_refine.passes.program import program_functions, symbol_name
from torch_refine.pipelines.elements import OurPass, UpstreamPass
from torch_refine.pipelines.lowering.cpu import TorchToCpuPipeline
from torch_refine.pipelines.lowering.cuda import TorchToCudaPipeline
from torch_refine.pipelines.runner import RunFailure, Runner
from torch_refine.runtime.calls.openmp import openmp_library
from torch_refine.runtime.calls.signature import SignatureError, preparation_of, signature_of
from torch_refine.runtime.compiling.cache_key import compiler
from torch_refine.runtime.compiling.kernel_objects import write_objects
from torch_refine.runtime.compiling.measured_schedules import MAX_AUTOTUNE
from torch_refine.runtime.compiling.origins import operators_of, with_operators

# Enough to recognise a weight; more would hide the program.
_SHOWN_ELEMENTS = 16
# The passes that replace operators.
_CONVERSIONS = ("torch-decompose-", "convert-torch-to-")


class _Progress:
    """Records the running pass, its stage and operators.

    It is for the progress line, and for reports of passes that hang.
    """

    def __init__(self, path: Path, module: ir.Operation) -> None:
        # Opening a file takes longer than many passes.
        self._file = path.open("w", encoding="utf-8")
        self._operators = operators_of(module)
        self.stage = "refining"

    def note(self, step: str) -> None:
        """Called before a step."""
        self._file.seek(0)
        self._file.truncate()
        self._file.write("\n".join([step, self.stage, *self._operators]))
        self._file.flush()

    def before(self, element: OurPass | UpstreamPass, module: ir.Operation) -> None:
        """Called before a pass."""
        # Later passes see no operators, and looking for them would cost time.
        if element.name.startswith(_CONVERSIONS):
            self._operators = operators_of(module) or self._operators
        self.note(element.name)

    def after(self, element: OurPass | UpstreamPass, module: ir.Operation, failed: bool) -> None:
        """Called after a pass."""


def main(arguments: list[str]) -> int:
    """Compile the request in a folder; the exit code is 0 even if the module has errors."""
    folder = Path(arguments[0])
    request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    diagnostics = Diagnostics()
    context = new_context()
    handler = diagnostics.capture(context)
    result: dict[str, Any] = {}
    try:
        result = _compile(request, folder, context, diagnostics)
    except RunFailure as error:
        result["failed"] = str(error)
    except SignatureError as error:
        diagnostics.error(None, str(error))
        result["failed"] = "signature"
    finally:
        handler.detach()
    if "failed" in result:
        # In a new context: the module is half lowered by now.
        parsed = ir.Module.parse((folder / "module.mlirbc").read_bytes(), new_context())
        result["diagnostics"] = with_operators(diagnostics.reported, parsed.operation)
    (folder / "result.json").write_text(json.dumps(result), encoding="utf-8")
    return 0


def _compile(
    request: dict[str, Any], folder: Path, context: ir.Context, diagnostics: Diagnostics
) -> dict[str, Any]:
    parsed = ir.Module.parse((folder / "module.mlirbc").read_bytes(), context)
    module = parsed.operation
    progress = _Progress(folder / "progress", module)
    runner = Runner(RunState(diagnostics), verify_each=False, observers=(progress,))
    if not runner.verify(module):
        raise RunFailure("verify")
    stages = request["stages"]
    schedules: dict[str, Any] | None = None
    options = request["options"]
    target, chip, mode = (options.pop(name) for name in ("target", "chip", "mode"))
    pipeline = TorchToCpuPipeline(**options)
    stage = pipeline.stages()
    if target == "cuda" or "ptx" in stages:
        stage = (TorchToCudaPipeline(chip=chip) if chip else TorchToCudaPipeline()).stages()
    runner.run(stage["contract"], module)
    _show(module, "torch", stages, folder)
    mains = [each for each in program_functions(module) if symbol_name(each) == MAIN]
    if not mains:
        raise SignatureError("the module has no function main")
    signature = signature_of(mains[0])
    progress.stage = "lowering to linalg"
    runner.run(stage["linalg"], module)
    if not runner.verify(module):
        # The wheel's conversions create invalid ops for some dtypes.
        raise RunFailure("verify")
    _show(module, "linalg", stages, folder)
    if request.get("last stage") == "linalg":
        return {"compiler": compiler()}
    progress.stage = f"lowering to the {'GPU' if target == 'cuda' else 'CPU'}"
    prepared = None
    if "packing" in stage:
        runner.run(stage["fusion"], module)
        if mode == MAX_AUTOTUNE and pipeline.opt_level > 0:
            schedules = _search(module, request, pipeline, progress)
        runner.run(stage["packing"], module)
        prepared = preparation_of(module)
    runner.run(stage["code"], module)
    assembly, kernels = kernels_of(module)
    if "ptx" in stages:
        (folder / "ptx").write_text(assembly, encoding="utf-8")
    _show(module, "llvm", stages, folder)
    if "object" in stages:
        progress.stage = "generating code"
        progress.note("code generation")
        libraries = [openmp_library()] if pipeline.threads > 1 else []
        # A host program that only launches kernels needs no more.
        level = 1 if target == "cuda" else pipeline.opt_level
        try:
            write_objects(parsed, folder / "object.o", level, list(filter(None, libraries)))
        except RuntimeError as error:
            diagnostics.error(None, str(error))
            raise RunFailure("code generation") from error
    said = ir.ArrayAttr(module.attributes[ASSERTIONS])
    messages = [ir.StringAttr(each).value for each in said]
    # A host program for a GPU has none, and is compiled for the host.
    features = target_of(module).features if ATTRIBUTE in module.attributes else ()
    return {
        "compiler": compiler(),
        "signature": signature.as_data(),
        "prepared": None if prepared is None else asdict(prepared),
        "workspaces": workspaces_of(module),
        "assertions": messages,
        "assembly": assembly,
        "kernels": kernels,
        "features": features,
        "updated": updated_results(module),
        "schedules": schedules,
    }


def _search(
    module: ir.Operation, request: dict[str, Any], pipeline: TorchToCpuPipeline, progress: _Progress
) -> dict[str, Any]:
    """Set the schedules of contractions, measuring the unknown ones; returns those used."""
    # Measuring imports modules that other requests do not need.
    from torch_refine.passes.lowering.kernels.contractions.table import (
        as_data,
        contractions,
        from_data,
        set_schedules,
    )
    from torch_refine.runtime.compiling.tuning import search

    progress.stage = "measuring"
    known = from_data(request["schedules"])
    found = list(contractions(module))
    table = known | search(
        found, known, replace(pipeline, threads=1), target_of(module), progress.note
    )
    set_schedules(module, table)
    progress.stage = "lowering to the CPU"
    used = {each.key for each in found}
    return as_data({key: each for key, each in table.items() if key in used})


def _show(module: ir.Operation, stage: str, stages: list[str], folder: Path) -> None:
    if stage in stages:
        text = module.get_asm(
            large_elements_limit=_SHOWN_ELEMENTS, large_resource_limit=_SHOWN_ELEMENTS
        )
        (folder / stage).write_text(text, encoding="utf-8")
