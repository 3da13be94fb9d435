"""Replace operators by the operators that their decomposition functions call."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from itertools import compress
from typing import Any, ClassVar

from torch_refine.abstract_interpreter.decomposing import Decomposed, Decomposer
from torch_refine.abstract_interpreter.inference import Inference
from torch_refine.abstract_interpreter.lattice import Lattice, LatticeValue, Sequence, Tensor
from torch_refine.abstract_interpreter.materialising.materialiser import Materialiser
from torch_refine.abstract_interpreter.materialising.writer import Constants, Unwritable, Writer
from torch_refine.abstract_interpreter.values import ListObject, TensorValue
from torch_refine.dialect.bindings import ir, walk
from torch_refine.dialect.names import library_symbol, name_of, operator_name
from torch_refine.dialect.schemas import core_aten
from torch_refine.dialect.tensor_type import Contradiction
from torch_refine.passes.base import Pass, PassFailure, RunState, option
from torch_refine.passes.program import device_of, modules
from torch_refine.passes.refine_types import deep_recursion, load_programs
from torch_refine.passes.type_refinement.declared import Declared
from torch_refine.passes.type_refinement.sweep import Sweep


@dataclass
class DecomposeOps(Pass):
    """Replace operators by the operators that their decomposition functions call.

    A decomposition function is a Python function of the library that computes an operator by
    others. It is run on what is known of the operator's operands: conditions on ranks, dtypes,
    sizes and optionals are resolved, and every new value gets its inferred type, so no
    `torch.prim.If` is added. Operators of which a condition remains open are left as they are;
    `--remarks-filter-missed` says why. Types are refined, too, as by `torch-refine-types`.

    Without `ops`, all operators that have a decomposition function are replaced, but those in
    `keep`. A decomposition may call operators that are decomposed in their turn. `to` names the
    operators that are left as they are: those of core ATen, `prims`, or, for `linalg`, only what
    has no decomposition function, which the lowering takes.

    Before:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
      %0 = torch.aten.rad2deg %arg0 : !torch.vtensor<[?,4],f32> -> !torch.vtensor<[?,4],f32>
      return %0 : !torch.vtensor<[?,4],f32>
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32> {
      %float5.729570e01 = torch.constant.float 57.295779513082323
      %0 = torch.aten.mul.Scalar %arg0, %float5.729570e01 : !torch.vtensor<[?,4],f32>, !torch.float -> !torch.vtensor<[?,4],f32>
      return %0 : !torch.vtensor<[?,4],f32>
    }
    ```
    """

    name: ClassVar[str] = "torch-decompose-ops"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    ops: str = option("", "comma-separated operators to decompose, such as aten::sgn; default: all")
    keep: str = option("", "comma-separated operators that are not decomposed")
    to: str = option(
        "linalg", "what operators are decomposed to", choices=("core-aten", "prims", "linalg")
    )
    extra_library: str = option(
        "", "comma-separated files with functions that take precedence over the shipped ones"
    )

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Decompose the operators of all functions of a module."""
        programs = load_programs(self.extra_library, op, state)
        wanted, kept = _names(self.ops), _names(self.keep)
        for operator in sorted(wanted | kept):
            if library_symbol("decomposition", operator) not in programs:
                message = f"{self.name}: {operator} has no decomposition function"
                state.diagnostics.error(op.location, message)
        if state.diagnostics.has_errors:
            raise PassFailure(self.name)
        inference = Inference(programs, Lattice())

        def is_kept(operator: str) -> bool:
            if operator in kept or (wanted and operator not in wanted):
                return True
            if self.to == "core-aten":
                return operator in core_aten()
            return self.to == "prims" and operator.startswith("prims::")

        with deep_recursion(op, self.name, state):
            for module in list(modules(op)):
                decomposer = Decomposer(inference, is_kept)
                if any(_decomposes(each, decomposer) for each in walk(module)):
                    self._decompose(module, decomposer, state)
        if state.diagnostics.has_errors:
            raise PassFailure(self.name)

    def _decompose(self, module: ir.Operation, decomposer: Decomposer, state: RunState) -> None:
        with closing(Sweep(module, decomposer.inference, state, self.name, False)) as sweep:
            sweep.refine()
            constants: dict[ir.Block, Constants] = {}
            # The lattice values are found by value: none may be made in the memory of another.
            replaced: list[ir.Operation] = []
            for op in [each for each in walk(module) if _decomposes(each, decomposer)]:
                sweep.enter(_device(op))
                operands = tuple(map(sweep.fact, op.operands))
                operator = operator_name(name_of(op))
                found = decomposer.decompose(operator, operands)
                if found.remark == "":
                    continue
                reason = found.remark or _replace(op, found, sweep.declared, constants)
                if reason is None:
                    state.count(self.name, "operators decomposed")
                    state.passed(self.name, operator, op)
                    replaced.append(op)
                else:
                    state.missed(self.name, operator, op, reason)
            for op in replaced:
                op.erase()


def _names(text: str) -> set[str]:
    """Operators by their names in schemas, from names in schemas or IR."""
    names = [each.strip() for each in text.split(",")]
    return {each if "::" in each else operator_name(each) for each in names if each}


def _decomposes(op: ir.Operation, decomposer: Decomposer) -> bool:
    return len(op.results) > 0 and decomposer.decomposes(operator_name(name_of(op)))


def _device(op: ir.Operation) -> str | None:
    outer: ir.Operation | None = op
    while outer is not None and outer.name != "func.func":
        outer = None if outer.parent is None else outer.parent.operation
    return None if outer is None else device_of(outer)


def _replace(
    op: ir.Operation, found: Decomposed, declared: Declared, constants: dict[ir.Block, Constants]
) -> str | None:
    """Write a decomposition in front of an operator, whose uses it takes; else the reason.

    `constants` are those of the blocks so far.
    """
    assert found.trace is not None
    types = declared.types
    if len(found.facts) != len(op.results):
        return f"its function gives {len(found.facts)} results, the op has {len(op.results)}"
    # The types of results that nothing uses do not matter.
    used = [any(True for _ in result.uses) for result in op.results]
    for result, fact in compress(zip(op.results, found.facts, strict=True), used):
        reason = _misfit(fact, result.type, declared)
        if reason is not None:
            return reason
    operands = list(op.operands)
    if op.block not in constants:
        constants[op.block] = Constants(types, op.block, op.location)
    writer = Writer(types, op.block, op.location, constants[op.block])
    writer.scopes[0].before = op
    given = {atom: operands[index] for atom, index in found.captured.given.items()}
    for operand, value in zip(operands, found.captured.values, strict=True):
        writer.scopes[0].names |= _elements(operand, value)
    written = Materialiser(writer, given, lambda symbol: None)
    try:
        values = written.write(found.trace, found.results, "", found.demand)
    except Unwritable as error:
        return f"a part of it cannot be written: {error}"
    for result, value in compress(zip(op.results, values, strict=True), used):
        if value.type != result.type:
            kind = types.text(result.type).removeprefix("!torch.")
            value = writer.emit("torch.tensor_static_info_cast", [kind], [value]).result
        result.replace_all_uses_with(value)
    return None


def _misfit(fact: LatticeValue, type: ir.Type, declared: Declared) -> str | None:
    """Why a result of a decomposition cannot take the place of one of this type."""
    tensor = declared.types.tensor(type)
    if tensor is None:
        is_list = isinstance(fact, Sequence) and fact.items is not None
        same = is_list and declared.kind(type) == "list<vtensor>"
        return None if same else "a result is no tensor with value semantics"
    if not tensor.value_semantics or not isinstance(fact, Tensor):
        return "a result is no tensor with value semantics"
    try:
        declared.meet(fact, type)
    except Contradiction as error:
        return f"its function gives {declared.tensor_type(fact, tensor)}: {error}"
    return None


def _elements(operand: ir.Value, value: Any) -> dict[Any, ir.Value]:
    """The elements of a list that is made where they are known, so that it is not read."""
    if not isinstance(value, ListObject) or value.items is None:
        return {}
    owner = operand.owner
    if isinstance(owner, ir.Block) or owner.name != "torch.prim.ListConstruct":
        return {}
    pairs = zip(value.items, owner.operation.operands, strict=True)
    return {item: each for item, each in pairs if isinstance(item, TensorValue)}
