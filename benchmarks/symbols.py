"""Compare symbolic sizes with those of PyTorch's ShapeEnv and of torch-mlir, on dynamic exports.

    python benchmarks/symbols.py [--only NETWORK] [--repeats N]

exports each network of `test/networks` with dynamic shapes, infers its sizes as expressions of the
inputs' sizes, and writes the section "Symbolic sizes" of `docs/benchmarks.md`. ShapeEnv propagates
fake tensors through the same graph with symbols for the same sizes; its guards are those that it
records then, and those of the export. torch-mlir's passes know no expressions: what they leave
unknown is `?`.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch._dynamo.source import LocalSource
from torch._subclasses import FakeTensorMode
from torch.export import ExportedProgram
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext
from torch.fx.passes.fake_tensor_prop import FakeTensorProp
from torch_refine.dialect.bindings import PassManager, ir, walk
from torch_refine.dialect.guards import GUARDS, attached_guards
from torch_refine.dialect.tensor_type import Types
from torch_refine.importer import import_model
from torch_refine.importer.export import export_program
from torch_refine.passes.base import RunState
from torch_refine.passes.casts import CAST
from torch_refine.passes.erase_tensor_types import EraseTensorTypes
from torch_refine.passes.insert_error_guards import InsertErrorGuards
from torch_refine.passes.program import program_functions
from torch_refine.passes.refine_types import RefineTypes
from torch_refine.passes.symbolic_shapes.reading import BINDING, declared_symbol
from worker import PEER_PIPELINE

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "benchmarks.md"
HEADING = "## Symbolic sizes"
_ASSERT = "torch.runtime.assert"


@dataclass
class Propagated:
    """What ShapeEnv knows after a propagation."""

    seconds: float
    guards: int
    sizes: int
    known: int


@dataclass
class Row:
    """The figures of one network.

    Sizes are those of all tensors that are not static; `known` have an expression of the inputs'
    sizes. `guards` are conditions on the inputs that the program needs; for ShapeEnv, those that
    the export recorded, and those of a propagation without what the export declares. `peer` is None
    if fake tensors with symbols fail.
    """

    network: str
    sizes: int
    known: int
    unknown_in_torch_mlir: int | None
    guards: int
    exported_guards: int
    without: float
    seconds: float
    peer: Propagated | None
    peer_seconds: float | None


def measure(network: str, repeats: int) -> Row:
    """Measure one network."""
    from networks.models import NETWORKS

    torch.manual_seed(0)
    recipe = NETWORKS[network]
    model, arguments, keywords = recipe.build()
    program = export_program(model, arguments, keywords, recipe.dynamic())
    module = import_model(program).operation
    EraseTensorTypes().run(module, RunState())
    refined = module.clone()
    RefineTypes(symbolic_shapes="all").run(refined, RunState())
    sizes, known = _sizes(refined)
    # A propagation replaces the values of the export.
    exported, inputs = _exported_guards(program), _inputs(program)
    peers = [found for _ in range(5) if (found := _propagate(program, inputs)) is not None]
    without, with_all = _times(module, repeats, (RefineTypes(), RefineTypes(symbolic_shapes="all")))
    return Row(
        network,
        sizes,
        known,
        _left_unknown(module),
        _guards(module),
        exported,
        without,
        with_all,
        peers[0] if peers else None,
        statistics.median(each.seconds for each in peers) if peers else None,
    )


def _times(module: ir.Operation, repeats: int, passes: tuple[RefineTypes, ...]) -> list[float]:
    """The median seconds of each pass; the passes take turns."""
    taken: list[list[float]] = [[] for _ in passes]
    # What PyTorch holds is not collected within a measurement.
    gc.collect()
    gc.freeze()
    # The first round loads the library.
    for index in range(repeats + 1):
        for instance, seconds in zip(passes, taken, strict=True):
            copied = module.clone()
            gc.collect()
            start = time.perf_counter()
            instance.run(copied, RunState())
            if index:
                seconds.append(time.perf_counter() - start)
    return [statistics.median(each) for each in taken]


def _sizes(module: ir.Operation) -> tuple[int, int]:
    """The number of dynamic sizes, and of those with an expression of the inputs' sizes."""
    types = Types(module.context)
    bound = {op.operands[0]: op for op in walk(module) if op.name == BINDING}
    sizes = known = 0
    for op in walk(module):
        for result in () if op.name == CAST else op.results:
            type = types.tensor(result.type)
            count = 0 if type is None or type.sizes is None else type.sizes.count(None)
            sizes += count
            if count and result in bound and not _is_data_dependent(bound[result]):
                known += count
    return sizes, known


