"""Lower asserts to a status that the function returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_refine.dialect.bindings import ir, operations, walk
from torch_refine.dialect.diagnostics import diagnostic
from torch_refine.dialect.ir_builder import create_op, create_value
from torch_refine.dialect.structured_ops import operation_of
from torch_refine.passes.base import Pass, RunState
from torch_refine.passes.lowering.abi import ASSERTIONS, STATUS
from torch_refine.passes.lowering.llvm.check_allocations import NO_MEMORY
from torch_refine.passes.program import has_interface, symbol_name

# Ops whose region is a loop body, and loops: no other op of their block follows.
_WRAPPERS = ("omp.wsloop", "omp.loop_nest")
_ASSIGN = 3


@dataclass
class LowerAsserts(Pass):
    """Lower asserts to a status that the function returns.

    Upstream lowers `cf.assert` to a call of `abort`. Here every public function gets one more
    memref of a scalar, its last argument, the status; a failing assertion stores the number of its
    message there, and the function returns. Its results are then undefined. The messages are an
    attribute of the module. Memory that the function holds at that point is freed by the caller
    (`track-allocations`).

    A branch cannot leave a region such as the body of a parallel loop. A failing assertion there
    ends the iteration; the function returns after the op that contains the region.

    Runs on functions in unstructured control flow.

    Before:

    ```mlir
    func.func @f(%arg0: i1) {
      cf.assert %arg0, "wrong"
      return
    }
    ```

    After:

    ```mlir
    func.func @f(%arg0: i1, %arg1: memref<i64>) attributes {torch_refine.status} {
      cf.cond_br %arg0, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      return
    ^bb2:  // pred: ^bb0
      %c1_i64 = arith.constant 1 : i64
      memref.store %c1_i64, %arg1[] : memref<i64>
      return
    }
    ```
    """

    name: ClassVar[str] = "lower-asserts"
    anchors: ClassVar[tuple[str, ...]] = ("builtin.module",)

    def run(self, op: ir.Operation, state: RunState) -> None:
        """Lower the assertions of a module."""
        if ASSERTIONS in op.attributes:
            # Already lowered.
            return
        functions = {
            str(symbol_name(each)): each
            for each in operations(op.regions[0].blocks[0])
            if each.name == "func.func" and len(each.regions[0].blocks)
        }
        asserting = _asserting(functions)
        # Kernels assert that memory was allocated: with the same number in every program, they are
        # the same in every program.
        messages = [NO_MEMORY] if any(map(_is_about_memory, walk(op))) else []
        for name, function in functions.items():
            if name in asserting or has_interface(function):
                _Function(function, asserting, messages).lower()
        state.count(self.name, "assertions", len(messages))
        texts = [ir.StringAttr.get(message, op.context) for message in messages]
        op.attributes[ASSERTIONS] = ir.ArrayAttr.get(texts, op.context)


def _asserting(functions: dict[str, ir.Operation]) -> set[str]:
    """The functions that may fail: they assert, or call one that does."""
    found = {
        name
        for name, function in functions.items()
        if any(op.name == "cf.assert" for op in walk(function))
    }
    while True:
        callers = {
            name
            for name, function in functions.items()
            if any(_callee(op) in found for op in walk(function))
        }
        if callers <= found:
            return found
        found |= callers


def _is_about_memory(op: ir.Operation) -> bool:
    return bool(op.name == "cf.assert" and ir.StringAttr(op.attributes["msg"]).value == NO_MEMORY)


def _callee(op: ir.Operation) -> str | None:
    if op.name != "func.call":
        return None
    return str(ir.FlatSymbolRefAttr(op.attributes["callee"]).value)


def _is_last(op: ir.Operation) -> bool:
    """Whether only a terminator without operands follows an op."""
    following = list(operations(op.block))
    following = following[following.index(op) + 1 :]
    return len(following) == 1 and not len(following[0].operands) and not following[0].successors


def _split_after(op: ir.Operation) -> ir.Block:
    """Split the block after an op; returns the new block."""
    block = op.block
    following = list(operations(block))
    following = following[following.index(op) + 1 :]
    rest: ir.Block = block.create_after()
    for each in following:
        each.detach_from_parent()
        rest.append(each)
    return rest


class _Function:
    """A function that gets a status argument."""

    def __init__(self, function: ir.Operation, asserting: set[str], messages: list[str]) -> None:
        self.function = function
        self.asserting = asserting
        self.messages = messages
        self.context = function.context
        number = ir.IntegerType.get_signless(64, self.context)
        with self.context, ir.Location.unknown():
            memory = ir.MemRefType.get([], number)
        self.number = number
        type = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
        self.results = list(type.results)
        inputs = [*type.inputs, memory]
        new = ir.FunctionType.get(inputs, self.results, self.context)
        function.attributes["function_type"] = ir.TypeAttr.get(new, self.context)
        if "arg_attrs" in function.attributes:
            old = list(ir.ArrayAttr(function.attributes["arg_attrs"]))
            empty = ir.DictAttr.get({}, self.context)
            function.attributes["arg_attrs"] = ir.ArrayAttr.get([*old, empty], self.context)
        entry = function.regions[0].blocks[0]
        self.status = entry.add_argument(memory, ir.Location.unknown(self.context))
        function.attributes[STATUS] = ir.UnitAttr.get(self.context)

    def lower(self) -> None:
        """Lower assertions and calls that may fail in the body."""
        found = [
            op
            for op in walk(self.function)
            if op.name == "cf.assert" or _callee(op) in self.asserting
        ]
        holding: dict[ir.Operation, None] = {}
        for op in found:
            holding.update(dict.fromkeys(self._ancestors(op)))
            if op.name == "cf.assert":
                self._assertion(op)
            else:
                self._call(op)
        for op in holding:
            if op.name not in _WRAPPERS and not _is_last(op):
                self._return_if_failed(op)

    def _ancestors(self, op: ir.Operation) -> list[ir.Operation]:
        """The ancestors of an op within the function, the innermost first."""
        found = []
        while (op := operation_of(op.parent)) != self.function:
            found.append(op)
        return found

    def _assertion(self, op: ir.Operation) -> None:
        text = ir.StringAttr(op.attributes["msg"]).value
        at = diagnostic("error", op.location, text)
        where = f" (at {at.file}:{at.line})" if at.file else ""
        message = f"{text}{where}"
        if message not in self.messages:
            self.messages.append(message)
        condition = op.operands[0]
        is_parallel = operation_of(op.parent) != self.function
        rest, failed = self._split(op)
        block = op.block
        op.erase()
        self._branch(block, condition, rest, failed, ir.Location.unknown(self.context))
        with ir.InsertionPoint(failed), ir.Location.unknown(self.context):
            number = self._constant(self.messages.index(message) + 1)
            if is_parallel:
                # Another thread may fail at the same time.
                create_op(
                    "memref.atomic_rmw",
                    [number, self.status],
                    {"kind": ir.IntegerAttr.get(self.number, _ASSIGN)},
                    results=[self.number],
                )
            else:
                create_op("memref.store", [number, self.status])
        self._leave(failed)

    def _call(self, op: ir.Operation) -> None:
        with ir.InsertionPoint(op), op.location:
            new = create_op(
                "func.call",
                [*op.operands, self.status],
                {"callee": op.attributes["callee"]},
                results=[result.type for result in op.results],
            )
        for old, replacement in zip(op.results, new.results, strict=True):
            old.replace_all_uses_with(replacement)
        op.erase()
        self._return_if_failed(new)

    def _return_if_failed(self, op: ir.Operation) -> None:
        """Leave the region after an op in which an assertion failed."""
        rest, failed = self._split(op)
        with ir.InsertionPoint(op.block), ir.Location.unknown(self.context):
            found = create_value("memref.load", self.number, [self.status])
            zero = self._constant(0)
            predicate = ir.IntegerAttr.get(self.number, 0)
            well = create_value(
                "arith.cmpi",
                ir.IntegerType.get_signless(1, self.context),
                [found, zero],
                {"predicate": predicate},
            )
        self._branch(op.block, well, rest, failed, ir.Location.unknown(self.context))
        self._leave(failed)

    def _split(self, op: ir.Operation) -> tuple[ir.Block, ir.Block]:
        """Split the block after an op; returns the continuation, and an empty failure block."""
        block = op.block
        rest = _split_after(op)
        if operation_of(block.owner) == self.function:
            return rest, self.function.regions[0].blocks.append()
        # The last block of a region terminates it.
        return rest, list(block.region)[-1].create_before()

    def _branch(
        self,
        block: ir.Block,
        condition: ir.Value,
        rest: ir.Block,
        failed: ir.Block,
        location: ir.Location,
    ) -> None:
        segments = ir.DenseI32ArrayAttr.get([1, 0, 0], self.context)
        with ir.InsertionPoint(block), location:
            ir.Operation.create(
                "cf.cond_br",
                operands=[condition],
                successors=[rest, failed],
                attributes={"operandSegmentSizes": segments},
            )

    def _leave(self, block: ir.Block) -> None:
        """Return from the function, or terminate the region of an op."""
        if operation_of(block.owner) == self.function:
            self._return(block)
            return
        exit = self._exit(block.region)
        with ir.InsertionPoint(block), ir.Location.unknown(self.context):
            ir.Operation.create("cf.br", successors=[exit])

    def _exit(self, region: ir.Region) -> ir.Block:
        """The block that only terminates a region."""
        last = list(region)[-1]
        terminator = list(operations(last))[-1]
        assert not len(terminator.operands), f"{terminator.name} of a region that may fail"
        if len(last.operations) == 1 and last != region.blocks[0]:
            return last
        before = list(operations(last))[-2:-1]
        if before:
            exit = _split_after(before[0])
        else:
            exit = last.create_after()
            terminator.detach_from_parent()
            exit.append(terminator)
        with ir.InsertionPoint(last), ir.Location.unknown(self.context):
            ir.Operation.create("cf.br", successors=[exit])
        return exit

    def _return(self, block: ir.Block) -> None:
        with ir.InsertionPoint(block), ir.Location.unknown(self.context):
            poison = ir.Attribute.parse("#ub.poison", self.context)
            undefined = [
                create_op("ub.poison", attributes={"value": poison}, results=[type])
                for type in self.results
            ]
            create_op("func.return", [each.result for each in undefined])

    def _constant(self, value: int) -> ir.Value:
        attribute = ir.IntegerAttr.get(self.number, value)
        return create_value("arith.constant", self.number, [], {"value": attribute})
