"""The causes of an unknown part: what it comes from, one step back, and its first causes."""

from __future__ import annotations

from dataclasses import dataclass

from torch_refine.abstract_interpreter.lattice import Anything, Sequence
from torch_refine.abstract_interpreter.numbers.expressions import Symbol
from torch_refine.abstract_interpreter.running.library_lines import LibraryPlace
from torch_refine.dialect.bindings import ir
from torch_refine.dialect.element_types import element_of_dtype
from torch_refine.dialect.names import Kind, is_onnx, name_of
from torch_refine.passes.casts import CAST
from torch_refine.passes.program import symbol_name
from torch_refine.passes.symbolic_shapes.reading import SYMBOL, declared_symbol
from torch_refine.pipelines.explanation.analysis import Analysis
from torch_refine.pipelines.explanation.model import Cause
from torch_refine.pipelines.explanation.operators import (
    Decision,
    OperatorQueries,
    operand_names,
    text_of,
)
from torch_refine.pipelines.explanation.parts import (
    VALUE,
    Part,
    is_known,
    parts_with,
    state_of,
    symbols_of,
)
from torch_refine.pipelines.explanation.sources import Source, SourceFinder, Sources
from torch_refine.pipelines.explanation.trials import Unknown

_STRUCTURE = ("torch.prim.ListConstruct", "torch.prim.TupleConstruct", "torch.derefine")
# Operators that read elements of tensors.
_READS = tuple(
    f"torch.aten.{name}"
    for name in (
        "item",
        "Int.Tensor",
        "Float.Tensor",
        "Bool.Tensor",
        "IntImplicit",
        "_local_scalar_dense",
    )
)
Sources_ = tuple[Source, ...]


@dataclass(frozen=True)
class Link:
    """One step back from a part: its sources, and the causes that start here."""

    sources: Sources_
    causes: tuple[Cause, ...] = ()
    text: str = ""
    library: LibraryPlace | None = None
    condition: str | None = None


