"""Hoist what depends on weights alone into a function that runs once."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.ir_builder import create_op
from torch_refine.dialect.structured_ops import defining_op, operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.abi import PREPARE, PREPARED, STATE
from torch_refine.passes.program import redeclare, symbol_name

_PURE = ("linalg.", "tensor.", "arith.", "math.")
_ACCESSES = ("tensor.extract", "tensor.insert", "tensor.extract_slice", "tensor.insert_slice")
_VIEWS = ("tensor.expand_shape", "tensor.collapse_shape", "tensor.cast")
# A hoisted value may be this many times larger than its operands, or have this many elements.
_GROWTH = 2
_SMALL = 1 << 16


@dataclass
class HoistConstantExpressions(Pass):
    """Hoist what depends on weights alone into a function that runs once.

    The attribute `torch_refine.state` of a function names the arguments that are the same in all
    calls, such as the weights of a model. Expressions of these alone are hoisted into a function
    that is called once, and their results become arguments: packed weights, the factors of a
    normalisation. The pass may run again, after other passes created more such expressions.

    Before:

    ```mlir
    func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> tensor<2xf32> \
attributes {torch_refine.state = array<i64: 0>} {
      %0 = tensor.empty() : tensor<2xf32>
      %1 = linalg.exp ins(%arg0 : tensor<2xf32>) outs(%0 : tensor<2xf32>) -> tensor<2xf32>
      %2 = linalg.add ins(%1, %arg1 : tensor<2xf32>, tensor<2xf32>) \
outs(%0 : tensor<2xf32>) -> tensor<2xf32>
      return %2 : tensor<2xf32>
    }
    ```

    After:

    ```mlir
    func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>, %arg2: tensor<2xf32>) \
-> tensor<2xf32> attributes {torch_refine.prepared = 1 : i64, torch_refine.state = array<i64: 0>} {
      %0 = tensor.empty() : tensor<2xf32>
      %1 = linalg.add ins(%arg2, %arg1 : tensor<2xf32>, tensor<2xf32>) \
outs(%0 : tensor<2xf32>) -> tensor<2xf32>
      return %1 : tensor<2xf32>
    }
    func.func @prepare_main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
      %0 = tensor.empty() : tensor<2xf32>
      %1 = linalg.exp ins(%arg0 : tensor<2xf32>) outs(%0 : tensor<2xf32>) -> tensor<2xf32>
      return %1 : tensor<2xf32>
    }
    ```
    """

    name: ClassVar[str] = "hoist-constant-expressions"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Hoist in the functions of a module."""
        functions = list(operations(op.regions[0].blocks[0]))
        by_name = {symbol_name(each): each for each in functions}
        for function in functions:
            if STATE in function.attributes and len(function.regions[0].blocks) == 1:
                found = _Function(function, by_name.get(f"{PREPARE}{symbol_name(function)}"))
                state.count(self.name, "values prepared", found.prepare())


@dataclass
class _Function:
    """A function with state, and its preparation function, if there is one already."""

    function: ir.Operation
    preparing: ir.Operation | None
    copies: dict[ir.Value, ir.Value] = field(default_factory=dict)
    """Maps values of the function to values of the preparation function."""

    def prepare(self) -> int:
        """Hoist the expressions of the state alone; returns the number of hoisted values."""
        places = list(ir.DenseI64ArrayAttr(self.function.attributes[STATE]))
        body = self.function.regions[0].blocks[0]
        arguments = list(body.arguments)
        known = [arguments[place] for place in places]
        before = self._prepared()
        given = arguments[len(arguments) - before :] if before else []
        found = _prepared_values(body, {*known, *given})
        if not found:
            return 0
        preparing = self.preparing or self._new_function(known)
        block = preparing.regions[0].blocks[0]
        returned = list(operations(block))[-1]
        self.copies.update(zip(known, block.arguments, strict=True))
        self.copies.update(zip(given, returned.operands, strict=True))
        with ir.InsertionPoint(returned):
            results = [self._copy(value) for value in found]
        self._add_arguments(found)
        kept = [each for each in given if any(True for _ in each.uses)]
        for each in given:
            if each not in kept:
                body.erase_argument(ir.BlockArgument(each).arg_number)
        results = [self.copies[each] for each in kept] + results
        with ir.InsertionPoint(returned), returned.location:
            new = create_op("func.return", results)
        returned.erase()
        redeclare(preparing, new)
        redeclare(self.function, list(operations(body))[-1])
        number = ir.IntegerType.get_signless(64, self.function.context)
        self.function.attributes[PREPARED] = ir.IntegerAttr.get(number, len(results))
        return len(found)

    def _prepared(self) -> int:
        if PREPARED not in self.function.attributes:
            return 0
        return int(ir.IntegerAttr(self.function.attributes[PREPARED]).value)

    def _new_function(self, known: list[ir.Value]) -> ir.Operation:
        context = self.function.context
        types = [value.type for value in known]
        name = f"{PREPARE}{symbol_name(self.function)}"
        type = ir.FunctionType.get(types, [], context)
        point = ir.InsertionPoint(self.function.block)
        with point, ir.Location.unknown(context):
            function = create_op(
                "func.func",
                attributes={
                    "sym_name": ir.StringAttr.get(name, context),
                    "function_type": ir.TypeAttr.get(type, context),
                },
                regions=1,
            )
            unknown = [ir.Location.unknown(context)] * len(types)
            block = ir.Block.create_at_start(function.regions[0], types, unknown)
            with ir.InsertionPoint(block):
                create_op("func.return")
        return function

    def _copy(self, value: ir.Value) -> ir.Value:
        """Clone a value with its backward slice into the preparation function."""
        pending = [value]
        while pending:
            producer = defining_op(pending[-1])
            if pending[-1] in self.copies or producer is None:
                pending.pop()
                continue
            missing = [each for each in _captured(producer) if each not in self.copies]
            if missing:
                pending.extend(missing)
                continue
            copy = producer.clone()
            for each in [copy, *walk(copy)]:
                for index, operand in enumerate(each.operands):
                    if operand in self.copies:
                        each.operands[index] = self.copies[operand]
            self.copies.update(zip(producer.results, copy.results, strict=True))
        return self.copies[value]

    def _add_arguments(self, values: list[ir.Value]) -> None:
        """Replace values by new arguments of the function."""
        body = self.function.regions[0].blocks[0]
        unknown = ir.Location.unknown(self.function.context)
        for value in values:
            value.replace_all_uses_with(body.add_argument(value.type, unknown))
        # The backward slices of the values are dead.
        for op in reversed(list(operations(body))):
            is_used = any(True for result in op.results for _ in result.uses)
            if op.name.startswith(_PURE) and not is_used:
                op.erase()


