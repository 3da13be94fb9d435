"""Wrap operators in calculate ops that call library functions.

The two reifying passes, for shapes and for dtypes, differ only in the kind; the conversion of each
operand follows from its parameter's type.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from pathlib import Path

from torch_refine.abstract_interpreter.operands import (
    BOOL_OR_INT,
    Conversion,
    Misfit,
    NotAdaptable,
    check_count,
    check_results,
    conversion,
)
from torch_refine.dialect.bindings import ir, operations
from torch_refine.dialect.calculate_ops import (
    CALCULATE,
    OP_NAMES,
    body,
    calculation,
    drop,
    is_reified,
    wrap,
)
from torch_refine.dialect.kinds import element_kind, signature_kinds, split_kinds
from torch_refine.dialect.library import Library, LibraryError
from torch_refine.dialect.names import Kind, library_symbol, name_of, operator_name
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import PassFailure, RunState
from torch_refine.passes.branching import walk_reachable
from torch_refine.passes.casts import CAST
from torch_refine.passes.list_uses import only_read
from torch_refine.passes.misfits import report_misfit
from torch_refine.passes.program import LIBRARY_ATTRIBUTE, program_functions, symbol_name
from torch_refine.passes.reified import Reading, add_layer, nest_around
from torch_refine.passes.reshaping import reshapes_in_place

_GET_ITEM = "torch.aten.__getitem__.t"
_LIST_UNPACK = "torch.prim.ListUnpack"


# The ops of single-op conversions.
_ONE_STEP = {
    Conversion.WIDER: "torch.derefine",
    Conversion.ABSENT: "torch.derefine",
    Conversion.NARROWER: "torch.prim.unchecked_cast",
    Conversion.SIZES: "torch.aten.size",
    Conversion.FLOAT: "torch.aten.Float.Scalar",
    Conversion.INT: "torch.aten.Int.bool",
}


class UnknownListError(NotAdaptable):
    """The elements of a list of tensors are unknown, which is no mistake of a function."""


class Reifier:
    """Reifies the calculations of one kind in one module."""

    def __init__(
        self,
        kind: Kind,
        library: Library,
        types: Types,
        state: RunState,
        name: str,
    ) -> None:
        self.kind: Kind = kind
        self.names = CALCULATE[kind]
        self.library = library
        self.types = types
        self._signatures: dict[str, tuple[list[str], list[str]]] = {}
        self._unchanged: dict[ir.Value, bool] = {}
        self.used: set[str] = set()
        self.reified = state.reified
        self.state = state
        self.name = name
        self.block: ir.Block
        self.location: ir.Location
        # The structural key of the calculation, as in `type_refinement/calculations/reading.py`.
        self.parts: list[Hashable] = []
        self.numbers: dict[ir.Value, int] = {}
        self.captured: list[ir.Value] = []
        self.has_regions = False

    def reify(self, op: ir.Operation) -> bool:
        """Wrap an operator with its calculation; False if no function fits."""
        if not self.has_tensor_result(op) or is_reified(op, self.kind):
            return False
        symbol = library_symbol(self.kind, name_of(op))
        from_list = name_of(op) in (_GET_ITEM, _LIST_UNPACK)
        if not from_list and symbol not in self.library:
            return False
        if not from_list and self.returns_list(op):
            return self.reify_beside_lists(symbol, op)
        calculate = self.begin(op)
        try:
            infos = self.element_infos(op) if from_list else self.call(symbol, op)
            check_results(len(infos), len(op.results))
        except NotAdaptable as error:
            drop(calculate)
            self.report(symbol, op, error)
            return False
        self.end(calculate, op, infos)
        return True

    def begin(self, op: ir.Operation) -> ir.Operation:
        """Wrap an op, and set the insertion point to its calculation."""
        calculate = wrap(op, self.kind)
        self.block, self.location = calculation(calculate), op.location
        self.parts, self.numbers, self.captured = [], {}, []
        self.has_regions = False
        return calculate

    def end(self, calculate: ir.Operation, op: ir.Operation, infos: list[ir.Value]) -> None:
        """Terminate the calculation of an op, and record it for simplification."""
        self.emit(self.names.calculation_yield, [], infos)
        readings, nests = self.reified.readings, self.reified.nests
        place, outside = body(calculate), calculate.block
        outer = readings.get(outside)
        nest = nests.pop(outside, None)
        if outer is not None:
            outer.held = calculate
        if self.has_regions:
            return
        readings[place] = Reading(self.reified.number(self.parts), self.captured, op)
        if outer is None:
            nest, outside = nest_around(op), place
        if nest is not None:
            add_layer(nest, (self.kind, calculate, place), readings[place])
            nests[outside] = nest

    def reify_beside_lists(self, symbol: str, op: ir.Operation) -> bool:
        """Wrap casts of the tensor results of an operator that also returns lists of them.

        A calculate op has shapes or dtypes of tensors, not of lists.
        """
        found = False
        for index, result in enumerate(op.results):
            if self.types.tensor(result.type) is None:
                continue
            cast = _cast_of(result, op)
            if is_reified(cast, self.kind):
                continue
            calculate = self.begin(cast)
            try:
                info = self.call(symbol, op)[index]
            except NotAdaptable as error:
                drop(calculate)
                self.report(symbol, op, error)
                return found
            self.end(calculate, cast, [info])
            found = True
        return found

    def report(self, symbol: str, op: ir.Operation, reason: NotAdaptable) -> None:
        """Report an op that does not fit its function."""
        if not isinstance(reason, UnknownListError):
            is_extra = self.library.is_extra(symbol)
            misfit = Misfit(operator_name(name_of(op)), self.kind, str(reason), is_extra)
            report_misfit(misfit, op, self.name, self.state)

    def is_complete(self, op: ir.Operation) -> bool:
        """Whether the types of the op's results are complete."""
        for result in op.results:
            tensor = self.types.tensor(result.type)
            if tensor is None:
                continue
            sizes, element = tensor.sizes, tensor.element
            known = element if self.kind == "dtype" else sizes is not None and None not in sizes
            if not known:
                return False
        return True

    def has_tensor_result(self, op: ir.Operation) -> bool:
        """Whether all results are tensors, or the only one is a list of them."""
        results = [self.types.text(result.type) for result in op.results]
        if not results:
            return False
        return all("tensor" in text for text in results)

    def gives_mutable_tensors(self, op: ir.Operation) -> bool:
        """Whether a result is a tensor without value semantics."""
        return any("!torch.tensor" in self.types.text(result.type) for result in op.results)

    def returns_list(self, op: ir.Operation) -> bool:
        """Whether the op returns a list of tensors; these are wrapped where they are taken out."""
        return any(self.types.text(result.type).startswith("!torch.list<") for result in op.results)

    def call(self, symbol: str, op: ir.Operation) -> list[ir.Value]:
        """Call the function of `op` with its operands converted; returns one value per result."""
        parameters, results = self.signature(symbol)
        operands = list(op.operands)
        check_count(len(parameters), len(operands))
        arguments: list[ir.Value] = []
        for operand, kind in zip(operands, parameters, strict=True):
            try:
                arguments.append(self.adapt(operand, kind))
            except UnknownListError:
                raise
            except NotAdaptable as error:
                raise NotAdaptable(f"{error} as operand #{len(arguments)}") from None
        self.used.add(symbol)
        callee = ir.FlatSymbolRefAttr.get(symbol, self.types.context)
        call = self.emit("func.call", results, arguments, {"callee": callee})
        if results and results[0].startswith("tuple<"):
            kinds = split_kinds(results[0])
            return list(self.emit("torch.prim.TupleUnpack", kinds, [call.result]).results)
        return list(call.results)

    def signature(self, symbol: str) -> tuple[list[str], list[str]]:
        """The types of a library function's parameters and results."""
        if symbol not in self._signatures:
            self._signatures[symbol] = signature_kinds(self.library.text(symbol))
        return self._signatures[symbol]

    def element_infos(self, op: ir.Operation) -> list[ir.Value]:
        """The shapes or dtypes of tensors that are taken out of a list."""
        infos = self.list_infos(op.operands[0])
        if name_of(op) == _GET_ITEM:
            return [self.element_info(infos, op.operands[1])]
        if self.kind == "shape":
            kinds = ["list<int>"] * len(op.results)
            return list(self.emit(_LIST_UNPACK, kinds, [infos]).results)
        return [self.element_info(infos, self.constant(index)) for index in range(len(op.results))]

    def element_info(self, infos: ir.Value, index: ir.Value) -> ir.Value:
        """The element at an index; a single dtype holds for all tensors of a list."""
        if self.kind == "dtype":
            length = self.emit("torch.aten.len.t", ["int"], [infos]).result
            last = self.emit("torch.aten.sub.int", ["int"], [length, self.constant(1)]).result
            index = self.emit("torch.prim.min.int", ["int"], [index, last]).result
        return self.emit(_GET_ITEM, [self.names.yielded], [infos, index]).result

    def constant(self, value: int) -> ir.Value:
        """A constant of the calculation."""
        attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64, self.types.context), value)
        return self.emit("torch.constant.int", ["int"], [], {"value": attribute}).result

    def list_infos(self, value: ir.Value) -> ir.Value:
        """The shapes or dtypes of the tensors in a list, as a list."""
        producer = self.producer(value)
        if producer is None:
            raise UnknownListError("the list is a block argument, or is mutated")
        symbol = library_symbol(self.kind, name_of(producer))
        if name_of(producer) == "torch.prim.ListConstruct":
            if self.kind == "shape":
                return self.adapt(value, "list<list<int>>")
            dtypes = [self.dtype(operand) for operand in producer.operands]
            return self.emit("torch.prim.ListConstruct", ["list<int>"], dtypes).result
        if symbol not in self.library:
            raise UnknownListError("the list is the result of an op without a function")
        results = list(producer.results)
        try:
            infos = self.call(symbol, producer)
            check_results(len(infos), len(results))
        except NotAdaptable as error:
            raise UnknownListError("its function does not fit") from error
        return infos[results.index(value)]

    def adapt(self, value: ir.Value, kind: str) -> ir.Value:
        """Convert `value` for a parameter of type `kind`; raises NotAdaptable."""
        have = self.types.text(value.type).removeprefix("!torch.")
        if have == "int" and is_bool_or_int(value):
            have = BOOL_OR_INT
        planned = conversion(have, kind)
        if planned is Conversion.SAME:
            return value
        if planned in _ONE_STEP:
            return self.emit(_ONE_STEP[planned], [kind], [value]).result
        if planned is Conversion.PRESENT:
            adapted = self.adapt(value, element_kind(kind))
            return self.emit("torch.derefine", [kind], [adapted]).result
        if planned is Conversion.EITHER:
            return self.unwrap_optional(value, element_kind(have), element_kind(kind), kind)
        if planned is Conversion.ITEMS:
            return self.adapt_list(value, have, kind)
        if planned is Conversion.BOOL_OR_INT:
            name = ir.StringAttr.get("torch_refine.bool_or_int", self.types.context)
            return self.emit("torch.operator", [kind], [value], {"name": name}).result
        if planned is Conversion.INT_THEN_FLOAT:
            return self.adapt(self.emit("torch.aten.Int.bool", ["int"], [value]).result, kind)
        if planned is Conversion.NUMBER:
            wide = self.emit("torch.derefine", ["any"], [value]).result
            return self.emit("torch.prim.unchecked_cast", [kind], [wide]).result
        first = self.emit("torch.aten.size", ["list<int>"], [value]).result
        if planned is Conversion.RANK_AND_DTYPE:
            first = self.emit("torch.aten.len.t", ["int"], [first]).result
        return self.emit("torch.prim.TupleConstruct", [kind], [first, self.dtype(value)]).result

    def dtype(self, value: ir.Value) -> ir.Value:
        """The dtype of a tensor, as an int."""
        return self.emit("torch.prim.dtype", ["int"], [value]).result

    def unwrap_optional(self, value: ir.Value, have: str, inner: str, kind: str) -> ir.Value:
        """Test an optional for None, and convert its value otherwise."""
        none = self.emit("torch.constant.none", ["none"], []).result
        absent = self.emit("torch.aten.__is__", ["bool"], [value, none]).result
        op = self.emit("torch.prim.If", [kind], [absent], regions=2)
        outer = self.block
        for index, region in enumerate(op.regions):
            self.block = region.blocks.append()
            found = none
            if index:
                held = self.emit("torch.prim.unchecked_cast", [have], [value]).result
                found = self.adapt(held, inner)
            found = self.emit("torch.derefine", [kind], [found]).result
            self.emit("torch.prim.If.yield", [], [found])
        self.block = outer
        return op.result

    def adapt_list(self, value: ir.Value, have: str, kind: str) -> ir.Value:
        """Convert each element of a list."""
        element = element_kind(kind)
        producer = self.producer(value)
        if producer is not None and producer.name == "torch.prim.ListConstruct":
            items = [self.adapt(operand, element) for operand in producer.operands]
            return self.emit("torch.prim.ListConstruct", [kind], items).result
        if producer is not None and element == "list<int>" and self.kind == "shape":
            symbol = library_symbol(self.kind, name_of(producer))
            if symbol in self.library:
                return self.list_infos(value)
        return self.adapt_each(value, element_kind(have), element, kind)

    def producer(self, value: ir.Value) -> ir.Operation | None:
        """The defining op of a list that nothing mutates; None if there is none."""
        owner = value.owner
        if isinstance(owner, ir.Block):
            return None
        if value not in self._unchanged:
            self._unchanged[value] = only_read(value, self.types)
        return owner.operation if self._unchanged[value] else None

    def adapt_each(self, value: ir.Value, have: str, element: str, kind: str) -> ir.Value:
        """Convert the elements of a list of unknown length in a loop."""
        out = self.emit("torch.prim.ListConstruct", [kind], []).result
        length = self.emit("torch.aten.len.t", ["int"], [value]).result
        true = ir.IntegerAttr.get(ir.IntegerType.get_signless(1, self.types.context), 1)
        always = self.emit("torch.constant.bool", ["bool"], [], {"value": true}).result
        loop = self.emit("torch.prim.Loop", [], [length, always], regions=1)
        outer = self.block
        self.block = loop.regions[0].blocks.append(
            self.types.parse("!torch.int"), arg_locs=[self.location]
        )
        held = self.emit(_GET_ITEM, [have], [value, self.block.arguments[0]]).result
        self.emit("torch.aten.append.t", [kind], [out, self.adapt(held, element)])
        self.emit("torch.prim.Loop.condition", [], [always])
        self.block = outer
        return out

    def emit(
        self,
        name: str,
        results: Iterable[str],
        operands: list[ir.Value],
        attributes: dict[str, ir.Attribute] | None = None,
        regions: int = 0,
    ) -> ir.Operation:
        """Append an op to the calculation."""
        numbers, parts = self.numbers, self.parts
        parts.append(name)
        for operand in operands:
            number = numbers.get(operand)
            if number is None:
                number = numbers[operand] = len(numbers)
                self.captured.append(operand)
            parts.append(number)
        if attributes:
            parts += attributes.values()
        self.has_regions = self.has_regions or regions > 0
        kinds = list(results)
        parts += kinds
        op = ir.Operation.create(
            name,
            results=[self.types.parse(f"!torch.{kind}") for kind in kinds],
            operands=operands,
            attributes=attributes or {},
            regions=regions,
            loc=self.location,
            ip=ir.InsertionPoint(self.block),
        )
        for result in op.results:
            numbers[result] = len(numbers)
        return op


