"""Explains a module when asked; until then it holds references only."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from torch_refine.abstract_interpreter.running.library import Programs
from torch_refine.dialect.bindings import ir
from torch_refine.pipelines.explanation.analysis import Analysis
from torch_refine.pipelines.explanation.asking import find_values
from torch_refine.pipelines.explanation.causes import CauseFinder
from torch_refine.pipelines.explanation.chains import ChainBuilder
from torch_refine.pipelines.explanation.model import Advice, Explanation, RankedCause
from torch_refine.pipelines.explanation.ranking import Ranking

_LARGE = 16


class Explainer:
    """Answers questions about a module. A module that was changed since is analysed again."""

    def __init__(
        self, module: ir.Operation, library: Programs | Iterable[Path] = (), text: str = ""
    ) -> None:
        """`library` are the extra library files, or all functions."""
        self.module = module
        self.text = text
        self._library = library
        self._finder: CauseFinder | None = None
        self._ranking: Ranking | None = None
        self._advice: Advice | None = None
        self._digest: bytes = b""

    def explain(self, question: str | ir.Value) -> Explanation:
        """Why the type of a value is what it is; raises NoSuchValueError."""
        finder = self._current()
        first, *others = find_values(finder.analysis, question)
        names = tuple(map(finder.analysis.name, others))
        return ChainBuilder(finder).explain(first, names)

    def causes(self) -> tuple[RankedCause, ...]:
        """The causes of unknown values, those of the most values first."""
        return self._ranked().causes()

    def advice(self) -> Advice:
        """The facts that would complete the module, verified by refining."""
        from torch_refine.pipelines.explanation.advising import Advisor

        ranking = self._ranked()
        if self._advice is None:
            assert self._finder is not None
            self._advice = Advisor(self._finder, ranking).advise()
        return self._advice

    def __str__(self) -> str:
        ranking = self._ranked()
        causes = ranking.causes()
        if not causes:
            return "every tensor is known"
        total = len(ranking.values) + ranking.skipped
        values = "1 tensor value is" if total == 1 else f"{total} tensor values are"
        lines = [f"{values} unknown; the causes, with how many values each leaves unknown:"]
        lines += map(str, causes[:_MOST_CAUSES])
        if len(causes) > _MOST_CAUSES:
            lines.append(f"        and {len(causes) - _MOST_CAUSES} more causes")
        if ranking.skipped:
            lines.append(f"note: {ranking.skipped} more values were not analysed")
        return "\n".join([*lines, str(self.advice())])

    def _ranked(self) -> Ranking:
        finder = self._current()
        if self._ranking is None:
            self._ranking = Ranking(finder)
        return self._ranking

    def _current(self) -> CauseFinder:
        """The analysis of the module as it is now."""
        text = self.module.get_asm(large_elements_limit=_LARGE, large_resource_limit=_LARGE)
        digest = hashlib.sha256(text.encode()).digest()
        if self._finder is None or digest != self._digest:
            self._digest = digest
            if not isinstance(self._library, Programs):
                self._library = Programs(self._library)
            self._finder = CauseFinder(Analysis(self.module, self._library, self.text))
            self._ranking = self._advice = None
        return self._finder


_MOST_CAUSES = 20
