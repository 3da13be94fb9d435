"""What a named pipeline is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from torch_refine.passes.base import option
from torch_refine.pipelines.elements import Element


@dataclass
class Pipeline(ABC):
    """Base of the named pipelines; the fields of a subclass are the pipeline's options."""

    name: ClassVar[str]

    extra_library: str = option(
        "", "files with further functions, separated by commas; they precede the shipped ones"
    )

    @abstractmethod
    def elements(self) -> tuple[Element, ...]:
        """The passes that the pipeline stands for."""