def is_bool_or_int(value: ir.Value) -> bool:
    """Whether an int may stand for a bool of the model."""
    owner = value.owner
    return not isinstance(owner, ir.Block) and owner.operation.name == "torch.aten.Int.bool"


def _cast_of(result: ir.Value, op: ir.Operation) -> ir.Operation:
    """The cast of a result: one that is reified, or a new one."""
    for use in result.uses:
        user = use.owner.operation
        if user.name == CAST and (is_reified(user, "shape") or is_reified(user, "dtype")):
            return user
    cast = ir.Operation.create(
        CAST,
        results=[result.type],
        operands=[result],
        loc=op.location,
        ip=ir.InsertionPoint.after(op),
    )
    result.replace_all_uses_with(cast.result)
    cast.operands[0] = result
    return cast


def reify_calculations(
    kind: Kind,
    name: str,
    module: ir.Operation,
    state: RunState,
    extra_library: str,
    only_incomplete: bool,
) -> None:
    """Reify all calculations of a kind in a module, and add the functions that they call."""
    try:
        library = Library([Path(path) for path in extra_library.split(",") if path])
    except LibraryError as error:
        state.diagnostics.error(module.location, str(error))
        raise PassFailure(str(error)) from None
    types = Types(module.context)
    reifier = Reifier(kind, library, types, state, name)
    reshapes: bool | None = None
    for function in program_functions(module):
        # In an unreachable block, an op may be its own operand; it is left unchanged.
        for op in list(walk_reachable(function)):
            if op.name in OP_NAMES or (only_incomplete and reifier.is_complete(op)):
                continue
            if kind == "shape" and reifier.gives_mutable_tensors(op):
                if reshapes is None:
                    reshapes = reshapes_in_place(module, types)
                if reshapes:
                    continue
            if reifier.reify(op):
                state.count(name, "calculations reified")
    # The results of an earlier sweep lack those of these calculations.
    state.reified.sweeps.clear()
    present = {symbol_name(op) for op in operations(module.regions[0].blocks[0])}
    _splice(module, library, reifier.used, present)


def _splice(
    module: ir.Operation, library: Library, used: Iterable[str], present: set[str | None]
) -> None:
    """Add the used functions, and their callees, at the start of the module."""
    missing = [symbol for symbol in library.closure(used) if symbol not in present]
    if not missing:
        return
    point = ir.InsertionPoint.at_block_begin(module.regions[0].blocks[0])
    parsed = library.parse(missing, module.context)
    mark = ir.UnitAttr.get(module.context)
    for function in list(operations(parsed.body)):
        if symbol_name(function) in present:
            continue
        function.detach_from_parent()
        function.attributes[LIBRARY_ATTRIBUTE] = mark
        point.insert(function)
