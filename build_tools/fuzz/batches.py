"""Many programs compiled as one, whose refused parts are removed without another export."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch_refine.build_tools.fuzz.steps import Program
from torch_refine.build_tools.numerics.judging import any_sizes
from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.importer.export import export_program
from torch_refine.importer.lowering import LoweringInput, import_for_lowering
from torch_refine.importer.strides import set_input_layouts
from torch_refine.passes.program import symbol_name
from torch_refine.runtime.compiled_module import CompiledModule, bytecode_of
from torch_refine.runtime.compiling.compiler import Options
from torch_refine.runtime.state.weights import FixedWeights
from torch_refine.runtime.torch_models.models import _input_layouts

# The file name of a program of a batch, by its index.
PLACE = "/fuzz/program_{}.py"


@dataclass(frozen=True)
class Way:
    """The options of compiling."""

    dynamic: bool = False
    opt_level: int = 3


@cache
def _caller(place: int) -> Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]:
    """Calls an overload from a unique source line, which the compiler's diagnostics name."""
    names: dict[str, Any] = {}
    # PyTorch records only frames of functions of this name.
    text = "def forward(overload, args, kwargs):\n    return overload(*args, **kwargs)\n"
    exec(compile(text, PLACE.format(place), "exec"), names)
    called: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any] = names["forward"]
    return called


class BatchModule(torch.nn.Module):
    """Programs as one model with the inputs and the results of all."""

    def __init__(self, programs: Sequence[Program]) -> None:
        super().__init__()
        self.programs = programs

    def forward(self, *tensors: torch.Tensor) -> list[torch.Tensor]:
        """The results, flat."""
        results: list[torch.Tensor] = []
        start = 0
        for place, program in enumerate(self.programs):
            end = start + len(program.inputs)
            results += program.run(tensors[start:end], _caller(place))
            start = end
        return results


class Batch:
    """Programs that were exported together; refused ones may be removed."""

    def __init__(self, programs: Sequence[Program], way: Way) -> None:
        self.programs = programs
        self.way = way
        self.inputs = [tensor for program in programs for tensor in program.copies()]
        self.counts = [len(program.run(program.copies())) for program in programs]
        shapes = (any_sizes(self.inputs),) if way.dynamic else None
        exported = export_program(BatchModule(programs), tuple(self.inputs), {}, shapes)
        self._found: LoweringInput = import_for_lowering(exported)
        layouts = _input_layouts(exported, self._found)
        first = len(self._found.state)
        set_input_layouts(self._found.module, {first + i: each for i, each in layouts.items()})
        self._orders = {i: each.order for i, each in layouts.items() if each.order is not None}
        self.kept = list(range(len(programs)))

    def run(self) -> list[tuple[torch.Tensor, ...]]:
        """Compile and call; the results of each remaining program.

        Raises CompileError, and the exceptions of a call.
        """
        options = Options(opt_level=self.way.opt_level)
        weights = FixedWeights(self._found.state, self._found.state_names)
        compiled = CompiledModule(bytecode_of(self._found.module), options, weights, self._orders)
        results = compiled(*[tensor for each in self.programs for tensor in each.copies()])
        found = iter(results if isinstance(results, tuple) else (results,))
        return [tuple(next(found) for _ in range(self.counts[place])) for place in self.kept]

    def take_out(self, places: set[int]) -> None:
        """Remove the results of some programs, and erase ops without other users."""
        [main] = [
            each
            for each in operations(self._found.module.operation.regions[0].blocks[0])
            if symbol_name(each) == "main"
        ]
        block = main.regions[0].blocks[0]
        end = list(operations(block))[-1]
        values = iter(list(end.operands))
        kept = []
        for place in self.kept:
            own = [next(values) for _ in range(self.counts[place])]
            kept += [] if place in places else own
        with ir.InsertionPoint(end), end.location:
            ir.Operation.create(end.name, operands=kept)
        end.erase()
        given = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value)
        type = ir.FunctionType.get(given.inputs, [each.type for each in kept], main.context)
        main.attributes["function_type"] = ir.TypeAttr.get(type, main.context)
        self.kept = [place for place in self.kept if place not in places]
        for op in reversed([each for each in walk(main) if each.operation != main.operation]):
            _erase_if_unused(op)


def _erase_if_unused(op: ir.Operation) -> None:
    """Erase an op whose results have no users but `bind_symbolic_shape`."""
    results = list(op.results)
    uses = [use.owner for result in results for use in result.uses]
    if not results or any(use.name != "torch.bind_symbolic_shape" for use in uses):
        return
    for use in uses:
        use.erase()
    op.erase()
