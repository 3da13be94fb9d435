"""Simplifying reified calculations, and refining types by what they give.

The program is visited as `torch-refine-types` does it, but what an operator gives is what its
calculations say. A calculation is run once, and written as what it comes to.
"""

from __future__ import annotations

from contextlib import closing

from torch_refine.abstract_interpreter.facts import Facts
from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.names import Kind
from torch_refine.passes.base import PassFailure, RunState
from torch_refine.passes.program import modules, program_functions, symbol_name
from torch_refine.passes.refine_types import deep_recursion
from torch_refine.passes.type_refinement.sweep import Sweep


def simplify_calculations(kind: Kind, name: str, op: ir.Operation, state: RunState) -> None:
    """Simplify all calculations of a kind in a module or a function.

    Raises PassFailure where a calculation contradicts what the program declares.
    """
    inference = state.reified.sweeps.setdefault(None, Inference(Programs(), Facts()))
    before = inference.hits, inference.misses
    with deep_recursion(op, name, state):
        for module in modules(op):
            with closing(Sweep(module, inference, state, name, False, False, (kind,))) as sweep:
                _simplify(sweep, module, kind)
    state.count(name, "calculations remembered", inference.hits - before[0])
    state.count(name, "calculations run", inference.misses - before[1])
    if state.diagnostics.has_errors:
        raise PassFailure(name)


def _simplify(sweep: Sweep, module: ir.Operation, kind: Kind) -> None:
    """Simplify all calculations of a kind in one module."""
    assert sweep.calculations is not None
    remembered = sweep.calculations.remembered
    if remembered.known is not None and kind not in remembered.written:
        sweep.refine_again(remembered.known)
    elif module.name == "builtin.module":
        sweep.refine()
    else:
        for function in program_functions(module):
            sweep.calls.write(symbol_name(function) or "", None)
    remembered.known = sweep.known
    remembered.written.add(kind)