def constant_values(function: ir.Operation) -> set[ir.Value]:
    """The values of a function that are the same in all calls."""
    if STATE not in function.attributes or len(function.regions[0].blocks) != 1:
        return set()
    body = function.regions[0].blocks[0]
    arguments = list(body.arguments)
    known = {arguments[place] for place in ir.DenseI64ArrayAttr(function.attributes[STATE])}
    if PREPARED in function.attributes:
        count = int(ir.IntegerAttr(function.attributes[PREPARED]).value)
        known.update(arguments[len(arguments) - count :])
    return _dependents(body, known)


def _dependents(body: ir.Block, known: set[ir.Value]) -> set[ir.Value]:
    """Known values of a block, and those that depend on them alone."""
    constant: set[ir.Value] = set()
    derived = set(known)
    for op in operations(body):
        if not op.name.startswith(_PURE) or not len(op.results) or _is_asserted(op):
            continue
        taken = _captured(op)
        if all(each in constant for each in taken):
            constant.update(op.results)
        elif all(each in constant or each in derived for each in taken) and _can_move(op):
            derived.update(op.results)
    return derived


def _prepared_values(body: ir.Block, known: set[ir.Value]) -> list[ir.Value]:
    """The values of a block that depend on known ones alone and have other users."""
    derived = _dependents(body, known)
    found = []
    for op in reversed(list(operations(body))):
        made = [result for result in op.results if result in derived]
        outside = [each for each in made if _is_used_outside(each, derived)]
        if not outside:
            continue
        if op.name in _VIEWS:
            # A view costs nothing, so it stays at its uses; its source is hoisted.
            derived.difference_update(op.results)
        else:
            found.extend(outside)
    return found[::-1]


def _is_asserted(op: ir.Operation) -> bool:
    """Whether an assertion in front of an op checks the bounds of its accesses.

    That assertion stays in place; assertions inside a loop move with it.
    """
    return op.name in _ACCESSES and any(
        isinstance(operand.type, ir.IndexType) for operand in op.operands
    )


def _is_used_outside(value: ir.Value, derived: set[ir.Value]) -> bool:
    block = operation_of(value.owner).block
    for use in value.uses:
        user = operation_of(use.owner)
        while user.block != block:
            user = operation_of(user.parent)
        if not len(user.results) or user.results[0] not in derived:
            return True
    return False


def _captured(op: ir.Operation) -> list[ir.Value]:
    """The values that an op with its regions captures from outside."""
    if not len(op.regions):
        return list(op.operands)
    inner = list(walk(op))
    made = {result for each in inner for result in each.results}
    for each in [op, *inner]:
        for region in each.regions:
            for block in region:
                made.update(block.arguments)
    operands = [operand for each in [op, *inner] for operand in each.operands]
    return [operand for operand in operands if operand not in made]


def _can_move(op: ir.Operation) -> bool:
    """Whether an op yields tensors of static sizes that are worth keeping."""
    if not all(_has_known_sizes(result) for result in op.results):
        return False
    given = [
        operand
        for operand in op.operands
        if _has_known_sizes(operand) and not _is_destination(operand)
    ]
    most = max(_GROWTH * sum(map(_elements, given)), _SMALL)
    return sum(map(_elements, op.results)) <= most


def _has_known_sizes(value: ir.Value) -> bool:
    type = value.type
    return isinstance(type, ir.RankedTensorType) and bool(type.has_static_shape)


def _elements(value: ir.Value) -> int:
    return math.prod(ir.RankedTensorType(value.type).shape)


def _is_destination(value: ir.Value) -> bool:
    """Whether a value is only a destination."""
    producer = defining_op(value)
    return producer is not None and producer.name in ("tensor.empty", "linalg.fill")
