"""Call functions with vector variants for functions that have a rare, slow case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import ClassVar, NamedTuple

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import create_value
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.kernels.targets.record import target_of
from torch_refine.passes.lowering.llvm.approximate_math import APPROXIMATIONS
from torch_refine.passes.lowering.templates import Templates
from torch_refine.passes.program import symbol_name

_FAR = "torch_refine.far"
_VARIANTS = "vector-function-abi-variant"
_PASSED = "llvm.passthrough"


class _Function(NamedTuple):
    """A function of one argument, and the template for numbers of at most `limit`."""

    op: str
    type: str
    template: str
    limit: float


_FUNCTIONS = {
    (each.op, each.type): each
    for each in (
        _Function("math.sin", "f32", "near_sin", 2.0**30),
        _Function("math.cos", "f32", "near_cos", 2.0**30),
        _Function("math.tan", "f32", "near_tan", 2.0**30),
        _Function("math.sin", "f64", "near_wide_sin", 2.0**20),
        _Function("math.cos", "f64", "near_wide_cos", 2.0**20),
    )
}


@dataclass
class CallVectorFunctions(Pass):
    """Call functions with vector variants for functions that have a rare, slow case.

    The sine of a large number takes much longer than that of a small one. A scalar branch in a loop
    prevents vectorization, and computing both cases for all elements is slow. So a program gets a
    function for scalars, and variants of it for vectors, of which only those with a large number or
    NaN take the slow case; LLVM's vectorizer knows them by `vector-function-abi-variant`. They are
    for the vectors of the target, and for half of them, which loops with wider types use.

    The slow case is the op itself, with the attribute `torch_refine.far`, and left to
    `approximate-math` or the C library.

    Before:

    ```mlir
    func.func @f(%arg0: f64) -> f64 {
      %0 = math.cos %arg0 : f64
      return %0 : f64
    }
    ```

    After:

    ```mlir
    // ...
    func.func @f(%arg0: f64) -> f64 {
      %0 = call @math_cos_f64(%arg0) : (f64) -> f64
      return %0 : f64
    }
    ```
    """

    name: ClassVar[str] = "call-vector-functions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Replace the functions in a module."""
        known = {symbol_name(each): each for each in operations(op.regions[0].blocks[0])}
        names: dict[_Function, str] = {}
        for each in list(walk(op)):
            function = _FUNCTIONS.get((each.name, _element(each)))
            if function is None or _FAR in each.attributes:
                continue
            type = each.results[0].type
            lanes = type.shape[0] if isinstance(type, ir.VectorType) and type.rank == 1 else 0
            if isinstance(type, ir.VectorType) and lanes not in _lanes(op, function):
                continue
            if function not in names:
                names[function] = _name(function, known)
            callee = ir.FlatSymbolRefAttr.get(_variant(names[function], lanes), op.context)
            with ir.InsertionPoint(each), each.location:
                value = create_value("func.call", type, list(each.operands), {"callee": callee})
            each.results[0].replace_all_uses_with(value)
            each.erase()
            state.count(self.name, f"{function.op.removeprefix('math.')} replaced")
        missing = {function: name for function, name in names.items() if name not in known}
        if missing:
            templates = Templates(APPROXIMATIONS, op.context)
            for function, name in missing.items():
                _define(op, function, name, templates)


def _name(function: _Function, known: Mapping[str | None, ir.Operation]) -> str:
    """The name of a scalar function: that of the existing one, or one that is not taken."""
    preferred = f"{function.op.replace('.', '_')}_{function.type}"
    for number in count():
        name = f"{preferred}_{number}" if number else preferred
        if all(not str(each).startswith(name) for each in known):
            return name
        if name in known and _VARIANTS in str(known[name].attributes.get(_PASSED)):
            return name
    raise AssertionError("some name is not taken")


def _variant(name: str, lanes: int) -> str:
    return f"{name}x{lanes}" if lanes else name


def _element(op: ir.Operation) -> str:
    if len(op.results) != 1:
        return ""
    type = op.results[0].type
    return str(type.element_type if isinstance(type, ir.VectorType) else type)


def _lanes(module: ir.Operation, function: _Function) -> list[int]:
    """The numbers of elements of the variants."""
    lanes = target_of(module).lanes(int(function.type[1:]))
    return [each for each in (lanes, lanes // 2) if each > 1]


def _define(module: ir.Operation, function: _Function, name: str, templates: Templates) -> None:
    """Add a function and its variants in front of a module."""
    mangled = ",".join(
        f"_ZGV_LLVM_N{lanes}v_{name}({_variant(name, lanes)})" for lanes in _lanes(module, function)
    )
    text = "".join(_text(function, name, each, mangled) for each in (0, *_lanes(module, function)))
    parsed = ir.Module.parse(text, module.context)
    for each in operations(parsed.body):
        near = next(op for op in walk(each) if op.name == function.op and _FAR not in op.attributes)
        type = near.result.type
        lanes = type.shape[0] if isinstance(type, ir.VectorType) else 0
        with ir.InsertionPoint(near), near.location:
            made = templates.put(function.template, list(near.operands), lanes)
        near.result.replace_all_uses_with(made.results[0])
        near.erase()
        each.clone(ir.InsertionPoint.at_block_begin(module.regions[0].blocks[0]))


def _text(function: _Function, name: str, lanes: int, variants: str) -> str:
    """A function for scalars or vectors, in which the op stands for the template, too."""
    type, condition, limit = function.type, "i1", repr(function.limit)
    chosen, is_any, known = type, "", ""
    if lanes:
        type, condition = f"vector<{lanes}x{type}>", f"vector<{lanes}xi1>"
        limit, chosen = f"dense<{limit}>", f"{condition}, {type}"
        is_any = f"%any = vector.reduction <or>, %far : {condition} into i1"
    else:
        known = f', {_PASSED} = [["{_VARIANTS}", "{variants}"]]'
    # Nothing refers to a variant: an internal one would be removed before LLVM finds it.
    return f"""
func.func @{_variant(name, lanes)}(%x: {type}) -> {type} attributes {{no_inline,
    llvm.linkage = #llvm.linkage<weak_odr>, llvm.readnone, llvm.no_unwind,
    llvm.will_return{known}}} {{
  %limit = arith.constant {limit} : {type}
  %near = {function.op} %x : {type}
  %size = math.absf %x : {type}
  %far = arith.cmpf ugt, %size, %limit : {type}
  {is_any}
  %value = scf.if {"%any" if lanes else "%far"} -> {type} {{
    %all = {function.op} %x {{{_FAR}}} : {type}
    %chosen = arith.select %far, %all, %near : {chosen}
    scf.yield %chosen : {type}
  }} else {{
    scf.yield %near : {type}
  }}
  return %value : {type}
}}
"""
