"""Simplify reified calculations, and refine types by their results.

The program is visited as in `torch-refine-types`, but the results of an operator are those of its
calculations. Each calculation is run once, and replaced by its simplified form.
"""

from __future__ import annotations

from contextlib import closing

from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import Lattice
from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.names import Kind
from torch_refine.passes.base import PassFailure, RunState
from torch_refine.passes.program import modules, program_functions, symbol_name
from torch_refine.passes.refine_types import deep_recursion
from torch_refine.passes.type_refinement.sweep import Sweep


def simplify_calculations(kind: Kind, name: str, op: ir.Operation, state: RunState) -> None:
    """Simplify all calculations of a kind in a module or a function.

    Raises PassFailure if a calculation contradicts a declared type.
    """
    inference = state.reified.sweeps.setdefault(None, Inference(Programs(), Lattice()))
    before = inference.hits, inference.misses
    with deep_recursion(op, name, state):
        for module in modules(op):
            with closing(Sweep(module, inference, state, name, False, False, (kind,))) as sweep:
                _simplify(sweep, module, kind)
    state.count(name, "cache hits", inference.hits - before[0])
    state.count(name, "cache misses", inference.misses - before[1])
    if state.diagnostics.has_errors:
        raise PassFailure(name)


def _simplify(sweep: Sweep, module: ir.Operation, kind: Kind) -> None:
    """Simplify all calculations of a kind in one module."""
    assert sweep.calculations is not None
    earlier_results = sweep.calculations.earlier_results
    if earlier_results.known is not None and kind not in earlier_results.written:
        sweep.refine_again(earlier_results.known)
    elif module.name == "builtin.module":
        sweep.refine()
    else:
        for function in program_functions(module):
            sweep.calls.write(symbol_name(function) or "", None)
    earlier_results.known = sweep.known
    earlier_results.written.add(kind)
