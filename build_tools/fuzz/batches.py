"""Many programs compiled as one, whose refused parts are taken out without another export."""

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
from torch_refine.importer.strides import take_as_they_lie
from torch_refine.passes.program import symbol_name
from torch_refine.runtime.compiled import CompiledModule, _bytecode
from torch_refine.runtime.compiler import Options
from torch_refine.runtime.models import _lying
from torch_refine.runtime.weights import FixedWeights

# The file that a program of a batch seems to be written in, by its place there.
PLACE = "/fuzz/program_{}.py"


@dataclass(frozen=True)
class Way:
    """How programs are compiled."""

    dynamic: bool = False
    opt_level: int = 3


@cache
def _caller(place: int) -> Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]:
    """Calls an overload from a line of its own, which the compiler's diagnostics name."""
    names: dict[str, Any] = {}
    # PyTorch keeps only the frames of functions of this name.
    text = "def forward(overload, args, kwargs):\n    return overload(*args, **kwargs)\n"
    exec(compile(text, PLACE.format(place), "exec"), names)
    called: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any] = names["forward"]
    return called


class BatchModule(torch.nn.Module):
    """Programs as one model, which takes the inputs of all and returns the results of all."""

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
    """Programs that were exported together; what is refused may be taken out."""

    def __init__(self, programs: Sequence[Program], way: Way) -> None:
        self.programs = programs
        self.way = way
        self.inputs = [tensor for program in programs for tensor in program.copies()]
        self.counts = [len(program.run(program.copies())) for program in programs]
        shapes = (any_sizes(self.inputs),) if way.dynamic else None
        exported = export_program(BatchModule(programs), tuple(self.inputs), {}, shapes)
        self._found: LoweringInput = import_for_lowering(exported)
        lying = _lying(exported, self._found)
        first = len(self._found.state)
        take_as_they_lie(self._found.module, {first + i: each for i, each in lying.items()})
        self._orders = {i: each.order for i, each in lying.items() if each.order is not None}
        self.kept = list(range(len(programs)))

    def run(self) -> list[tuple[torch.Tensor, ...]]:
        """Compile and call; the results of each program that is kept.

        Raises CompileError, and whatever a call raises.
        """
        options = Options(opt_level=self.way.opt_level)
        weights = FixedWeights(self._found.state, self._found.state_names)
        compiled = CompiledModule(_bytecode(self._found.module), options, weights, self._orders)
        results = compiled(*[tensor for each in self.programs for tensor in each.copies()])
        found = iter(results if isinstance(results, tuple) else (results,))
        return [tuple(next(found) for _ in range(self.counts[place])) for place in self.kept]

    def take_out(self, places: set[int]) -> None:
        """Return nothing of some programs, and erase what is computed for them alone."""
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
    """Erase an op whose results nothing uses but what says their sizes."""
    results = list(op.results)
    uses = [use.owner for result in results for use in result.uses]
    if not results or any(use.name != "torch.bind_symbolic_shape" for use in uses):
        return
    for use in uses:
        use.erase()
    op.erase()