class CauseFinder:
    """Finds the causes of unknown parts in one module; the work is linear in the values asked for.

    `subjects` are the part of a value that each first cause is about, and `conditions` the declared
    symbols between which an undecided condition chooses. Sets of causes are bits of an int, as a
    long program may have thousands that thousands of values depend on.
    """

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.queries = OperatorQueries(analysis)
        self.sources = SourceFinder(analysis)
        self.subjects: dict[Cause, Source] = {}
        self.conditions: dict[Cause, tuple[Symbol, ...]] = {}
        self._links: dict[Source, Link] = {}
        self.found: list[Cause] = []
        self._bits: dict[Cause, int] = {}
        self._roots: dict[Source, int] = {}

    def causes_in(self, roots: int) -> list[Cause]:
        """The causes in a set."""
        found = []
        while roots:
            bit = roots & -roots
            found.append(self.found[bit.bit_length() - 1])
            roots ^= bit
        return found

    def _bit(self, cause: Cause) -> int:
        bit = self._bits.get(cause)
        if bit is None:
            bit = self._bits[cause] = 1 << len(self.found)
            self.found.append(cause)
        return bit

    def roots(self, value: ir.Value, part: Part) -> int:
        """The first causes of a part; of values in loops, those outside the cycle."""
        start = (value, part)
        pending, opened = [start], {start}
        # Of this search; in a cycle, the causes of some parts are incomplete.
        done: dict[Source, int] = {}
        while pending:
            source = pending[-1]
            link = self.link(*source)
            todo = [
                each
                for each in link.sources
                if each not in opened and each not in self._roots and each not in done
            ]
            if todo and source not in done:
                opened.update(todo)
                pending += todo
                continue
            pending.pop()
            found = 0
            for cause in link.causes:
                found |= self._bit(cause)
            for each in link.sources:
                found |= self._roots.get(each) or done.get(each, 0)
            done[source] = found
        if not done[start]:
            done[start] = self._bit(self._cyclic(value, part))
        self._roots.update((source, found) for source, found in done.items() if found)
        return self._roots[start]

    def link(self, value: ir.Value, part: Part) -> Link:
        """One step back from an unknown part."""
        found = self._links.get((value, part))
        if found is None:
            found = self._links[value, part] = self._find(value, part)
        return found

    def _find(self, value: ir.Value, part: Part) -> Link:
        state = state_of(self.analysis.fact(value), part)
        if is_known(state):
            return self._erased(value, part, state)
        owner = value.owner
        if not isinstance(owner, ir.Block) and owner.operation.name == "func.call":
            followed = self._followed(owner.operation, value, part)
            if followed is not None:
                return followed
        sources = self.sources.find(value, part)
        if sources is not None:
            return self._merged(value, part, sources)
        if isinstance(value.owner, ir.Block):
            return self._argument(value, part)
        return self._operator(value, part)

    # What is known, but not in the type.

    def _erased(self, value: ir.Value, part: Part, state: object) -> Link:
        owner = value.owner
        is_cast = not isinstance(owner, ir.Block) and owner.operation.name == CAST
        if isinstance(owner, ir.Block) and self.sources.find(value, part) is None:
            kind, text = "argument", f"the program declares {part} unknown"
        elif is_cast:
            kind, text = "cast", f"a cast erases {part}, which is {_shown(state, part)}"
        else:
            kind = "not-refined"
            text = (
                f"inference gives {_shown(state, part)} for {part}, but the type is kept: "
                "its users require it, or no refinement ran"
            )
        subject = "cast" if is_cast else kind
        return Link((), (self._cause(kind, subject, text, value, part),), text)

    # Containers, casts and control flow.

    def _merged(self, value: ir.Value, part: Part, sources: Sources) -> Link:
        analysis = self.analysis
        state = state_of(analysis.fact(value), part)
        mine = set(symbols_of(state))
        states = [(each, state_of(analysis.fact(each[0]), each[1])) for each in sources.found]
        changed = sources.merge is not None and any(
            found != state and mine & set(symbols_of(found)) for _, found in states
        )
        unknown = (
            ()
            if changed
            else tuple(
                each
                for each, found in states
                if each != (value, part)
                and not is_known(found)
                and not (
                    sources.merge
                    and analysis.is_declared(found)
                    and not mine & set(symbols_of(found))
                )
            )
        )
        if unknown or sources.merge is None:
            text = f"{part} is that of {_names(analysis, unknown or sources.found[:1])}"
            if not unknown:
                cause = self._untracked(value, part)
                return Link((), (cause,), cause.text)
            return Link(unknown, (), text)
        shown = list(dict.fromkeys(_shown(analysis.number_text(f), part) for _, f in states))
        text = f"{sources.merge} give {part} as {' and '.join(shown[:4])}"
        if changed:
            text = f"{sources.merge} change {part}"
        elif len(shown) < 2:
            text = f"{sources.merge} do not keep {part}"
        return Link((), (self._cause("control-flow", sources.merge, text, value, part),), text)

    def _untracked(self, value: ir.Value, part: Part) -> Cause:
        """A part of a list, or of a tensor that may change, that no lattice value has."""
        tensor = self.analysis.tensor(value)
        if tensor is not None and not tensor.value_semantics:
            text = f"{part} may be changed in place"
            return self._cause("alias", self._name(value), text, value, part)
        text = f"{part} is not tracked: the list may be mutated, or its length is unknown"
        return self._cause("list", self._name(value), text, value, part)

    def _cyclic(self, value: ir.Value, part: Part) -> Cause:
        """A part that comes from nothing but itself."""
        text = f"{part} is carried around a loop or a recursion"
        return self._cause("control-flow", "a loop", text, value, part)

    # Arguments.

    def _argument(self, value: ir.Value, part: Part) -> Link:
        analysis = self.analysis
        name = analysis.argument_name(value)
        outer = value.owner.owner.operation
        if outer.name != "func.func":
            text = f"{part} is unknown in this region"
            return Link((), (self._cause("control-flow", outer.name, text, value, part),), text)
        names = analysis.number_text(state_of(analysis.fact(value), part))
        text = f"argument {name} has {part} undeclared"
        if part.kind == "size":
            text = f"the program declares {part} of argument {name} dynamic"
            if names not in ("?", f"{name}.size({part.dim})"):
                text += f": {names}"
        elif part.kind == "value":
            text = f"argument {name} is given by the caller"
        elif part.kind == "rank":
            text = f"argument {name} is declared without a rank"
        elif part.kind == "dtype":
            text = f"argument {name} is declared without a dtype"
        subject = f"{part} of argument {name} of {self._function(value)}"
        return Link((), (self._cause("argument", subject, text, value, part),), text)

    def _function(self, value: ir.Value) -> str:
        return symbol_name(self.analysis.function_of(value)) or "?"

    # Operators.

    def _operator(self, value: ir.Value, part: Part) -> Link:
        op = value.owner.operation
        number = ir.OpResult(value).result_number
        name = name_of(op)
        followed = self._followed(op, value, part)
        if followed is not None:
            return followed
        if self.analysis.inference.has_function(name):
            return self._of_functions(op, name, number, value, part)
        return self._other(op, name, value, part)

    def _followed(self, op: ir.Operation, value: ir.Value, part: Part) -> Link | None:
        """The parts of operands that have all symbols of a part; None if some are new here."""
        symbols = symbols_of(state_of(self.analysis.fact(value), part))
        if not symbols:
            return None
        found: list[Source] = []
        for symbol in symbols:
            source = self._with_symbol(op, symbol)
            if source is None:
                return None
            found.append(source)
        sources = tuple(dict.fromkeys(found))
        return Link(sources, (), f"{part} follows from {_names(self.analysis, sources)}")

    def _with_symbol(self, op: ir.Operation, symbol: Symbol) -> Source | None:
        for operand in op.operands:
            for part in parts_with(self.analysis.fact(operand), symbol):
                return operand, part
        return None

    def _of_functions(
        self, op: ir.Operation, name: str, number: int, value: ir.Value, part: Part
    ) -> Link:
        kind: Kind = "dtype" if part.kind == "dtype" else "shape"
        if part.kind != "value" and not self.queries.has_function(op, kind):
            return self._without_function(op, name, value, part, f"no {kind} function")
        inferred = self.queries.inferred(op)
        if inferred.raised is not None:
            text = f"{name} always raises: {inferred.raised}"
            return Link((), (self._cause("raises", name, text, value, part),), text)
        lists = self._unknown_lists(op)
        if lists and not self.queries.verdict(op, number, part).decided:
            text = f"{name} needs the items of {_names(self.analysis, lists)} for {part}"
            return Link(lists, (), text)
        for remark in inferred.remarks:
            if f"cannot infer the {kind} " in remark:
                return Link((), (self._cause("budget", name, remark, value, part),), remark)
        for misfit in inferred.misfits:
            if misfit.kind == kind:
                text = f"{name} does not fit its {kind} function: {misfit.reason}"
                return Link((), (self._cause("misfit", name, text, value, part),), text)
        if is_known(state_of(inferred.results[number], part)):
            text = f"a tensor without value semantics may be changed in place: {part} is not kept"
            return Link((), (self._cause("alias", name, text, value, part),), text)
        verdict = self.queries.verdict(op, number, part)
        decision = self.queries.decision(op, number, part)
        if not verdict.needed or (not verdict.decided and verdict.ran):
            text = f"{name}: {part} is data-dependent"
            cause = self._cause("data-dependent", name, text, value, part, decision.library)
            return Link((), (cause,), text, decision.library)
        return self._dependent(op, name, value, part, verdict.needed, decision)

    def _unknown_lists(self, op: ir.Operation) -> Sources_:
        """The lists among an operator's operands whose items are not known."""
        return tuple(
            (operand, VALUE)
            for operand, fact in zip(op.operands, self.analysis.facts(op), strict=True)
            if (isinstance(fact, Anything) and fact.kind.startswith("list<"))
            or (isinstance(fact, Sequence) and fact.items is None)
        )

    def _dependent(
        self,
        op: ir.Operation,
        name: str,
        value: ir.Value,
        part: Part,
        needed: tuple[Unknown, ...],
        decision: Decision,
    ) -> Link:
        """An operator that needs unknown parts of its operands."""
        analysis = self.analysis
        condition = text_of(decision.condition, operand_names(analysis, op), analysis.symbol_text)
        followed: dict[Source, None] = {}
        declared: list[Symbol] = []
        for each in needed:
            if isinstance(each, Symbol) and each in analysis.symbols:
                declared.append(each)
                continue
            source = self._source(op, each)
            if source is not None:
                followed[source] = None
        causes: tuple[Cause, ...] = ()
        if declared or not followed:
            names = ", ".join(map(analysis.symbol_text, declared)) or "its operands"
            text = f"{name}: {part} depends on {names}"
            if condition is not None:
                text = f"{name}: {part} depends on whether {condition}"
            cause = self._cause("condition", name, text, value, part, decision.library, condition)
            self.conditions[cause] = tuple(
                dict.fromkeys(
                    (
                        *declared,
                        *(symbol for symbol in decision.symbols if symbol in analysis.symbols),
                    )
                )
            )
            causes = (cause,)
        if not followed:
            return Link((), causes, causes[0].text, decision.library, condition)
        text = f"{name} needs {_names(analysis, tuple(followed))} for {part}"
        return Link(tuple(followed), causes, text, decision.library, condition)

    def _source(self, op: ir.Operation, unknown: Unknown) -> Source | None:
        """The part of a value that an unknown of an operator's operands is."""
        if isinstance(unknown, Symbol):
            return self._with_symbol(op, unknown)
        path, kind = unknown
        value, *rest = (op.operands[path[0]], *path[1:])
        item = None
        for index in rest:
            owner = value.owner
            if not isinstance(owner, ir.Block) and owner.operation.name in _STRUCTURE[:2]:
                value = owner.operation.operands[index]
            else:
                item = index
        if kind == "value":
            return value, VALUE
        return value, Part("rank" if kind == "rank" else "dtype", 0, item)

    def _without_function(
        self, op: ir.Operation, name: str, value: ir.Value, part: Part, missing: str
    ) -> Link:
        text = f"{missing} for {name}"
        return Link((), (self._cause("no-function", name, text, value, part),), text)

    def _other(self, op: ir.Operation, name: str, value: ir.Value, part: Part) -> Link:
        """An op without library functions."""
        if is_onnx(name):
            text = f"{name} is an operator of ONNX, which torch-onnx-to-torch-pipeline converts"
            return Link((), (self._cause("no-function", name, text, value, part),), text)
        if name == "func.call":
            callee = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
            text = f"@{callee} is called, which has no body"
            return Link((), (self._cause("call", f"@{callee}", text, value, part),), text)
        if name.startswith("torch.global_slot"):
            text = f"{part} of the contents of a global slot"
            return Link((), (self._cause("slot", name, text, value, part),), text)
        if name == SYMBOL:
            text = f"the program declares {declared_symbol(op)[0]} symbolic"
            return Link((), (self._cause("argument", name, text, value, part),), text)
        if name in _READS:
            text = f"{name} reads an element of a tensor"
            return Link((), (self._cause("data-dependent", name, text, value, part),), text)
        if self.analysis.declared.kind(value.type).startswith("list<"):
            cause = self._untracked(value, part)
            return Link((), (cause,), cause.text)
        if self.analysis.tensor(value) is not None or part.item is not None:
            operator = name.startswith("torch.") and not name.startswith("torch.prim.")
            if op.name == "torch.operator" or operator:
                return self._without_function(
                    op, name, value, part, "no shape and no dtype function"
                )
            text = f"{name} is not interpreted"
            return Link((), (self._cause("operation", name, text, value, part),), text)
        unknown = self._unknown_operands(op)
        if unknown:
            return Link(unknown, (), f"{name} computes it from {_names(self.analysis, unknown)}")
        kind = "data-dependent" if name.startswith("torch.aten.") else "operation"
        text = (
            f"{name}: {part} is data-dependent"
            if kind == "data-dependent"
            else (f"{name} is not interpreted")
        )
        return Link((), (self._cause(kind, name, text, value, part),), text)

    def _unknown_operands(self, op: ir.Operation) -> Sources_:
        """The operands of a scalar computation that are not known."""
        found: list[Source] = []
        for operand, fact in zip(op.operands, self.analysis.facts(op), strict=True):
            tensor = self.analysis.tensor(operand)
            if tensor is not None:
                if tensor.sizes is None:
                    found.append((operand, Part("rank")))
            elif not is_known(state_of(fact, VALUE)) and (
                isinstance(fact, Anything | Sequence) or fact.symbols
            ):
                found.append((operand, VALUE))
        return tuple(found)

    # Causes.

    def _name(self, value: ir.Value) -> str:
        owner = value.owner
        return "argument" if isinstance(owner, ir.Block) else name_of(owner.operation)

    def _cause(
        self,
        kind: str,
        subject: str,
        text: str,
        value: ir.Value,
        part: Part,
        library: LibraryPlace | None = None,
        condition: str | None = None,
    ) -> Cause:
        name, place = self.analysis.name(value), self.analysis.place(value)
        cause = Cause(kind, subject, text, name, str(part), place, library, condition)
        self.subjects.setdefault(cause, (value, part))
        return cause


def _names(analysis: Analysis, sources: Sources_) -> str:
    texts = [
        analysis.plain_name(value) if part == VALUE else f"{part} of {analysis.plain_name(value)}"
        for value, part in sources
    ]
    shown = texts[:4] + ([f"{len(texts) - 4} more"] if len(texts) > 4 else [])
    return " and ".join(shown)


def _shown(state: object, part: Part) -> str:
    if part.kind == "dtype" and isinstance(state, int):
        return str(element_of_dtype(state))
    return str(state)
