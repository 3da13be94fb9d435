"""Base classes of named pipelines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from torch_refine.passes.base import option
from torch_refine.pipelines.elements import Element


@dataclass
class Pipeline(ABC):
    """Base of the named pipelines; the fields of a subclass are the pipeline's options."""

    name: ClassVar[str]
    free_option: ClassVar[str | None] = None

    extra_library: str = option(
        "", "files with further functions, separated by commas; they precede the shipped ones"
    )

    @abstractmethod
    def elements(self) -> tuple[Element, ...]:
        """The passes of the pipeline."""


@dataclass
class StagedPipeline(Pipeline):
    """A pipeline in stages, which a compiler can run separately to read the IR between them."""

    @abstractmethod
    def stages(self) -> dict[str, tuple[Element, ...]]:
        """The passes of each stage, by its name, in order."""

    def elements(self) -> tuple[Element, ...]:
        """The passes of all stages."""
        return tuple(chain.from_iterable(self.stages().values()))