def _is_data_dependent(op: ir.Operation) -> bool:
    names = [declared_symbol(each.owner.operation)[0] for each in list(op.operands)[1:]]
    return any(name.startswith("u") and name[1:].isdecimal() for name in names)


def _guards(module: ir.Operation) -> int:
    """The conditions that remain at the entry, beside the equalities that the inputs declare."""
    copied = module.clone()
    for function in program_functions(copied):
        if GUARDS in function.attributes:
            del function.attributes[GUARDS]
    InsertErrorGuards(hoist="attribute").run(copied, RunState())
    attached = sum(len(attached_guards(function)) for function in program_functions(copied))
    return attached + sum(op.name == _ASSERT for op in walk(copied))


def _left_unknown(module: ir.Operation) -> int | None:
    """The sizes that torch-mlir's own passes leave unknown; None if they fail."""
    copied = module.clone()
    try:
        with copied.context:
            PassManager.parse(PEER_PIPELINE).run(copied)
    except ir.MLIRError:
        return None
    types = Types(copied.context)
    found = 0
    for op in walk(copied):
        for result in op.results:
            type = types.tensor(result.type)
            if type is not None and type.sizes is not None:
                found += type.sizes.count(None)
    return found


def _inputs(program: ExportedProgram) -> list[Any]:
    return [
        node.meta["val"] for node in program.graph_module.graph.nodes if node.op == "placeholder"
    ]


def _exported_guards(program: ExportedProgram) -> int:
    """The guards that the export's ShapeEnv recorded."""
    for value in _inputs(program):
        for size in value.shape if isinstance(value, torch.Tensor) else ():
            if isinstance(size, torch.SymInt):
                return len(size.node.shape_env.guards)
    return 0


def _propagate(program: ExportedProgram, values: list[Any]) -> Propagated | None:
    """Propagate fake tensors with symbols through an exported graph; None if that fails."""
    environment = ShapeEnv()
    mode = FakeTensorMode(shape_env=environment, allow_non_fake_inputs=True)
    inputs = [_fake(mode, f"x{n}", value) for n, value in enumerate(values)]
    graph = program.graph_module
    start = time.perf_counter()
    try:
        with torch.no_grad():
            FakeTensorProp(graph, mode).propagate_dont_convert_inputs(*inputs)
    except RuntimeError:
        return None
    seconds = time.perf_counter() - start
    sizes = known = 0
    for node in graph.graph.nodes:
        value = node.meta.get("val")
        for tensor in value if isinstance(value, tuple | list) else (value,):
            for size in tensor.shape if isinstance(tensor, torch.Tensor) else ():
                if isinstance(size, torch.SymInt) and node.op != "placeholder":
                    names = map(str, size.node.expr.free_symbols)
                    sizes += 1
                    known += not any(name.startswith("u") for name in names)
    return Propagated(seconds, len(environment.guards), sizes, known)


def _fake(mode: FakeTensorMode, name: str, value: Any) -> Any:
    """A fake tensor like `value`, with new symbols for its dynamic sizes."""
    if not isinstance(value, torch.Tensor):
        return value
    dynamic = [isinstance(size, torch.SymInt) for size in value.shape]
    hints = [size.node.hint if isinstance(size, torch.SymInt) else size for size in value.shape]
    kinds = [DimDynamic.DYNAMIC if each else DimDynamic.STATIC for each in dynamic]
    return mode.from_tensor(
        torch.empty(hints, dtype=value.dtype),
        source=LocalSource(name),
        symbolic_context=StatelessSymbolicContext(dynamic_sizes=kinds),
    )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def _or_fails(value: Any, text: Callable[[Any], str]) -> str:
    return "fails" if value is None else text(value)


