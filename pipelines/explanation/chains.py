"""The explanation of one value: the chain from its type back to the first causes."""

from __future__ import annotations

from torch_refine.dialect.bindings import ir
from torch_refine.dialect.names import name_of
from torch_refine.passes.casts import CAST
from torch_refine.pipelines.explanation.causes import CauseFinder
from torch_refine.pipelines.explanation.model import Cause, Explanation, Step
from torch_refine.pipelines.explanation.parts import (
    VALUE,
    Part,
    is_known,
    state_of,
    symbols_of,
    unknown_parts,
)

# The links that are shown of one part; longer chains are shortened in the middle.
_MOST_STEPS = 24
_MOST_DEPTH = 200


class ChainBuilder:
    """Builds explanations from the links that a cause finder has."""

    def __init__(self, finder: CauseFinder) -> None:
        self.finder = finder
        self.analysis = finder.analysis

    def explain(self, value: ir.Value, others: tuple[str, ...] = ()) -> Explanation:
        """The explanation of a value's type."""
        analysis = self.analysis
        steps: list[Step] = []
        causes: dict[Cause, None] = {}
        tensor = analysis.tensor(value)
        if tensor is None:
            parts = [] if is_known(state_of(analysis.fact(value), VALUE)) else [VALUE]
        else:
            parts = list(unknown_parts(tensor))
        if not parts or (tensor is not None and tensor.sizes is not None):
            steps.append(self._known(value, None if tensor is None else tensor.sizes))
        told: set[tuple[str, ...]] = set()
        for part in parts:
            found = self._part(value, part)
            texts = tuple(f"{step.value}: {step.text}" for step in found)
            if texts not in told:
                told.add(texts)
                steps += found
            if not analysis.is_declared(state_of(analysis.fact(value), part)):
                causes.update(
                    dict.fromkeys(
                        sorted(self.finder.causes_in(self.finder.roots(value, part)), key=_order)
                    )
                )
        return Explanation(
            analysis.name(value),
            analysis.types.text(value.type),
            analysis.place(value),
            tuple(steps),
            tuple(causes),
            others,
        )

    def _known(self, value: ir.Value, sizes: object) -> Step:
        """The step of what is known: which operator computed it, from which operands."""
        owner = value.owner
        name = self.analysis.name(value)
        if isinstance(owner, ir.Block):
            argument = self.analysis.argument_name(value)
            is_entry = owner.owner.operation.name == "func.func"
            text = (
                f"what is known is declared of argument {argument}"
                if is_entry
                else ("what is known is carried into this block")
            )
            return self._step(value, VALUE, "declared", text, 0)
        op = owner.operation
        operator = name_of(op)
        if self.analysis.inference.has_function(operator):
            given = [
                f"{self.analysis.plain_name(each)}: {self.analysis.types.text(each.type)}"
                for each in op.operands
                if self.analysis.tensor(each) is not None
            ]
            text = f"what is known is inferred by the functions of {operator}"
            if given:
                text += f" from {', '.join(given)}"
        elif op.name == CAST:
            text = "what is known is stated by a cast"
        elif op.name.startswith("torch.constant.") or op.name == "torch.vtensor.literal":
            text = "a constant"
        else:
            text = f"what is known is that of {operator}"
        return Step(name, operator, "type", "inferred", text, self.analysis.place(value))

    def _part(self, value: ir.Value, part: Part) -> list[Step]:
        """The steps from an unknown part to its causes, depth first."""
        analysis = self.analysis
        state = state_of(analysis.fact(value), part)
        if analysis.is_declared(state):
            return [self._formula(value, part, state)]
        steps: list[Step] = []
        seen: set[tuple[ir.Value, Part]] = set()
        pending = [(value, part, 0)]
        while pending:
            place, its, depth = pending.pop()
            if (place, its) in seen or depth > _MOST_DEPTH:
                continue
            seen.add((place, its))
            found = state_of(analysis.fact(place), its)
            if depth and analysis.is_declared(found):
                steps.append(self._formula(place, its, found, depth))
                continue
            link = self.finder.link(place, its)
            kind = link.causes[0].kind if link.causes and not link.sources else "from"
            steps.append(
                self._step(place, its, kind, link.text, depth, link.library, link.condition)
            )
            for cause in link.causes if link.sources else ():
                steps.append(
                    self._step(
                        place,
                        its,
                        cause.kind,
                        cause.text,
                        depth + 1,
                        cause.library,
                        cause.condition,
                    )
                )
            pending += [(*source, depth + 1) for source in reversed(link.sources)]
        return _shortened(steps)

    def _formula(self, value: ir.Value, part: Part, state: object, depth: int = 0) -> Step:
        text = self.analysis.number_text(state)
        names = sorted({self.analysis.symbol_text(symbol) for symbol in symbols_of(state)})
        said = f"{part} is {text}"
        said += " of the program's inputs" if names else ""
        owner = value.owner
        if isinstance(owner, ir.Block):
            said = f"{part} is declared dynamic: {text}"
        return self._step(value, part, "formula", said, depth)

    def _step(
        self,
        value: ir.Value,
        part: Part,
        cause: str,
        text: str,
        depth: int,
        library: object = None,
        condition: str | None = None,
    ) -> Step:
        from torch_refine.abstract_interpreter.running.library_lines import LibraryPlace

        owner = value.owner
        operator = None if isinstance(owner, ir.Block) else name_of(owner.operation)
        return Step(
            self.analysis.name(value),
            operator,
            str(part),
            cause,
            text,
            self.analysis.place(value),
            library if isinstance(library, LibraryPlace) else None,
            condition,
            depth,
        )


def _order(cause: Cause) -> tuple[str, str, str]:
    return cause.kind, cause.subject, cause.value


def _shortened(steps: list[Step]) -> list[Step]:
    """Long chains without the links in the middle that only pass a part on."""
    if len(steps) <= _MOST_STEPS:
        return steps
    kept = [step for step in steps[_MOST_STEPS // 2 :] if step.cause != "from"]
    last = kept[-_MOST_STEPS // 2 :]
    left = len(steps) - _MOST_STEPS // 2 - len(last)
    middle = Step("...", None, "", "from", f"{left} more values in between", depth=1)
    return [*steps[: _MOST_STEPS // 2], middle, *last]
