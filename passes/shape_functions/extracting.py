"""Extract the shape function of a module's function."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from torch_refine.abstract_interpreter.conditions.learning import Learned
from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import Lattice
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.guards import InvalidGuardsError
from torch_refine.passes.base import PassFailure, RunState
from torch_refine.passes.program import is_private, program_functions, symbol_name
from torch_refine.passes.refine_types import deep_recursion, load_programs
from torch_refine.passes.shape_functions.analysis import FunctionShapes
from torch_refine.passes.shape_functions.memory import UnknownMemoryError
from torch_refine.passes.shape_functions.shape_function import ShapeFunction
from torch_refine.passes.type_refinement.sweep import Sweep

_NAME = "shape-function"


@contextmanager
def swept(
    module: ir.Operation, inference: Inference, state: RunState, name: str
) -> Iterator[Sweep]:
    """A sweep that refined a module, with what its operators tell of symbols."""
    with closing(Sweep(module, inference, state, name, True)) as sweep:
        sweep.learned = Learned()
        sweep.refine()
        yield sweep


def learning_inference(extra_library: str, op: ir.Operation, state: RunState) -> Inference:
    """An inference that tells what runs without errors imply; raises PassFailure."""
    return Inference(load_programs(extra_library, op, state), Lattice(), learns=True)


def extract(
    module: ir.Operation, function: str | None, peak: bool, extra_library: str, state: RunState
) -> ShapeFunction:
    """The shape function of a function of a module, which is left unchanged.

    Without a name, it is that of the only public function. Raises PassFailure after reporting
    errors.
    """
    copy = module.clone(ip=False)
    inference = learning_inference(extra_library, module, state)
    found = _find(copy, function, state)
    with deep_recursion(copy, _NAME, state), swept(copy, inference, state, _NAME) as sweep:
        if state.diagnostics.has_errors:
            raise PassFailure(_NAME)
        try:
            shapes = FunctionShapes(found, sweep, inference)
            for op, message in shapes.impossible:
                state.diagnostics.error(op.location, f"it always raises: {message}")
            if not shapes.impossible:
                return ShapeFunction(shapes, symbol_name(found) or "", peak)
        except UnknownMemoryError as error:
            place = found if error.op is None else error.op
            state.diagnostics.error(place.location, f"the peak of live bytes is unknown: {error}")
        except InvalidGuardsError as error:
            state.diagnostics.error(found.location, str(error))
    raise PassFailure(_NAME)


def _find(module: ir.Operation, name: str | None, state: RunState) -> ir.Operation:
    """The function with a name, or the only public one."""
    functions = {
        symbol_name(each): each
        for each in program_functions(module)
        if each.name == "func.func" and len(each.regions[0].blocks) and each.parent == module
    }
    if name is None:
        public = [each for each in functions.values() if not is_private(each)]
        if len(public) == 1:
            return public[0]
        message = f"expected one public function with a body, not {len(public)}: name one"
    elif name in functions:
        return functions[name]
    else:
        listed = ", ".join(sorted(filter(None, functions))) or "none"
        message = f"no function {name} with a body; there are: {listed}"
    state.diagnostics.error(module.location, message)
    raise PassFailure(message)