_COLUMNS: tuple[tuple[str, Callable[[Row], str]], ...] = (
    ("network", lambda row: row.network),
    ("dynamic sizes", lambda row: f"{row.sizes:,}"),
    ("with an expression", lambda row: _share(row.known, row.sizes)),
    ("ShapeEnv's", lambda row: _or_fails(row.peer, lambda peer: _share(peer.known, peer.sizes))),
    (
        "`?` of torch-mlir",
        lambda row: (
            "fails" if row.unknown_in_torch_mlir is None else f"{row.unknown_in_torch_mlir:,}"
        ),
    ),
    ("guards at entry", lambda row: str(row.guards)),
    ("of the export's ShapeEnv", lambda row: str(row.exported_guards)),
    ("of ShapeEnv alone", lambda row: _or_fails(row.peer, lambda peer: str(peer.guards))),
    ("refinement", lambda row: f"{row.without * 1e3:.1f} ms"),
    ("with all symbols", lambda row: f"{row.seconds * 1e3:.1f} ms"),
    ("ratio", lambda row: f"{row.seconds / row.without:.2f}"),
    ("ShapeEnv", lambda row: _or_fails(row.peer_seconds, lambda took: f"{took * 1e3:.0f} ms")),
    (
        "ours / ShapeEnv",
        lambda row: _or_fails(row.peer_seconds, lambda took: f"{row.seconds / took:.3f}"),
    ),
)


def section(rows: list[Row]) -> str:
    """The section of the document."""
    ratio = statistics.geometric_mean(row.seconds / row.without for row in rows)
    peer = statistics.geometric_mean(
        row.seconds / row.peer_seconds for row in rows if row.peer_seconds is not None
    )
    lines = [
        HEADING,
        "",
        "Written by `benchmarks/symbols.py`: the networks of `test/networks`, exported with "
        "dynamic shapes. *With an expression* is the share of dynamic sizes, of all tensors that "
        "operations define, that are proven expressions of the inputs' sizes; *ShapeEnv's* is that "
        "of fake tensors in the same graph. *Guards at entry* are the conditions that "
        "`torch-insert-error-guards` leaves beside the equalities that the inputs declare; the "
        "export's ShapeEnv had the same declarations, *ShapeEnv alone* had symbols only; in "
        "MobileNetV2 it pinned the batch to its example, and no size was dynamic. Times are "
        f"medians, in process. With all symbols, refinement takes {ratio:.2f} times as long as "
        f"without, and {peer:.3f} of ShapeEnv's time (geometric means).",
        "",
        f"| {' | '.join(name for name, _ in _COLUMNS)} |",
        f"| --- |{' ---: |' * (len(_COLUMNS) - 1)}",
    ]
    lines += [f"| {' | '.join(text(row) for _, text in _COLUMNS)} |" for row in rows]
    return "\n".join(lines) + "\n"


def with_section(document: str, text: str) -> str:
    """A document with its last section, that of symbolic sizes, replaced."""
    return f"{document.partition(HEADING)[0].rstrip()}\n\n{text}"


def main() -> int:
    """Measure, print, and write the section."""
    sys.path.insert(0, str(ROOT / "test"))
    from networks.models import NETWORKS

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", choices=tuple(NETWORKS), help="one network, no document")
    parser.add_argument("--repeats", type=int, default=15, help="measurements of each")
    options = parser.parse_args()
    rows = []
    for network in NETWORKS if options.only is None else [options.only]:
        print(f"{network} ...", file=sys.stderr)
        rows.append(measure(network, options.repeats))
    text = section(rows)
    print(text)
    if options.only is None:
        document = DOCUMENT.read_text(encoding="utf-8")
        DOCUMENT.write_text(with_section(document, text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
