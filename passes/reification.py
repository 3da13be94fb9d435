"""Wrapping operators in calculate ops that call library functions.

The two passes that reify, for shapes and for dtypes, differ in the kind only; what a function
wants for each operand follows from its parameter's type.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from pathlib import Path

from torch_refine.abstract_interpreter.operands import (
    BOOL_OR_INT,
    Conversion,
    NotAdaptable,
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
from torch_refine.dialect.names import Kind, library_symbol, name_of
from torch_refine.dialect.tensor_type import Types
from torch_refine.passes.base import PassFailure, RunState
from torch_refine.passes.branching import walk_reachable
from torch_refine.passes.casts import CAST
from torch_refine.passes.list_uses import only_read
from torch_refine.passes.program import LIBRARY_ATTRIBUTE, program_functions, symbol_name
from torch_refine.passes.reified import Reading, Reified, add_layer, nest_around
from torch_refine.passes.reshaping import reshapes_in_place

_GET_ITEM = "torch.aten.__getitem__.t"
_LIST_UNPACK = "torch.prim.ListUnpack"


# The op that a conversion is.
_ONE_STEP = {
    Conversion.WIDER: "torch.derefine",
    Conversion.ABSENT: "torch.derefine",
    Conversion.NARROWER: "torch.prim.unchecked_cast",
    Conversion.SIZES: "torch.aten.size",
    Conversion.FLOAT: "torch.aten.Float.Scalar",
    Conversion.INT: "torch.aten.Int.bool",
}


class Reifier:
    """Reifies the calculations of one kind in one module."""

    def __init__(
        self,
        kind: Kind,
        library: Library,
        types: Types,
        reified: Reified,
    ) -> None:
        self.kind: Kind = kind
        self.names = CALCULATE[kind]
        self.library = library
        self.types = types
        self._signatures: dict[str, tuple[list[str], list[str]]] = {}
        self._unchanged: dict[ir.Value, bool] = {}
        self.used: set[str] = set()
        self.reified = reified
        self.block: ir.Block
        self.location: ir.Location
        # What is written of a calculation, as `type_refinement/calculations/reading.py` has it.
        self.parts: list[Hashable] = []
        self.numbers: dict[ir.Value, int] = {}
        self.captured: list[ir.Value] = []
        self.has_regions = False

    def reify(self, op: ir.Operation) -> bool:
        """Wrap an operator with its calculation; False when it has none that fits."""
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
            facts = self.element_facts(op) if from_list else self.call(symbol, op)
            if len(facts) != len(op.results):
                raise NotAdaptable(f"the function gives {len(facts)} results")
        except NotAdaptable:
            drop(calculate)
            return False
        self.end(calculate, op, facts)
        return True

    def begin(self, op: ir.Operation) -> ir.Operation:
        """Wrap an op, and go on in its calculation."""
        calculate = wrap(op, self.kind)
        self.block, self.location = calculation(calculate), op.location
        self.parts, self.numbers, self.captured = [], {}, []
        self.has_regions = False
        return calculate

    def end(self, calculate: ir.Operation, op: ir.Operation, facts: list[ir.Value]) -> None:
        """End the calculation of an op, and note what simplification will ask for."""
        self.emit(self.names.calculation_yield, [], facts)
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
        """Wrap casts of the tensors that an operator gives beside lists of them.

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
                fact = self.call(symbol, op)[index]
            except NotAdaptable:
                drop(calculate)
                return found
            self.end(calculate, cast, [fact])
            found = True
        return found

    def is_complete(self, op: ir.Operation) -> bool:
        """Whether nothing more can be learnt about the op's results."""
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
        """Whether all results are tensors, or the one result is a list of them."""
        results = [self.types.text(result.type) for result in op.results]
        if not results:
            return False
        return all("tensor" in text for text in results)

    def gives_mutable_tensors(self, op: ir.Operation) -> bool:
        """Whether a result is a tensor without value semantics."""
        return any("!torch.tensor" in self.types.text(result.type) for result in op.results)

    def returns_list(self, op: ir.Operation) -> bool:
        """Whether the op returns a list of tensors, whose elements are wrapped where they leave."""
        return any(self.types.text(result.type).startswith("!torch.list<") for result in op.results)

    def call(self, symbol: str, op: ir.Operation) -> list[ir.Value]:
        """Call the function of `op`, with its operands adapted; one fact per result."""
        parameters, results = self.signature(symbol)
        operands = list(op.operands)
        if len(parameters) != len(operands):
            raise NotAdaptable(f"{len(operands)} operands for {len(parameters)} parameters")
        arguments = [self.adapt(a, kind) for a, kind in zip(operands, parameters, strict=True)]
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

    def element_facts(self, op: ir.Operation) -> list[ir.Value]:
        """What is known of tensors that are taken out of a list."""
        facts = self.list_facts(op.operands[0])
        if name_of(op) == _GET_ITEM:
            return [self.element_fact(facts, op.operands[1])]
        if self.kind == "shape":
            kinds = ["list<int>"] * len(op.results)
            return list(self.emit(_LIST_UNPACK, kinds, [facts]).results)
        return [self.element_fact(facts, self.constant(index)) for index in range(len(op.results))]

    def element_fact(self, facts: ir.Value, index: ir.Value) -> ir.Value:
        """The fact at an index; a lone dtype stands for all tensors of a list."""
        if self.kind == "dtype":
            length = self.emit("torch.aten.len.t", ["int"], [facts]).result
            last = self.emit("torch.aten.sub.int", ["int"], [length, self.constant(1)]).result
            index = self.emit("torch.prim.min.int", ["int"], [index, last]).result
        return self.emit(_GET_ITEM, [self.names.yielded], [facts, index]).result

    def constant(self, value: int) -> ir.Value:
        """A constant of the calculation."""
        attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64, self.types.context), value)
        return self.emit("torch.constant.int", ["int"], [], {"value": attribute}).result

    def list_facts(self, value: ir.Value) -> ir.Value:
        """The shapes or dtypes of the tensors in a list, as a list."""
        producer = self.producer(value)
        if producer is None:
            raise NotAdaptable("the list comes from outside, or is changed")
        symbol = library_symbol(self.kind, name_of(producer))
        if name_of(producer) == "torch.prim.ListConstruct":
            if self.kind == "shape":
                return self.adapt(value, "list<list<int>>")
            dtypes = [self.dtype(operand) for operand in producer.operands]
            return self.emit("torch.prim.ListConstruct", ["list<int>"], dtypes).result
        if symbol not in self.library:
            raise NotAdaptable("the list comes from an op without a function")
        facts = self.call(symbol, producer)
        results = list(producer.results)
        if len(facts) != len(results):
            raise NotAdaptable(f"the function gives {len(facts)} results")
        return facts[results.index(value)]

    def adapt(self, value: ir.Value, kind: str) -> ir.Value:
        """`value` as a parameter of type `kind` takes it; raises NotAdaptable."""
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
        """An optional that only running tells about: adapt what is in it if something is."""
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
        """A list as a list of what the function wants for each element."""
        element = element_kind(kind)
        producer = self.producer(value)
        if producer is not None and producer.name == "torch.prim.ListConstruct":
            items = [self.adapt(operand, element) for operand in producer.operands]
            return self.emit("torch.prim.ListConstruct", [kind], items).result
        if producer is not None and element == "list<int>" and self.kind == "shape":
            symbol = library_symbol(self.kind, name_of(producer))
            if symbol in self.library:
                return self.list_facts(value)
        return self.adapt_each(value, element_kind(have), element, kind)

    def producer(self, value: ir.Value) -> ir.Operation | None:
        """The op that made a list which nothing in the program changes; None if there is none."""
        owner = value.owner
        if isinstance(owner, ir.Block):
            return None
        if value not in self._unchanged:
            self._unchanged[value] = only_read(value, self.types)
        return owner.operation if self._unchanged[value] else None

    def adapt_each(self, value: ir.Value, have: str, element: str, kind: str) -> ir.Value:
        """A list of unknown length: a loop adapts its elements one by one."""
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
        """Append an op to the calculation that is being written."""
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
    """Whether an int may stand for the bool that a model was written with.

    The dialect cannot pass a bool where PyTorch takes a number, so importers cast it.
    """
    owner = value.owner
    return not isinstance(owner, ir.Block) and owner.operation.name == "torch.aten.Int.bool"


def _cast_of(result: ir.Value, op: ir.Operation) -> ir.Operation:
    """The cast through which a result is used: one that is reified, or a new one."""
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
    """Reify all calculations of a kind in a module, and splice in the functions that they call."""
    try:
        library = Library([Path(path) for path in extra_library.split(",") if path])
    except LibraryError as error:
        state.diagnostics.error(module.location, str(error))
        raise PassFailure(str(error)) from None
    types = Types(module.context)
    reifier = Reifier(kind, library, types, state.reified)
    reshapes: bool | None = None
    for function in program_functions(module):
        # In a block to which nothing leads, an op may be its own operand, and stays.
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
    # What a sweep has found lacks what these calculations say.
    state.reified.sweeps.clear()
    present = {symbol_name(op) for op in operations(module.regions[0].blocks[0])}
    _splice(module, library, reifier.used, present)


def _splice(
    module: ir.Operation, library: Library, used: Iterable[str], present: set[str | None]
) -> None:
    """Put the functions that are used and not there yet in front, with what they call."""
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
